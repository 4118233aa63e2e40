/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/stat.h>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "snapshot/disk.h"

int
disk_create(int dirfd, const char *name)
{
	return openat(dirfd, name,
	    O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666);
}

int
disk_mkdir(int dirfd, const char *name)
{
	return mkdirat(dirfd, name, 0777);
}

ssize_t
disk_pwrite(int fd, const void *p, size_t n, uint64_t off)
{
	return pwrite(fd, p, n, (off_t)off);
}

ssize_t
disk_pread(int fd, void *p, size_t n, uint64_t off)
{
	return pread(fd, p, n, (off_t)off);
}

int
disk_datasync(int fd)
{
	return fdatasync(fd);
}

int
disk_sync(int fd)
{
	return fsync(fd);
}

int
disk_truncate(int fd, uint64_t size)
{
	return ftruncate(fd, (off_t)size);
}

int
disk_rename(int dirfd, const char *from, const char *to)
{
	return renameat(dirfd, from, dirfd, to);
}

int
disk_unlink(int dirfd, const char *name)
{
	return unlinkat(dirfd, name, 0);
}
