/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/stat.h>

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crawler/cdxj.h"
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
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC), rc = FAULT_SYS;
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

static int
spill(FILE *f, const struct line *line, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (fwrite(line[i].s, 1, line[i].len, f) != line[i].len)
			return FAULT_SYS;
	if (fflush(f) != 0 || fdatasync(fileno(f)) < 0)
		return FAULT_SYS;
	return 0;
}

int
cdxj_sort(int dirfd, const char *from, const char *to)
{
	struct line *line = NULL;
	char *text = NULL, tmp[256];
	size_t len, n = 0;
	FILE *f = NULL;
	int fd = -1, rc;

	(void)snprintf(tmp, sizeof tmp, "%s.tmp", to);
	rc = slurp(dirfd, from, &text, &len);
	if (rc == 0)
		rc = split(text, len, &line, &n);
	if (rc < 0)
		goto out;
	if (n > 0)
		qsort(line, n, sizeof *line, line_order);
	rc = FAULT_SYS;
	fd = openat(dirfd, tmp, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (fd < 0)
		goto out;
	f = fdopen(fd, "w");
	if (f == NULL) {
		(void)close(fd);
		goto out;
	}
	rc = spill(f, line, n);
	if (fclose(f) != 0)
		rc = FAULT_SYS;
	if (rc == 0 && renameat(dirfd, tmp, dirfd, to) < 0)
		rc = FAULT_SYS;
	if (rc == 0)
		(void)unlinkat(dirfd, from, 0);
	else
		(void)unlinkat(dirfd, tmp, 0);
out:
	free(line);
	free(text);
	return rc;
}
