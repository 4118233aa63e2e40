/* SPDX-License-Identifier: BSD-2-Clause */

/* Taking keys out again, for the kinds that can. */

#include "config.h"

#include "dedup/filter.h"
#include "tests/keys.h"
#include "tests/tap.h"

static struct filter_spec
spec_of(enum filter_kind kind, uint64_t n, double p)
{
	struct filter_spec s = { .kind = kind,
		.capacity = n,
		.fp_rate = p,
		.seed = 42,
		.rules = 0,
		.budget = 0 };

	return s;
}

/* How many of the keys FROM, FROM + STEP ... are there, of N. */
static uint64_t
deleted(struct filter *f, uint64_t from, uint64_t step, uint64_t n)
{
	struct urlkey key[KEYS_BATCH];
	uint8_t gone;
	uint64_t i, sum = 0;

	for (i = from; i < n; i += step) {
		(void)keys_make(f, "user", i, 1, key);
		if (filter_delete(f, key, 1, &gone) != gone)
			return UINT64_MAX;
		sum += gone;
	}
	return sum;
}

static void
deletes(struct tap *t, enum filter_kind kind)
{
	const uint64_t n = 100000;
	/* so low that none of these keys is called seen by chance */
	struct filter_spec spec = spec_of(kind, n, 1e-9);
	const char *name = filter_kind_name(kind);
	struct filter_stat st;
	struct filter *f = NULL;

	tap_ok(t,
	    filter_new(&f, &spec, FILTER_NO_GROW) == 0 &&
		filter_can_delete(kind),
	    "%s: deletes", name);
	tap_ok(t, keys_add(f, "user", 0, n) == (long)n, "%s: full", name);
	tap_ok(t, deleted(f, 0, 2, n) == n / 2, "%s: each second is deleted",
	    name);
	filter_stat(f, &st);
	tap_ok(t, st.count == n / 2, "%s: and counted", name);
	tap_ok(t, keys_seen(f, "user", 0, n) == n / 2,
	    "%s: none of the others is lost", name);
	tap_ok(t, deleted(f, 0, 2, n) == 0, "%s: none is there twice", name);
	tap_ok(t, keys_add(f, "user", 0, n) == (long)n / 2,
	    "%s: they are new again", name);
	tap_ok(t, keys_seen(f, "user", 0, n) == n, "%s: and seen", name);
	tap_ok(t, deleted(f, 0, 1, n) == n, "%s: all are deleted", name);
	filter_stat(f, &st);
	tap_ok(t, st.count == 0 && st.fill < 1e-5 && st.estimated < 1e-12,
	    "%s: it is empty", name);
	filter_abandon(f);
}

/* Deleting what a layer holds makes room there, not in a further one. */
static void
deletes_in_layers(struct tap *t, enum filter_kind kind)
{
	struct filter_spec spec = spec_of(kind, 1000, 1e-9);
	const char *name = filter_kind_name(kind);
	struct filter_stat st;
	struct filter *f = NULL;
	unsigned int i;

	tap_ok(t, filter_new(&f, &spec, 0) == 0, "%s: in layers", name);
	(void)!keys_add(f, "user", 0, 20000);
	tap_ok(t, deleted(f, 0, 1, 20000) == 20000, "%s: all found", name);
	tap_ok(t, keys_seen(f, "user", 0, 20000) == 0, "%s: all gone", name);
	for (i = 0; i < 20; i++) {
		(void)!keys_add(f, "user", 0, 20000);
		(void)deleted(f, 0, 1, 20000);
	}
	filter_stat(f, &st);
	tap_ok(t, st.layers == 3 && st.count == 0, "%s: room is used again",
	    name);
	filter_abandon(f);
}

/* A pseudo-random number below `n'. */
static uint64_t
below(uint64_t *state, uint64_t n)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (*state >> 33) % n;
}

/*
 * Few slots, many additions and deletions, against a list of what is there:
 * nothing that is there is ever called new, and nothing else seen.
 */
static void
churn(struct tap *t, enum filter_kind kind)
{
	enum {
		N = 300,
		STEPS = 40000
	};
	struct filter_spec spec = spec_of(kind, 200, 1e-12);
	const char *name = filter_kind_name(kind);
	unsigned char in[N] = { 0 };
	struct filter *f = NULL;
	uint64_t state = 1, i, step, wrong = 0, count = 0;

	if (!tap_ok(t, filter_new(&f, &spec, FILTER_NO_GROW) == 0, "%s: churn",
		name))
		return;
	for (step = 0; step < STEPS && wrong == 0; step++) {
		i = below(&state, N);
		if (in[i] || count == 200) {
			wrong += deleted(f, i, N, i + 1) != in[i];
			count -= in[i];
			in[i] = 0;
		} else {
			wrong += keys_add(f, "user", i, 1) != 1;
			count++;
			in[i] = 1;
		}
		if (step % 100 == 0)
			for (i = 0; i < N; i++)
				wrong += keys_seen(f, "user", i, 1) != in[i];
	}
	tap_ok(t, wrong == 0, "%s: %d changes, always right", name, STEPS);
	filter_abandon(f);
}

static void
cannot_delete(struct tap *t, enum filter_kind kind)
{
	struct filter_spec spec = spec_of(kind, 100, 0.01);
	struct urlkey key = { 1, 2 };
	struct filter *f = NULL;
	uint8_t gone;

	tap_ok(t,
	    filter_new(&f, &spec, 0) == 0 && !filter_can_delete(kind) &&
		filter_delete(f, &key, 1, &gone) == FAULT_ARG,
	    "%s: cannot delete", filter_kind_name(kind));
	filter_abandon(f);
}

int
main(void)
{
	static const enum filter_kind can[] = { FILTER_COUNTING, FILTER_CUCKOO,
		FILTER_EXACT };
	struct tap t = { 0, 0 };
	size_t i;

	for (i = 0; i < sizeof can / sizeof can[0]; i++) {
		deletes(&t, can[i]);
		deletes_in_layers(&t, can[i]);
		churn(&t, can[i]);
	}
	cannot_delete(&t, FILTER_BLOCKED);
	cannot_delete(&t, FILTER_BLOOM);
	return tap_done(&t);
}
