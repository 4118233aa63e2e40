/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * cuckoo.h - fingerprints in one of two buckets, so keys can leave
 *
 * Fan, Andersen, Kaminsky & Mitzenmacher, "Cuckoo Filter: Practically Better
 * Than Bloom" (2014).
 */

#ifndef DEDUP_CUCKOO_H
#define DEDUP_CUCKOO_H

#include "dedup/layer.h"

extern const struct layer_kind cuckoo_kind;

#endif
