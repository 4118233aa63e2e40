/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/file.h"
#include "snapshot/frame.h"
#include "snapshot/journal_read.h"
#include "snapshot/series.h"

struct journal_read {
	struct frame_reader *frames;
	int dirfd;
	int fd;           /* of the segment, -1 = none yet */
	uint64_t segment; /* its number; the next one is above */
	uint64_t seq;     /* number of the next record to hand out */
	uint64_t reached; /* number after the last batch that was met */
	int met;          /* there was one */
	int trusting;     /* the place was told us and not proved yet */
	char *batch;      /* in the hand of `frames' */
	size_t len;
	size_t at; /* of the next record in it */
	struct journal_head head;
	uint64_t torn;
	char detail[128];
};

/* Say where and what. */
static int
fault(struct journal_read *r, int code, const char *what)
{
	char name[SERIES_NAME] = "journal";
	int saved = errno;

	if (r->segment > 0)
		series_name(name, r->segment);
	snprintf(r->detail, sizeof r->detail, "%s, offset %llu: %s", name,
	    (unsigned long long)frame_offset(r->frames), what);
	errno = saved;
	return code;
}

/*
 * Open segment `n' at `offset'.  1, or 0 if there is no such segment or it
 * is not that long.
 */
static int
enter(struct journal_read *r, uint64_t n, uint64_t offset)
{
	char name[SERIES_NAME];
	uint64_t size = 0;
	int fd, rc;

	series_name(name, n);
	fd = file_open(r->dirfd, name, 0);
	if (fd < 0 && errno == ENOENT)
		return 0;
	r->segment = n;
	if (fd < 0)
		return fault(r, fd, "cannot be opened");
	rc = file_size(fd, &size);
	if (rc < 0 || size < offset) {
		file_close(fd);
		return rc;
	}
	file_close(r->fd);
	r->fd = fd;
	frame_reader_start(r->frames, fd, offset);
	return 1;
}

/* The number of the first record in the open segment: 1, 0 if it has none. */
static int
first(struct journal_read *r, uint64_t *seq)
{
	struct journal_head head = { 0, 0, 0, 0 };
	char *s;
	size_t n;
	int rc;

	rc = frame_next(r->frames, &s, &n);
	if (rc == FAULT_SYS || rc == FAULT_NOMEM)
		return fault(r, rc, frame_detail(r->frames));
	if (rc <= 0)
		return 0;
	if (journal_head_parse(s, n, &head) < 0)
		return fault(r, FAULT_DAMAGED, "no batch of ours");
	*seq = head.first;
	return 1;
}

/*
 * Does segment `n', whose first record is number `seq', follow the one before
 * it, as far as their beginnings tell?  They begin alike only if a batch that
 * stands alone in the one before had to be written again.  The open segment is
 * `n' again after that.  0, or FAULT_DAMAGED for another journal's segment.
 */
static int
follows(struct journal_read *r, uint64_t n, uint64_t seq)
{
	uint64_t m = 0, before = 0;
	size_t len;
	char *s;
	int rc = series_prev(r->dirfd, n, &m), bad = 0;

	if (rc > 0)
		rc = enter(r, m, 0);
	if (rc > 0)
		rc = first(r, &before);
	if (rc > 0)
		bad = before > seq ||
		    (before == seq && frame_next(r->frames, &s, &len) > 0);
	/* damage in there is for who reads it */
	rc = enter(r, n, 0);
	if (rc <= 0)
		return rc < 0 ? rc : FAULT_SYS;
	return bad ? fault(r, FAULT_DAMAGED, "records go back") : 0;
}

/* Go to the start of the segment where record r->seq should be. */
static int
locate(struct journal_read *r)
{
	uint64_t n = UINT64_MAX, seq = 0;
	int rc;

	r->trusting = 0;
	r->reached = 0;
	r->met = 0;
	while (r->seq > 0) {
		rc = series_prev(r->dirfd, n, &n);
		if (rc < 0)
			return fault(r, rc, "the folder cannot be read");
		if (rc == 0)
			break;
		rc = enter(r, n, 0);
		if (rc > 0)
			rc = first(r, &seq);
		if (rc < 0)
			return rc;
		if (rc > 0 && seq <= r->seq)
			return follows(r, n, seq);
	}
	/* the first one, whatever it begins with */
	file_close(r->fd);
	r->fd = -1;
	r->segment = 0;
	frame_reader_start(r->frames, -1, 0);
	return 0;
}

