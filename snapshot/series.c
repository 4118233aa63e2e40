/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/stat.h>

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "snapshot/file.h"
#include "snapshot/series.h"

#define DIGITS 10
#define EXT    ".zst"
#define TMP    ".tmp"

void
series_name(char name[SERIES_NAME], uint64_t n)
{
	size_t i;

	assert(n > 0 && n <= SERIES_MAX);
	for (i = DIGITS; i-- > 0; n /= 10)
		name[i] = (char)('0' + n % 10);
	memcpy(name + DIGITS, EXT, sizeof EXT);
}

void
series_tmp(char name[SERIES_NAME], uint64_t n)
{
	series_name(name, n);
	memcpy(name + DIGITS + sizeof EXT - 1, TMP, sizeof TMP);
}

/* The number at the start of `name', which `ext' must follow; else 0. */
static uint64_t
number(const char *name, const char *ext)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < DIGITS; i++) {
		if (name[i] < '0' || name[i] > '9')
			return 0;
		n = n * 10 + (uint64_t)(name[i] - '0');
	}
	return strcmp(name + DIGITS, ext) == 0 ? n : 0;
}

uint64_t
series_number(const char *name)
{
	return number(name, EXT);
}

/* Open the folder `dirfd' for reading its entries. */
static DIR *
entries(int dirfd)
{
	DIR *dir;
	int fd;

	fd = file_open_dir(dirfd, ".");
	if (fd < 0)
		return NULL;
	dir = fdopendir(fd);
	if (dir == NULL)
		file_close(fd);
	return dir;
}

/* closedir(3), keeping errno. */
static void
close_entries(DIR *dir)
{
	int saved = errno;

	(void)closedir(dir);
	errno = saved;
}

/* The number in (after, before) next to `after', or if `up' is 0 to
   `before'. */
static int
look(int dirfd, uint64_t after, uint64_t before, int up, uint64_t *n)
{
	uint64_t best = 0, i;
	struct dirent *e;
	DIR *dir;
	int rc;

	dir = entries(dirfd);
	if (dir == NULL)
		return FAULT_SYS;
	for (;;) {
		errno = 0;
		e = readdir(dir);
		if (e == NULL)
			break;
		i = series_number(e->d_name);
		if (i > after && i < before &&
		    (best == 0 || (up ? i < best : i > best)))
			best = i;
	}
	rc = errno != 0 ? FAULT_SYS : best > 0;
	close_entries(dir);
	*n = best;
	return rc;
}

/* Is there a file number `n'?  1, 0, or FAULT_SYS. */
static int
there(int dirfd, uint64_t n)
{
	char name[SERIES_NAME];
	struct stat st;

	series_name(name, n);
	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return 1;
	return errno == ENOENT ? 0 : FAULT_SYS;
}

int
series_next(int dirfd, uint64_t after, uint64_t *n)
{
	int rc;

	if (after >= SERIES_MAX)
		return 0;
	*n = after + 1;
	rc = there(dirfd, *n);
	return rc != 0 ? rc : look(dirfd, after, UINT64_MAX, 1, n);
}

int
series_prev(int dirfd, uint64_t before, uint64_t *n)
{
	int rc;

	if (before <= 1)
		return 0;
	if (before <= SERIES_MAX + 1) {
		*n = before - 1;
		rc = there(dirfd, *n);
		if (rc != 0)
			return rc;
	}
	return look(dirfd, 0, before, 0, n);
}

int
series_clean(int dirfd)
{
	struct dirent *e;
	DIR *dir;
	int rc = 0;

	dir = entries(dirfd);
	if (dir == NULL)
		return FAULT_SYS;
	while (rc == 0) {
		errno = 0;
		e = readdir(dir);
		if (e == NULL) {
			rc = errno != 0 ? FAULT_SYS : 0;
			break;
		}
		if (number(e->d_name, EXT TMP) != 0)
			rc = file_remove(dirfd, e->d_name);
	}
	close_entries(dir);
	return rc;
}
