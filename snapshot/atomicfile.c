/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "snapshot/atomicfile.h"
#include "snapshot/disk.h"
#include "snapshot/file.h"

/* A new file `name' with these bytes, durable but for its entry. */
static int
write_new(int dirfd, const char *name, const void *p, size_t n)
{
	int fd, rc;

	rc = file_remove(dirfd, name); /* left by a crash */
	if (rc < 0)
		return rc;
	fd = file_create(dirfd, name);
	if (fd < 0)
		return fd;
	rc = file_write(fd, p, n, 0);
	if (rc == 0)
		rc = file_sync(fd);
	file_close(fd);
	return rc;
}

int
atomicfile_write(int dirfd, const char *name, const void *p, size_t n)
{
	char tmp[NAME_MAX + 1];
	size_t len = strlen(name);
	int rc, saved;

	if (len == 0 || len + sizeof ".tmp" > sizeof tmp ||
	    strchr(name, '/') != NULL)
		return FAULT_ARG;
	memcpy(tmp, name, len);
	memcpy(tmp + len, ".tmp", sizeof ".tmp");
	rc = write_new(dirfd, tmp, p, n);
	if (rc == 0)
		rc = file_rename(dirfd, tmp, name);
	if (rc == 0)
		return file_sync_dir(dirfd);
	saved = errno;
	(void)disk_unlink(dirfd, tmp); /* else the next writer does it */
	errno = saved;
	return rc;
}

long
atomicfile_read(int dirfd, const char *name, void *p, size_t size)
{
	char more;
	long got, rest;
	int fd;

	fd = file_open(dirfd, name, 0);
	if (fd < 0)
		return fd;
	got = file_read(fd, p, size, 0);
	if (got >= 0 && (size_t)got == size) {
		rest = file_read(fd, &more, 1, size);
		if (rest != 0)
			got = rest < 0 ? rest : FAULT_TOOBIG;
	}
	file_close(fd);
	return got;
}
