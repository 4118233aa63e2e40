/* SPDX-License-Identifier: BSD-2-Clause */

/* Writing the journal and reading it again, with disks that fail. */

#include "config.h"

#include <errno.h>
#include <poll.h>

#include "snapshot/journal.h"
#include "snapshot/journal_read.h"
#include "snapshot/limits.h"
#include "snapshot/series.h"
#include "tests/faultdisk.h"
#include "tests/journals.h"
#include "tests/scratch.h"
#include "tests/tap.h"

/* All of these must lead to the end of 4000 records: how many do not. */
static int
wrong_places(int dir, struct journal_pos at)
{
	const struct journal_pos places[] = {
		at,
		{ at.seq - 50, at.segment, at.offset },
		{ at.seq - 50, at.segment + 1, at.offset },
		{ at.seq, at.segment, at.offset - 1 },
		{ at.seq, at.segment, 0 },
		{ at.seq, at.segment, UINT64_MAX },
		{ at.seq, 0, 0 },
		{ at.seq, 1, 0 },
		{ at.seq, 99, 0 },
		{ at.seq, UINT64_MAX, 0 },
		{ 0, at.segment, at.offset },
	};
	int bad = 0;
	size_t i;
	long n;

	for (i = 0; i < sizeof places / sizeof places[0]; i++) {
		n = journals_read(dir, &places[i], NULL, NULL);
		if (n == 4000)
			continue;
		tap_diag("%llu, way %zu: %ld", (unsigned long long)at.seq, i,
		    n);
		bad++;
	}
	return bad;
}

static void
round_trip(struct tap *t, const struct scratch *s)
{
	int dir = scratch_folder(s, "round");
	struct journal_pos end = { 0, 0, 0 }, at[40], last;
	struct journal *j;
	int i, bad = 0;

	tap_ok(t,
	    journals_read(dir, NULL, &end, NULL) == 0 && end.segment == 0 &&
		end.seq == 0,
	    "an empty journal");
	for (i = 0; i < 40; i++) {
		j = journals_open(dir, &end, 2000);
		bad |= journals_put_all(j, (uint64_t)(i + 1) * 100) < 0;
		bad |= journal_drain(j, 1000, JOURNALS_WAIT) < 0;
		bad |= journal_durable(j) != (uint64_t)(i + 1) * 100;
		at[i] = journal_durable_pos(j);
		bad |= journal_close(j, 1000, JOURNALS_WAIT) < 0;
		bad |= journals_read(dir, i % 2 ? &at[i] : NULL, &end, NULL) !=
		    (i + 1) * 100;
		bad |= memcmp(&end, &at[i], sizeof end) != 0;
	}
	tap_ok(t, !bad, "written and read, 40 times");
	tap_ok(t, journals_segments(dir) > 2, "in %u segments",
	    journals_segments(dir));
	for (i = 0; i < 40; i++)
		bad += wrong_places(dir, at[i]);
	tap_ok(t, !bad, "read from anywhere, also where the place is wrong");
	last = end;
	last.seq++;
	last.offset++;
	tap_ok(t, journals_read(dir, &last, NULL, NULL) == FAULT_DAMAGED,
	    "a place behind the end is damage");
	last.segment = 0;
	tap_ok(t, journals_read(dir, &last, NULL, NULL) == FAULT_DAMAGED,
	    "wherever it may be");
	close(dir);
}

/* When batches leave, and what is told when. */
static void
timing(struct tap *t, const struct scratch *s)
{
	static const struct journal_pos none = { 0, 0, 0 };
	int dir = scratch_folder(s, "timing");
	struct journal *j = journals_open(dir, &none, 0);
	struct pollfd p = { .fd = journal_fd(j), .events = POLLIN };

	tap_ok(t, journal_deadline(j) == -1, "nothing to do");
	tap_ok(t, journals_put(j, 0) == 0 && journal_deadline(j) == 1100,
	    "a record waits 100 ms at most");
	tap_ok(t,
	    journal_poll(j, 1099) == 0 && journal_deadline(j) == 1100 &&
		poll(&p, 1, 0) == 0,
	    "not earlier");
	tap_ok(t, journal_poll(j, 1100) == 0 && journal_deadline(j) == -1,
	    "then the batch leaves");
	tap_ok(t, journal_durable(j) == 0, "and is not durable yet");
	tap_ok(t, journals_put(j, 1) == 0 && journal_deadline(j) == -1,
	    "the next one waits for it");
	tap_ok(t, poll(&p, 1, JOURNALS_WAIT) == 1, "the helper says when");
	tap_ok(t, journal_durable(j) == 0, "told only when asked");
	tap_ok(t, journal_poll(j, 1050) == 0 && journal_durable(j) == 1,
	    "durable");
	tap_ok(t,
	    journal_poll(j, 900) == 0 && poll(&p, 1, JOURNALS_WAIT) == 1 &&
		journal_poll(j, 900) == 0 && journal_durable(j) == 2,
	    "a clock that steps back: it leaves at once");
	tap_ok(t, journals_put(j, 2) == 0, "one more");
	journal_flush(j);
	tap_ok(t,
	    poll(&p, 1, JOURNALS_WAIT) == 1 && journal_poll(j, 1000) == 0 &&
		journal_durable(j) == 3,
	    "flushed");
	journal_flush(j);
	tap_ok(t, journal_deadline(j) == -1, "nothing to flush");
	tap_ok(t, journals_put(j, 3) == 0, "one more");
	journal_abandon(j);
	tap_ok(t, journals_read(dir, NULL, NULL, NULL) == 3,
	    "an abandoned journal writes no more");
	close(dir);
}

