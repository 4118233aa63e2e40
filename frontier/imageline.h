/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * imageline.h - a frontier from the lines of its image; for imageload.c
 */

#ifndef FRONTIER_IMAGELINE_H
#define FRONTIER_IMAGELINE_H

#include "frontier/core.h"

/* What the lines so far mean for the next.  All zeroes but `f' at first. */
struct imageline {
	struct frontier *f;
	int started;
	int summed; /* the sums have come */
	int ended;
	int64_t shift; /* ms to be added to the times in the image */
	uint32_t host; /* the one that lines belong to, 0 = none yet */
	unsigned int lane;
	uint64_t queued; /* URLs that it says it has */
	int pieces;      /* some of them are on disk */
	unsigned char *rules;
	size_t rules_have;
	size_t rules_len; /* that it says it has */
};

/* Take the line from `s' to `end'.  The faults are those of image_load(). */
must_check int imageline_take(struct imageline *l, const char *s,
    const char *end);

/* What a line says of a chunk file, its letter left out: 0 or FAULT_DAMAGED. */
must_check int imageline_file(const char *s, const char *end,
    struct spill_told *t);

/* The value of a hex digit, or -1. */
static inline int
imageline_hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

#endif
