/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * counting.c - m counters of four bits, k of them for a key
 *
 * Counters are chosen as in bloom.c.  A key is there if none of its counters
 * is 0.  Adding counts each up and deleting down.  A counter that has reached
 * 15 stays there for good: nobody knows how many it stands for, and counting
 * it down might take a key away that was never deleted.  With k chosen for
 * half the counters in use that happens to one of 1.4e15 (Fan et al., 3.2).
 *
 * A kill between two counters leaves some of a key's up and others not.  As
 * long as it was being added, it is not there and comes again.  While it was
 * being deleted, it may still be called seen by what others have counted, and
 * deleting it once more may take one of theirs: that one comes again, too.
 */

#include "config.h"

#include <math.h>

#include "dedup/counting.h"
#include "dedup/odd.h"

#define PER_WORD 16 /* counters */
#define STUCK    15

static inline uint64_t
place_of(const struct layer *l, const struct urlkey *k, unsigned int i)
{
	return layer_place(k->hi + k->lo * odd_multiplier[i], l->shape.size);
}

static inline unsigned int
get(const struct layer *l, uint64_t at)
{
	return (unsigned int)(layer_load(l->word + at / PER_WORD) >>
		   4 * (at % PER_WORD)) &
	    15;
}

/* Count it up or down; a stuck one stays. */
static inline void
count(struct layer *l, uint64_t at, int up)
{
	const uint64_t one = UINT64_C(1) << 4 * (at % PER_WORD);
	unsigned int have = get(l, at);
	uint64_t v = layer_load(l->word + at / PER_WORD);

	if (have == STUCK || (have == 0 && !up))
		return;
	layer_store(l->word + at / PER_WORD, up ? v + one : v - one);
	layer_touch(l, at / 2);
	l->ones += up && have == 0;
	l->ones -= !up && have == 1;
}

static inline int
has(const struct layer *l, const struct urlkey *k)
{
	unsigned int i;

	for (i = 0; i < l->shape.k; i++)
		if (get(l, place_of(l, k, i)) == 0)
			return 0;
	return 1;
}

static void
counting_fetch(const struct layer *l, const struct urlkey *key, size_t n)
{
	unsigned int j;
	size_t i;

	for (i = 0; i < n; i++)
		for (j = 0; j < l->shape.k; j++)
			layer_fetch(
			    l->word + place_of(l, &key[i], j) / PER_WORD);
}

static void
counting_probe(const struct layer *l, const struct urlkey *key, size_t n,
    uint8_t *seen)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (has(l, &key[i]))
			seen[i] = 1;
}

static size_t
counting_add(struct layer *l, const struct urlkey *key, size_t n,
    const uint8_t *seen, uint64_t most)
{
	unsigned int j;
	size_t i;

	for (i = 0; i < n; i++) {
		if (seen[i] || has(l, &key[i]))
			continue;
		if (l->count >= most)
			break;
		for (j = 0; j < l->shape.k; j++)
			count(l, place_of(l, &key[i], j), 1);
		l->count++;
	}
	return i;
}

static void
counting_remove(struct layer *l, const struct urlkey *key, size_t n,
    uint8_t *gone)
{
	unsigned int j;
	size_t i;

	for (i = 0; i < n; i++) {
		if (!has(l, &key[i]))
			continue;
		for (j = 0; j < l->shape.k; j++)
			count(l, place_of(l, &key[i], j), 0);
		l->count -= l->count > 0;
		gone[i] = 1;
	}
}

/* How many of a word's counters are not 0. */
static inline unsigned int
used(uint64_t v)
{
	v |= v >> 2;
	v |= v >> 1;
	return (unsigned int)__builtin_popcountll(
	    v & UINT64_C(0x1111111111111111));
}

static void
counting_sample(const struct layer *l, struct layer_sample *s)
{
	uint64_t i, ones = 0, lines = 0, total = l->bytes / LAYER_LINE;
	unsigned int j;

	for (i = 0; i < total; i = layer_next(l, i)) {
		for (j = 0; j < 8; j++)
			ones += used(layer_load(l->word + i * 8 + j));
		lines++;
	}
	s->fill = (double)ones * (double)total /
	    ((double)lines * (double)l->shape.size);
	s->rate = pow(s->fill < 1 ? s->fill : 1, l->shape.k);
}

const struct layer_kind counting_kind = {
	.kind = FILTER_COUNTING,
	.name = "counting",
	.grow_only = 0,
	.fixed = 0,
	.readers = 1,
	.batch = LIMIT_KEYS / 4,
	.fetch = counting_fetch,
	.probe = counting_probe,
	.add = counting_add,
	.remove = counting_remove,
	.sample = counting_sample,
};
