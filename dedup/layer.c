/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/mman.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dedup/blocked.h"
#include "dedup/bloom.h"
#include "dedup/counting.h"
#include "dedup/cuckoo.h"
#include "dedup/exact.h"
#include "dedup/layer.h"
#include "snapshot/limits.h"

#define LINES 64 /* in a page of 4 KiB */

const struct layer_kind *
layer_kind(unsigned int kind)
{
	static const struct layer_kind *const kinds[] = {
		&blocked_kind,
		&bloom_kind,
		&counting_kind,
		&cuckoo_kind,
		&exact_kind,
	};
	size_t i;

	for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (kinds[i]->kind == kind)
			return kinds[i];
	return NULL;
}

int
layer_new(struct layer *l)
{
	uint64_t bytes = rate_bytes(&l->shape);
	uint64_t map = bytes + LAYER_ALIGN;
	char *p;

	/* A line's start is all that small layers need. */
	if (bytes < LAYER_ALIGN)
		map = bytes;
	if (map > SIZE_MAX / 2) {
		errno = ENOMEM;
		return FAULT_NOMEM;
	}
	p = mmap(NULL, map, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	    -1, 0);
	if (p == MAP_FAILED)
		return FAULT_NOMEM;
	l->map = p;
	l->map_bytes = map;
	l->bytes = bytes;
	if (bytes >= LAYER_ALIGN) {
		p += -(uintptr_t)p & (LAYER_ALIGN - 1);
		(void)madvise(p, bytes, MADV_HUGEPAGE);
	}
	l->word = (void *)p;
	return 0;
}

void
layer_free(struct layer *l)
{
	if (l->map != NULL)
		(void)munmap(l->map, l->map_bytes);
	free(l->dirt);
	memset(l, 0, sizeof *l);
}

void
layer_drop(struct layer *l, uint64_t from, uint64_t to)
{
	char *p = layer_plain(l->word);

	(void)madvise(p + from, to - from, MADV_DONTNEED);
}

uint64_t
layer_next(const struct layer *l, uint64_t line)
{
	uint64_t lines = l->bytes / LAYER_LINE;
	uint64_t skip = lines / LIMIT_SAMPLE;

	line++;
	if (skip > 1 && line % LINES == 0)
		line += (skip - 1) * LINES;
	return line;
}

void
layer_scattered(const struct layer *l, int on)
{
	if (l->bytes / LAYER_LINE > 2 * LIMIT_SAMPLE)
		(void)madvise(l->map, l->map_bytes,
		    on ? MADV_RANDOM : MADV_NORMAL);
}

double
layer_fill(const struct layer *l)
{
	uint64_t i, ones = 0, lines = 0, total = l->bytes / LAYER_LINE;
	const _Atomic uint64_t *w;
	unsigned int j;

	for (i = 0; i < total; i = layer_next(l, i)) {
		w = l->word + i * 8;
		for (j = 0; j < 8; j++)
			ones += __builtin_popcountll(layer_load(w + j));
		lines++;
	}
	/* What pads the last line is never set. */
	return (double)ones * (double)total /
	    ((double)lines * (double)rate_bits(&l->shape));
}

void
layer_recount(struct layer *l, const struct layer_kind *kind)
{
	struct layer_sample s;
	double units = (double)rate_bits(&l->shape);

	kind->sample(l, &s);
	if (s.fill > 1)
		s.fill = 1;
	if (l->shape.layout == RATE_COUNTERS || l->shape.layout == RATE_KEYS)
		units = (double)l->shape.size;
	else if (l->shape.layout == RATE_CUCKOO)
		units = (double)l->shape.size * RATE_WAYS;
	l->ones = (uint64_t)llround(s.fill * units);
	l->count = (uint64_t)llround(rate_keys(&l->shape, s.fill));
}
