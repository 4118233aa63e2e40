/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * loop.h - one thread's epoll loop, with timers
 *
 * A worker's sockets (curl's, c-ares', its eventfd) stand in one epoll set.
 * Timers are few (a handful per worker), so they are a list that is walked
 * once per turn, and the nearest one bounds the wait.
 *
 * Memory	Watches and timers belong to the caller, who must take them out
 *		before freeing them.  A watch that is taken out while its turn
 *		is being handled is not called again.
 * Threads	One thread per loop.
 * Errors	FAULT_SYS, FAULT_NOMEM.
 */

#ifndef CRAWLER_LOOP_H
#define CRAWLER_LOOP_H

#include <stdint.h>

#include "snapshot/fault.h"

struct loop;

/* A descriptor to watch.  `ready' gets EPOLLIN, EPOLLOUT, EPOLLERR, ... */
struct loop_watch {
	void (*ready)(void *arg, int fd, uint32_t events);
	void *arg;
	int fd;
};

/* A moment to be called at.  `due' is in ms of loop_now(), -1 = never. */
struct loop_timer {
	void (*fire)(void *arg);
	void *arg;
	int64_t due;
	struct loop_timer *next; /* the loop's */
};

must_check int loop_new(struct loop **l);

/* `l' may be NULL.  Watches and timers must be out. */
void loop_free(struct loop *l);

/* Watch `w->fd' for `events' (EPOLLIN | EPOLLOUT), or change what for. */
must_check int loop_add(struct loop *l, struct loop_watch *w, uint32_t events);
must_check int loop_mod(struct loop *l, struct loop_watch *w, uint32_t events);

/* Before the descriptor is closed, or after (then the kernel has done it). */
void loop_del(struct loop *l, struct loop_watch *w);

/* Join and leave; a timer fires once and then has `due' -1. */
void loop_timer_add(struct loop *l, struct loop_timer *t);
void loop_timer_del(struct loop *l, struct loop_timer *t);

/* Milliseconds of the monotonic clock, read once per turn. */
int64_t loop_now(const struct loop *l);

/*
 * One turn: wait at most `ms' (-1 = as long as it takes) for a descriptor or
 * a timer and call what is ready.  0 or FAULT_SYS.
 */
must_check int loop_turn(struct loop *l, int ms);

#endif
