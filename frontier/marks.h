/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * marks.h - ordinals of URLs that are done though they are still queued
 *
 * Replay finds that a URL is done, but not where in its queue it stands (that
 * may be in a chunk on disk).  So it is marked, and skipped when its turn
 * comes.  A sparse bitmap: ordinals that lie together share a record.
 */

#ifndef FRONTIER_MARKS_H
#define FRONTIER_MARKS_H

#include <stdint.h>

#include "frontier/index.h"
#include "frontier/table.h"

struct marks {
	struct table t;
	struct index index;
	uint64_t count; /* ordinals marked */
};

/* FAULT_NOMEM. */
must_check int marks_init(struct marks *m, struct pager *p);
void marks_clear(struct marks *m);

/* 1 if `ordinal' was not marked before, 0 if it was, FAULT_NOMEM. */
must_check int marks_set(struct marks *m, uint64_t ordinal);

/* 1 if `ordinal' is marked. */
int marks_has(struct marks *m, uint64_t ordinal);

/* 1 if `ordinal' was marked; it is not any more. */
int marks_unset(struct marks *m, uint64_t ordinal);

/*
 * Show the marked ordinals of record `r' (1 to marks_records()), rising;
 * `fn' returns below zero to stop.
 */
typedef int marks_fn(void *ctx, uint64_t ordinal);
must_check int marks_each(struct marks *m, uint32_t r, marks_fn *fn, void *ctx);
uint32_t marks_records(const struct marks *m);

#endif
