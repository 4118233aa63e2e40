/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <stdlib.h>

#include "snapshot/disk.h"
#include "snapshot/file.h"
#include "snapshot/frame.h"
#include "snapshot/limits.h"
#include "snapshot/segment.h"
#include "snapshot/series.h"

struct segment {
	struct frame_packer *packer;
	int dirfd;
	int fd;          /* -1: to be opened or begun */
	int named;       /* the folder's entry is durable */
	int old;         /* `number' is an earlier run's and not opened yet */
	uint64_t limit;  /* bytes */
	uint64_t last;   /* the greatest number that was used */
	uint64_t number; /* where the last durable batch is */
	uint64_t end;    /* offset behind it */
	uint64_t at;     /* offset in `fd' for the next batch */
};

int
segment_new(struct segment **to, int dirfd, int level, uint64_t limit,
    uint64_t number, uint64_t end)
{
	struct segment *s;
	int rc;

	*to = NULL;
	if (number > SERIES_MAX || limit == 0)
		return FAULT_ARG;
	s = calloc(1, sizeof *s);
	if (s == NULL)
		return FAULT_NOMEM;
	rc = frame_packer_new(&s->packer, LIMIT_BATCH, level);
	if (rc < 0) {
		free(s);
		return rc;
	}
	s->dirfd = dirfd;
	s->fd = -1;
	s->limit = limit;
	s->last = s->number = number;
	s->end = s->at = end;
	s->old = end > 0;
	*to = s;
	return 0;
}

void
segment_free(struct segment *s)
{
	if (s == NULL)
		return;
	file_close(s->fd);
	frame_packer_free(s->packer);
	free(s);
}

uint64_t
segment_number(const struct segment *s)
{
	return s->number;
}

uint64_t
segment_end(const struct segment *s)
{
	return s->end;
}

/* Go on in the segment that an earlier run has left. */
static int
resume(struct segment *s)
{
	char name[SERIES_NAME];
	uint64_t size;
	int fd, rc;

	series_name(name, s->number);
	fd = file_open(s->dirfd, name, 1);
	if (fd < 0)
		return fd;
	rc = file_size(fd, &size);
	if (rc == 0 && size != s->end)
		rc = FAULT_DAMAGED; /* somebody else was here */
	if (rc < 0) {
		file_close(fd);
		return rc;
	}
	s->fd = fd;
	s->old = 0;
	s->named = 1;
	return 0;
}

/* Begin the next segment.  A number is never used twice, so that a reader
   who has an abandoned file open knows that it must look for the next. */
static int
begin(struct segment *s)
{
	char name[SERIES_NAME];
	uint64_t n = s->last + 1, last;
	int fd, rc;

	if (n > SERIES_MAX)
		return FAULT_FULL;
	series_name(name, n);
	fd = file_create(s->dirfd, name);
	if (fd < 0 && errno == EEXIST) {
		rc = series_prev(s->dirfd, UINT64_MAX, &last);
		if (rc < 0)
			return rc;
		if (rc == 0 || last >= SERIES_MAX)
			return FAULT_FULL;
		n = last + 1;
		series_name(name, n);
		fd = file_create(s->dirfd, name);
	}
	if (fd < 0)
		return fd;
	s->fd = fd;
	s->old = 0;
	s->last = n;
	s->at = 0;
	s->named = 0;
	return 0;
}

/* Have a segment open that takes one more batch. */
static int
ready(struct segment *s)
{
	if (s->fd >= 0 && s->at < s->limit)
		return 0;
	if (s->old && s->end < s->limit)
		return resume(s);
	file_close(s->fd);
	s->fd = -1;
	return begin(s);
}

/*
 * Leave the open segment for good, without what stands behind its last
 * durable batch if that can be had.  Keeps errno.
 */
static void
leave(struct segment *s)
{
	char name[SERIES_NAME];
	int saved = errno;

	if (s->at > 0) {
		(void)disk_truncate(s->fd, s->at);
	} else {
		series_name(name, s->last);
		(void)disk_unlink(s->dirfd, name);
	}
	file_close(s->fd);
	s->fd = -1;
	s->at = 0;
	errno = saved;
}

/* 0; a fault; or 1, with errno, if the sync failed. */
static int
put(struct segment *s, const void *frame, size_t n)
{
	int rc, saved;

	rc = ready(s);
	if (rc < 0)
		return rc;
	rc = file_write(s->fd, frame, n, s->at);
	if (rc < 0) {
		saved = errno;
		if (s->at == 0 || file_cut(s->fd, s->at) < 0)
			leave(s);
		errno = saved;
		return rc;
	}
	rc = file_sync(s->fd);
	if (rc == 0 && !s->named)
		rc = file_sync_dir(s->dirfd);
	if (rc < 0) {
		leave(s);
		return 1;
	}
	s->named = 1;
	s->number = s->last;
	s->at += n;
	s->end = s->at;
	return 0;
}

int
segment_put(struct segment *s, const void *batch, size_t n)
{
	const void *frame;
	long len;
	int rc;

	len = frame_pack(s->packer, batch, n, &frame);
	if (len < 0)
		return (int)len;
	rc = put(s, frame, (size_t)len);
	if (rc > 0)
		rc = put(s, frame, (size_t)len);
	return rc > 0 ? FAULT_SYS : rc;
}
