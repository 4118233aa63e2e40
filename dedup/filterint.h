/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filterint.h - a filter from inside, for filter.c and those beside it
 *
 * Threads	Readers beside the owner see `layers' grow by a release store
 *		after the new layer is ready; a layer is neither moved nor
 *		unmapped before the end.  Only the exact start replaces its
 *		table, so it is not for them, and `steady' says so.
 */

#ifndef DEDUP_FILTERINT_H
#define DEDUP_FILTERINT_H

#include <stdatomic.h>

#include "dedup/filter.h"
#include "dedup/filterfile.h"
#include "dedup/layer.h"
#include "snapshot/limits.h"

struct filter {
	struct filter_spec spec;
	struct urlkey_hasher hasher;
	const struct layer_kind *kind; /* of the layers, now */
	unsigned int flags;            /* enum filter_flag */
	int tables;        /* 1 while it is one exact table that doubles */
	int clean;         /* as the file was when it was opened */
	atomic_int steady; /* readers may look on */
	atomic_uint layers;
	struct layer layer[LIMIT_LAYERS];
	struct filterfile *file; /* NULL in memory */
};

static inline unsigned int
filter_layers(const struct filter *f)
{
	return atomic_load_explicit(&f->layers, memory_order_acquire);
}

static inline void
filter_publish(struct filter *f, unsigned int n)
{
	atomic_store_explicit(&f->layers, n, memory_order_release);
}

/* The keys in all layers. */
static inline uint64_t
filter_total(const struct filter *f)
{
	unsigned int i, n = filter_layers(f);
	uint64_t sum = 0;

	for (i = 0; i < n; i++)
		sum += f->layer[i].count;
	return sum;
}

#endif
