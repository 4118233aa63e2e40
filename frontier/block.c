/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "frontier/block.h"

_Static_assert(sizeof(struct block) == BLOCK_SIZE, "blocks fill their slab");

void
block_init(struct block_pool *p, uint64_t budget)
{
	uint64_t most = budget / BLOCK_SIZE;

	memset(p, 0, sizeof *p);
	p->most = most == 0 || most > UINT32_MAX - BLOCK_SLAB ?
	    UINT32_MAX - BLOCK_SLAB :
	    (uint32_t)most;
}

void
block_clear(struct block_pool *p)
{
	for (size_t i = 0; i < p->slabs; i++)
		free(p->slab[i]);
	free(p->slab);
	memset(p, 0, sizeof *p);
}

/* More blocks, all free.  Block 0 is never used: 0 means none. */
static int
slab_add(struct block_pool *p)
{
	struct block **slab, *s;
	size_t n;

	if (p->slabs == p->room) {
		n = p->room == 0 ? 64 : p->room * 2;
		slab = realloc(p->slab, n * sizeof(*slab));
		if (slab == NULL)
			return 0;
		p->slab = slab;
		p->room = n;
	}
	s = slab_new(p->slabs);
	if (s == NULL)
		return 0;
	p->slab[p->slabs] = s;
	for (size_t i = BLOCK_SLAB; i-- > 0;) {
		if (p->slabs == 0 && i == 0)
			break;
		s[i].next = p->free;
		p->free = (uint32_t)(p->slabs * BLOCK_SLAB + i);
	}
	p->slabs++;
	return 1;
}

uint32_t
block_take(struct block_pool *p)
{
	uint32_t id;
	struct block *b;

	if (p->used == p->most || (p->free == 0 && !slab_add(p)))
		return 0;
	id = p->free;
	b = block_at(p, id);
	p->free = b->next;
	p->used++;
	b->next = 0;
	b->fill = 0;
	b->more = 0;
	return id;
}

void
block_give(struct block_pool *p, uint32_t id)
{
	block_at(p, id)->next = p->free;
	p->free = id;
	p->used--;
}

uint64_t
block_memory(const struct block_pool *p)
{
	return (uint64_t)p->slabs * SLAB;
}
