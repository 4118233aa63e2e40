/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "crawler/cdxj.h"
#include "snapshot/disk.h"
#include "snapshot/file.h"
#include "snapshot/limits.h"

struct line {
	const char *s;
	size_t len; /* with its line end */
};

static int
line_order(const void *va, const void *vb)
{
	const struct line *a = va, *b = vb;
	size_t n = a->len < b->len ? a->len : b->len;
	int c = memcmp(a->s, b->s, n);

	return c != 0 ? c : (a->len > b->len) - (a->len < b->len);
}

/* The whole file, at most LIMIT_CDXJ bytes, allocated. */
static int
slurp(int dirfd, const char *name, char **text, size_t *len)
{
	int fd = file_open(dirfd, name, 0), rc = fd < 0 ? fd : FAULT_SYS;
	struct stat st;
	ssize_t n;

	*text = NULL;
	*len = 0;
	if (fd < 0 || fstat(fd, &st) < 0)
		goto out;
	rc = FAULT_TOOBIG;
	if (st.st_size > LIMIT_CDXJ)
		goto out;
	rc = FAULT_NOMEM;
	*text = malloc((size_t)st.st_size + 1);
	if (*text == NULL)
		goto out;
	rc = 0;
	while (rc == 0 && *len < (size_t)st.st_size) {
		n = read(fd, *text + *len, (size_t)st.st_size - *len);
		if (n < 0)
			rc = FAULT_SYS;
		if (n <= 0)
			break;
		*len += (size_t)n;
	}
out:
	if (fd >= 0)
		(void)close(fd);
	return rc;
}

/* Cut the text into lines; what follows the last line end is dropped. */
static int
split(const char *text, size_t len, struct line **out, size_t *count)
{
	const char *p, *nl, *end = text + len;
	size_t n = 0, room = 0;
	struct line *line = NULL, *more;

	for (p = text; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (nl == NULL)
			break;
		if (n == room) {
			room = room == 0 ? 1024 : room * 2;
			more = realloc(line, room * sizeof *line);
			if (more == NULL) {
				free(line);
				return FAULT_NOMEM;
			}
			line = more;
		}
		line[n].s = p;
		line[n++].len = (size_t)(nl + 1 - p);
	}
	*out = line;
	*count = n;
	return 0;
}

/* All lines, in their new order, durable. */
static int
spill(int fd, const struct line *line, size_t n, char *to)
{
	size_t i, len = 0;
	int rc;

	for (i = 0; i < n; i++) {
		memcpy(to + len, line[i].s, line[i].len);
		len += line[i].len;
	}
	rc = file_write(fd, to, len, 0);
	return rc < 0 ? rc : file_sync(fd);
}

int
cdxj_sort(int dirfd, const char *from, const char *to)
{
	struct line *line = NULL;
	char *text = NULL, *sorted = NULL, tmp[256];
	size_t len, n = 0;
	int fd = -1, rc, err;

	(void)snprintf(tmp, sizeof tmp, "%s.tmp", to);
	rc = slurp(dirfd, from, &text, &len);
	if (rc == 0)
		rc = split(text, len, &line, &n);
	if (rc < 0)
		goto out;
	if (n > 0)
		qsort(line, n, sizeof *line, line_order);
	sorted = malloc(len + 1);
	rc = sorted == NULL ? FAULT_NOMEM : file_remove(dirfd, tmp);
	if (rc < 0)
		goto out;
	fd = file_create(dirfd, tmp);
	rc = fd < 0 ? fd : spill(fd, line, n, sorted);
	file_close(fd);
	if (rc == 0)
		rc = file_rename(dirfd, tmp, to);
	err = errno;
	(void)disk_unlink(dirfd, rc == 0 ? from : tmp);
	errno = err;
out:
	free(sorted);
	free(line);
	free(text);
	return rc;
}

void
cdxj_add(struct cdxj_sum *sum, const char *s, size_t len)
{
	const char *end = s + len, *nl;
	XXH128_hash_t h;

	for (; s < end; s = nl + 1) {
		nl = memchr(s, '\n', (size_t)(end - s));
		if (nl == NULL)
			break;
		h = XXH3_128bits(s, (size_t)(nl - s));
		sum->lines++;
		sum->low += h.low64;
		sum->high += h.high64;
	}
}

int
cdxj_read(int dirfd, const char *name, struct cdxj_sum *sum)
{
	struct line *line = NULL;
	char *text = NULL;
	size_t len, n = 0, i;
	int rc;

	memset(sum, 0, sizeof *sum);
	rc = slurp(dirfd, name, &text, &len);
	if (rc == 0)
		rc = split(text, len, &line, &n);
	if (rc == 0 && len > 0 && text[len - 1] != '\n')
		rc = FAULT_DAMAGED;
	for (i = 1; rc == 0 && i < n; i++)
		if (line_order(&line[i - 1], &line[i]) > 0)
			rc = FAULT_DAMAGED;
	if (rc == 0)
		cdxj_add(sum, text, len);
	free(line);
	free(text);
	return rc;
}