static int
place(struct journal_read *r, const struct journal_pos *from)
{
	int rc;

	r->seq = from->seq;
	if (from->segment == 0 || from->segment > SERIES_MAX)
		return locate(r);
	rc = enter(r, from->segment, from->offset);
	if (rc < 0)
		return rc;
	if (rc == 0)
		return locate(r);
	r->trusting = 1;
	r->reached = r->seq;
	return 0;
}

int
journal_read_open(struct journal_read **to, int dirfd,
    const struct journal_pos *from)
{
	static const struct journal_pos start = { 0, 0, 0 };
	struct journal_read *r;
	int rc;

	*to = NULL;
	r = calloc(1, sizeof *r);
	if (r == NULL)
		return FAULT_NOMEM;
	r->dirfd = dirfd;
	r->fd = -1;
	rc = frame_reader_new(&r->frames);
	if (rc == 0)
		rc = place(r, from == NULL ? &start : from);
	if (rc == FAULT_NOMEM) {
		journal_read_close(r);
		return rc;
	}
	*to = r;
	return rc;
}

void
journal_read_close(struct journal_read *r)
{
	if (r == NULL)
		return;
	file_close(r->fd);
	frame_reader_free(r->frames);
	free(r);
}

/* Pass over `lines' lines of the `n' bytes at `s', from `*at' on. */
static int
skip_lines(const char *s, size_t n, size_t *at, uint64_t lines)
{
	const char *nl;

	for (; lines > 0; lines--) {
		nl = memchr(s + *at, '\n', n - *at);
		if (nl == NULL)
			return FAULT_DAMAGED;
		*at = (size_t)(nl + 1 - s);
	}
	return 0;
}

/*
 * Does this batch hold records that were met before, so that they can't be
 * left out?  All of it may stand twice, at the end of one segment and the
 * start of the next; a part may not in a compacted one, whose lines have no
 * numbers of their own.
 */
static int
goes_back(const struct journal_read *r, const struct journal_head *h)
{
	return h->next < r->reached ||
	    (h->compacted && h->first < r->reached && h->next > r->reached);
}

/*
 * Take a frame's content as the next batch: 1, 0 if all of it was had
 * before, or a fault.
 */
static int
take(struct journal_read *r, char *s, size_t n)
{
	struct journal_head h = { 0, 0, 0, 0 };
	size_t at;
	long skip;

	r->at = r->len = 0;
	skip = journal_head_parse(s, n, &h);
	if (skip < 0)
		return fault(r, (int)skip, "no batch of ours");
	if (h.first > r->seq && r->trusting)
		return locate(r);
	if (h.first > (r->met ? r->reached : r->seq))
		return fault(r, FAULT_DAMAGED, "records are missing before it");
	if (r->met && goes_back(r, &h))
		return fault(r, FAULT_DAMAGED, "records go back");
	r->trusting = 0;
	at = (size_t)skip;
	if (!h.compacted &&
	    (skip_lines(s, n, &at, h.next - h.first) < 0 || at != n))
		return fault(r, FAULT_DAMAGED, "records do not count up");
	r->reached = h.next;
	r->met = 1;
	if (h.next <= r->seq)
		return 0;
	at = (size_t)skip;
	if (!h.compacted && h.first < r->seq) {
		if (skip_lines(s, n, &at, r->seq - h.first) < 0)
			return FAULT_DAMAGED;
		h.first = r->seq; /* as compaction writes what is left */
	}
	r->batch = s;
	r->len = n;
	r->at = at;
	r->head = h;
	return 1;
}

