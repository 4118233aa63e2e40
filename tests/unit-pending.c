/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdint.h>

#include "dedup/pending.h"
#include "snapshot/limits.h"
#include "tests/tap.h"

/* Keys that collide often: few values of the half that is hashed. */
static struct urlkey
key(uint64_t i)
{
	struct urlkey k = { i + 1, i % 7 };

	return k;
}

static int
all_there(const struct pending *p, uint64_t from, uint64_t to)
{
	for (; from < to; from++)
		if (!pending_has(p, key(from), pending_now(p)))
			return 0;
	return 1;
}

static int
none_there(const struct pending *p, uint64_t from, uint64_t to)
{
	for (; from < to; from++)
		if (pending_has(p, key(from), pending_now(p)))
			return 0;
	return 1;
}

static int
fill(struct pending *p, uint64_t from, uint64_t to)
{
	for (; from < to; from++)
		if (pending_add(p, key(from), from) < 0)
			return 0;
	return 1;
}

/* Enter, leave in order, through several sizes of the ring. */
static void
in_and_out(struct tap *t)
{
	struct pending *p = pending_new();
	struct urlkey out[8];
	size_t n;

	tap_ok(t, fill(p, 0, 9000) && all_there(p, 0, 9000),
	    "9000 keys are found after the ring has grown");
	tap_ok(t, none_there(p, 9000, 9100), "others are not");
	n = pending_peek(p, 4, out, 8);
	tap_ok(t, n == 5 && urlkey_same(out[4], key(4)),
	    "those up to offset 4 are safe, oldest first");
	tap_ok(t, pending_peek(p, 4, out, 3) == 3, "at most as many as asked");
	tap_ok(t, all_there(p, 0, 5), "looking does not take them away");
	pending_drop(p, 5);
	tap_ok(t,
	    none_there(p, 0, 5) && all_there(p, 5, 9000) &&
		pending_count(p) == 8995,
	    "dropped keys are gone, the others stay");
	tap_ok(t, pending_peek(p, 4, out, 8) == 0, "nothing else is safe");
	pending_free(p);
}

/* A window that moves: stale links must never be followed. */
static void
moving_window(struct tap *t)
{
	struct pending *p = pending_new();
	uint64_t i;
	int good = 1;

	for (i = 0; i < 50000; i++) {
		good = good && fill(p, i, i + 1);
		if (i >= 700)
			pending_drop(p, 1);
		if (i % 997 == 0 && i > 1400)
			good = good && all_there(p, i - 699, i + 1) &&
			    none_there(p, i - 1400, i - 700);
	}
	tap_ok(t, good, "a window of 700 keys over 50000 is right throughout");
	tap_ok(t, pending_count(p) == 700, "and holds 700");
	pending_free(p);
}

/* What left is found by those who looked before. */
static void
recalled(struct tap *t)
{
	struct pending *p = pending_new();
	uint64_t early = pending_now(p), late;

	if (!fill(p, 0, 1000))
		abort();
	pending_drop(p, 400);
	late = pending_now(p);
	tap_ok(t,
	    pending_recalls(p, early, 0) && pending_has(p, key(399), early) &&
		pending_has(p, key(400), early),
	    "a key that left is found since a moment before");
	tap_ok(t,
	    !pending_has(p, key(399), late) && pending_has(p, key(400), late),
	    "and not since one after");
	if (!fill(p, 1000, 4096))
		abort();
	tap_ok(t, pending_recalls(p, early, 0) && !pending_recalls(p, early, 1),
	    "as long as its slot is its own");
	if (!fill(p, 4096, 4097))
		abort();
	tap_ok(t, !pending_recalls(p, early, 0) && pending_recalls(p, late, 0),
	    "and no longer");
	if (!fill(p, 4097, 9000))
		abort();
	tap_ok(t, !pending_recalls(p, early, 0) && pending_recalls(p, late, 0),
	    "a larger ring knows those that waited");
	pending_drop(p, 1);
	tap_ok(t, pending_has(p, key(400), late), "also when they leave");
	pending_free(p);
}

static void
ceiling(struct tap *t)
{
	struct pending *p = pending_new();
	struct urlkey k = { 0, 0 };
	uint64_t i;
	int rc = 0;

	for (i = 0; i < LIMIT_PENDING && rc == 0; i++) {
		k.lo = k.hi = i;
		rc = pending_add(p, k, 0);
	}
	tap_ok(t, rc == 0 && pending_room(p) == 0, "the ceiling is reached");
	k.lo = k.hi = i;
	tap_ok(t, pending_add(p, k, 0) == FAULT_FULL, "and not passed");
	pending_drop(p, 1);
	tap_ok(t,
	    pending_add(p, k, 0) == 0 && pending_has(p, k, pending_now(p)),
	    "one out, one in");
	pending_free(p);
}

int
main(void)
{
	struct tap t = { 0, 0 };

	in_and_out(&t);
	moving_window(&t);
	recalled(&t);
	ceiling(&t);
	return tap_done(&t);
}
