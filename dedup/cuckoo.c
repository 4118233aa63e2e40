/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * cuckoo.c - four fingerprints of k bits in a bucket, two buckets for a key
 *
 * The high half of a key picks its first bucket, the low half its
 * fingerprint, 1 to 2^k - 1; 0 is an empty slot.  The other bucket is H - b
 * (mod the number of buckets), with H a hash of the fingerprint alone: taken
 * twice that is b again, so whoever sees a fingerprint in either bucket
 * knows the other one, and there need not be a power of two of them.
 *
 * Where both are full, others move: a breadth-first search finds the nearest
 * empty slot that a chain of moves leads to, and the moves are made from its
 * end.  Each fingerprint is copied to its new slot before its old one is
 * overwritten, so a kill leaves one twice but none lost.  Without such a
 * chain nothing was touched, and the layer is full.
 *
 * A key that is called seen is not added, so a fingerprint stands only once
 * in its two buckets, and deleting takes all copies that a kill has left.
 *
 * A fingerprint may lie across two words, which are not written at once.  So
 * there are no readers beside the owner, and a kill between the two may leave
 * a fingerprint of nobody: one more false positive among all.
 */

#include "config.h"

#include <math.h>

#include "dedup/cuckoo.h"
#include "dedup/odd.h"

/* Buckets that a search looks at; at 95 % some 50 do for most keys. */
#define SEARCH 2048

/* A bucket that the search has reached. */
struct step {
	uint64_t bucket;
	uint64_t print; /* that would move here, from the step before */
	uint16_t from;  /* that step */
	uint8_t slot;   /* where it is there */
};

static inline uint64_t
mask(const struct layer *l)
{
	return (UINT64_C(1) << l->shape.k) - 1;
}

/* Slot `slot' of the whole table. */
static inline uint64_t
get(const struct layer *l, uint64_t slot)
{
	uint64_t at = slot * l->shape.k, v = layer_load(l->word + at / 64);
	unsigned int shift = at & 63;

	v >>= shift;
	if (shift + l->shape.k > 64)
		v |= layer_load(l->word + at / 64 + 1) << (64 - shift);
	return v & mask(l);
}

static inline void
put(struct layer *l, uint64_t slot, uint64_t print)
{
	uint64_t at = slot * l->shape.k, v;
	unsigned int shift = at & 63;
	_Atomic uint64_t *w = l->word + at / 64;

	v = layer_load(w) & ~(mask(l) << shift);
	layer_store(w, v | print << shift);
	layer_touch(l, at / 64 * 8);
	if (shift + l->shape.k <= 64)
		return;
	shift = 64 - shift; /* bits that the first word took */
	v = layer_load(w + 1) & ~(mask(l) >> shift);
	layer_store(w + 1, v | print >> shift);
	layer_touch(l, at / 64 * 8 + 8);
}

static inline uint64_t
bucket_of(const struct layer *l, const struct urlkey *k)
{
	return layer_place(k->hi, l->shape.size);
}

static inline uint64_t
print_of(const struct layer *l, const struct urlkey *k)
{
	return 1 + layer_place(k->lo, mask(l));
}

static inline uint64_t
other(const struct layer *l, uint64_t bucket, uint64_t print)
{
	uint64_t h = layer_place(odd_mix(print), l->shape.size);

	return h >= bucket ? h - bucket : h + l->shape.size - bucket;
}

/* The first slot of the bucket with this content (0: an empty one), or -1. */
static inline int
find(const struct layer *l, uint64_t bucket, uint64_t print)
{
	int i;

	for (i = 0; i < RATE_WAYS; i++)
		if (get(l, bucket * RATE_WAYS + (uint64_t)i) == print)
			return i;
	return -1;
}

static inline int
has(const struct layer *l, const struct urlkey *k)
{
	uint64_t bucket = bucket_of(l, k), print = print_of(l, k);

	return find(l, bucket, print) >= 0 ||
	    find(l, other(l, bucket, print), print) >= 0;
}

static void
cuckoo_fetch(const struct layer *l, const struct urlkey *key, size_t n)
{
	const unsigned int wide = RATE_WAYS * l->shape.k;
	uint64_t at[2];
	unsigned int j;
	size_t i;

	for (i = 0; i < n; i++) {
		at[0] = bucket_of(l, &key[i]);
		at[1] = other(l, at[0], print_of(l, &key[i]));
		for (j = 0; j < 2; j++) {
			layer_fetch(l->word + at[j] * wide / 64);
			layer_fetch(l->word + (at[j] * wide + wide - 1) / 64);
		}
	}
}

