/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * scratch.h - a folder of its own for a C test
 *
 * Below $TMPDIR, or /dev/shm where there is one: thousands of small files are
 * made and removed, which a disk takes its time for.  Else below /tmp.
 * The test works in it (it is the current folder too) and it goes with all
 * that is in it, folders within one level included.
 */

#ifndef TESTS_SCRATCH_H
#define TESTS_SCRATCH_H

#include <sys/stat.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct scratch {
	char path[256];
	int fd;
};

static inline void
scratch_make(struct scratch *s)
{
	const char *dir = getenv("TMPDIR");

	if (dir == NULL)
		dir =
		    access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(s->path, sizeof s->path, "%s/unit-XXXXXX", dir);
	if (mkdtemp(s->path) == NULL || chdir(s->path) != 0)
		abort();
	s->fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->fd < 0)
		abort();
}

/* Remove all that is in the folder `name' below `at'. */
static inline void
scratch_empty(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	if (dir == NULL)
		return;
	for (e = readdir(dir); e != NULL; e = readdir(dir)) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (unlinkat(dirfd(dir), e->d_name, 0) == 0)
			continue;
		scratch_empty(dirfd(dir), e->d_name);
		(void)unlinkat(dirfd(dir), e->d_name, AT_REMOVEDIR);
	}
	closedir(dir);
}

static inline void
scratch_remove(struct scratch *s)
{
	scratch_empty(s->fd, ".");
	(void)close(s->fd);
	if (chdir("/") != 0 || rmdir(s->path) != 0)
		abort();
}

/* A folder in it, opened. */
static inline int
scratch_folder(const struct scratch *s, const char *name)
{
	int fd;

	if (mkdirat(s->fd, name, 0700) != 0)
		abort();
	fd = openat(s->fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		abort();
	return fd;
}

/* Make or replace the file `name' of the folder `dirfd'. */
static inline void
scratch_put(int dirfd, const char *name, const void *p, size_t n)
{
	int fd =
	    openat(dirfd, name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, p, n) != (ssize_t)n || close(fd) != 0)
		abort();
}

/* The file `name' of `dirfd' as malloc'd bytes, or NULL. */
static inline char *
scratch_get(int dirfd, const char *name, size_t *n)
{
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *p;

	if (fd < 0 || fstat(fd, &st) != 0)
		return NULL;
	*n = (size_t)st.st_size;
	p = malloc(*n + 1);
	if (p == NULL || read(fd, p, *n) != (ssize_t)*n || close(fd) != 0)
		abort();
	p[*n] = '\0';
	return p;
}

#endif
