/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * journals.h - journals of records that can be checked
 *
 * Record number n admits ordinal n with a URL that follows from n.
 */

#ifndef TESTS_JOURNALS_H
#define TESTS_JOURNALS_H

#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/journal.h"
#include "snapshot/journal_read.h"
#include "snapshot/series.h"

#define JOURNALS_WAIT 20000 /* ms: longer than any disk takes */

static inline struct journal *
journals_open(int dir, const struct journal_pos *end, uint64_t segment_bytes)
{
	struct journal_config c = { .dirfd = dir,
		.sync_ms = 100,
		.batch_bytes = 1000,
		.segment_bytes = segment_bytes };
	struct journal *j = NULL;

	if (journal_open(&j, &c, end) < 0)
		abort();
	return j;
}

/* Append record number `i'; it says so itself. */
static inline int
journals_put(struct journal *j, uint64_t i)
{
	char url[64];
	struct record r = { .type = 'A', .ordinal = i, .depth = 1 };
	uint64_t seq = 0;
	int rc;

	r.url.s = url;
	r.url.len = (size_t)snprintf(url, sizeof url, "http://h%llu.example/",
	    (unsigned long long)i);
	rc = journal_append(j, 1000, &r, &seq);
	if (rc == 0 && seq != i)
		abort();
	return rc;
}

/* Append until `n' records are in, turning as an owner does. */
static inline int
journals_put_all(struct journal *j, uint64_t n)
{
	struct pollfd p = { .fd = journal_fd(j), .events = POLLIN };
	int rc;

	while (journal_next(j) < n) {
		rc = journals_put(j, journal_next(j));
		if (rc == FAULT_FULL)
			(void)poll(&p, 1, JOURNALS_WAIT);
		else if (rc < 0)
			return rc;
		rc = journal_poll(j, 1000);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/*
 * Read from `from' on: the number after the last record, or a fault; -99 if
 * a record is not what it should be.  `end' gets the end.
 */
static inline long
journals_read(int dir, const struct journal_pos *from, struct journal_pos *end,
    char detail[128])
{
	struct journal_read *r = NULL;
	struct record rec;
	uint64_t want = from == NULL ? 0 : from->seq, seq;
	char url[64];
	int rc;

	rc = journal_read_open(&r, dir, from);
	while (rc == 0) {
		rc = journal_read_next(r, &rec, &seq);
		if (rc <= 0)
			break;
		snprintf(url, sizeof url, "http://h%llu.example/",
		    (unsigned long long)want);
		/* a compacted batch has no numbers of its own */
		if ((seq != want && !journal_read_head(r).compacted) ||
		    rec.ordinal != want || rec.url.len != strlen(url) ||
		    memcmp(rec.url.s, url, rec.url.len) != 0) {
			rc = -99;
			break;
		}
		want++;
		rc = 0;
	}
	if (r != NULL && end != NULL)
		*end = journal_read_end(r);
	if (r != NULL && detail != NULL)
		snprintf(detail, 128, "%s", journal_read_detail(r));
	journal_read_close(r);
	return rc < 0 ? rc : (long)want;
}

static inline unsigned int
journals_segments(int dir)
{
	unsigned int n = 0;
	uint64_t i = 0;

	while (series_next(dir, i, &i) == 1)
		n++;
	return n;
}

#endif
