/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "snapshot/disk.h"
#include "tests/faultdisk.h"

/* A test's own state: the calls of disk.h have no argument for it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct faultdisk *plan;

enum verdict {
	DO,
	FAIL, /* errno is set */
	HALF, /* do half of it */
	TEAR, /* do half of it, then FAIL */
};

void
faultdisk_use(struct faultdisk *f)
{
	(void)pthread_mutex_lock(&lock);
	plan = f;
	(void)pthread_mutex_unlock(&lock);
}

static void
die(void)
{
	(void)kill(getpid(), SIGKILL);
	for (;;)
		(void)pause();
}

/* Count one operation: what becomes of it, and whether we die behind it. */
static enum verdict
judge(unsigned int op, int *last)
{
	enum verdict v = DO;
	struct faultdisk *f;

	*last = 0;
	(void)pthread_mutex_lock(&lock);
	f = plan;
	if (f == NULL || !((f->ops == 0 ? FAULTDISK_ALL : f->ops) & op))
		goto out;
	f->count++;
	if (f->at == 0 || f->count < f->at || f->count - f->at > f->more)
		goto out;
	f->hits++;
	v = FAIL;
	switch (f->how) {
	case FAULTDISK_ERRNO:
		break;
	case FAULTDISK_SHORT:
	case FAULTDISK_TORN:
		if (op == FAULTDISK_WRITE)
			v = f->how == FAULTDISK_SHORT ? HALF : TEAR;
		break;
	case FAULTDISK_WITHIN:
		if (op == FAULTDISK_WRITE) {
			v = HALF;
			*last = 1;
			break;
		}
		die();
		break;
	case FAULTDISK_BEFORE:
		die();
		break;
	case FAULTDISK_AFTER:
		v = DO;
		*last = 1;
		break;
	}
	errno = f->err;
out:
	(void)pthread_mutex_unlock(&lock);
	return v;
}

/* An operation that gives an int. */
#define SIMPLE(op, call)                                                       \
	do {                                                                   \
		int last_, rc_;                                                \
                                                                               \
		if (judge((op), &last_) != DO)                                 \
			return -1;                                             \
		rc_ = (call);                                                  \
		if (last_)                                                     \
			die();                                                 \
		return rc_;                                                    \
	} while (0)

int
disk_create(int dirfd, const char *name)
{
	SIMPLE(FAULTDISK_CREATE,
	    openat(dirfd, name,
		O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
}

int
disk_mkdir(int dirfd, const char *name)
{
	SIMPLE(FAULTDISK_CREATE, mkdirat(dirfd, name, 0777));
}

ssize_t
disk_pwrite(int fd, const void *p, size_t n, uint64_t off)
{
	int last, saved;
	enum verdict v = judge(FAULTDISK_WRITE, &last);
	ssize_t did;

	saved = errno;
	if (v == FAIL)
		return -1;
	did = pwrite(fd, p, v == DO ? n : (n + 1) / 2, (off_t)off);
	if (last)
		die();
	if (v != TEAR)
		return did;
	errno = saved;
	return -1;
}

ssize_t
disk_pread(int fd, void *p, size_t n, uint64_t off)
{
	int last;

	if (judge(FAULTDISK_READ, &last) == FAIL)
		return -1;
	return pread(fd, p, n, (off_t)off);
}

int
disk_datasync(int fd)
{
	(void)fd; /* nobody pulls the plug here, and it would take long */
	SIMPLE(FAULTDISK_SYNC, 0);
}

int
disk_sync(int fd)
{
	(void)fd;
	SIMPLE(FAULTDISK_SYNC, 0);
}

int
disk_truncate(int fd, uint64_t size)
{
	SIMPLE(FAULTDISK_TRUNCATE, ftruncate(fd, (off_t)size));
}

int
disk_rename(int dirfd, const char *from, const char *to)
{
	SIMPLE(FAULTDISK_RENAME, renameat(dirfd, from, dirfd, to));
}

int
disk_unlink(int dirfd, const char *name)
{
	SIMPLE(FAULTDISK_UNLINK, unlinkat(dirfd, name, 0));
}
