/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crawler/crawlopts.h"
#include "crawler/crawlseeds.h"
#include "snapshot/file.h"
#include "snapshot/limits.h"

#define ROOM    (LIMIT_LINE + 2) /* bytes: a line, its end, and one too many */
#define LOOK_MS 100              /* between looks after other signals */

/* A file that is being read. */
struct reader {
	crawlseeds_fn *fn;
	void *ctx;
	struct crawlseeds *out;
	const char *name;
	int wake; /* readable, perhaps, when ... */
	const _Atomic int *stop;
	uint64_t line;
	char *buf;
	size_t len; /* bytes there that are not handled */
	int skip;   /* within a line that is too long */
};

static int
is_file(const char *seed)
{
	return strcmp(seed, "-") != 0 && !crawlopts_is_url(seed);
}

int
crawlseeds_check(char *const *seeds, unsigned int n, const char **where)
{
	struct stat st;
	unsigned int i;
	int fd;

	for (i = 0; i < n; i++) {
		if (!is_file(seeds[i]))
			continue;
		*where = seeds[i];
		/* A pipe's reader must not come and go. */
		if (stat(seeds[i], &st) != 0)
			return FAULT_SYS;
		if (S_ISDIR(st.st_mode)) {
			errno = EISDIR;
			return FAULT_SYS;
		}
		if (!S_ISREG(st.st_mode))
			continue;
		fd = open(seeds[i], O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			return FAULT_SYS;
		file_close(fd);
	}
	return 0;
}

int
crawlseeds_twice(char *const *seeds, unsigned int n)
{
	struct stat st;
	unsigned int i;

	for (i = 0; i < n; i++)
		if (!crawlopts_is_url(seeds[i]) &&
		    (!is_file(seeds[i]) || stat(seeds[i], &st) != 0 ||
			!S_ISREG(st.st_mode)))
			return 0;
	return 1;
}

static int
is_url_fault(int rc)
{
	return rc <= FAULT_URL_EMPTY && rc >= FAULT_URL_RELATIVE;
}

/* Hand on one text and count what it was. */
static int
give(struct reader *r, const char *s, size_t len)
{
	int rc = len > LIMIT_LINE ? FAULT_URL_TOOLONG : r->fn(r->ctx, s, len);

	if (rc >= 0) {
		r->out->given++;
		return 0;
	}
	if (!is_url_fault(rc))
		return rc;
	if (r->out->invalid++ == 0) {
		r->out->fault = rc;
		r->out->line = r->line;
		r->out->where = r->name;
	}
	return 0;
}

static int
blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f';
}

static int
take_line(struct reader *r, const char *s, size_t len)
{
	static const char bom[] = "\xef\xbb\xbf";

	if (++r->line == 1 && len >= 3 && memcmp(s, bom, 3) == 0) {
		s += 3;
		len -= 3;
	}
	while (len > 0 && blank(s[0])) {
		s++;
		len--;
	}
	while (len > 0 && blank(s[len - 1]))
		len--;
	return len == 0 || s[0] == '#' ? 0 : give(r, s, len);
}

/* Handle the lines in the buffer; a long one is counted once, at its start. */
static int
take_lines(struct reader *r, int at_end)
{
	char *s = r->buf, *end = r->buf + r->len, *nl;
	int rc = 0;

	while (s < end && rc == 0) {
		nl = memchr(s, '\n', (size_t)(end - s));
		if (nl == NULL && !at_end && (size_t)(end - s) < ROOM)
			break;
		if (nl == NULL)
			nl = end;
		if (!r->skip)
			rc = take_line(r, s, (size_t)(nl - s));
		r->skip = nl == end && !at_end;
		s = nl == end ? end : nl + 1;
	}
	r->len = (size_t)(end - s);
	memmove(r->buf, s, r->len);
	return rc;
}

/* Until there is something to read, or we are to stop: 0 or FAULT_SYS. */
static int
await(const struct reader *r, int fd)
{
	struct pollfd p[2] = { { .fd = fd, .events = POLLIN },
		{ .fd = r->wake, .events = POLLIN } };
	int woken;

	for (;;) {
		if (atomic_load(r->stop) != 0) {
			errno = EINTR;
			return FAULT_SYS;
		}
		/* Nobody takes back the readiness that another signal made. */
		woken = p[1].revents != 0;
		if (poll(p, woken ? 1 : 2, woken ? LOOK_MS : -1) < 0) {
			if (errno != EINTR)
				return FAULT_SYS;
			continue;
		}
		if (p[0].revents != 0)
			return 0;
	}
}

static int
read_file(struct reader *r, int fd)
{
	ssize_t n;
	int rc;

	do {
		rc = await(r, fd);
		if (rc < 0)
			return rc;
		n = read(fd, r->buf + r->len, ROOM - r->len);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n < 0)
			return FAULT_SYS;
		r->len += (size_t)n;
		rc = take_lines(r, n == 0);
		if (rc < 0)
			return rc;
	} while (n != 0);
	return 0;
}

static int
read_one(struct reader *r, const char *seed)
{
	int fd = STDIN_FILENO, rc;

	r->name = seed;
	r->line = 0;
	r->len = 0;
	r->skip = 0;
	if (crawlopts_is_url(seed))
		return give(r, seed, strlen(seed));
	if (is_file(seed))
		/* A FIFO is opened before somebody writes to it. */
		fd = open(seed, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	else
		r->name = "(standard input)";
	if (fd < 0)
		return FAULT_SYS;
	rc = read_file(r, fd);
	if (fd != STDIN_FILENO)
		file_close(fd);
	return rc;
}

int
crawlseeds_read(char *const *seeds, unsigned int n, crawlseeds_fn *fn,
    void *ctx, int wake, const _Atomic int *stop, struct crawlseeds *out)
{
	struct reader r;
	unsigned int i;
	int rc = 0;

	memset(out, 0, sizeof *out);
	memset(&r, 0, sizeof r);
	r.fn = fn;
	r.ctx = ctx;
	r.out = out;
	r.wake = wake;
	r.stop = stop;
	r.buf = malloc(ROOM);
	if (r.buf == NULL)
		return FAULT_NOMEM;
	for (i = 0; i < n && rc == 0; i++)
		rc = read_one(&r, seeds[i]);
	if (rc < 0)
		out->where = r.name;
	free(r.buf);
	return rc;
}
