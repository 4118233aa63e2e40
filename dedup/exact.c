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
 * A key that is taken out leaves no mark: the keys behind it that a search
 * would reach only through its slot move up, each copied before its own slot
 * is overwritten.  A kill may leave one twice (and the deleted one's slot half
 * overwritten, a key of nobody), so taking out goes on until none is found.
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

/* Write a slot, the half that says it is taken last. */
static inline void
put(struct layer *l, uint64_t slot, uint64_t lo, uint64_t hi)
{
	layer_store(l->word + slot * SLOT, lo);
	atomic_store_explicit(l->word + slot * SLOT + 1, layer_le(hi),
	    memory_order_release);
	layer_touch(l, slot * SLOT * sizeof *l->word);
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
		put(l, slot, key[i].lo, high(&key[i]));
		l->count++;
		l->ones++;
	}
	return i;
}

/* Slots from `from' on to `to', round the end. */
static inline uint64_t
distance(const struct layer *l, uint64_t from, uint64_t to)
{
	return to >= from ? to - from : to + l->shape.size - from;
}

/* Empty a slot, and close the gap. */
static void
erase(struct layer *l, uint64_t hole)
{
	uint64_t at = hole, home, n;

	for (n = 1; n < l->shape.size && n < LIMIT_EXACT_STEPS; n++) {
		if (++at == l->shape.size)
			at = 0;
		if (hi_at(l, at) == 0)
			break;
		home = layer_place(hi_at(l, at), l->shape.size);
		if (distance(l, home, at) < distance(l, hole, at))
			continue;
		put(l, hole, lo_at(l, at), hi_at(l, at));
		hole = at;
	}
	put(l, hole, lo_at(l, hole), 0);
	l->ones -= l->ones > 0;
}

static void
exact_remove(struct layer *l, const struct urlkey *key, size_t n, uint8_t *gone)
{
	uint64_t slot;
	size_t i;
	int had;

	for (i = 0; i < n; i++) {
		for (had = 0;; had = 1) {
			slot = find(l, &key[i]);
			if (!taken(l, slot))
				break;
			erase(l, slot);
		}
		if (!had)
			continue;
		l->count -= l->count > 0;
		gone[i] = 1;
	}
}

/*
 * Each key goes where a search finds it, once.  What stands in a slot that
 * the search doesn't end at is a copy, or lies behind a gap.
 */
static void
exact_mend(struct layer *l)
{
	uint64_t slot, at;
	struct urlkey k;

	for (slot = 0; slot < l->shape.size; slot++) {
		while (taken(l, slot)) {
			k.lo = lo_at(l, slot);
			k.hi = hi_at(l, slot);
			at = find(l, &k);
			if (at == slot)
				break;
			if (at < l->shape.size && !taken(l, at))
				put(l, at, k.lo, k.hi);
			erase(l, slot);
		}
	}
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
	.readers = 1,
	.batch = LIMIT_KEYS,
	.fetch = exact_fetch,
	.probe = exact_probe,
	.add = exact_add,
	.remove = exact_remove,
	.mend = exact_mend,
	.sample = exact_sample,
};
