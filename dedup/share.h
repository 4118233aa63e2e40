/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * share.h - processes that take turns at one file
 *
 * Locks of fcntl(2) on three bytes far behind the file's end: one is the
 * turn, one is held by the next in line (or whoever gives the turn up would
 * mostly get it back), and one is held by all members, so that each can tell
 * whether it is alone.  They end with the process however it ends.
 *
 * Members count turns in a word that all of them have mapped.  Who waits
 * gives up only once nobody has had a turn for a time, and from then on tries
 * without waiting until it works again: one that is stopped holds up the
 * others once.
 *
 * Threads	One at a time.
 * Errors	FAULT_LOCKED: not now; FAULT_SYS leaves errno.
 */

#ifndef DEDUP_SHARE_H
#define DEDUP_SHARE_H

#include <stdatomic.h>
#include <stdint.h>

#include "snapshot/fault.h"

struct share {
	int fd;
	_Atomic uint64_t *turns; /* of all members so far; may be NULL */
	int held;                /* the turn is ours */
	int tired;               /* waited in vain, at */
	uint64_t tired_at;       /* this number of turns */
};

/*
 * Take the turn; who waits does so up to `ms' ms beyond the last turn that
 * anybody took, below 0 for ever.
 */
must_check int share_take(struct share *s, int ms);

/* Give it to the next one.  Nothing if it is not ours. */
void share_give(struct share *s);

/* In our turn: become a member, until the file is closed. */
must_check int share_join(const struct share *s);

/* In our turn: 1 if there is no other member. */
int share_alone(const struct share *s);

#endif
