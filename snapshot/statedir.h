/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * statedir.h - the directory where a crawl keeps everything
 *
 * DIR/format says that the directory is ours and of which version; DIR/lock
 * is locked with flock(2) by the one process that may change anything, which
 * writes its process id there.  The rest is for others to name.
 *
 * A directory becomes ours by the format file, written atomically.  Without
 * one it must be empty (or hold only what a crash in this very step leaves);
 * anything else is somebody else's and not touched.
 *
 * Errors	Faults of fault.h; FAULT_SYS leaves errno.
 */

#ifndef SNAPSHOT_STATEDIR_H
#define SNAPSHOT_STATEDIR_H

#include <sys/types.h>

#include "snapshot/fault.h"

#define STATEDIR_VERSION 1 /* major: a newer one is refused */
#define STATEDIR_MINOR   0

#define STATEDIR_LOCK   "lock"
#define STATEDIR_FORMAT "format" /* what FAULT_DAMAGED is about */

enum statedir_flag {
	STATEDIR_CREATE = 1 << 0, /* make it where it is not there */
	STATEDIR_LOOK = 1 << 1,   /* take no lock, change nothing */
};

struct statedir;

/*
 * Open the state directory `path'.  FAULT_LOCKED if another process has it
 * (`*holder' is its id then, 0 if it is not known; `holder' may be NULL),
 * FAULT_MAGIC if it is no directory, or not one of ours, FAULT_VERSION,
 * FAULT_DAMAGED (a format file that can't be read), FAULT_NOTFILE (the file
 * STATEDIR_LOCK is none), FAULT_SYS (ENOENT without STATEDIR_CREATE),
 * FAULT_NOMEM.
 */
must_check int statedir_open(struct statedir **d, const char *path,
    unsigned int flags, pid_t *holder);

/*
 * Is there nothing in the folder but what statedir_open() puts there?  1, 0, or
 * FAULT_SYS.
 */
must_check int statedir_empty(int fd);

/* Release the lock and free `d' (NULL is fine). */
void statedir_close(struct statedir *d);

/* The directory's descriptor; stays `d's. */
int statedir_fd(const struct statedir *d);

/*
 * Open the folder `name' of the directory: a descriptor, the caller's to
 * close.  It is made where it is missing, and it and the names in it are made
 * durable, unless `d' was opened with STATEDIR_LOOK.  FAULT_SYS.
 */
must_check int statedir_folder(struct statedir *d, const char *name);

/*
 * Who has the lock: 1 and the process id, 0 if nobody has it.  For a `d'
 * opened with STATEDIR_LOOK.  FAULT_SYS.
 */
must_check int statedir_holder(const struct statedir *d, pid_t *pid);

/* What to do after this fault of statedir_open(), to stand behind what
   fault_str() says: ": do this", or "". */
const char *statedir_advice(int code);

#endif