/* An owner who only appends, and waits where that takes nothing. */
static void
unpolled(struct tap *t, const struct scratch *s)
{
	static const struct journal_pos none = { 0, 0, 0 };
	int dir = scratch_folder(s, "unpolled"), rc = 0;
	struct journal *j = journals_open(dir, &none, 0);
	struct pollfd p = { .fd = journal_fd(j), .events = POLLIN };
	unsigned int full = 0;
	uint64_t n = 0;

	while (n < 400000 && full < 1000) {
		rc = journals_put(j, n);
		full = rc == FAULT_FULL ? full + 1 : 0;
		n += rc == 0;
		if (rc == FAULT_FULL)
			(void)poll(&p, 1, JOURNALS_WAIT);
	}
	tap_ok(t, rc == 0, "it goes on when the helper has ended");
	tap_ok(t, journal_durable(j) == 0, "it was not told yet");
	tap_ok(t, journal_poll(j, 1000) == 0 && journal_durable(j) > 0,
	    "and is told");
	tap_ok(t,
	    journal_close(j, 1000, JOURNALS_WAIT) == 0 &&
		journals_read(dir, NULL, NULL, NULL) == (long)n,
	    "all there");
	close(dir);
}

/* Both generations full: nothing is taken, nothing is lost. */
static void
full(struct tap *t, const struct scratch *s)
{
	struct faultdisk f = { .ops = FAULTDISK_WRITE,
		.at = 1,
		.more = 1,
		.how = FAULTDISK_ERRNO,
		.err = ENOSPC };
	static const struct journal_pos none = { 0, 0, 0 };
	int dir = scratch_folder(s, "full"), rc;
	struct journal *j = journals_open(dir, &none, 0);
	struct pollfd p = { .fd = journal_fd(j), .events = POLLIN };
	size_t room = journal_room(j), was = room;
	uint64_t n = 0;

	faultdisk_use(&f);
	do {
		rc = journals_put(j, n);
		if (rc == 0 && journal_room(j) > was)
			break; /* there must be less after each record */
		was = journal_room(j);
		n += rc == 0;
	} while (rc == 0);
	tap_ok(t, rc == FAULT_FULL && n > 100000, "full after %llu records",
	    (unsigned long long)n);
	tap_ok(t, room <= LIMIT_BATCH + LIMIT_BATCH, "room for %zu bytes",
	    room);
	(void)poll(&p, 1, 1000); /* it may have come before */
	tap_ok(t,
	    journals_put(j, n) == FAULT_FULL && journal_deadline(j) == 1000,
	    "the helper's word was taken: there is something to ask for");
	while (journal_poll(j, 1000) == 0)
		(void)poll(&p, 1, JOURNALS_WAIT);
	tap_ok(t, journal_poll(j, 1000) == FAULT_SYS && errno == ENOSPC,
	    "the disk is full, and stays so");
	tap_ok(t, journals_put(j, n) == FAULT_FULL && journal_durable(j) == 0,
	    "nothing taken, nothing durable");
	journal_retry(j);
	(void)poll(&p, 1, JOURNALS_WAIT);
	tap_ok(t,
	    journal_poll(j, 1000) == FAULT_SYS && errno == ENOSPC &&
		f.hits == 2,
	    "tried again, in vain");
	journal_retry(j);
	journal_retry(j);
	(void)poll(&p, 1, JOURNALS_WAIT);
	tap_ok(t, journal_poll(j, 1000) == 0 && journal_durable(j) > 0,
	    "there is room again");
	tap_ok(t,
	    journals_put(j, n) == 0 &&
		journal_close(j, 1000, JOURNALS_WAIT) == 0,
	    "it goes on");
	faultdisk_use(NULL);
	tap_ok(t, journals_read(dir, NULL, NULL, NULL) == (long)n + 1,
	    "and nothing is missing");
	close(dir);
}

