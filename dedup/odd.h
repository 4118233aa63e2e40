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

extern const uint64_t odd_multiplier[LIMIT_PROBES];

#endif
