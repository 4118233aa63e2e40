/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webcount.h - how often a URL was asked for
 *
 * Only URLs that fail at first are counted, so the table stays small.
 */

#ifndef TESTS_WEBCOUNT_H
#define TESTS_WEBCOUNT_H

#include <stddef.h>
#include <stdint.h>

struct webcount_slot {
	uint64_t key; /* 0: empty */
	unsigned int count;
};

/* All zero is an empty table. */
struct webcount {
	struct webcount_slot *slot;
	size_t slots, used; /* slots is a power of two, or 0 */
};

/* Count one more; how many there were before.  ~0 if memory ran out. */
unsigned int webcount_add(struct webcount *t, const char *host,
    const char *path);

void webcount_free(struct webcount *t);

#endif
