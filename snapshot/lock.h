/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * lock.h - one writer per file, held by a descriptor
 *
 * flock(2) locks: they belong to the open file, so they end with the process
 * however it ends, and a lock file never stays behind.
 *
 * Threads	Any.
 * Errors	Faults of fault.h; FAULT_SYS leaves errno.
 */

#ifndef SNAPSHOT_LOCK_H
#define SNAPSHOT_LOCK_H

#include "snapshot/fault.h"

enum lock_flag {
	LOCK_SHARED = 1 << 0, /* with others; otherwise alone */
	LOCK_WAIT = 1 << 1,   /* until it is free; otherwise fail at once */
};

/*
 * Lock the open file `fd', or change the lock it has.  FAULT_LOCKED if
 * another descriptor is in the way, FAULT_SYS with EINTR if a signal came
 * while waiting.
 */
must_check int lock_take(int fd, unsigned int flags);

/* Give it up. */
void lock_drop(int fd);

/*
 * 1 if `path' still names the file that `fd' has open, 0 if it names another
 * or none by now: what was locked is then not what others will find.
 */
int lock_names(int fd, const char *path);

#endif
