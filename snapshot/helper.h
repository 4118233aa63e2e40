/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * helper.h - one thread that runs one job at a time for its owner
 *
 * What blocks on a disk (compress, write, sync) is done here, so that the
 * owner's loop never waits.  Handing a job over hands over all the memory it
 * names: the owner does not touch it until helper_busy() says 0, and from
 * then on it is the owner's again.  So the two share nothing but the
 * hand-over itself.
 *
 * Threads	One owner.  The helper blocks every signal.
 */

#ifndef SNAPSHOT_HELPER_H
#define SNAPSHOT_HELPER_H

#include "snapshot/fault.h"

struct helper;

/* Start the thread.  FAULT_SYS, FAULT_NOMEM. */
must_check int helper_new(struct helper **h);

/* Wait for the job in hand, end the thread.  `h' may be NULL. */
void helper_free(struct helper *h);

/* Have `run(arg)' called.  The helper must be idle. */
void helper_give(struct helper *h, void (*run)(void *), void *arg);

/*
 * 1 while the job is running, else 0: it has ended, or there was none.
 * Takes back the signal of helper_fd().
 */
int helper_busy(struct helper *h);

/*
 * Wait until the helper is idle, at most `timeout' ms.  0, or FAULT_SYS with
 * errno ETIMEDOUT.
 */
must_check int helper_wait(struct helper *h, unsigned int timeout);

/*
 * A descriptor for poll(2) or epoll(7): readable once a job has ended, until
 * helper_busy() or helper_wait() has said so.  Stays the helper's.
 */
int helper_fd(const struct helper *h);

#endif
