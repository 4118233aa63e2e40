/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "frontier/wheel.h"

#define BITS 10 /* of a slot number */
#define MASK (WHEEL_SLOTS - 1)

void
wheel_init(struct wheel *w, int64_t now)
{
	memset(w, 0, sizeof *w);
	w->now = now;
}

uint32_t
wheel_add(struct wheel *w, uint32_t id, int64_t due)
{
	unsigned int level, i;
	uint32_t was;

	if (due < w->now)
		due = w->now;
	if (due >> BITS == w->now >> BITS) {
		level = 0;
	} else if (due >> 2 * BITS == w->now >> 2 * BITS) {
		level = 1;
	} else {
		int64_t last = (w->now >> 2 * BITS) + MASK;

		/* What is beyond the wheel's reach comes round again. */
		level = 2;
		if (due >> 2 * BITS > last)
			due = last << 2 * BITS;
	}
	i = (unsigned int)(due >> level * BITS) & MASK;
	was = w->slot[level][i];
	w->slot[level][i] = id;
	w->some[level][i / 64] |= UINT64_C(1) << i % 64;
	return was;
}

/* The first slot from `i' on that holds anything, or WHEEL_SLOTS. */
static unsigned int
slot_from(const struct wheel *w, unsigned int level, unsigned int i)
{
	unsigned int word = i / 64;
	uint64_t bits;

	if (i >= WHEEL_SLOTS)
		return WHEEL_SLOTS;
	bits = w->some[level][word] & ~UINT64_C(0) << i % 64;
	while (bits == 0) {
		if (++word == WHEEL_WORDS)
			return WHEEL_SLOTS;
		bits = w->some[level][word];
	}
	return word * 64 + (unsigned int)__builtin_ctzll(bits);
}

static uint32_t
slot_take(struct wheel *w, unsigned int level, unsigned int i)
{
	uint32_t id = w->slot[level][i];

	w->slot[level][i] = 0;
	w->some[level][i / 64] &= ~(UINT64_C(1) << i % 64);
	return id;
}

/*
 * The first slot in time that holds anything, as its level and number; its
 * first ms, or -1 if there is none.  Slots of a finer level come before all
 * of a coarser one, and only the coarsest goes round.
 */
static int64_t
first(const struct wheel *w, unsigned int *level, unsigned int *i)
{
	int64_t at;

	for (*level = 0; *level < 2; ++*level) {
		at = w->now >> *level * BITS;
		*i = slot_from(w, *level,
		    (unsigned int)(at & MASK) + (*level > 0));
		if (*i < WHEEL_SLOTS)
			return ((at & ~(int64_t)MASK) | *i) << *level * BITS;
	}
	at = w->now >> 2 * BITS;
	*i = slot_from(w, 2, (unsigned int)(at & MASK) + 1);
	if (*i == WHEEL_SLOTS) {
		*i = slot_from(w, 2, 0);
		if (*i == WHEEL_SLOTS)
			return -1;
		at += WHEEL_SLOTS;
	}
	return ((at & ~(int64_t)MASK) | *i) << 2 * BITS;
}

uint32_t
wheel_turn(struct wheel *w, int64_t now)
{
	unsigned int level, i;
	int64_t at = first(w, &level, &i);

	if (at < 0 || at > now) {
		if (now > w->now)
			w->now = now;
		return 0;
	}
	/* A coarse slot is emptied as its first ms comes, and what is in it
	   goes to the finer ones. */
	w->now = at;
	return slot_take(w, level, i);
}

int64_t
wheel_next(const struct wheel *w)
{
	unsigned int level, i;

	return first(w, &level, &i);
}
