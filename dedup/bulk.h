/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * bulk.h - a great many lines at a time, for a filter larger than memory
 *
 * Looking up keys as they come would read a page of the file for each.  So
 * lines are kept until memory is full, their keys sorted by their place in
 * the filter, and all of it is gone through once, from front to back: what
 * the lines before have to add is added, what these have to ask is asked.
 * Then the lines come out again in their order.
 *
 * Memory	What bulk_new() is told, used as far as lines come.
 * Threads	One at a time.
 */

#ifndef DEDUP_BULK_H
#define DEDUP_BULK_H

#include <stddef.h>
#include <stdint.h>

#include "dedup/batch.h"
#include "dedup/filter.h"
#include "snapshot/fault.h"

struct bulk;

/* Lines that use up to `bytes' before `f'.  NULL: no memory. */
struct bulk *bulk_new(struct filter *f, uint64_t bytes);

/* `b' may be NULL. */
void bulk_free(struct bulk *b);

/* 1 if filters of that kind (enum filter_kind) can be gone through so. */
int bulk_can(unsigned int kind);

/* 1 if there is room for another round; there always is after bulk_keep(). */
int bulk_room(const struct bulk *b);

/* Lines kept; keys to be added. */
size_t bulk_lines(const struct bulk *b);
size_t bulk_adds(const struct bulk *b);

/*
 * Keep the round that batch_round() has prepared, without a look-up.
 * FAULT_NOMEM, FAULT_SYS.
 */
must_check int bulk_put(struct bulk *b, const struct batch *round);

/*
 * Go through the filter: add what bulk_keep() left, ask for all lines.  0, or
 * a fault of filter_add().
 */
must_check int bulk_sweep(struct bulk *b);

/*
 * Bring back round `i' from 0 on, with its answers in seen[].  1, or 0 if
 * there is none.  FAULT_SYS, FAULT_DAMAGED: the text is not to be had.
 */
must_check int bulk_get(const struct bulk *b, size_t i, struct batch *round);

/*
 * The first `lines' lines of round `i' were written, and what they stand for
 * is safe once the output is up to `end'.
 */
void bulk_done(struct bulk *b, size_t i, size_t lines, uint64_t end);

/*
 * After a sweep: forget the lines.  Those keys that came for the first time in
 * lines that are done and safe are to be added by the next sweep.
 */
void bulk_keep(struct bulk *b, uint64_t safe);

/* Forget the lines that were not swept.  What is to be added stays. */
void bulk_drop(struct bulk *b);

#endif