static void
cuckoo_probe(const struct layer *l, const struct urlkey *key, size_t n,
    uint8_t *seen)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (has(l, &key[i]))
			seen[i] = 1;
}

/* 1 if the chain that ends in `s' goes through this bucket already. */
static int
passed(const struct step *step, unsigned int s, uint64_t bucket)
{
	for (;;) {
		if (step[s].bucket == bucket)
			return 1;
		if (step[s].from == s)
			return 0;
		s = step[s].from;
	}
}

/* Make the moves that lead to the empty slot `slot' of step `s'. */
static void
move(struct layer *l, const struct step *step, unsigned int s, int slot)
{
	while (step[s].from != s) {
		put(l, step[s].bucket * RATE_WAYS + (uint64_t)slot,
		    step[s].print);
		slot = step[s].slot;
		s = step[s].from;
	}
	put(l, step[s].bucket * RATE_WAYS + (uint64_t)slot, step[s].print);
}

/* Put `print' into one of its buckets `b' and `o'.  0 if there is no way. */
static int
place(struct layer *l, uint64_t b, uint64_t o, uint64_t print)
{
	struct step step[SEARCH];
	unsigned int i, n = 2;
	uint64_t p, next;
	int slot;

	step[0] = (struct step){ b, print, 0, 0 };
	step[1] = (struct step){ o, print, 1, 0 };
	for (i = 0; i < n; i++) {
		slot = find(l, step[i].bucket, 0);
		if (slot >= 0) {
			move(l, step, i, slot);
			return 1;
		}
		for (slot = 0; slot < RATE_WAYS && n < SEARCH; slot++) {
			p = get(l, step[i].bucket * RATE_WAYS + (uint64_t)slot);
			next = other(l, step[i].bucket, p);
			if (passed(step, i, next))
				continue;
			step[n++] = (struct step){ next, p, (uint16_t)i,
				(uint8_t)slot };
		}
	}
	return 0;
}

static size_t
cuckoo_add(struct layer *l, const struct urlkey *key, size_t n,
    const uint8_t *seen, uint64_t most)
{
	uint64_t b, o, print;
	size_t i;

	for (i = 0; i < n; i++) {
		if (seen[i])
			continue;
		b = bucket_of(l, &key[i]);
		print = print_of(l, &key[i]);
		o = other(l, b, print);
		if (find(l, b, print) >= 0 || find(l, o, print) >= 0)
			continue;
		if (l->count >= most || !place(l, b, o, print))
			break;
		l->count++;
		l->ones++;
	}
	return i;
}

/* Empty each slot of the bucket that holds `print'. */
static int
clear(struct layer *l, uint64_t bucket, uint64_t print)
{
	int slot, n = 0;

	for (;;) {
		slot = find(l, bucket, print);
		if (slot < 0)
			return n;
		put(l, bucket * RATE_WAYS + (uint64_t)slot, 0);
		n++;
	}
}

static void
cuckoo_remove(struct layer *l, const struct urlkey *key, size_t n,
    uint8_t *gone)
{
	uint64_t b, print, freed;
	size_t i;

	for (i = 0; i < n; i++) {
		b = bucket_of(l, &key[i]);
		print = print_of(l, &key[i]);
		freed = (uint64_t)clear(l, b, print);
		freed += (uint64_t)clear(l, other(l, b, print), print);
		if (freed == 0)
			continue;
		l->count -= l->count > 0;
		l->ones -= l->ones > freed ? freed : l->ones;
		gone[i] = 1;
	}
}

static void
cuckoo_sample(const struct layer *l, struct layer_sample *s)
{
	uint64_t i, slot, end, used = 0, seen = 0;
	uint64_t slots = l->shape.size * RATE_WAYS;

	/* the slots that begin in a line */
	for (i = 0; i < l->bytes / LAYER_LINE; i = layer_next(l, i)) {
		slot = (i * 512 + l->shape.k - 1) / l->shape.k;
		end = ((i + 1) * 512 + l->shape.k - 1) / l->shape.k;
		for (; slot < end && slot < slots; slot++, seen++)
			used += get(l, slot) != 0;
	}
	s->fill = (double)used / (double)seen;
	s->rate = -expm1(
	    2 * RATE_WAYS * s->fill * log1p(-1 / (exp2(l->shape.k) - 1)));
}

const struct layer_kind cuckoo_kind = {
	.kind = FILTER_CUCKOO,
	.name = "cuckoo",
	.grow_only = 0,
	.fixed = 1,
	.readers = 0,
	.batch = LIMIT_KEYS / 2,
	.fetch = cuckoo_fetch,
	.probe = cuckoo_probe,
	.add = cuckoo_add,
	.remove = cuckoo_remove,
	.sample = cuckoo_sample,
};
