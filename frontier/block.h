/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * block.h - memory for queues, in pieces of one size
 *
 * Queues grow and shrink by the million and live for weeks; pieces of one
 * size can't fragment, and a count of them is the budget.
 */

#ifndef FRONTIER_BLOCK_H
#define FRONTIER_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "frontier/slab.h"

#define BLOCK_SIZE 256                 /* bytes */
#define BLOCK_SLAB (SLAB / BLOCK_SIZE) /* blocks allocated at a time */

struct block {
	uint32_t next; /* of its queue, 0 = last */
	uint16_t fill; /* bytes of data in use */
	uint16_t more; /* 1: an entry goes on in the next block */
	unsigned char data[BLOCK_SIZE - 8];
};

#define BLOCK_DATA sizeof(((struct block *)NULL)->data)

struct block_pool {
	struct block **slab;
	size_t slabs;
	size_t room;   /* of the array */
	uint32_t free; /* first free block, 0 = none */
	uint32_t used; /* blocks in use */
	uint32_t most; /* blocks allowed */
};

/* `budget' bytes, 0: no bound. */
void block_init(struct block_pool *p, uint64_t budget);
void block_clear(struct block_pool *p);

/* A block's number, its header zeroed; 0 if none may be or can be had. */
uint32_t block_take(struct block_pool *p);
void block_give(struct block_pool *p, uint32_t id);

static inline struct block *
block_at(const struct block_pool *p, uint32_t id)
{
	return &p->slab[id / BLOCK_SLAB][id % BLOCK_SLAB];
}

/* Bytes of memory held. */
uint64_t block_memory(const struct block_pool *p);

#endif
