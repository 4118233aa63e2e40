/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * wheel.h - what waits for a moment, by that moment
 *
 * A hierarchical timing wheel (Varghese & Lauck 1987): three levels of 1024
 * slots of 1 ms, 1 s (1024 ms) and 17 min.  Adding and taking cost the same
 * at any number of waiters, and it owns no memory for them: a slot is a
 * linked list through the waiters' own records, which know when they are
 * due.  So a list that wheel_turn() gives may hold some that are not due
 * yet, of a coarse slot: the caller adds these again.
 *
 * A waiter is a number > 0 whose meaning is the caller's.
 */

#ifndef FRONTIER_WHEEL_H
#define FRONTIER_WHEEL_H

#include <stdint.h>

#define WHEEL_LEVELS 3
#define WHEEL_SLOTS  1024
#define WHEEL_WORDS  (WHEEL_SLOTS / 64)

struct wheel {
	int64_t now; /* ms: no slot before it holds anything */
	uint64_t some[WHEEL_LEVELS][WHEEL_WORDS]; /* bits: slot not empty */
	uint32_t slot[WHEEL_LEVELS][WHEEL_SLOTS]; /* first waiter or 0 */
};

void wheel_init(struct wheel *w, int64_t now);

/*
 * Let `id' wait for `due' (ms; the past counts as now).  Returns what its
 * record must link to.
 */
uint32_t wheel_add(struct wheel *w, uint32_t id, int64_t due);

/*
 * Turn towards `now', up to the next slot that holds anything: its list, or
 * 0 if `now' is reached.  Call again until it is 0.
 */
uint32_t wheel_turn(struct wheel *w, int64_t now);

/* The earliest moment at which anything may be due; -1 if nothing waits. */
int64_t wheel_next(const struct wheel *w);

#endif
