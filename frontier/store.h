/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * store.h - the queues of all hosts
 *
 * A queue is named by a number that its owner keeps, 0 while it is empty: an
 * idle host costs nothing here.  With a folder to spill to, a queue's middle
 * may be on disk (spill.h): what was pushed lately is in memory, what comes
 * next is brought in a piece at a time, and queues that nobody has touched
 * for a while are on disk altogether.
 *
 * Memory	Blocks of entries (block.h) within a budget of their own, a
 *		record for each queue that is not empty.
 * Threads	One owner.
 * Errors	FAULT_NOMEM, FAULT_FULL; with spilling FAULT_SYS if nothing
 *		can be written, FAULT_DAMAGED if a piece can't be read back.
 */

#ifndef FRONTIER_STORE_H
#define FRONTIER_STORE_H

#include <stdint.h>

#include "frontier/entry.h"
#include "frontier/spill.h"
#include "frontier/stream.h"
#include "frontier/table.h"

struct store;

/* What the store asks of the hosts: all of it with `ctx'. */
struct store_hosts {
	/* Where the number of this queue is kept; NULL: no such host. */
	uint32_t *(*queue)(void *ctx, struct chunk_owner o);
	/* Write "https://name" to `to' (HOST_ORIGIN bytes): its length. */
	size_t (*origin)(void *ctx, uint32_t host, char *to);
	void *ctx;
};

/* NULL if there is no memory.  `budget' is for blocks, 0: there is none, and
   nothing is spilled.  Pager and spill (NULL: none) stay the caller's. */
struct store *store_new(struct pager *pager, uint64_t budget,
    struct spill *spill, const struct store_hosts *hosts);

/* `s' may be NULL. */
void store_free(struct store *s);

/*
 * An operation begins that will push one entry or look at a queue's first:
 * make room, by spilling if need be, and reserve pages (table_reserve()).
 */
must_check int store_reserve(struct store *s);

/* Append to queue *q, which is `o'.  0 or a fault, and then nothing changed. */
must_check int store_push(struct store *s, struct chunk_owner o, uint32_t *q,
    const struct entry *e);

/* Look at the first of queue *q: 1, 0 if there is none, or a fault.  The text
   is good until the next call. */
must_check int store_first(struct store *s, uint32_t *q, struct entry *e);

/* Take away what store_first() showed for *q just before. */
void store_shift(struct store *s, uint32_t *q);

/* Queue `q' will be used soon: bring its record near; then, by that, what
   comes first in it, or where the next one is pushed. */
void store_ahead(const struct store *s, uint32_t q);
void store_ahead_first(const struct store *s, uint32_t q);
void store_ahead_last(const struct store *s, uint32_t q);

/*
 * Show the entries of `q', first to last: of its pieces on disk from number
 * *piece on (0 at first), at most *max of them, which it lowers, and then
 * those in memory.  1: there are more, 0: that was all.  `fn' returns below
 * zero to stop.
 */
typedef int store_entry_fn(void *ctx, const struct entry *e);
must_check int store_show(struct store *s, uint32_t q, uint32_t *piece,
    size_t *max, store_entry_fn *fn, void *ctx);

/*
 * For an image: the pieces of `q' on disk, first to last, and how many
 * entries of the first are gone; then the entries that are in memory only.
 */
typedef int store_ref_fn(void *ctx, struct ref r, unsigned int gone);
must_check int store_save(struct store *s, uint32_t q, store_ref_fn *fn,
    store_entry_fn *entry, void *ctx);

/* And back: a piece of *q, which has no entries in memory yet. */
must_check int store_load(struct store *s, struct chunk_owner o, uint32_t *q,
    struct ref r, unsigned int gone);

/* Bytes of memory held, the pager's apart. */
uint64_t store_memory(const struct store *s);

/* URLs on disk; those that an image left there have to be told. */
uint64_t store_spilled(const struct store *s);
void store_found(struct store *s, uint64_t urls);

#endif
