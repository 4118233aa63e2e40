/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/file.h"
#include "snapshot/frame.h"
#include "snapshot/limits.h"
#include "snapshot/record.h"
#include "snapshot/series.h"
#include "snapshot/snapfile.h"
#include "snapshot/snapfile_read.h"

struct snapfile_read {
	struct frame_reader *frames;
	int dirfd;
	int fd;
	uint64_t number;
	int64_t time;
	unsigned int skipped;
	char section[LIMIT_SNAP_NAME + 1];
	uint64_t sections; /* met so far */
	uint64_t chunks;
	uint64_t bytes;
	char detail[128];
};

/* Say where and what; the first time only. */
static int
fault(struct snapfile_read *r, int code, const char *what)
{
	char name[SERIES_NAME];
	int saved = errno;

	if (r->detail[0] != '\0')
		return code;
	series_name(name, r->number);
	snprintf(r->detail, sizeof r->detail, "%s, offset %llu: %s", name,
	    (unsigned long long)frame_offset(r->frames), what);
	errno = saved;
	return code;
}

static int
damaged(struct snapfile_read *r, const char *what)
{
	return fault(r, FAULT_DAMAGED, what);
}

/* A tab and a number at `*at'; a NUL stands at `end'. */
static int
number(const char **at, const char *end, uint64_t *v)
{
	if (**at != '\t')
		return FAULT_DAMAGED;
	++*at;
	return record_digits(at, end, v);
}

/* The next frame, where there must be one. */
static int
frame(struct snapfile_read *r, char **s, size_t *n)
{
	int rc = frame_next(r->frames, s, n);

	if (rc == 0)
		return fault(r, FAULT_TRUNCATED, "it ends too early");
	return rc < 0 ? fault(r, rc, frame_detail(r->frames)) : 0;
}

/* The first frame. */
static int
read_head(struct snapfile_read *r)
{
	static const char magic[] = "crawl-snapshot";
	uint64_t major, minor, n, time;
	const char *at;
	const char *end;
	char *s = NULL;
	size_t len = 0;
	int rc;

	rc = frame(r, &s, &len);
	if (rc < 0)
		return rc;
	at = s + sizeof magic - 1;
	end = s + len;
	if (strncmp(s, magic, sizeof magic - 1) != 0 ||
	    number(&at, end, &major) < 0)
		return fault(r, FAULT_MAGIC, "no snapshot");
	if (major > SNAPFILE_VERSION)
		return fault(r, FAULT_VERSION, "of a newer version");
	if (number(&at, end, &minor) < 0 || number(&at, end, &n) < 0 ||
	    number(&at, end, &time) < 0 || (*at != '\n' && *at != '\t') ||
	    time > INT64_MAX || major == 0)
		return damaged(r, "a bad first line");
	if (n != r->number)
		return damaged(r, "another snapshot's name");
	r->time = (int64_t)time;
	return 0;
}

/* Does the last frame agree with what was met?  Then it is the last. */
static int
read_sums(struct snapfile_read *r, const char *s, size_t len)
{
	const char *at = s + 1, *end = s + len;
	uint64_t sections, chunks, bytes;
	char *more;
	size_t n;
	int rc;

	if (number(&at, end, &sections) < 0 || number(&at, end, &chunks) < 0 ||
	    number(&at, end, &bytes) < 0 || (*at != '\n' && *at != '\t'))
		return damaged(r, "a bad last line");
	if (sections != r->sections || chunks != r->chunks || bytes != r->bytes)
		return damaged(r, "the sums do not agree");
	rc = frame_next(r->frames, &more, &n);
	if (rc == 0)
		return 0;
	if (rc == FAULT_SYS || rc == FAULT_NOMEM)
		return fault(r, rc, frame_detail(r->frames));
	return damaged(r, "more behind its end");
}

/* The line in front of a chunk, then its bytes. */
static int
read_chunk(struct snapfile_read *r, char *s, size_t n, struct snapfile_chunk *c)
{
	char *name = s + 2, *tab = memchr(name, '\t', n - 2);
	const char *at = tab, *end = s + n;
	uint64_t index, len;

	if (tab == NULL || tab == name || tab - name > LIMIT_SNAP_NAME ||
	    number(&at, end, &index) < 0 || number(&at, end, &len) < 0 ||
	    *at != '\n')
		return damaged(r, "a bad line before a chunk");
	if (index != r->chunks)
		return damaged(r, "a chunk is missing before it");
	if (len == 0 || len != n - (size_t)(at + 1 - s))
		return damaged(r, "a chunk of a wrong length");
	*tab = '\0';
	if (strlen(name) != (size_t)(tab - name))
		return damaged(r, "a bad section");
	if (strcmp(name, r->section) != 0) {
		memcpy(r->section, name, (size_t)(tab + 1 - name));
		r->sections++;
	}
	r->chunks++;
	r->bytes += len;
	c->section = r->section;
	c->data = s + n - len;
	c->len = (size_t)len;
	return 1;
}