/* The journal ends here; `rc' is what the last frame was. */
static int
at_end(struct journal_read *r, int rc)
{
	uint64_t size = 0;

	if (r->reached < r->seq)
		return fault(r, FAULT_DAMAGED,
		    "the journal ends before the place asked for");
	r->torn = 0;
	r->detail[0] = '\0';
	if (rc == 0)
		return 0;
	if (file_size(r->fd, &size) < 0)
		return fault(r, FAULT_SYS, "cannot be read");
	if (size > frame_offset(r->frames))
		r->torn = size - frame_offset(r->frames);
	(void)fault(r, 0, frame_detail(r->frames));
	return 0;
}

/*
 * Have the next batch in hand: 1, or 0 at the end.  A writer may be at work,
 * so whatever would be an end of a segment, or damage, is looked at a second
 * time: what came into being behind it proves that it is complete by now.
 */
static int
next_batch(struct journal_read *r)
{
	uint64_t n = 0, found = 0;
	int rc, more, bad, again = 0;
	char *s = NULL;
	size_t len = 0;

	for (;;) {
		rc = r->fd < 0 ? 0 : frame_next(r->frames, &s, &len);
		if (rc > 0) {
			again = 0;
			rc = take(r, s, len);
			if (rc != 0)
				return rc;
			continue;
		}
		if (rc == FAULT_NOMEM || rc == FAULT_SYS)
			return fault(r, rc, frame_detail(r->frames));
		if (r->trusting) {
			/* nothing there that proves the place */
			rc = locate(r);
			if (rc < 0)
				return rc;
			continue;
		}
		more = series_next(r->dirfd, r->segment, &n);
		if (more < 0)
			return fault(r, more, "the folder cannot be read");
		bad = rc < 0 ? frame_find(r->frames, &found) : 0;
		if (bad < 0)
			return fault(r, bad, "cannot be read");
		if ((more || bad) && !again && r->fd >= 0) {
			again = 1;
			continue;
		}
		if (bad)
			return fault(r, FAULT_DAMAGED, frame_detail(r->frames));
		if (!more)
			return at_end(r, rc);
		again = 0;
		rc = enter(r, n, 0);
		if (rc < 0)
			return rc;
		r->segment = n;
	}
}

int
journal_read_batch(struct journal_read *r, struct journal_head *head,
    char **lines, size_t *len)
{
	int rc;

	do {
		rc = next_batch(r);
		if (rc <= 0)
			return rc;
		*head = r->head;
		*lines = r->batch + r->at;
		*len = r->len - r->at;
		r->at = r->len;
		r->seq = r->head.next;
	} while (*len == 0);
	return 1;
}

int
journal_read_next(struct journal_read *r, struct record *rec, uint64_t *seq)
{
	uint64_t number;
	char *line, *nl;
	int rc;

	for (;;) {
		while (r->at >= r->len) {
			if (r->batch != NULL && r->head.next > r->seq)
				r->seq = r->head.next; /* of a compacted one */
			rc = next_batch(r);
			if (rc <= 0)
				return rc;
		}
		line = r->batch + r->at;
		nl = memchr(line, '\n', r->len - r->at);
		rc = nl == NULL ? FAULT_DAMAGED :
				  record_parse(rec, line, (size_t)(nl - line));
		if (rc < 0)
			return fault(r, rc, "a bad record");
		r->at = (size_t)(nl + 1 - r->batch);
		number = r->head.compacted ? r->head.first : r->seq++;
		if (rc > 0)
			break;
	}
	if (r->at >= r->len)
		r->seq = r->head.next;
	if (seq != NULL)
		*seq = number;
	return 1;
}

struct journal_pos
journal_read_end(const struct journal_read *r)
{
	struct journal_pos pos = { r->seq, r->segment, 0 };

	pos.offset =
	    r->at < r->len ? frame_offset(r->frames) : frame_end(r->frames);
	return pos;
}

struct journal_head
journal_read_head(const struct journal_read *r)
{
	return r->head;
}

uint64_t
journal_read_torn(const struct journal_read *r)
{
	return r->torn;
}

const char *
journal_read_detail(const struct journal_read *r)
{
	return r->detail;
}
