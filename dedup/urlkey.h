/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlkey.h - the 128-bit key that stands for a URL
 *
 * A key is XXH3-128 of the bytes with a secret of 192 bytes, which
 * XXH3_generateSecret_fromSeed() makes from the filter's 64-bit seed.
 * Without the seed nobody can prepare URLs that share a filter line.  The
 * high half chooses the place, the low half the bits, so both are uniform
 * and independent.
 *
 * Threads	A hasher is read-only once made; share it freely.
 */

#ifndef DEDUP_URLKEY_H
#define DEDUP_URLKEY_H

#include <stddef.h>
#include <stdint.h>

#define URLKEY_SECRET 192 /* bytes */

struct urlkey {
	uint64_t hi; /* chooses the place (block, bucket, slot) */
	uint64_t lo; /* chooses the bits or is the fingerprint */
};

struct urlkey_hasher {
	uint64_t seed;
	unsigned char secret[URLKEY_SECRET];
};

/* Make `h' ready for `seed'. */
void urlkey_init(struct urlkey_hasher *h, uint64_t seed);

/* The key of `len' bytes at `s'. */
struct urlkey urlkey_of(const struct urlkey_hasher *h, const void *s,
    size_t len);

static inline int
urlkey_same(struct urlkey a, struct urlkey b)
{
	return ((a.hi ^ b.hi) | (a.lo ^ b.lo)) == 0;
}

#endif
