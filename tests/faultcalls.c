/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * faultcalls.c - a disk that fails on demand, below a whole program
 *
 * Preloaded (LD_PRELOAD), it stands between crawl(1) and the C library and
 * counts the calls that change something in one folder: crawl itself is
 * neither built nor linked in another way.  tests/faultdisk.c does the same
 * for what goes through disk.h only, without a process of its own.
 *
 *	FAULT_DIR=DIR	the folder, which must be there
 *	FAULT=K:KIND	what becomes of call number K (from 1, per process)
 *	FAULT_SAY=FILE	gets "N CALL NAME" of the call that was hit, or, at
 *			the end, the number of calls
 *	FAULT_CUTS=DIR	the calls are written down, and at the end DIR gets a
 *			folder for each state that a power cut may have left
 *			(disklog.h): DIR/K-HOW
 *
 * KIND	before, within, after: the process is killed there (within: half of a
 *	write is done); enospc, eio: the call fails; full: it does and so do
 *	the next four; short: half of a write is done, and only writes count.
 *
 * Stores through a map are seen by nobody, so a cut never has the seen set,
 * which a start makes anew.
 */

#include "config.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/faultplan.h"

/* The next definition of `name', which has that type. */
#define NEXT(name) (__extension__(__typeof__(&name)) next_of(#name))

static void *
next_of(const char *name)
{
	void *p = dlsym(RTLD_NEXT, name);

	if (p == NULL)
		abort();
	return p;
}

/* ---- the calls ---- */

static int
open_ours(int dirfd, const char *name, int flags, mode_t mode)
{
	__typeof__(&openat) go = NEXT(openat);
	char path[PATH_MAX];
	const char *in =
	    flags & O_CREAT ? faultplan_at(dirfd, name, path) : NULL;
	struct stat st;
	struct faultplan v;
	int fd, there;

	there = in == NULL ? 1 : fstatat(dirfd, name, &st, 0) == 0;
	v = faultplan_judge("create", there ? NULL : in, 0);
	if (v.fail)
		return -1;
	fd = go(dirfd, name, flags, mode);
	if (fd >= 0 && !there && faultplan_log(&v, in) != NULL)
		disklog_create(faultplan_log(&v, in), dirfd, name, 0);
	faultplan_done(&v);
	return fd;
}

static int
makes(int flags)
{
	return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
}

