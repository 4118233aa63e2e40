/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "snapshot/journal_compact.h"
#include "snapshot/journal_mend.h"
#include "snapshot/snapfile.h"
#include "snapshot/snapfile_read.h"
#include "tests/faultdisk.h"
#include "tests/journals.h"
#include "tests/life.h"

#define STATE   "state"
#define PICTURE 3   /* batches between two snapshots */
#define SEGMENT 200 /* bytes */

/* What a snapshot says: its place, and bytes that follow from it. */
struct picture {
	struct journal_pos at;
	unsigned char sum[3000];
};

static void
paint(struct picture *p, struct journal_pos at)
{
	size_t i;

	memset(p, 0, sizeof *p);
	p->at = at;
	for (i = 0; i < sizeof p->sum; i++)
		p->sum[i] = (unsigned char)(at.seq * 31 + i * i);
}

/* Tell it. */
static void
say(const struct life *l, uint64_t records)
{
	uint64_t n = LIFE_TOLD(records, l->pictures);

	faultdisk_note(n);
	if (l->out >= 0 && write(l->out, &n, sizeof n) != sizeof n)
		_exit(1);
}

/* Count the good snapshots, up to two. */
static void
count_pictures(struct life *l)
{
	struct snapfile_read *r = NULL;
	uint64_t n = UINT64_MAX;

	l->pictures = 0;
	while (l->pictures < 2 && series_prev(l->snapshot_dir, n, &n) == 1) {
		l->pictures += snapfile_read_open(&r, l->snapshot_dir, n) == 1;
		snapfile_read_close(r);
	}
}

static int
read_picture(struct life *l)
{
	struct picture want, got = { 0 };
	struct snapfile_read *r = NULL;
	struct snapfile_chunk c;
	size_t n = 0;
	int rc;

	l->stage = "snapshot read";
	rc = snapfile_read_newest(&r, l->snapshot_dir);
	if (rc < 0 && r != NULL)
		snprintf(l->detail, sizeof l->detail, "%s",
		    snapfile_read_detail(r));
	while (rc > 0) {
		rc = snapfile_read_next(r, &c);
		if (rc > 0 && n + c.len > sizeof got)
			rc = FAULT_TOOBIG;
		if (rc <= 0)
			break;
		memcpy((char *)&got + n, c.data, c.len);
		n += c.len;
	}
	snapfile_read_close(r);
	paint(&want, got.at);
	if (rc == 0 && n > 0 && (n != sizeof got || memcmp(&got, &want, n)))
		rc = FAULT_MISMATCH;
	l->at = l->before = got.at;
	count_pictures(l);
	return rc;
}

/* Write a snapshot that says `at'. */
static int
take_picture(struct life *l, struct journal_pos at)
{
	struct snapfile *w = NULL;
	struct picture p;
	struct pollfd fd;
	int rc;

	paint(&p, at);
	rc = snapfile_begin(&w, l->snapshot_dir, 1);
	if (rc < 0)
		return rc;
	fd = (struct pollfd){ .fd = snapfile_fd(w), .events = POLLIN };
	rc = snapfile_section(w, "place");
	if (rc == 0)
		rc = snapfile_write(w, &p, sizeof p.at);
	while (rc == 0) {
		rc = snapfile_section(w, "sum");
		if (rc == FAULT_FULL)
			(void)poll(&fd, 1, JOURNALS_WAIT);
		else
			break;
		rc = 0;
	}
	if (rc == 0)
		rc = snapfile_write(w, (char *)&p + sizeof p.at,
		    sizeof p - sizeof p.at);
	while (rc == 0) {
		rc = snapfile_commit(w);
		if (rc == 0)
			(void)poll(&fd, 1, JOURNALS_WAIT);
	}
	snapfile_free(w);
	return rc < 0 ? rc : 0;
}

/* Compact what lies before both snapshots. */
static void
compact(struct life *l)
{
	struct journal_compact c = { .level = 1 };
	uint64_t n = 0;

	while (
	    series_next(l->journal_dir, n, &n) == 1 && n < l->before.segment) {
		if (journal_compact_segment(l->journal_dir, n, &c) < 0)
			break; /* it stays as it was */
	}
}

/* Open everything, mend, and find out where we are. */
static int
start(struct life *l)
{
	struct journal_config cf = { .sync_ms = 1000,
		.segment_bytes = SEGMENT };
	struct journal_mended m;
	struct journal_pos end = { 0, 0, 0 };
	long n;
	int rc;

	l->stage = "state";
	rc = statedir_open(&l->state, STATE, STATEDIR_CREATE, NULL);
	if (rc < 0)
		return rc;
	l->journal_dir = statedir_folder(l->state, "journal");
	l->snapshot_dir = statedir_folder(l->state, "snapshot");
	if (l->journal_dir < 0 || l->snapshot_dir < 0)
		return FAULT_SYS;
	l->stage = "mend";
	rc = journal_mend(l->journal_dir, 0, &m);
	if (rc < 0) {
		memcpy(l->detail, m.detail, sizeof l->detail);
		return rc;
	}
	rc = read_picture(l);
	if (rc < 0)
		return rc;
	l->stage = "journal from the snapshot on";
	n = journals_read(l->journal_dir, &l->at, &end, l->detail);
	if (n < 0)
		return (int)n;
	l->found = (uint64_t)n;
	l->stage = "journal from the start";
	n = journals_read(l->journal_dir, NULL, &end, l->detail);
	if (n != (long)l->found)
		return n < 0 ? (int)n : FAULT_MISMATCH;
	say(l, l->found); /* from here on we go by it */
	l->stage = "open";
	cf.dirfd = l->journal_dir;
	return journal_open(&l->journal, &cf, &end);
}

/* One batch more; a disk that fails is tried again, some times. */
static int
batch(struct life *l)
{
	uint64_t n = journal_next(l->journal) + LIFE_BATCH;
	int rc, tries;

	l->stage = "batch";
	while (journal_next(l->journal) < n) {
		rc = journals_put(l->journal, journal_next(l->journal));
		if (rc < 0)
			return rc;
	}
	for (tries = 0; tries < 5; tries++) {
		rc = journal_drain(l->journal, 0, JOURNALS_WAIT);
		if (rc == 0)
			break;
	}
	if (rc == 0)
		say(l, journal_durable(l->journal));
	return rc;
}

int
life(struct life *l)
{
	struct journal_pos at;
	unsigned int batches = 0;
	int rc;

	l->journal_dir = l->snapshot_dir = -1;
	rc = start(l);
	while (rc == 0 && journal_next(l->journal) < LIFE_TOTAL &&
	    (l->most == 0 || journal_next(l->journal) < l->found + l->most)) {
		rc = batch(l);
		if (rc < 0 || ++batches % PICTURE != 0)
			continue;
		at = journal_durable_pos(l->journal);
		if (take_picture(l, at) < 0)
			continue; /* the next one comes */
		l->before = l->at;
		l->at = at;
		l->pictures += l->pictures < 2;
		say(l, journal_durable(l->journal));
		compact(l);
	}
	if (rc == 0)
		rc = journal_close(l->journal, 0, JOURNALS_WAIT);
	else
		journal_abandon(l->journal);
	if (l->journal_dir >= 0)
		close(l->journal_dir);
	if (l->snapshot_dir >= 0)
		close(l->snapshot_dir);
	statedir_close(l->state);
	return rc;
}
