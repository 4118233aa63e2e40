/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * sketch.h - how often was this key counted?  In fixed memory, about
 *
 * A count-min sketch (Cormode & Muthukrishnan 2005) with conservative update
 * (Estan & Varghese 2002): it says too much at times, too little never, but
 * for one thing: when it has counted 64 times for each of its counters, all
 * are halved.  So what it says stays below some hundred for a key that comes
 * once, however long the crawl is, and large for one that keeps coming.
 *
 * The four counters of a key lie in one cache line.
 */

#ifndef FRONTIER_SKETCH_H
#define FRONTIER_SKETCH_H

#include <stdint.h>

#include "dedup/urlkey.h"
#include "snapshot/fault.h"

#define SKETCH_LEAST 10 /* bits: log2 of the counters */
#define SKETCH_MOST  28

struct sketch {
	uint32_t *count;
	unsigned int bits; /* 2^bits counters */
	uint64_t added;    /* since they were halved */
};

/* FAULT_ARG, FAULT_NOMEM. */
must_check int sketch_init(struct sketch *s, unsigned int bits);
void sketch_free(struct sketch *s);
void sketch_clear(struct sketch *s);

/* How often `k' was counted, and count it once more. */
uint32_t sketch_get(const struct sketch *s, struct urlkey k);
void sketch_add(struct sketch *s, struct urlkey k);

#endif
