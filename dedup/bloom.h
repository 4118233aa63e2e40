/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * bloom.h - the classic filter: m bits, k of them for a key
 *
 * Bloom, "Space/Time Trade-offs in Hash Coding with Allowable Errors" (1970).
 */

#ifndef DEDUP_BLOOM_H
#define DEDUP_BLOOM_H

#include "dedup/layer.h"

extern const struct layer_kind bloom_kind;

#endif
