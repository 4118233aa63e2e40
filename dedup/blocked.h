/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * blocked.h - a Bloom filter whose keys stay within a cache line each
 *
 * Putze, Sanders & Singler, "Cache-, Hash- and Space-Efficient Bloom
 * Filters" (2009).
 */

#ifndef DEDUP_BLOCKED_H
#define DEDUP_BLOCKED_H

#include "dedup/layer.h"

extern const struct layer_kind blocked_kind;

#endif
