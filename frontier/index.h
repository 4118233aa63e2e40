/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * index.h - from a hash to record numbers, in a table
 *
 * Linear hashing (Litwin 1980): the index grows by one bucket at a time, so
 * that no insertion ever waits for a whole rehash, and its buckets are table
 * records, so that it may be larger than memory.  About 12 bytes an entry.
 */

#ifndef FRONTIER_INDEX_H
#define FRONTIER_INDEX_H

#include <stdint.h>

#include "frontier/table.h"

struct index {
	struct table bucket; /* bucket b is record b + 1 */
	struct table over;   /* what does not fit there, chained */
	uint32_t level;      /* power of two, level <= buckets < 2 level */
	uint32_t buckets;
	uint32_t count; /* entries */
};

/* Does record `id' hold the key that is looked for? */
typedef int index_same_fn(void *ctx, uint32_t id);

/* FAULT_NOMEM. */
must_check int index_init(struct index *x, struct pager *p);
void index_clear(struct index *x);

/* The record with this hash that `same' accepts, or 0. */
uint32_t index_find(struct index *x, uint32_t hash, index_same_fn *same,
    void *ctx);

/* `hash' will be looked for soon: bring its bucket near; then, say which
   record it may be: 0 if that can't be told at once. */
void index_ahead(const struct index *x, uint32_t hash);
uint32_t index_guess(const struct index *x, uint32_t hash);

/* Add `id', which is not there yet.  FAULT_NOMEM and nothing changed. */
must_check int index_add(struct index *x, uint32_t hash, uint32_t id);

/* Take `id' out; it may be absent. */
void index_remove(struct index *x, uint32_t hash, uint32_t id);

#endif
