/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filterhead.h - the first 4 KiB of a filter's file
 *
 * Two copies of 2 KiB, each with a sequence number and a sum; the valid one
 * with the higher number counts.  A writer replaces the other one, so that a
 * kill or a power cut leaves a valid header at any time.  What the fields
 * are, urlseen-filter(5) says to the byte.
 *
 * Invariant	What filterhead_decode() accepts can be mapped and used as it
 *		is: shapes fit the kind, layers lie in order, do not overlap
 *		and end within the file.
 * Threads	Pure functions.
 */

#ifndef DEDUP_FILTERHEAD_H
#define DEDUP_FILTERHEAD_H

#include <stddef.h>
#include <stdint.h>

#include "dedup/filter.h"
#include "dedup/rate.h"
#include "snapshot/boot.h"
#include "snapshot/fault.h"
#include "snapshot/limits.h"

#define FILTERHEAD_SIZE   4096 /* bytes: both copies */
#define FILTERHEAD_COPY   2048 /* bytes */
#define FILTERHEAD_BOOT   BOOT_ID
#define FILTERHEAD_FORMAT 1

struct filterhead_layer {
	struct rate_shape shape;
	double rate;       /* promised at `capacity' */
	uint64_t capacity; /* keys */
	uint64_t count;    /* keys, at the last clean close or sync */
	uint64_t ones;     /* bits, counters or slots in use, then */
	uint64_t offset;   /* bytes from the file's start */
	uint64_t bytes;    /* of data; the sums follow */
};

struct filterhead {
	struct filter_spec spec; /* `budget' is not kept */
	uint64_t sequence;       /* of the copy that was read or is written */
	uint64_t generation;     /* of the layer table */
	unsigned char boot[FILTERHEAD_BOOT]; /* when it was last written */
	int clean;
	int torn; /* the other copy is not valid */
	unsigned int layers;
	struct filterhead_layer layer[LIMIT_LAYERS];
};

/* Write `h' as one copy. */
void filterhead_encode(unsigned char copy[FILTERHEAD_COPY],
    const struct filterhead *h);

/*
 * Read `h' from the first `len' bytes of a file that is `size' bytes long.
 * FAULT_MAGIC, FAULT_VERSION, FAULT_DAMAGED, FAULT_TRUNCATED (of the header
 * or a layer).
 */
must_check int filterhead_decode(struct filterhead *h,
    const unsigned char *page, size_t len, uint64_t size);

/* Where the copy with this sequence number goes: bytes from the start. */
unsigned int filterhead_place(uint64_t sequence);

/* Where the sums of a layer begin, and the bytes up to their end. */
uint64_t filterhead_sums(const struct filterhead_layer *l);
uint64_t filterhead_end(const struct filterhead_layer *l);

#endif