int
openat(int dirfd, const char *name, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	if (makes(flags)) {
		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	return open_ours(dirfd, name, flags, mode);
}

int
open(const char *name, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	if (makes(flags)) {
		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		va_end(ap);
	}
	return open_ours(AT_FDCWD, name, flags, mode);
}

int
mkdirat(int dirfd, const char *name, mode_t mode)
{
	char path[PATH_MAX];
	const char *in = faultplan_at(dirfd, name, path);
	struct stat st;
	struct faultplan v;
	int rc;

	if (in != NULL && fstatat(dirfd, name, &st, 0) == 0)
		in = NULL; /* nothing will come of it */
	v = faultplan_judge("mkdir", in, 0);
	if (v.fail)
		return -1;
	rc = NEXT(mkdirat)(dirfd, name, mode);
	if (rc == 0 && faultplan_log(&v, in) != NULL)
		disklog_create(faultplan_log(&v, in), dirfd, name, 1);
	faultplan_done(&v);
	return rc;
}

ssize_t
pwrite(int fd, const void *p, size_t n, off_t off)
{
	char path[PATH_MAX];
	const char *in = faultplan_fd(fd, path);
	struct faultplan v = faultplan_judge("write", in, 1);
	ssize_t did;

	if (v.fail)
		return -1;
	did = NEXT(pwrite)(fd, p, v.half ? (n + 1) / 2 : n, off);
	if (did > 0 && faultplan_log(&v, in) != NULL)
		disklog_write(faultplan_log(&v, in), fd, p, (size_t)did,
		    (uint64_t)off);
	faultplan_done(&v);
	return did;
}

ssize_t
write(int fd, const void *p, size_t n)
{
	char path[PATH_MAX];
	const char *in = faultplan_fd(fd, path);
	struct faultplan v = faultplan_judge("write", in, 1);
	off_t at = in == NULL ? 0 : lseek(fd, 0, SEEK_CUR);
	ssize_t did;

	if (v.fail)
		return -1;
	did = NEXT(write)(fd, p, v.half ? (n + 1) / 2 : n);
	if (did > 0 && faultplan_log(&v, in) != NULL)
		disklog_write(faultplan_log(&v, in), fd, p, (size_t)did,
		    (uint64_t)at);
	faultplan_done(&v);
	return did;
}

/* Nothing is synced in fact: nobody pulls the plug, and it takes long. */
static int
sync_ours(int fd)
{
	char path[PATH_MAX];
	const char *in = faultplan_fd(fd, path);
	struct faultplan v = faultplan_judge("sync", in, 0);

	if (v.fail)
		return -1;
	if (faultplan_log(&v, in) != NULL)
		disklog_sync(faultplan_log(&v, in), fd);
	faultplan_done(&v);
	return 0;
}

int
fdatasync(int fd)
{
	return sync_ours(fd);
}

int
fsync(int fd)
{
	return sync_ours(fd);
}

int
ftruncate(int fd, off_t size)
{
	char path[PATH_MAX];
	const char *in = faultplan_fd(fd, path);
	struct faultplan v = faultplan_judge("truncate", in, 0);
	int rc;

	if (v.fail)
		return -1;
	rc = NEXT(ftruncate)(fd, size);
	if (rc == 0 && faultplan_log(&v, in) != NULL)
		disklog_truncate(faultplan_log(&v, in), fd, (uint64_t)size);
	faultplan_done(&v);
	return rc;
}

/* Room is had for the seen set only. */
int
fallocate(int fd, int mode, off_t off, off_t len)
{
	char path[PATH_MAX];
	struct faultplan v =
	    faultplan_judge("fallocate", faultplan_fd(fd, path), 0);
	int rc;

	if (v.fail)
		return -1;
	rc = NEXT(fallocate)(fd, mode, off, len);
	faultplan_done(&v);
	return rc;
}

int
posix_fallocate(int fd, off_t off, off_t len)
{
	char path[PATH_MAX];
	struct faultplan v =
	    faultplan_judge("fallocate", faultplan_fd(fd, path), 0);
	int rc;

	if (v.fail)
		return v.fail;
	rc = NEXT(posix_fallocate)(fd, off, len);
	faultplan_done(&v);
	return rc;
}

int
renameat(int fromfd, const char *from, int tofd, const char *to)
{
	char path[PATH_MAX];
	const char *in = faultplan_at(tofd, to, path);
	struct faultplan v = faultplan_judge("rename", in, 0);
	int rc;

	if (v.fail)
		return -1;
	rc = NEXT(renameat)(fromfd, from, tofd, to);
	if (rc == 0 && faultplan_log(&v, in) != NULL)
		disklog_rename(faultplan_log(&v, in), tofd, from, to);
	faultplan_done(&v);
	return rc;
}

/* These are asked for by the seen set only, which is not written down. */
int
rename(const char *from, const char *to)
{
	return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int
renameat2(int fromfd, const char *from, int tofd, const char *to,
    unsigned int flags)
{
	char path[PATH_MAX];
	struct faultplan v =
	    faultplan_judge("rename", faultplan_at(tofd, to, path), 0);
	int rc;

	if (v.fail)
		return -1;
	rc = NEXT(renameat2)(fromfd, from, tofd, to, flags);
	faultplan_done(&v);
	return rc;
}

int
linkat(int fromfd, const char *from, int tofd, const char *to, int flags)
{
	char path[PATH_MAX];
	struct faultplan v =
	    faultplan_judge("link", faultplan_at(tofd, to, path), 0);
	int rc;

	if (v.fail)
		return -1;
	rc = NEXT(linkat)(fromfd, from, tofd, to, flags);
	faultplan_done(&v);
	return rc;
}

int
unlinkat(int dirfd, const char *name, int flags)
{
	char path[PATH_MAX];
	const char *in = faultplan_at(dirfd, name, path);
	struct stat st;
	struct faultplan v;
	int rc;

	if (in != NULL && fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		in = NULL; /* nothing will come of it */
	v = faultplan_judge("unlink", in, 0);
	if (v.fail)
		return -1;
	rc = NEXT(unlinkat)(dirfd, name, flags);
	if (rc == 0 && faultplan_log(&v, in) != NULL)
		disklog_unlink(faultplan_log(&v, in), dirfd, name);
	faultplan_done(&v);
	return rc;
}

int
unlink(const char *name)
{
	return unlinkat(AT_FDCWD, name, 0);
}

void *
mmap(void *at, size_t len, int prot, int flags, int fd, off_t off)
{
	char path[PATH_MAX];
	struct faultplan v = { 0, 0, 0, 0 };
	void *p;

	/* The loader and malloc map without a file, and early. */
	if (fd >= 0 && flags & MAP_SHARED)
		v = faultplan_judge("mmap", faultplan_fd(fd, path), 0);
	if (v.fail)
		return MAP_FAILED;
	p = NEXT(mmap)(at, len, prot, flags, fd, off);
	faultplan_done(&v);
	return p;
}

/* Only the seen set is mapped. */
int
msync(void *at, size_t len, int flags)
{
	struct faultplan v;
	int rc;

	v = faultplan_judge("msync", faultplan_on() ? "seen" : NULL, 0);
	if (v.fail)
		return -1;
	rc = NEXT(msync)(at, len, flags);
	faultplan_done(&v);
	return rc;
}
