/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * turn.h - a door that threads pass one at a time, in the order of a number
 *
 * Who holds turn `seq' is alone until it passes the turn on to seq + 1.
 */

#ifndef DEDUP_TURN_H
#define DEDUP_TURN_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct turn {
	_Atomic uint64_t now; /* whose turn it is; TURN_CLOSED: nobody's */
	pthread_mutex_t lock; /* for sleepers only */
	pthread_cond_t change;
};

#define TURN_CLOSED UINT64_MAX

void turn_init(struct turn *t);
void turn_destroy(struct turn *t);

/* Wait for turn `seq'.  1, or 0 if the door was closed. */
int turn_wait(struct turn *t, uint64_t seq);

/* Pass turn `seq', which the caller holds, on. */
void turn_pass(struct turn *t, uint64_t seq);

/* Send everybody away, now and later. */
void turn_close(struct turn *t);

/* Lock `m', which is mostly free again within microseconds. */
void turn_lock(pthread_mutex_t *m);

#endif
