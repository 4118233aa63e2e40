/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * bloom.c - m bits in one array, k of them for a key
 *
 * Probe i is the place of hi + lo x odd[i] (mod 2^64) among m.  Kirsch &
 * Mitzenmacher (2006) show that two hashes do for k probes; theirs step by a
 * constant, so that probes are in arithmetic progression and a short step
 * makes them meet.  With multipliers that have nothing to do with one
 * another neither happens, and a product is no dearer than a sum beside the
 * cache miss that follows.
 */

#include "config.h"

#include <math.h>

#include "dedup/bloom.h"
#include "dedup/odd.h"

/* The bit of probe `i'. */
static inline uint64_t
bit_of(const struct layer *l, const struct urlkey *k, unsigned int i)
{
	return layer_place(k->hi + k->lo * odd_multiplier[i], l->shape.size);
}

static void
bloom_fetch(const struct layer *l, const struct urlkey *key, size_t n)
{
	unsigned int j;
	size_t i;

	for (i = 0; i < n; i++)
		for (j = 0; j < l->shape.k; j++)
			layer_fetch(l->word + bit_of(l, &key[i], j) / 64);
}

static inline int
has(const struct layer *l, const struct urlkey *k)
{
	unsigned int i;
	uint64_t b;

	for (i = 0; i < l->shape.k; i++) {
		b = bit_of(l, k, i);
		if (!(layer_load(l->word + b / 64) >> (b & 63) & 1))
			return 0;
	}
	return 1;
}

static void
bloom_probe(const struct layer *l, const struct urlkey *key, size_t n,
    uint8_t *seen)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (has(l, &key[i]))
			seen[i] = 1;
}

static void
set(struct layer *l, const struct urlkey *k)
{
	unsigned int i;
	uint64_t b, v;

	for (i = 0; i < l->shape.k; i++) {
		b = bit_of(l, k, i);
		v = layer_load(l->word + b / 64);
		if (v >> (b & 63) & 1)
			continue;
		layer_store(l->word + b / 64, v | (UINT64_C(1) << (b & 63)));
		layer_touch(l, b / 8);
		l->ones++;
	}
	l->count++;
}

static size_t
bloom_add(struct layer *l, const struct urlkey *key, size_t n,
    const uint8_t *seen, uint64_t most)
{
	size_t i;

	for (i = 0; i < n; i++) {
		if (seen[i] || has(l, &key[i]))
			continue;
		if (l->count >= most)
			break;
		set(l, &key[i]);
	}
	return i;
}

static void
bloom_sample(const struct layer *l, struct layer_sample *s)
{
	s->fill = layer_fill(l);
	s->rate = pow(s->fill < 1 ? s->fill : 1, l->shape.k);
}

const struct layer_kind bloom_kind = {
	.kind = FILTER_BLOOM,
	.name = "bloom",
	.grow_only = 1,
	.fixed = 0,
	.readers = 1,
	.batch = LIMIT_KEYS / 4,
	.fetch = bloom_fetch,
	.probe = bloom_probe,
	.add = bloom_add,
	.sample = bloom_sample,
};
