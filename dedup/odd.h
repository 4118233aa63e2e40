/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * odd.h - the fixed multipliers that make many probes of one key
 *
 * The first 64 outputs of SplitMix64 (Steele, Lea & Flood 2014) from state
 * 0, each with its lowest bit set.  They stand in every file's layout, so
 * they may never change.
 */

#ifndef DEDUP_ODD_H
#define DEDUP_ODD_H

#include <stdint.h>

#include "snapshot/limits.h"

/*
 * Output `i' of that generator: the finaliser alone, for any i.  odd_mix(i)
 * with its lowest bit set is odd_multiplier[i].
 */
static inline uint64_t
odd_mix(uint64_t i)
{
	uint64_t z = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

extern const uint64_t odd_multiplier[LIMIT_PROBES];

#endif
