/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * store.h - the queues of all hosts
 *
 * A queue is named by a number that its owner keeps, 0 while it is empty: an
 * idle host costs nothing here.
 *
 * Memory	Blocks of entries (block.h) within a budget of their own, a
 *		record for each queue that is not empty.
 * Threads	One owner.
 * Errors	FAULT_NOMEM, FAULT_FULL.
 */

#ifndef FRONTIER_STORE_H
#define FRONTIER_STORE_H

#include <stdint.h>

#include "frontier/entry.h"
#include "frontier/stream.h"
#include "frontier/table.h"

struct store;

/* NULL if there is no memory.  The pager is the caller's. */
struct store *store_new(struct pager *pager, uint64_t budget);

/* `s' may be NULL. */
void store_free(struct store *s);

/* Append to queue *q.  0 or a fault, and then nothing changed. */
must_check int store_push(struct store *s, uint32_t *q, const struct entry *e);

/* Look at the first of queue `q': 1, or 0 if there is none.  The text is good
   until the next call. */
must_check int store_first(struct store *s, uint32_t q, struct entry *e);

/* Take away what store_first() showed for *q just before. */
void store_shift(struct store *s, uint32_t *q);

/* Entries in queue `q'. */
uint64_t store_count(struct store *s, uint32_t q);

/* Show all entries of `q', first to last; `fn' returns below zero to stop. */
typedef int store_entry_fn(void *ctx, const struct entry *e);
must_check int store_each(struct store *s, uint32_t q, store_entry_fn *fn,
    void *ctx);

/* Bytes of memory held, the pager's apart. */
uint64_t store_memory(const struct store *s);

#endif
