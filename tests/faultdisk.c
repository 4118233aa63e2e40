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
#include "tests/disklog.h"
#include "tests/faultdisk.h"

/* A test's own state: the calls of disk.h have no argument for it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct faultdisk *plan;
static struct disklog *written;

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

void
faultdisk_log(struct disklog *l)
{
	(void)pthread_mutex_lock(&lock);
	written = l;
	(void)pthread_mutex_unlock(&lock);
}

void
faultdisk_note(uint64_t value)
{
	(void)pthread_mutex_lock(&lock);
	if (written != NULL)
		disklog_note(written, value);
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

/*
 * Do an operation and write it down, both under the lock, so that the log has
 * the order of the disk.  `call' gives below zero if it fails; `note' is what
 * is written down.
 */
#define PERFORM(op, call, note)                                                \
	do {                                                                   \
		int last_, rc_, saved_;                                        \
                                                                               \
		if (judge((op), &last_) != DO)                                 \
			return -1;                                             \
		(void)pthread_mutex_lock(&lock);                               \
		rc_ = (call);                                                  \
		saved_ = errno;                                                \
		if (rc_ >= 0 && written != NULL)                               \
			note;                                                  \
		(void)pthread_mutex_unlock(&lock);                             \
		errno = saved_;                                                \
		if (last_)                                                     \
			die();                                                 \
		return rc_;                                                    \
	} while (0)

int
disk_create(int dirfd, const char *name)
{
	PERFORM(FAULTDISK_CREATE,
	    openat(dirfd, name,
		O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666),
	    disklog_create(written, dirfd, name, 0));
}

int
disk_mkdir(int dirfd, const char *name)
{
	PERFORM(FAULTDISK_CREATE, mkdirat(dirfd, name, 0777),
	    disklog_create(written, dirfd, name, 1));
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
	(void)pthread_mutex_lock(&lock);
	did = pwrite(fd, p, v == DO ? n : (n + 1) / 2, (off_t)off);
	if (did > 0 && written != NULL)
		disklog_write(written, fd, p, (size_t)did, off);
	(void)pthread_mutex_unlock(&lock);
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
	struct faultdisk *f;
	ssize_t got;
	int last;

	if (judge(FAULTDISK_READ, &last) == FAIL)
		return -1;
	got = pread(fd, p, n, (off_t)off);
	(void)pthread_mutex_lock(&lock);
	f = plan;
	(void)pthread_mutex_unlock(&lock);
	if (f != NULL && f->after_read != NULL)
		f->after_read(f->arg);
	return got;
}

/* Nothing is synced in fact: nobody pulls the plug, and it takes long. */
int
disk_datasync(int fd)
{
	PERFORM(FAULTDISK_SYNC, 0, disklog_sync(written, fd));
}

int
disk_sync(int fd)
{
	PERFORM(FAULTDISK_SYNC, 0, disklog_sync(written, fd));
}

int
disk_truncate(int fd, uint64_t size)
{
	PERFORM(FAULTDISK_TRUNCATE, ftruncate(fd, (off_t)size),
	    disklog_truncate(written, fd, size));
}

int
disk_rename(int dirfd, const char *from, const char *to)
{
	PERFORM(FAULTDISK_RENAME, renameat(dirfd, from, dirfd, to),
	    disklog_rename(written, dirfd, from, to));
}

int
disk_unlink(int dirfd, const char *name)
{
	PERFORM(FAULTDISK_UNLINK, unlinkat(dirfd, name, 0),
	    disklog_unlink(written, dirfd, name));
}
