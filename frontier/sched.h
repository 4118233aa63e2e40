/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * sched.h - who is next: hosts wait for their moment, then for their address
 *
 * A host with work is in exactly one place: waiting in the wheel for its
 * delay or back-off, due in its address's queue, being asked (no place), or
 * at its ceiling of requests in flight (no place, a report brings it back).
 * Work is URLs, and redirects of robots.txt that lead there: these keep a
 * host in its place while it is being asked for its own rules, or two hosts
 * whose robots.txt lead to each other would wait for ever.
 * An address with due hosts is in the wheel until its gap has passed, or in
 * the list of those that are ready, or at its ceiling.
 */

#ifndef FRONTIER_SCHED_H
#define FRONTIER_SCHED_H

#include "frontier/core.h"

/* Put host `id' where it belongs; call after any change to it. */
void sched_host(struct frontier *f, uint32_t id);

/* The same for address `id'. */
void sched_addr(struct frontier *f, uint32_t id);

/* The address at which `h' has to wait for its next job, 0 if at none. */
uint32_t sched_place(const struct frontier *f, const struct host *h);

/* Look at up to `max' of those whose moment has come. */
void sched_turn(struct frontier *f, unsigned int max);

/* The next host that may be asked, which leaves its place, and the address
   whose turn it has; 0 if there is none. */
uint32_t sched_take(struct frontier *f, uint32_t *addr);

/* A request to address `id' starts. */
void sched_start(struct frontier *f, uint32_t id);

/* Host `h' has address `ip' from now on.  FAULT_NOMEM and it has not. */
must_check int sched_move(struct frontier *f, struct host *h,
    const struct frontier_addr *ip);

#endif
