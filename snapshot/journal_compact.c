/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/disk.h"
#include "snapshot/file.h"
#include "snapshot/frame.h"
#include "snapshot/journal_compact.h"
#include "snapshot/journal_read.h"
#include "snapshot/limits.h"
#include "snapshot/record.h"
#include "snapshot/series.h"

#define LEVEL 9

/* bytes: the shortest done record */
#define DONE_LEAST 16

/* done ordinals that wait to be folded */
#define DONE_MOST (LIMIT_BATCH / DONE_LEAST)

/* bytes that folding `n' ordinals can come to: each its gap, and a line of
   its own for every few hundred */
#define FOLDED(n) ((n) * (RECORD_GAP + 1) + 2 * LIMIT_RECORD_TEXT)

_Static_assert(LIMIT_BATCH + FOLDED(DONE_MOST) + JOURNAL_HEAD <= LIMIT_FRAME,
    "every batch can be compacted");

struct compact {
	struct journal_compact *result;
	struct journal_read *in;
	struct frame_packer *packer;
	int dirfd;
	int fd;
	uint64_t segment;
	uint64_t at;              /* offset of the next frame */
	struct journal_head head; /* of the batch being put together */
	int any;                  /* there is one */
	int begun;                /* the segment's first batch was taken */
	char *text;               /* LIMIT_FRAME bytes, first JOURNAL_HEAD */
	size_t len;               /* bytes of records in it */
	uint64_t *done;           /* DONE_MOST ordinals */
	size_t n_done;
};

/* Say where and what. */
static int
fault(struct compact *c, int code, const char *what)
{
	char name[SERIES_NAME];
	int saved = errno;

	series_name(name, c->segment);
	snprintf(c->result->detail, sizeof c->result->detail, "%s: %s", name,
	    what);
	errno = saved;
	return code;
}

static int
by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Append one folded record of the ordinals from `i' on: how many it took. */
static size_t
fold_some(struct compact *c, size_t i)
{
	char gaps[LIMIT_RECORD_TEXT];
	struct record r = { .type = RECORD_FOLDED, .ordinal = c->done[i] };
	size_t n = 0, k;
	long put;

	for (k = i + 1; k < c->n_done && n + RECORD_GAP <= sizeof gaps; k++) {
		if (c->done[k] != c->done[k - 1])
			n += record_gap(gaps + n,
			    c->done[k] - c->done[k - 1] - 1);
	}
	r.text.s = gaps;
	r.text.len = n;
	put = record_put(&r, c->text + JOURNAL_HEAD + c->len,
	    LIMIT_FRAME - JOURNAL_HEAD - c->len);
	if (put < 0)
		return 0;
	c->len += (size_t)put;
	c->result->records_after++;
	return k - i;
}

/* Fold the done ordinals that wait. */
static int
fold(struct compact *c)
{
	size_t i = 0, took;

	qsort(c->done, c->n_done, sizeof *c->done, by_number);
	while (i < c->n_done) {
		took = fold_some(c, i);
		if (took == 0)
			return fault(c, FAULT_FULL, "no room to fold");
		i += took;
	}
	c->n_done = 0;
	return 0;
}

/* Write the batch that was put together. */
static int
flush(struct compact *c)
{
	const void *frame;
	char line[JOURNAL_HEAD];
	size_t n;
	long len;
	int rc;

	if (!c->any)
		return 0;
	rc = fold(c);
	if (rc < 0)
		return rc;
	c->head.compacted = 1;
	n = journal_head_put(line, &c->head);
	memcpy(c->text + JOURNAL_HEAD - n, line, n);
	len = frame_pack(c->packer, c->text + JOURNAL_HEAD - n, n + c->len,
	    &frame);
	if (len < 0)
		return fault(c, (int)len, "cannot be packed");
	rc = file_write(c->fd, frame, (size_t)len, c->at);
	if (rc < 0)
		return fault(c, rc, "cannot be written anew");
	c->at += (uint64_t)len;
	c->any = 0;
	c->len = 0;
	return 0;
}

/* Take one line, newline included. */
static int
take_line(struct compact *c, const char *s, size_t n)
{
	const char *at = s + 2;
	uint64_t ordinal;
	int rc;

	c->result->records_before++;
	if (n > 2 && s[0] == RECORD_DONE && s[1] == '\t' &&
	    record_digits(&at, s + n, &ordinal) == 0) {
		c->done[c->n_done++] = ordinal;
		return 0;
	}
	if (s[0] == RECORD_AGAIN) {
		/* put back into the queue: what was done before it must
		   stay before it */
		rc = fold(c);
		if (rc < 0)
			return rc;
	}
	memcpy(c->text + JOURNAL_HEAD + c->len, s, n);
	c->len += n;
	c->result->records_after++;
	return 0;
}

/* Is there room for `n' more bytes of records, `lines' of them? */
static int
fits(const struct compact *c, size_t n, uint64_t lines)
{
	size_t done = lines < n / DONE_LEAST ? (size_t)lines : n / DONE_LEAST;

	done += c->n_done;
	return done <= DONE_MOST &&
	    c->len + n + FOLDED(done) <= LIMIT_FRAME - JOURNAL_HEAD;
}

/*
 * Take one batch.  The segment's first one stays by itself: it may stand at
 * the end of the segment before as well, and a reader can leave out only what
 * was had as a whole.  A batch that is too large to be folded with room to
 * spare, which is none that we have written, is a fault.
 */
