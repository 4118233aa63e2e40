/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/file.h"
#include "snapshot/frame.h"
#include "snapshot/journal_head.h"
#include "snapshot/journal_mend.h"
#include "snapshot/series.h"

#define COPY (256 * 1024) /* bytes copied at a time */

/* Say where and what. */
static int
fault(struct journal_mended *m, int code, uint64_t segment, uint64_t offset,
    const char *what)
{
	char name[SERIES_NAME] = "journal";
	int saved = errno;

	if (segment > 0)
		series_name(name, segment);
	snprintf(m->detail, sizeof m->detail, "%s, offset %llu: %s", name,
	    (unsigned long long)offset, what);
	errno = saved;
	return code;
}

/*
 * Where the whole frames of segment `n', open as `fd', end, and the number of
 * the record that would be next there.
 */
static int
find_end(struct journal_mended *m, struct frame_reader *r, uint64_t n, int fd,
    uint64_t *end, uint64_t *number)
{
	struct journal_head head;
	uint64_t next = 0, behind;
	char *s;
	size_t len;
	long got;
	int rc;

	frame_reader_start(r, fd, 0);
	for (;;) {
		rc = frame_next(r, &s, &len);
		if (rc <= 0)
			break;
		got = journal_head_parse(s, len, &head);
		if (got < 0)
			return fault(m, (int)got, n, frame_offset(r),
			    "no batch of ours");
		if (frame_offset(r) > 0 &&
		    (head.first > next || head.next < next))
			return fault(m, FAULT_DAMAGED, n, frame_offset(r),
			    "its records do not follow");
		next = head.next;
	}
	*end = frame_offset(r);
	*number = next;
	if (rc == 0)
		return 0;
	if (rc == FAULT_SYS || rc == FAULT_NOMEM)
		return fault(m, rc, n, *end, frame_detail(r));
	rc = frame_find(r, &behind);
	if (rc == 0)
		return 0;
	return fault(m, rc > 0 ? FAULT_DAMAGED : rc, n, *end,
	    rc > 0 ? "a damaged frame, with whole ones behind it" :
		     "cannot be read");
}

/* Copy the first `size' bytes. */
static int
copy_bytes(int from, int to, uint64_t size)
{
	char *buf = malloc(COPY);
	uint64_t at = 0;
	long n;
	int rc = 0;

	if (buf == NULL)
		return FAULT_NOMEM;
	while (rc == 0 && at < size) {
		n = file_read(from, buf, size - at < COPY ? size - at : COPY,
		    at);
		if (n <= 0) {
			rc = n < 0 ? FAULT_SYS : FAULT_TRUNCATED;
			break;
		}
		rc = file_write(to, buf, (size_t)n, at);
		at += (uint64_t)n;
	}
	free(buf);
	return rc;
}

/*
 * Write segment `n' anew: what we have read of it was in memory, but the
 * disk would not take it through this descriptor.
 */
static int
copy(int dirfd, uint64_t n, int fd, uint64_t size)
{
	char tmp[SERIES_NAME], name[SERIES_NAME];
	int to, rc;

	series_tmp(tmp, n);
	series_name(name, n);
	to = file_create(dirfd, tmp);
	if (to < 0)
		return to;
	rc = copy_bytes(fd, to, size);
	if (rc == 0)
		rc = file_sync(to);
	file_close(to);
	if (rc == 0)
		rc = file_rename(dirfd, tmp, name);
	return rc;
}

/* Cut what is torn, and make the rest durable. */
static int
settle(struct journal_mended *m, int dirfd, uint64_t n, int fd, uint64_t end)
{
	uint64_t size = 0;
	int rc;

	rc = file_size(fd, &size);
	if (rc == 0 && size > end) {
		rc = file_cut(fd, end);
		m->cut += size - end;
	}
	if (rc < 0)
		return fault(m, rc, n, end, "cannot be cut");
	if (file_sync(fd) == 0)
		return 0;
	rc = copy(dirfd, n, fd, end);
	if (rc < 0)
		return fault(m, rc, n, end, "cannot be synced, nor copied");
	m->copied = 1;
	return 0;
}

/* Mend the last segment: 1 if it stays, 0 if it was removed. */
static int
mend_last(struct journal_mended *m, struct frame_reader *r, int dirfd,
    uint64_t n)
{
	char name[SERIES_NAME];
	uint64_t end = 0, next, size = 0;
	int fd, rc;

	series_name(name, n);
	fd = file_open(dirfd, name, 1);
	if (fd < 0)
		return fault(m, fd, n, 0, "cannot be opened");
	rc = find_end(m, r, n, fd, &end, &next);
	if (rc == 0 && end > 0) {
		rc = settle(m, dirfd, n, fd, end);
		file_close(fd);
		return rc < 0 ? rc : 1;
	}
	if (rc == 0)
		rc = file_size(fd, &size);
	file_close(fd);
	if (rc < 0)
		return rc;
	m->cut += size;
	m->removed++;
	rc = file_remove(dirfd, name);
	return rc < 0 ? fault(m, rc, n, 0, "cannot be removed") : 0;
}

/*
 * Does the journal reach up to record `least'?  What is durable can't be torn
 * by a crash, so that would be damage, and nothing may be cut.
 */
static int
reaches(struct journal_mended *m, struct frame_reader *r, int dirfd,
    uint64_t least)
{
	char name[SERIES_NAME];
	uint64_t n = UINT64_MAX, end = 0, next = 0;
	int fd, rc;

	for (;;) {
		rc = series_prev(dirfd, n, &n);
		if (rc <= 0)
			break;
		series_name(name, n);
		fd = file_open(dirfd, name, 0);
		if (fd < 0)
			return fault(m, fd, n, 0, "cannot be opened");
		rc = find_end(m, r, n, fd, &end, &next);
		file_close(fd);
		if (rc < 0 || end > 0)
			break;
	}
	if (rc < 0 || next >= least)
		return rc < 0 ? rc : 0;
	return fault(m, FAULT_DAMAGED, rc == 0 ? 0 : n, end,
	    "records that were on the disk are damaged or gone");
}

int
journal_mend(int dirfd, uint64_t least, struct journal_mended *m)
{
	struct frame_reader *r = NULL;
	uint64_t n = 0;
	int rc;

	memset(m, 0, sizeof *m);
	rc = frame_reader_new(&r);
	if (rc < 0)
		return rc;
	rc = least > 0 ? reaches(m, r, dirfd, least) : 0;
	if (rc == 0)
		rc = series_clean(dirfd);
	do {
		if (rc == 0)
			rc = series_prev(dirfd, UINT64_MAX, &n);
		if (rc <= 0)
			break;
		rc = mend_last(m, r, dirfd, n);
	} while (rc == 0);
	frame_reader_free(r);
	if (rc > 0)
		m->segment = n;
	if (rc >= 0)
		rc = file_sync_dir(dirfd);
	if (rc < 0 && m->detail[0] == '\0')
		return fault(m, rc, 0, 0, "the folder cannot be mended");
	return rc < 0 ? rc : 0;
}
