/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fuzz-journal.c - reading, mending and compacting journals
 *
 * The first byte says what follows: 'r' a record's line, 's' the bytes of a
 * segment, anything else frames (fuzzdir.h), which get past the checksums.
 */

#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "snapshot/journal_compact.h"
#include "snapshot/journal_mend.h"
#include "snapshot/journal_read.h"
#include "snapshot/limits.h"
#include "tests/fuzz.h"
#include "tests/fuzzdir.h"

static int
same(struct record_span a, struct record_span b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.s, b.s, a.len) == 0);
}

static void
unfold(const struct record *r)
{
	uint64_t last = 0, ordinal = 0;
	size_t at = 0, n = 0;

	while (record_unfold(r, &at, &ordinal) > 0) {
		fuzz_check(n == 0 || ordinal > last);
		fuzz_check(n++ <= r->text.len);
		last = ordinal;
	}
}

/* What is read must be written, and read again as the same. */
static void
record(const uint8_t *s, size_t len)
{
	static char line[LIMIT_RECORD];
	struct record a, b;
	char *copy;
	long n;

	copy = malloc(len + 1);
	fuzz_check(copy != NULL);
	memcpy(copy, s, len);
	if (record_parse(&a, copy, len) == 1) {
		n = record_put(&a, line, sizeof line);
		fuzz_check(n > 0 && line[n - 1] == '\n');
		fuzz_check(record_parse(&b, line, (size_t)n - 1) == 1);
		fuzz_check(a.type == b.type && a.ordinal == b.ordinal);
		fuzz_check(same(a.url, b.url) && same(a.word, b.word) &&
		    same(a.text, b.text));
		fuzz_check(a.depth == b.depth && a.lane == b.lane &&
		    a.flags == b.flags && a.status == b.status &&
		    a.attempts == b.attempts && a.offset == b.offset &&
		    a.length == b.length);
		if (a.type == RECORD_FOLDED)
			unfold(&a);
	}
	free(copy);
}

/* Read from `from' on: how many records; `rc' ended it, `end' is where. */
static uint64_t
count(int dir, const struct journal_pos *from, int *rc, struct journal_pos *end)
{
	struct journal_read *r = NULL;
	uint64_t n = 0, seq = 0, last = 0;
	struct record rec;

	*rc = journal_read_open(&r, dir, from);
	while (*rc == 0) {
		*rc = journal_read_next(r, &rec, &seq);
		if (*rc <= 0)
			break;
		fuzz_check(n == 0 || seq >= last);
		fuzz_check(from == NULL || seq >= from->seq ||
		    journal_read_head(r).compacted);
		last = seq;
		n++;
		*rc = 0;
	}
	*end = journal_read_end(r);
	journal_read_close(r);
	return n;
}

static void
journal(int dir)
{
	struct journal_pos end, same_end;
	struct journal_mended m;
	struct journal_compact c = { .level = 1 };
	uint64_t n, after;
	int rc, rc2;

	n = count(dir, NULL, &rc, &end);
	if (rc == 0) {
		/* from its end there is nothing more */
		fuzz_check(count(dir, &end, &rc2, &same_end) == 0 && rc2 == 0);
		fuzz_check(same_end.seq == end.seq);
	}
	if (journal_mend(dir, 0, &m) == 0 && rc == 0) {
		/* mending takes nothing away that was read */
		after = count(dir, NULL, &rc2, &same_end);
		fuzz_check(rc2 == 0 && after == n && same_end.seq == end.seq);
		fuzz_check(m.segment == same_end.segment);
	}
	if (journal_compact_segment(dir, 1, &c) > 0 && rc == 0) {
		(void)count(dir, NULL, &rc2, &same_end);
		fuzz_check(rc2 == 0 && same_end.seq == end.seq);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int dir;

	if (size == 0)
		return 0;
	if (data[0] == 'r') {
		record(data + 1, size - 1);
		return 0;
	}
	dir = fuzzdir_open();
	if (data[0] == 's')
		fuzzdir_raw(dir, 1, data + 1, size - 1);
	else
		fuzzdir_files(dir, data, size);
	journal(dir);
	(void)close(dir);
	return 0;
}
