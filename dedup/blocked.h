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

/*
 * The loops of one make of a layout ("portable", "avx2", "avx512"), with one
 * result.  1, or 0 if this machine or layout has no make of that name; the
 * best for `name' NULL.
 */
struct blocked_make {
	void (*probe)(const struct layer *l, const struct urlkey *key, size_t n,
	    uint8_t *seen);
	size_t (*add)(struct layer *l, const struct urlkey *key, size_t n,
	    const uint8_t *seen, uint64_t most);
};
int blocked_pick(struct blocked_make *m, enum rate_layout layout,
    const char *name);
const char *blocked_name(unsigned int i); /* NULL behind the last */

#endif
