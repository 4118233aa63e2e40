/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * blocked.c - one cache line, or two side by side, for each key
 *
 * The high half of a key picks the block.  Of the low half,
 *
 *	split	bits 6i to 6i+5 pick a bit in word i of the line;
 *	line	the top 9 bits of lo x odd[i] pick probe i among 512;
 *	pair	the top 10 bits of lo x odd[i], among 1024.
 *
 * A product's top bits depend on all 64 bits of the half, so 30 probes can
 * come from it though it has no 30 x 9 bits; cutting and reusing bits, or
 * stepping by a second hash, measured 6 and 150 times the rate.  A pair is
 * one address to translate and the second line comes in the shadow of the
 * first: about a tenth slower than a line, and 13 % smaller at 1e-6.
 *
 * A key that is there already must not dirty its line (a mapped page would
 * be written again), so adding looks before it sets.
 */

#include "config.h"

#include <math.h>

#include "dedup/blocked.h"
#include "dedup/odd.h"

#define WORDS 8 /* in a line */

/* 1 if the bit that `lo' picks in each of the eight words is set. */
static inline unsigned int
split_has(const _Atomic uint64_t *w, uint64_t lo)
{
	uint64_t all = 1;
	unsigned int i;

	for (i = 0; i < WORDS; i++, lo >>= 6)
		all &= layer_load(w + i) >> (lo & 63);
	return (unsigned int)all;
}

/* Set them.  How many were not set before. */
static inline unsigned int
split_set(_Atomic uint64_t *w, uint64_t lo)
{
	unsigned int i, fresh = 0;
	uint64_t v;

	for (i = 0; i < WORDS; i++, lo >>= 6) {
		v = layer_load(w + i);
		fresh += !(v >> (lo & 63) & 1);
		layer_store(w + i, v | (UINT64_C(1) << (lo & 63)));
	}
	return fresh;
}

/* The same for `k' free probes that are the top bits of a product. */
static inline unsigned int
free_has(const _Atomic uint64_t *w, uint64_t lo, unsigned int k,
    unsigned int shift)
{
	unsigned int i, bit;
	uint64_t all = 1;

	for (i = 0; i < k; i++) {
		bit = (unsigned int)(lo * odd_multiplier[i] >> shift);
		all &= layer_load(w + bit / 64) >> (bit & 63);
		/* By fours: a branch for each would be mispredicted. */
		if ((i & 3) == 3 && !all)
			return 0;
	}
	return (unsigned int)all;
}

static inline unsigned int
free_set(_Atomic uint64_t *w, uint64_t lo, unsigned int k, unsigned int shift)
{
	unsigned int i, bit, fresh = 0;
	uint64_t v;

	for (i = 0; i < k; i++) {
		bit = (unsigned int)(lo * odd_multiplier[i] >> shift);
		v = layer_load(w + bit / 64);
		fresh += !(v >> (bit & 63) & 1);
		layer_store(w + bit / 64, v | (UINT64_C(1) << (bit & 63)));
	}
	return fresh;
}

/* What differs, chosen at compile time: `layout' is always a constant. */
static inline unsigned int
words(enum rate_layout layout)
{
	return layout == RATE_PAIR ? 2 * WORDS : WORDS;
}

static inline unsigned int
shift(enum rate_layout layout)
{
	return layout == RATE_PAIR ? 54 : 55;
}

static inline unsigned int
has(enum rate_layout layout, const _Atomic uint64_t *w, uint64_t lo,
    unsigned int k)
{
	if (layout == RATE_SPLIT)
		return split_has(w, lo);
	return free_has(w, lo, k, shift(layout));
}

static inline unsigned int
set(enum rate_layout layout, _Atomic uint64_t *w, uint64_t lo, unsigned int k)
{
	if (layout == RATE_SPLIT)
		return split_set(w, lo);
	return free_set(w, lo, k, shift(layout));
}

static inline void
probe_all(const struct layer *l, const struct urlkey *key, size_t n,
    uint8_t *seen, enum rate_layout layout)
{
	const _Atomic uint64_t *w;
	size_t i;

	for (i = 0; i < n; i++) {
		w = l->word +
		    layer_place(key[i].hi, l->shape.size) * words(layout);
		if (has(layout, w, key[i].lo, l->shape.k))
			seen[i] = 1;
	}
}

static inline size_t
add_all(struct layer *l, const struct urlkey *key, size_t n,
    const uint8_t *seen, uint64_t most, enum rate_layout layout)
{
	uint64_t at;
	size_t i;

	for (i = 0; i < n; i++) {
		if (seen[i])
			continue;
		at = layer_place(key[i].hi, l->shape.size) * words(layout);
		if (has(layout, l->word + at, key[i].lo, l->shape.k))
			continue;
		if (l->count >= most)
			break;
		l->ones += set(layout, l->word + at, key[i].lo, l->shape.k);
		l->count++;
		layer_touch(l, at * sizeof *l->word);
	}
	return i;
}

static void
blocked_fetch(const struct layer *l, const struct urlkey *key, size_t n)
{
	unsigned int step = words(l->shape.layout);
	const _Atomic uint64_t *w;
	size_t i;

	for (i = 0; i < n; i++) {
		w = l->word + layer_place(key[i].hi, l->shape.size) * step;
		layer_fetch(w);
		if (step > WORDS)
			layer_fetch(w + WORDS);
	}
}

static void
blocked_probe(const struct layer *l, const struct urlkey *key, size_t n,
    uint8_t *seen)
{
	if (l->shape.layout == RATE_SPLIT)
		probe_all(l, key, n, seen, RATE_SPLIT);
	else if (l->shape.layout == RATE_LINE)
		probe_all(l, key, n, seen, RATE_LINE);
	else
		probe_all(l, key, n, seen, RATE_PAIR);
}

static size_t
blocked_add(struct layer *l, const struct urlkey *key, size_t n,
    const uint8_t *seen, uint64_t most)
{
	if (l->shape.layout == RATE_SPLIT)
		return add_all(l, key, n, seen, most, RATE_SPLIT);
	if (l->shape.layout == RATE_LINE)
		return add_all(l, key, n, seen, most, RATE_LINE);
	return add_all(l, key, n, seen, most, RATE_PAIR);
}

/* The chance that all of a foreign key's bits are set in one block. */
static double
block_rate(const struct layer *l, const _Atomic uint64_t *w)
{
	unsigned int i, ones, all = 0, end = words(l->shape.layout);
	double rate = 1;

	for (i = 0; i < end; i++) {
		ones = (unsigned int)__builtin_popcountll(layer_load(w + i));
		rate *= ones / 64.0;
		all += ones;
	}
	if (l->shape.layout == RATE_SPLIT)
		return rate;
	return pow(all / (64.0 * end), l->shape.k);
}

static void
blocked_sample(const struct layer *l, struct layer_sample *s)
{
	unsigned int wide = words(l->shape.layout) / WORDS;
	uint64_t i, seen = 0, end = l->shape.size * wide;

	s->fill = layer_fill(l);
	s->rate = 0;
	for (i = 0; i < end; i = layer_next(l, i)) {
		if (i % wide != 0)
			continue;
		s->rate += block_rate(l, l->word + i * WORDS);
		seen++;
	}
	s->rate /= (double)seen;
}

const struct layer_kind blocked_kind = {
	.kind = FILTER_BLOCKED,
	.name = "blocked",
	.grow_only = 1,
	.fixed = 0,
	.readers = 1,
	.batch = LIMIT_KEYS,
	.fetch = blocked_fetch,
	.probe = blocked_probe,
	.add = blocked_add,
	.sample = blocked_sample,
};
