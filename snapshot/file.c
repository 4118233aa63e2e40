/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "snapshot/disk.h"
#include "snapshot/file.h"

int
file_create(int dirfd, const char *name)
{
	int fd;

	do {
		fd = disk_create(dirfd, name);
	} while (fd < 0 && errno == EINTR);
	return fd < 0 ? FAULT_SYS : fd;
}

/* openat(2), whatever signals come. */
static int
open_at(int dirfd, const char *name, int flags)
{
	int fd;

	do {
		fd = openat(dirfd, name, flags | O_CLOEXEC);
	} while (fd < 0 && errno == EINTR);
	return fd < 0 ? FAULT_SYS : fd;
}

int
file_open(int dirfd, const char *name, int writable)
{
	struct stat st;
	int fd, rc;

	/* O_NONBLOCK: opening a FIFO must not wait for its other end */
	fd = open_at(dirfd, name,
	    (writable ? O_RDWR : O_RDONLY) | O_NOFOLLOW | O_NONBLOCK |
		O_NOCTTY);
	/* a link, a folder, a socket */
	if (fd < 0 && (errno == ELOOP || errno == EISDIR || errno == ENXIO))
		return FAULT_NOTFILE;
	if (fd < 0)
		return fd;
	rc = fstat(fd, &st) != 0 ? FAULT_SYS :
	    S_ISREG(st.st_mode)  ? 0 :
				   FAULT_NOTFILE;
	if (rc == 0)
		return fd;
	file_close(fd);
	return rc;
}

int
file_fill_std(void)
{
	int fd, got;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		/* the lowest free number, hence `fd'; for the wrong use */
		got =
		    open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
		if (got != fd) {
			file_close(got);
			return FAULT_SYS;
		}
	}
	return 0;
}

int
file_open_dir(int dirfd, const char *name)
{
	return open_at(dirfd, name, O_RDONLY | O_DIRECTORY);
}

void
file_close(int fd)
{
	int saved = errno;

	if (fd >= 0)
		(void)close(fd);
	errno = saved;
}

int
file_size(int fd, uint64_t *size)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return FAULT_SYS;
	*size = (uint64_t)st.st_size;
	return 0;
}

int
file_write(int fd, const void *p, size_t n, uint64_t off)
{
	const char *s = p;
	ssize_t did;

	while (n > 0) {
		did = disk_pwrite(fd, s, n, off);
		if (did < 0 && errno == EINTR)
			continue;
		if (did == 0)
			errno = EIO; /* else we would turn here for ever */
		if (did <= 0)
			return FAULT_SYS;
		s += did;
		off += (uint64_t)did;
		n -= (size_t)did;
	}
	return 0;
}

long
file_read(int fd, void *p, size_t n, uint64_t off)
{
	char *s = p;
	size_t got = 0;
	ssize_t did;

	while (got < n) {
		did = disk_pread(fd, s + got, n - got, off + got);
		if (did < 0 && errno == EINTR)
			continue;
		if (did < 0)
			return FAULT_SYS;
		if (did == 0)
			break;
		got += (size_t)did;
	}
	return (long)got;
}

int
file_sync(int fd)
{
	/* also after EINTR there is no second try: see file.h */
	return disk_datasync(fd) == 0 ? 0 : FAULT_SYS;
}

int
file_sync_dir(int dirfd)
{
	int fd, rc;

	fd = file_open_dir(dirfd, ".");
	if (fd < 0)
		return fd;
	rc = disk_sync(fd) == 0 ? 0 : FAULT_SYS;
	file_close(fd);
	return rc;
}

int
file_cut(int fd, uint64_t size)
{
	int rc;

	do {
		rc = disk_truncate(fd, size);
	} while (rc != 0 && errno == EINTR);
	return rc == 0 ? 0 : FAULT_SYS;
}

int
file_rename(int dirfd, const char *from, const char *to)
{
	return disk_rename(dirfd, from, to) == 0 ? 0 : FAULT_SYS;
}

int
file_remove(int dirfd, const char *name)
{
	if (disk_unlink(dirfd, name) == 0 || errno == ENOENT)
		return 0;
	return FAULT_SYS;
}
