/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "snapshot/clock.h"
#include "snapshot/helper.h"
#include "snapshot/journal.h"
#include "snapshot/journal_head.h"
#include "snapshot/limits.h"
#include "snapshot/segment.h"

#define BATCH_BYTES (1024 * 1024) /* unless asked otherwise */
#define LEVEL       3

/* bytes of records that a batch has room for */
#define BATCH_ROOM ((size_t)LIMIT_BATCH - JOURNAL_HEAD)

_Static_assert(BATCH_ROOM >= LIMIT_RECORD, "every record fits into a batch");

/* Records, and in front of them room for their head. */
struct batch {
	char *buf;      /* LIMIT_BATCH bytes */
	size_t len;     /* bytes of records, from buf + JOURNAL_HEAD on */
	uint64_t first; /* number of the first record */
	uint64_t next;  /* and after the last */
	int64_t since;  /* ms: when the first was appended */
};

/* What the helper is asked and says. */
struct job {
	struct segment *segment;
	const char *s;
	size_t n;
	int rc;
	int err;
};

struct journal {
	struct batch batch[2];
	struct batch *open; /* takes records */
	struct batch *sent; /* with the helper, or empty */
	struct helper *helper;
	struct job job;
	int flying; /* the helper has `sent' */
	int stuck;  /* `sent' has failed and waits for journal_retry() */
	int flush;  /* seal `open' as soon as may be */
	int news;   /* the helper has said what journal_poll() has not told */
	int fault;  /* the helper's last, until it succeeds */
	int err;
	int64_t now; /* ms: the latest that was told */
	unsigned int sync_ms;
	size_t batch_bytes;
	struct journal_pos written; /* behind what the helper made durable */
	struct journal_pos durable; /* as of the last journal_poll() */
};

static void
run(void *arg)
{
	struct job *job = arg;

	job->rc = segment_put(job->segment, job->s, job->n);
	job->err = errno;
}

static int
make(struct journal *j, const struct journal_config *c,
    const struct journal_pos *end)
{
	int rc;

	rc = segment_new(&j->job.segment, c->dirfd,
	    c->level == 0 ? LEVEL : c->level,
	    c->segment_bytes == 0 ? LIMIT_SEGMENT : c->segment_bytes,
	    end->segment, end->offset);
	if (rc < 0)
		return rc;
	j->batch[0].buf = malloc(LIMIT_BATCH);
	j->batch[1].buf = malloc(LIMIT_BATCH);
	if (j->batch[0].buf == NULL || j->batch[1].buf == NULL)
		return FAULT_NOMEM;
	return helper_new(&j->helper);
}

int
journal_open(struct journal **to, const struct journal_config *c,
    const struct journal_pos *end)
{
	struct journal *j;
	int rc;

	*to = NULL;
	if (c->batch_bytes > BATCH_ROOM)
		return FAULT_ARG;
	j = calloc(1, sizeof *j);
	if (j == NULL)
		return FAULT_NOMEM;
	rc = make(j, c, end);
	if (rc < 0) {
		journal_abandon(j);
		return rc;
	}
	j->open = &j->batch[0];
	j->sent = &j->batch[1];
	j->open->first = j->open->next = end->seq;
	j->sync_ms = c->sync_ms;
	j->batch_bytes = c->batch_bytes == 0 ? BATCH_BYTES : c->batch_bytes;
	j->written = j->durable = *end;
	*to = j;
	return 0;
}

void
journal_abandon(struct journal *j)
{
	int saved = errno;

	if (j == NULL)
		return;
	helper_free(j->helper);
	segment_free(j->job.segment);
	free(j->batch[0].buf);
	free(j->batch[1].buf);
	free(j);
	errno = saved;
}

/* Give `sent' to the helper. */
static void
give(struct journal *j)
{
	j->stuck = 0;
	j->flying = 1;
	helper_give(j->helper, run, &j->job);
}

/* Put the head before the open batch, send it, open the other one. */
static void
seal(struct journal *j)
{
	struct batch *b = j->open;
	struct journal_head head = { b->first, b->next, j->now, 0 };
	char line[JOURNAL_HEAD];
	size_t n = journal_head_put(line, &head), i;

	for (i = 0; i < n; i++)
		b->buf[JOURNAL_HEAD - n + i] = line[i];
	j->job.s = b->buf + JOURNAL_HEAD - n;
	j->job.n = n + b->len;
	j->open = j->sent;
	j->sent = b;
	j->open->len = 0;
	j->open->first = j->open->next = b->next;
	j->flush = 0;
	give(j);
}

