/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawltop.h - the slowest hosts: those that the end will have to wait for
 *
 * That is the length of the queue times the delay in force.
 *
 * Looking at a million hosts takes too long for one turn of the loop, so a
 * sweep goes on a few thousand hosts at a time; what is shown is what the
 * last whole sweep found.
 */

#ifndef CRAWLER_CRAWLTOP_H
#define CRAWLER_CRAWLTOP_H

#include "crawler/core.h"

#define CRAWLTOP_HOSTS 10
#define CRAWLTOP_NAME  128 /* bytes: a longer one is cut */

struct crawltop_host {
	char name[CRAWLTOP_NAME];
	uint64_t queued, pages, failed;
	unsigned int flight;
	uint32_t delay; /* ms in force */
};

/* s until its queue is empty, at the delay's pace. */
static inline uint64_t
crawltop_left(const struct crawltop_host *h)
{
	return h->queued / 1000 * h->delay + h->queued % 1000 * h->delay / 1000;
}

/* All zero is one that has seen nothing. */
struct crawltop {
	struct crawltop_host host[CRAWLTOP_HOSTS], sweep[CRAWLTOP_HOSTS];
	size_t n, swept;
	uint64_t cursor;
};

/* Look at the next hosts of `c': 0 or a fault. */
must_check int crawltop_look(struct crawltop *t, struct core *c, int64_t now);

#endif
