/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * rate.h - what each layout promises, exactly
 *
 * Sizes come from the rate that the layout really has, not from the usual
 * approximation.  A blocked filter's lines hold a Poisson-distributed number
 * of keys, and its rate is the mean over that; where probes choose freely
 * among a line's bits, the number of bits set is itself distributed (classic
 * occupancy), and as the k-th power is convex, (1 - (1-1/b)^(jk))^k is too
 * low: by 1 % of the size at 1e-6.
 *
 * The one exception is the classic filter.  Its size is the textbook's, m =
 * ceil(-n ln p / (ln 2)^2) with k = round(m/n ln 2) (Bloom 1970; Mitzenmacher
 * & Upfal 2005, 5.5.3), and as k has to be whole, its rate at n keys may lie
 * above p by some 0.4 % of p at 1 %, at most 8 %.
 *
 * Threads	Pure functions.
 */

#ifndef DEDUP_RATE_H
#define DEDUP_RATE_H

#include <stdint.h>

#include "dedup/filter.h"
#include "snapshot/fault.h"

/* The numbers stand in files: never change one. */
enum rate_layout {
	RATE_SPLIT = 1,    /* a line of 8 words, one bit in each */
	RATE_LINE = 2,     /* k bits anywhere in a line of 512 bits */
	RATE_PAIR = 3,     /* k bits anywhere in two lines side by side */
	RATE_CLASSIC = 4,  /* k bits anywhere */
	RATE_COUNTERS = 5, /* k 4-bit counters anywhere */
	RATE_CUCKOO = 6,   /* one of 8 slots of fingerprints of k bits */
	RATE_KEYS = 7,     /* open addressing, slots of 128 bits */
};

#define RATE_WAYS 4 /* slots of a cuckoo bucket */

/* One layer's size and layout. */
struct rate_shape {
	enum rate_layout layout;
	unsigned int k; /* bits set for a key; of a fingerprint (cuckoo) */
	uint64_t size;  /* blocks, bits, counters, buckets or slots */
};

/*
 * The smallest shape of `kind' that holds `n' keys at a rate of `p'.
 * FAULT_ARG if n is 0, p is not within LIMIT_RATE to 1 or there is no such
 * kind; FAULT_TOOBIG beyond LIMIT_LAYER_BITS.
 */
must_check int rate_plan(struct rate_shape *s, enum filter_kind kind,
    uint64_t n, double p);

/*
 * Whether a shape (from a file) is one that the code for `kind' can work
 * with: 0 or FAULT_DAMAGED.
 */
must_check int rate_check(const struct rate_shape *s, unsigned int kind);

/* The false-positive rate once `n' keys are in. */
double rate_at(const struct rate_shape *s, double n);

/* The share of bits, counters or slots in use once `n' keys are in. */
double rate_fill(const struct rate_shape *s, double n);

/* And back: how many keys make it `fill' full, as a mean. */
double rate_keys(const struct rate_shape *s, double fill);

/* Bits of a block of the three blocked layouts. */
unsigned int rate_block(enum rate_layout layout);

uint64_t rate_bits(const struct rate_shape *s);

/* Bytes of the data, whole 64-byte lines. */
uint64_t rate_bytes(const struct rate_shape *s);

#endif
