/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * pieces.h - random strings, put together from pieces that matter
 *
 * The same seed makes the same strings.  Only tests include this.
 */

#ifndef TESTS_PIECES_H
#define TESTS_PIECES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct pieces {
	uint64_t state; /* any number, to begin with */
};

/* Steele, Lea and Flood 2014, SplitMix64. */
static inline uint64_t
pieces_next(struct pieces *g)
{
	uint64_t z = g->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* 1 in `n' times on average. */
static inline int
pieces_once(struct pieces *g, unsigned int n)
{
	return pieces_next(g) % n == 0;
}

/* Write `piece' at s + n, where there is room.  The new length. */
static inline size_t
pieces_put(char *s, size_t n, const char *piece)
{
	size_t len = strlen(piece);

	memcpy(s + n, piece, len);
	return n + len;
}

/* One of an array of strings. */
#define PIECES_PICK(g, set)                                                    \
	((set)[pieces_next(g) % (sizeof(set) / sizeof *(set))])

#endif
