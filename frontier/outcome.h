/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * outcome.h - what a job's end means for its host
 *
 * Failures are the host's.  Each one in a row makes it wait longer; after a
 * few it is given up for LIMIT_DEAD_MS and its URLs are dropped, so that a
 * dead host costs a few tries.  One that has answered before has more credit
 * than one that never did.
 */

#ifndef FRONTIER_OUTCOME_H
#define FRONTIER_OUTCOME_H

#include "frontier/core.h"

/* PAGE in `slot' of host `h' ended so.  1 if its URL is finished, 0 if it is
   to be queued again, in *lane and with tries counted in the job. */
int outcome_page(struct frontier *f, struct host *h, struct job *j,
    enum frontier_outcome outcome, int64_t retry_after, unsigned int *lane);

/* The host that ROBOTS job `slot' is for has rules now, or not.
   FAULT_NOMEM. */
must_check int outcome_robots(struct frontier *f, uint32_t slot,
    const struct frontier_robots *r);

/* It will have to be asked again, through nobody's fault. */
void outcome_later(struct frontier *f, uint32_t slot);

/* The host has no address. */
void outcome_unresolved(struct frontier *f, struct host *h);

/* Let host `h', which was given up, be tried again: in full (`all'), or once.
 */
void outcome_revive(struct frontier *f, struct host *h, int all);

#endif