static int
take_batch(struct compact *c, const struct journal_head *h, const char *s,
    size_t n)
{
	const char *nl, *end = s + n;
	int rc;

	if (c->any && !fits(c, n, h->next - h->first)) {
		rc = flush(c);
		if (rc < 0)
			return rc;
	}
	if (!fits(c, n, h->next - h->first))
		return fault(c, FAULT_TOOBIG, "a batch too large to compact");
	if (!c->any)
		c->head = *h;
	c->any = 1;
	c->head.next = h->next;
	c->head.time = h->time;
	while (s < end) {
		nl = memchr(s, '\n', (size_t)(end - s));
		if (nl == NULL)
			return fault(c, FAULT_DAMAGED, "a line without an end");
		rc = take_line(c, s, (size_t)(nl + 1 - s));
		if (rc < 0)
			return rc;
		s = nl + 1;
	}
	if (c->begun)
		return 0;
	c->begun = 1;
	return flush(c);
}

/* Every batch of the segment: 1, or 0 if we were told to stop. */
static int
take_all(struct compact *c)
{
	struct journal_compact *r = c->result;
	struct journal_head head;
	char *lines;
	size_t n;
	int rc;

	for (;;) {
		if (r->stop != NULL && r->stop(r->stop_arg))
			return 0;
		rc = journal_read_batch(c->in, &head, &lines, &n);
		if (rc < 0) {
			snprintf(r->detail, sizeof r->detail, "%s",
			    journal_read_detail(c->in));
			return rc;
		}
		/* the next one's first batch proves that this one is whole */
		if (journal_read_end(c->in).segment != c->segment)
			break;
		if (rc == 0)
			return fault(c, FAULT_ARG, "still being written");
		rc = take_batch(c, &head, lines, n);
		if (rc < 0)
			return rc;
	}
	rc = flush(c);
	return rc < 0 ? rc : 1;
}

/* The head of the segment's first batch, and its size. */
static int
look(struct compact *c, struct journal_head *head)
{
	struct frame_reader *r = NULL;
	char name[SERIES_NAME], *s;
	size_t n;
	int fd, rc;

	series_name(name, c->segment);
	fd = file_open(c->dirfd, name, 0);
	if (fd < 0)
		return fault(c, fd, "cannot be opened");
	rc = file_size(fd, &c->result->bytes_before);
	if (rc == 0)
		rc = frame_reader_new(&r);
	if (rc < 0) {
		file_close(fd);
		return rc;
	}
	frame_reader_start(r, fd, 0);
	rc = frame_next(r, &s, &n);
	if (rc > 0 && journal_head_parse(s, n, head) < 0)
		rc = FAULT_DAMAGED;
	if (rc == 0)
		rc = FAULT_TRUNCATED;
	frame_reader_free(r);
	file_close(fd);
	return rc < 0 ? fault(c, rc, "no batch at its start") : 0;
}

/* Have all that it takes. */
static int
prepare(struct compact *c, uint64_t first)
{
	const struct journal_pos from = { first, c->segment, 0 };
	char name[SERIES_NAME];
	int rc;

	c->text = malloc(LIMIT_FRAME);
	c->done = malloc(DONE_MOST * sizeof *c->done);
	if (c->text == NULL || c->done == NULL)
		return FAULT_NOMEM;
	rc = frame_packer_new(&c->packer, LIMIT_FRAME,
	    c->result->level == 0 ? LEVEL : c->result->level);
	if (rc == 0)
		rc = journal_read_open(&c->in, c->dirfd, &from);
	if (rc < 0)
		return fault(c, rc, "cannot be compacted");
	series_tmp(name, c->segment);
	rc = file_remove(c->dirfd, name);
	if (rc == 0)
		c->fd = file_create(c->dirfd, name);
	return c->fd < 0 ? fault(c, FAULT_SYS, "cannot be written anew") : 0;
}

/* Put the new file in the old one's place. */
static int
replace(struct compact *c)
{
	char tmp[SERIES_NAME], name[SERIES_NAME];
	int rc;

	series_tmp(tmp, c->segment);
	series_name(name, c->segment);
	rc = file_sync(c->fd);
	if (rc == 0)
		rc = file_rename(c->dirfd, tmp, name);
	if (rc == 0)
		rc = file_sync_dir(c->dirfd);
	if (rc < 0)
		return fault(c, rc, "cannot be replaced");
	c->result->bytes_after = c->at;
	return 1;
}

static void
release(struct compact *c)
{
	char name[SERIES_NAME];
	int saved = errno;

	if (c->fd >= 0) {
		/* where it was renamed there is nothing of this name */
		series_tmp(name, c->segment);
		(void)disk_unlink(c->dirfd, name);
	}
	file_close(c->fd);
	journal_read_close(c->in);
	frame_packer_free(c->packer);
	free(c->text);
	free(c->done);
	errno = saved;
}

int
journal_compact_segment(int dirfd, uint64_t segment, struct journal_compact *r)
{
	struct compact c = { .result = r,
		.dirfd = dirfd,
		.fd = -1,
		.segment = segment };
	struct journal_head head = { 0, 0, 0, 0 };
	uint64_t next;
	int rc;

	r->bytes_before = r->bytes_after = 0;
	r->records_before = r->records_after = 0;
	r->detail[0] = '\0';
	if (segment == 0 || segment > SERIES_MAX || r->level < 0 ||
	    r->level > 22)
		return FAULT_ARG;
	rc = series_next(dirfd, segment, &next);
	if (rc == 0)
		return fault(&c, FAULT_ARG, "the last segment");
	if (rc > 0)
		rc = look(&c, &head);
	if (rc < 0 || head.compacted)
		return rc;
	rc = prepare(&c, head.first);
	if (rc == 0)
		rc = take_all(&c);
	if (rc > 0)
		rc = replace(&c);
	release(&c);
	return rc;
}
