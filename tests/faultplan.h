/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * faultplan.h - what faultcalls.c does with a call
 *
 * Threads	Any.
 */

#ifndef TESTS_FAULTPLAN_H
#define TESTS_FAULTPLAN_H

#include <limits.h>

#include "tests/disklog.h"

/* What to do with a call. */
struct faultplan {
	int counts; /* it is about the folder */
	int fail;   /* errno is set */
	int half;
	int die; /* behind it */
};

/* The path of `fd' in the folder (".": itself), by way of `path'; or NULL. */
const char *faultplan_fd(int fd, char path[PATH_MAX]);

/* The same for `name' beside `dirfd'. */
const char *faultplan_at(int dirfd, const char *name, char path[PATH_MAX]);

/* Is there a folder to watch? */
int faultplan_on(void);

/*
 * Count one call about `name' (NULL: none of ours).  Where calls are written
 * down a lock is kept until faultplan_done(), so that the log has the disk's
 * order.
 */
struct faultplan faultplan_judge(const char *call, const char *name,
    int writes);
void faultplan_done(const struct faultplan *v);

/*
 * Where this call is to be written down, or NULL.  Files without a name
 * (O_TMPFILE) are not, nor is the seen set.
 */
struct disklog *faultplan_log(const struct faultplan *v, const char *name);

#endif
