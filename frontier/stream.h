/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * stream.h - entries in memory, first in, first out
 *
 * A chain of blocks.  Each block is one group of packed entries (entry.h),
 * so it can be read with nothing but itself, and is given back when its last
 * entry has left.  An entry too large for a block has a run of blocks for
 * itself.
 */

#ifndef FRONTIER_STREAM_H
#define FRONTIER_STREAM_H

#include <stdint.h>

#include "frontier/block.h"
#include "frontier/entry.h"

/* All zeroes is an empty stream. */
struct stream {
	uint32_t head;  /* first block, 0 = none */
	uint32_t tail;  /* last block */
	uint32_t read;  /* offset of the next entry in the first block */
	uint32_t count; /* entries */
};

/* 0, or FAULT_FULL and nothing changed. */
must_check int stream_push(struct block_pool *p, struct stream *s,
    const struct entry *e);

/* Where a walk over a stream is. */
struct stream_walk {
	uint32_t block;
	uint32_t read;
};

/* Start at the first entry. */
void stream_walk(const struct stream *s, struct stream_walk *w);

/*
 * The next entry: 1, or 0 at the end.  Its text is put at `text', which has
 * room for LIMIT_URL + ENTRY_HEAD bytes.
 */
int stream_next(const struct block_pool *p, struct stream_walk *w,
    struct entry *e, char *text);

/* Take away the first `n' entries, after which `w' stands. */
void stream_shift(struct block_pool *p, struct stream *s,
    const struct stream_walk *w, uint32_t n);

/* Take away all of them. */
void stream_clear(struct block_pool *p, struct stream *s);

#endif