/* One operation fails, whichever: the journal goes on, or says so once. */
static void
one_fault(struct tap *t, const struct scratch *s, unsigned int ops,
    enum faultdisk_how how, int err, int quiet)
{
	struct faultdisk f = { .ops = ops, .how = how, .err = err };
	struct journal_pos end = { 0, 0, 0 };
	struct journal *j;
	unsigned long k;
	unsigned int told = 0, bad = 0;
	char name[32], detail[128];
	uint64_t n;
	int dir, rc, said;

	for (k = 1; k < 200; k++) {
		snprintf(name, sizeof name, "one%lu", k);
		dir = scratch_folder(s, name);
		f.at = k;
		f.count = f.hits = 0;
		said = 0;
		j = journals_open(dir, &end, 600);
		faultdisk_use(&f);
		for (n = 40, rc = 0; n <= 400; n += rc < 0 ? 0 : 40) {
			rc = journals_put_all(j, n);
			if (rc == 0)
				rc = journal_drain(j, 1000, JOURNALS_WAIT);
			if (rc == 0)
				continue;
			said = 1;
			journal_retry(j);
		}
		told += said;
		bad += journal_durable(j) != 400;
		faultdisk_use(NULL);
		bad += journal_close(j, 1000, JOURNALS_WAIT) < 0;
		bad += journals_read(dir, NULL, NULL, detail) != 400;
		if (bad > 0)
			break;
		scratch_empty(s->fd, name);
		close(dir);
		(void)unlinkat(s->fd, name, AT_REMOVEDIR);
		if (f.hits == 0)
			break;
	}
	if (!tap_ok(t, bad == 0 && k > 8 && k < 200,
		"operations of kind %02x fail, each once (%lu): %u told", ops,
		k - 1, told))
		tap_diag("at %lu: %s", k, detail);
	tap_ok(t, quiet ? told == 0 : told == k - 1, "told as it should be");
}

static void
faults(struct tap *t, const struct scratch *s)
{
	/* a failed sync is mended by a new segment and not told at all */
	one_fault(t, s, FAULTDISK_SYNC, FAULTDISK_ERRNO, EIO, 1);
	one_fault(t, s, FAULTDISK_WRITE, FAULTDISK_SHORT, 0, 1);
	one_fault(t, s, FAULTDISK_WRITE, FAULTDISK_TORN, ENOSPC, 0);
	one_fault(t, s, FAULTDISK_WRITE, FAULTDISK_ERRNO, EIO, 0);
}

/* A sync that fails, and fails again in the new segment. */
static void
two_syncs(struct tap *t, const struct scratch *s)
{
	struct faultdisk f = { .ops = FAULTDISK_SYNC | FAULTDISK_TRUNCATE,
		.at = 3,
		.more = 2,
		.how = FAULTDISK_ERRNO,
		.err = EIO };
	static const struct journal_pos none = { 0, 0, 0 };
	int dir = scratch_folder(s, "syncs");
	struct journal *j = journals_open(dir, &none, 0);
	char detail[128];

	faultdisk_use(&f);
	/* syncs of the segment and the folder; then sync, cut, sync fail */
	tap_ok(t,
	    journals_put_all(j, 1) == 0 &&
		journal_drain(j, 1000, JOURNALS_WAIT) == 0,
	    "one batch");
	tap_ok(t,
	    journals_put_all(j, 2) == 0 &&
		journal_drain(j, 1000, JOURNALS_WAIT) == FAULT_SYS &&
		errno == EIO,
	    "two syncs fail");
	tap_ok(t, journal_durable(j) == 1 && f.hits == 3, "not durable");
	tap_ok(t,
	    journal_drain(j, 1000, JOURNALS_WAIT) == 0 &&
		journal_durable(j) == 2,
	    "tried again");
	tap_ok(t,
	    journal_close(j, 1000, JOURNALS_WAIT) == 0 &&
		journals_segments(dir) == 2,
	    "in a new segment");
	faultdisk_use(NULL);
	tap_ok(t, journals_read(dir, NULL, NULL, detail) == 2,
	    "the batch that stands twice is read once%s", detail);
	close(dir);
}

static void
bad_config(struct tap *t, const struct scratch *s)
{
	static const struct journal_pos none = { 0, 0, 0 };
	struct journal_config c = { .dirfd = s->fd, .level = 23 };
	struct journal *j = NULL;

	tap_ok(t, journal_open(&j, &c, &none) == FAULT_ARG && j == NULL,
	    "no such level");
	c.level = 0;
	c.batch_bytes = LIMIT_BATCH + 1;
	tap_ok(t, journal_open(&j, &c, &none) == FAULT_ARG && j == NULL,
	    "batches too large");
	journal_abandon(NULL);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	struct scratch s;

	scratch_make(&s);
	round_trip(&t, &s);
	timing(&t, &s);
	unpolled(&t, &s);
	full(&t, &s);
	faults(&t, &s);
	two_syncs(&t, &s);
	bad_config(&t, &s);
	scratch_remove(&s);
	return tap_done(&t);
}
