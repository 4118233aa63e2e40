/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * pipelinebulk.c - the pipeline before a filter that is larger than memory
 *
 * One thread, in cycles: keep lines, sweep the filter once for all of them
 * (bulk.h), write, wait until that is safe, and leave the new keys to the next
 * sweep.  What a kill finds written and not yet in the filter comes again.
 */

#include "config.h"

#include <stdlib.h>

#include "dedup/pipelinebulk.h"
#include "snapshot/clock.h"

/* Of the memory that the filter may use, lines get so many eighths; the rest
   is for its pages on their way from and to the disk. */
#define LINES_EIGHTHS 6

static int
wanted(const struct pipeline *s)
{
	if (s->o.memory == 0 || s->o.rules.remove || filter_shared(s->o.filter))
		return 0;
	return filter_on_disk(s->o.filter) > s->o.memory &&
	    bulk_can(filter_spec(s->o.filter)->kind);
}

int
pipelinebulk_start(struct pipeline *s)
{
	if (!wanted(s))
		return 0;
	s->o.threads = 1;
	s->o.rules.later = 1;
	s->admit.final = 1;
	s->bulk = bulk_new(s->o.filter, s->o.memory / 8 * LINES_EIGHTHS);
	if (s->bulk == NULL)
		return FAULT_NOMEM;
	return batch_new(&s->sorted, &s->o.rules);
}

void
pipelinebulk_free(struct pipeline *s)
{
	bulk_free(s->bulk);
	batch_free(s->sorted);
}

/* Write what is printed of round `at'.  0, or -1 to end. */
static int
one_round(struct pipeline *s, size_t at)
{
	struct batch *b = s->sorted;
	int rc;

	if (b->in.file_starts)
		s->admit.line = 0;
	s->admit.count.bytes = b->read;
	rc = admit_round(&s->admit, b);
	if (rc < 0) {
		pipeline_give_up(s, PIPELINE_ERR_FILTER, rc, 0);
		return -1;
	}
	batch_copy(b);
	bulk_done(s->bulk, at, b->stop, s->admit.offset);
	if (pipeline_write(s, b, &s->admit.count) < 0)
		return -1;
	if (b->stop == b->n)
		return 0;
	pipeline_give_up(s, PIPELINE_INVALID, s->admit.first.fault,
	    s->admit.first.file);
	return -1;
}

/* Look up, write and see safe all lines that are kept.  0, or -1 to end. */
static int
cycle(struct pipeline *s)
{
	int rc = bulk_sweep(s->bulk), got = 1;
	size_t i;

	if (rc < 0) {
		pipeline_give_up(s, PIPELINE_ERR_FILTER, rc, 0);
		bulk_drop(s->bulk);
		return -1;
	}
	for (i = 0; rc == 0; i++) {
		got = bulk_get(s->bulk, i, s->sorted);
		if (got <= 0)
			break;
		rc = one_round(s, i);
	}
	if (got < 0) {
		pipeline_give_up(s, PIPELINE_ERR_THREAD, got, 0);
		rc = -1;
	}
	if (emit_drain(s->o.out) < 0) {
		pipeline_give_up(s, PIPELINE_ERR_OUTPUT, FAULT_SYS, 0);
		rc = -1;
	}
	bulk_keep(s->bulk, emit_safe(s->o.out));
	return rc;
}

int
pipelinebulk_batch(struct pipeline *s, struct batch *b)
{
	int more, rc;

	do {
		if (!bulk_room(s->bulk) && cycle(s) < 0)
			return -1;
		more = batch_round(b);
		rc = bulk_put(s->bulk, b);
		if (rc < 0) {
			pipeline_give_up(s, PIPELINE_ERR_THREAD, rc, 0);
			return -1;
		}
	} while (more);
	return 0;
}

void
pipelinebulk_last(struct pipeline *s)
{
	if (!atomic_load(&s->stop) && bulk_lines(s->bulk) > 0)
		(void)cycle(s);
}

int
pipelinebulk_remember(struct pipeline *s)
{
	int rc;

	bulk_drop(s->bulk);
	if (bulk_adds(s->bulk) == 0)
		return 0;
	rc = bulk_sweep(s->bulk);
	bulk_keep(s->bulk, 0);
	return rc;
}

/*
 * A short pause is none: a writer that is slower than we are would else get
 * its lines looked up a few at a time, each at the cost of a page.
 */
int
pipelinebulk_idle(struct pipeline *s)
{
	size_t lines = bulk_lines(s->bulk);
	int64_t now = clock_ms(), left;
	int rc;

	if (lines == 0 && bulk_adds(s->bulk) == 0)
		return -1;
	if (s->quiet == 0)
		s->quiet = now;
	left = s->quiet + LIMIT_BULK_MS - now;
	if (left > 0 && (lines == 0 || lines > LIMIT_BULK_FEW))
		return (int)left;
	if (lines > 0) {
		(void)cycle(s);
		s->quiet = clock_ms();
		return LIMIT_BULK_MS;
	}
	rc = pipelinebulk_remember(s);
	if (rc < 0)
		pipeline_give_up(s, PIPELINE_ERR_FILTER, rc, 0);
	return -1;
}