/* May the open batch be sealed? */
static int
idle(const struct journal *j)
{
	return !j->flying && !j->stuck;
}

/* Take what the helper has to say, if it has ended. */
static void
collect(struct journal *j)
{
	if (!j->flying || helper_busy(j->helper))
		return;
	j->flying = 0;
	j->news = 1;
	j->fault = j->job.rc;
	j->err = j->job.err;
	if (j->fault < 0) {
		j->stuck = 1;
		return;
	}
	j->written.seq = j->sent->next;
	j->written.segment = segment_number(j->job.segment);
	j->written.offset = segment_end(j->job.segment);
	j->sent->len = 0;
}

/* Tell what was collected. */
static int
tell(struct journal *j)
{
	j->news = 0;
	j->durable = j->written;
	if (j->fault < 0)
		errno = j->err;
	return j->fault;
}

int
journal_append(struct journal *j, int64_t now, const struct record *r,
    uint64_t *seq)
{
	struct batch *b = j->open;
	long n;

	j->now = now;
	n = record_put(r, b->buf + JOURNAL_HEAD + b->len, BATCH_ROOM - b->len);
	if (n == FAULT_FULL) {
		/* the helper is behind: is it still? */
		collect(j);
		if (!idle(j))
			return FAULT_FULL;
		seal(j);
		b = j->open;
		n = record_put(r, b->buf + JOURNAL_HEAD, BATCH_ROOM);
	}
	if (n < 0)
		return (int)n;
	if (b->len == 0)
		b->since = now;
	b->len += (size_t)n;
	*seq = b->next++;
	if (b->len >= j->batch_bytes && idle(j))
		seal(j);
	return 0;
}

size_t
journal_room(const struct journal *j)
{
	size_t left = BATCH_ROOM - j->open->len;

	if (!idle(j))
		return left;
	/* at the seam a record may go over whole to the other batch */
	return left > LIMIT_RECORD ? left - LIMIT_RECORD + BATCH_ROOM :
				     BATCH_ROOM;
}

/* Is it time to seal the open batch? */
static int
due(const struct journal *j)
{
	const struct batch *b = j->open;

	if (b->len == 0 || !idle(j))
		return 0;
	return j->flush || b->len >= j->batch_bytes || j->now < b->since ||
	    j->now - b->since >= j->sync_ms;
}

int
journal_poll(struct journal *j, int64_t now)
{
	j->now = now;
	collect(j);
	if (due(j))
		seal(j);
	return tell(j);
}

void
journal_flush(struct journal *j)
{
	if (j->open->len == 0)
		return;
	if (idle(j))
		seal(j);
	else
		j->flush = 1;
}

void
journal_retry(struct journal *j)
{
	if (j->stuck)
		give(j);
}

int
journal_drain(struct journal *j, int64_t now, unsigned int timeout)
{
	const int64_t end = clock_ms() + timeout;
	int64_t left;

	j->now = now;
	journal_retry(j);
	for (;;) {
		collect(j);
		if (j->stuck)
			break;
		if (!j->flying && j->open->len == 0)
			break;
		if (!j->flying)
			seal(j);
		left = end - clock_ms();
		if (helper_wait(j->helper, left > 0 ? (unsigned int)left : 0) <
		    0)
			return FAULT_SYS;
	}
	return tell(j);
}

int
journal_close(struct journal *j, int64_t now, unsigned int timeout)
{
	int rc = journal_drain(j, now, timeout);

	journal_abandon(j);
	return rc;
}

uint64_t
journal_durable(const struct journal *j)
{
	return j->durable.seq;
}

uint64_t
journal_next(const struct journal *j)
{
	return j->open->next;
}

struct journal_pos
journal_durable_pos(const struct journal *j)
{
	return j->durable;
}

int64_t
journal_deadline(const struct journal *j)
{
	if (j->news)
		return j->now;
	if (j->open->len == 0 || !idle(j))
		return -1;
	return j->open->since + j->sync_ms;
}

int
journal_fd(const struct journal *j)
{
	return helper_fd(j->helper);
}
