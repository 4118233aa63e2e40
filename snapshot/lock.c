/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/file.h>
#include <sys/stat.h>

#include <errno.h>

#include "snapshot/lock.h"

int
lock_take(int fd, unsigned int flags)
{
	int how = flags & LOCK_SHARED ? LOCK_SH : LOCK_EX;

	if (!(flags & LOCK_WAIT))
		how |= LOCK_NB;
	if (flock(fd, how) == 0)
		return 0;
	return errno == EWOULDBLOCK ? FAULT_LOCKED : FAULT_SYS;
}

void
lock_drop(int fd)
{
	(void)flock(fd, LOCK_UN);
}

int
lock_names(int fd, const char *path)
{
	struct stat a, b;

	if (fstat(fd, &a) != 0 || stat(path, &b) != 0)
		return 0;
	return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}
