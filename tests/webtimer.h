/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webtimer.h - a binary heap of moments
 *
 * Memory	The heap grows by doubling and is never larger than the
 *		number of timers set at once.
 */

#ifndef TESTS_WEBTIMER_H
#define TESTS_WEBTIMER_H

#include <stddef.h>
#include <stdint.h>

/* One timer, part of what it wakes.  All zero is an idle one. */
struct webtimer {
	uint64_t due; /* microseconds, as weblog_now() counts */
	size_t at;    /* place in the heap from 1; 0: not set */
	void *owner;
};

/* All zero is an empty heap. */
struct webtimer_heap {
	struct webtimer **t; /* t[0] is not used */
	size_t count, room;
};

/* Set or move `t'.  0, or -1 if memory ran out. */
int webtimer_set(struct webtimer_heap *h, struct webtimer *t, uint64_t due);

/* Take `t' out, if it is set. */
void webtimer_stop(struct webtimer_heap *h, struct webtimer *t);

/* The timer that is due first, or NULL. */
struct webtimer *webtimer_first(const struct webtimer_heap *h);

void webtimer_free(struct webtimer_heap *h);

#endif
