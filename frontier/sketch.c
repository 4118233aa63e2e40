/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "frontier/sketch.h"

#define LINE   16 /* counters in a cache line */
#define ROWS   4  /* of them, a key's */
#define HALVED 64 /* times added for each counter, and all are halved */

int
sketch_init(struct sketch *s, unsigned int bits)
{
	size_t size;

	memset(s, 0, sizeof *s);
	if (bits < SKETCH_LEAST || bits > SKETCH_MOST)
		return FAULT_ARG;
	size = sizeof *s->count << bits;
	s->count = aligned_alloc(64, size);
	if (s->count == NULL)
		return FAULT_NOMEM;
	s->bits = bits;
	sketch_clear(s);
	return 0;
}

void
sketch_free(struct sketch *s)
{
	free(s->count);
	memset(s, 0, sizeof *s);
}

void
sketch_clear(struct sketch *s)
{
	memset(s->count, 0, sizeof *s->count << s->bits);
	s->added = 0;
}

static uint32_t *
line(const struct sketch *s, struct urlkey k)
{
	return s->count + (k.hi >> (64 - s->bits)) / LINE * LINE;
}

/* The key's counter number `i' of its line; two may be the same. */
static unsigned int
row(struct urlkey k, unsigned int i)
{
	return (unsigned int)(k.lo >> 4 * i) % LINE;
}

uint32_t
sketch_get(const struct sketch *s, struct urlkey k)
{
	const uint32_t *c = line(s, k);
	uint32_t least = UINT32_MAX;

	for (unsigned int i = 0; i < ROWS; i++)
		if (c[row(k, i)] < least)
			least = c[row(k, i)];
	return least;
}

static void
halve(struct sketch *s)
{
	for (size_t i = 0; i < (size_t)1 << s->bits; i++)
		s->count[i] /= 2;
	s->added = 0;
}

void
sketch_add(struct sketch *s, struct urlkey k)
{
	uint32_t *c = line(s, k), was = sketch_get(s, k);

	if (was == UINT32_MAX)
		return;
	for (unsigned int i = 0; i < ROWS; i++)
		if (c[row(k, i)] == was)
			c[row(k, i)] = was + 1;
	if (++s->added >= (uint64_t)HALVED << s->bits)
		halve(s);
}