int
snapfile_read_next(struct snapfile_read *r, struct snapfile_chunk *c)
{
	char *s = NULL;
	size_t n = 0;
	int rc;

	if (frame_end(r->frames) == 0) {
		rc = read_head(r);
		if (rc < 0)
			return rc;
	}
	rc = frame(r, &s, &n);
	if (rc < 0)
		return rc;
	if (n > 2 && s[0] == '=' && s[1] == '\t')
		return read_chunk(r, s, n, c);
	if (n > 2 && s[0] == '.' && s[1] == '\t')
		return read_sums(r, s, n);
	return damaged(r, "no chunk");
}

void
snapfile_read_rewind(struct snapfile_read *r)
{
	frame_reader_start(r->frames, r->fd, 0);
	r->section[0] = '\0';
	r->sections = r->chunks = r->bytes = 0;
}

/* Open snapshot `n' and read it through: 1 or a fault. */
static int
check(struct snapfile_read *r, uint64_t n)
{
	struct snapfile_chunk c;
	char name[SERIES_NAME];
	int rc;

	r->number = n;
	file_close(r->fd);
	series_name(name, n);
	r->fd = file_open(r->dirfd, name, 0);
	snapfile_read_rewind(r);
	if (r->fd < 0)
		return fault(r, r->fd, fault_why(r->fd));
	do {
		rc = snapfile_read_next(r, &c);
	} while (rc > 0);
	if (rc < 0)
		return rc;
	snapfile_read_rewind(r);
	return 1;
}

static int
make(struct snapfile_read **to, int dirfd)
{
	struct snapfile_read *r;
	int rc;

	*to = NULL;
	r = calloc(1, sizeof *r);
	if (r == NULL)
		return FAULT_NOMEM;
	r->dirfd = dirfd;
	r->fd = -1;
	rc = frame_reader_new(&r->frames);
	if (rc < 0) {
		free(r);
		return rc;
	}
	*to = r;
	return 0;
}

int
snapfile_read_open(struct snapfile_read **r, int dirfd, uint64_t n)
{
	int rc;

	*r = NULL;
	if (n == 0 || n > SERIES_MAX)
		return FAULT_ARG;
	rc = make(r, dirfd);
	return rc < 0 ? rc : check(*r, n);
}

/* Is this a fault of the file itself, so that an older one may do? */
static int
of_the_file(int rc)
{
	if (rc == FAULT_SYS)
		return errno == EIO;
	/* what is no file can't be removed, and a person has put it there */
	return rc != FAULT_NOMEM && rc != FAULT_VERSION && rc != FAULT_NOTFILE;
}

int
snapfile_read_newest(struct snapfile_read **to, int dirfd)
{
	struct snapfile_read *r;
	uint64_t n = UINT64_MAX;
	int rc;

	rc = make(to, dirfd);
	if (rc < 0)
		return rc;
	r = *to;
	for (;;) {
		rc = series_prev(dirfd, n, &n);
		if (rc < 0)
			return rc;
		if (rc == 0)
			return r->skipped > 0 ? FAULT_DAMAGED : 0;
		rc = check(r, n);
		if (rc > 0)
			return 1;
		if (rc == FAULT_SYS && errno == ENOENT) {
			/* a writer has removed it just now */
			if (r->skipped == 0)
				r->detail[0] = '\0';
			continue;
		}
		if (!of_the_file(rc))
			return rc;
		r->skipped++;
	}
}

void
snapfile_read_close(struct snapfile_read *r)
{
	if (r == NULL)
		return;
	file_close(r->fd);
	frame_reader_free(r->frames);
	free(r);
}

uint64_t
snapfile_read_number(const struct snapfile_read *r)
{
	return r->number;
}

int64_t
snapfile_read_time(const struct snapfile_read *r)
{
	return r->time;
}

unsigned int
snapfile_read_skipped(const struct snapfile_read *r)
{
	return r->skipped;
}

const char *
snapfile_read_detail(const struct snapfile_read *r)
{
	return r->detail;
}
