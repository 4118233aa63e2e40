/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * exact.c - open addressing with linear probing, filled to 7/8 at most
 *
 * A slot is two words: the low half of a key, then the high half, which is
 * never 0 (0 stands for 1) and so says that the slot is taken.  It is
 * written last.  A kill between the two leaves the slot empty, and a reader
 * that sees the high half sees the low one too.
 *
 * The high half's place among the slots is found by multiplication, so keys
 * lie in the order of their high halves, but for a few steps.  A table can
 * therefore be emptied from its start into another one, larger or not, that
 * fills from its start: no page is needed in both for long.
 *
 * Loops end after as many steps as there are slots and LIMIT_EXACT_STEPS at
 * most, since a damaged file may have no empty one.
 */

#include "config.h"

#include "dedup/exact.h"
#include "snapshot/limits.h"

#define SLOT 2 /* words */

static inline uint64_t
high(const struct urlkey *k)
{
	return k->hi != 0 ? k->hi : 1;
}

static inline uint64_t
hi_at(const struct layer *l, uint64_t slot)
{
	return layer_le(atomic_load_explicit(l->word + slot * SLOT + 1,
	    memory_order_acquire));
}

static inline uint64_t
lo_at(const struct layer *l, uint64_t slot)
{
	return layer_load(l->word + slot * SLOT);
}

/* The key's slot, or the empty one where it would go, or `size': none. */
static inline uint64_t
find(const struct layer *l, const struct urlkey *k)
{
	uint64_t size = l->shape.size, hi = high(k), have, n;
	uint64_t slot = layer_place(hi, size);

	for (n = 0; n < size && n < LIMIT_EXACT_STEPS; n++) {
		have = hi_at(l, slot);
		if (have == 0 || (have == hi && lo_at(l, slot) == k->lo))
			return slot;
		if (++slot == size)
			slot = 0;
	}
	return size;
}

static inline int
taken(const struct layer *l, uint64_t slot)
{
	return slot < l->shape.size && hi_at(l, slot) != 0;
}

static void
exact_fetch(const struct layer *l, const struct urlkey *key, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		layer_fetch(
		    l->word + layer_place(high(&key[i]), l->shape.size) * SLOT);
}

static void
exact_probe(const struct layer *l, const struct urlkey *key, size_t n,
    uint8_t *seen)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (taken(l, find(l, &key[i])))
			seen[i] = 1;
}

static size_t
exact_add(struct layer *l, const struct urlkey *key, size_t n,
    const uint8_t *seen, uint64_t most)
{
	uint64_t slot;
	size_t i;

	for (i = 0; i < n; i++) {
		if (seen[i])
			continue;
		slot = find(l, &key[i]);
		if (taken(l, slot))
			continue;
		if (slot == l->shape.size || l->count >= most)
			break;
		layer_store(l->word + slot * SLOT, key[i].lo);
		atomic_store_explicit(l->word + slot * SLOT + 1,
		    layer_le(high(&key[i])), memory_order_release);
		layer_touch(l, slot * SLOT * sizeof *l->word);
		l->count++;
		l->ones++;
	}
	return i;
}

int
exact_drain(struct layer *from, int drop,
    int (*take)(void *arg, const struct urlkey *key, size_t n), void *arg)
{
	struct urlkey key[LIMIT_KEYS];
	uint64_t slot, done = 0, at;
	size_t n = 0;
	int rc;

	for (slot = 0; slot < from->shape.size; slot++) {
		key[n].hi = hi_at(from, slot);
		key[n].lo = lo_at(from, slot);
		if (key[n].hi != 0)
			n++;
		if (n < LIMIT_KEYS && slot + 1 < from->shape.size)
			continue;
		rc = take(arg, key, n);
		if (rc < 0)
			return rc;
		n = 0;
		at = slot * SLOT * sizeof *from->word;
		if (!drop || at - done < LAYER_ALIGN)
			continue;
		at -= at % LAYER_ALIGN;
		layer_drop(from, done, at);
		done = at;
	}
	return 0;
}

static void
exact_sample(const struct layer *l, struct layer_sample *s)
{
	const uint64_t per = LAYER_LINE / (SLOT * sizeof *l->word);
	uint64_t i, j, used = 0, seen = 0;

	for (i = 0; i * per < l->shape.size; i = layer_next(l, i)) {
		j = i * per;
		for (; j < (i + 1) * per && j < l->shape.size; j++, seen++)
			used += hi_at(l, j) != 0;
	}
	s->fill = (double)used / (double)seen;
	s->rate = 0;
}

const struct layer_kind exact_kind = {
	.kind = FILTER_EXACT,
	.name = "exact",
	.grow_only = 0,
	.fixed = 1,
	.batch = LIMIT_KEYS,
	.fetch = exact_fetch,
	.probe = exact_probe,
	.add = exact_add,
	.sample = exact_sample,
};
