/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * counting.h - a classic filter whose bits are counters, so keys can leave
 *
 * Fan, Cao, Almeida & Broder, "Summary Cache: A Scalable Wide-Area Web Cache
 * Sharing Protocol" (2000).
 */

#ifndef DEDUP_COUNTING_H
#define DEDUP_COUNTING_H

#include "dedup/layer.h"

extern const struct layer_kind counting_kind;

#endif
