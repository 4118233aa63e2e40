/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/stat.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "crawler/archive.h"
#include "crawler/archivefile.h"
#include "crawler/buf.h"
#include "crawler/cdxj.h"
#include "crawler/httphead.h"
#include "crawler/unpack.h"
#include "snapshot/file.h"
#include "snapshot/limits.h"

#define INDEX_NAME (ARCHIVE_NAME + 16)
#define FLUSH      (256 * 1024) /* bytes of index lines per write */

static int
text_is(const struct warc_text *t, const char *s)
{
	return t->len == strlen(s) && memcmp(t->s, s, t->len) == 0;
}

/* The index line of a record, if it has one. */
static int
add_line(struct buf *out, const struct unpack_record *r, const char *name)
{
	char mime[128], digest[DIGEST_TEXT] = "";
	struct cdxj_entry e;
	int revisit = text_is(&r->head.type, "revisit");

	if ((!revisit && !text_is(&r->head.type, "response")) ||
	    r->http == NULL)
		return 0;
	memset(&e, 0, sizeof e);
	e.url = r->head.url.s;
	e.url_len = r->head.url.len;
	e.start_us = warc_time(r->head.date.s, r->head.date.len);
	e.status = httphead_status(r->http, r->http_len);
	e.mime = revisit ? "warc/revisit" : mime;
	e.mime_len = httphead_type(r->http, r->http_len, mime, sizeof mime);
	if (revisit)
		e.mime_len = strlen(e.mime);
	if (r->head.payload.len == 5 + sizeof digest - 1) {
		memcpy(digest, r->head.payload.s + 5, sizeof digest - 1);
		digest[sizeof digest - 1] = '\0';
		e.digest = digest;
	}
	e.offset = r->offset;
	e.length = r->length;
	e.file = name;
	return e.start_us < 0 ? FAULT_DAMAGED : cdxj_line(out, &e);
}

static int
flush_lines(int fd, struct buf *b)
{
	size_t done = 0;
	ssize_t n;

	while (done < b->len) {
		n = write(fd, b->s + done, b->len - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return FAULT_SYS;
		done += (size_t)n;
	}
	buf_clear(b);
	return 0;
}

/* Lines to the open index, to the sum, or to neither. */
static int
hand_on(int index, struct cdxj_sum *sum, struct buf *lines)
{
	if (index >= 0)
		return flush_lines(index, lines);
	if (sum != NULL)
		cdxj_add(sum, lines->s, lines->len);
	buf_clear(lines);
	return 0;
}

/*
 * Read the file `fd' through and write index lines to `index' (-1: none), or
 * add them to `sum' (NULL: none).  0, or the fault that ended it; `good' gets
 * the end of the whole part.
 */
static int
scan(int fd, const char *name, int index, struct cdxj_sum *sum, uint64_t *good,
    int64_t *records)
{
	struct unpack_record r;
	struct unpack *u = NULL;
	struct buf lines;
	int rc, err = 0;

	*good = 0;
	*records = 0;
	buf_init(&lines, LIMIT_CDXJ);
	rc = unpack_new(&u, fd);
	while (rc == 0) {
		rc = unpack_next(u, &r);
		if (rc <= 0)
			break;
		++*records;
		rc = 0;
		if (index >= 0 || sum != NULL)
			rc = err = add_line(&lines, &r, name);
		if (rc == 0 && lines.len > FLUSH)
			rc = err = hand_on(index, sum, &lines);
	}
	if (err == 0)
		err = hand_on(index, sum, &lines);
	if (u != NULL)
		*good = unpack_good(u);
	unpack_free(u);
	buf_free(&lines);
	return err < 0 ? err : rc;
}

/* Open the file and a fresh open index beside it. */
static int
open_both(int dirfd, const char *name, int writable, const char *open, int *fd,
    int *index)
{
	*index = -1;
	*fd = file_open(dirfd, name, writable);
	if (*fd < 0)
		return *fd;
	/* Whatever has its name, be it a FIFO, gives way. */
	if (file_remove(dirfd, open) < 0)
		return FAULT_SYS;
	*index =
	    openat(dirfd, open, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	return *index < 0 ? FAULT_SYS : 0;
}

static int
broken(int rc)
{
	return rc == FAULT_DAMAGED || rc == FAULT_TRUNCATED;
}

/* Cut `fd' at `good'.  0 or FAULT_SYS. */
static int
cut_off(int fd, uint64_t good, uint64_t *cut)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return FAULT_SYS;
	*cut = (uint64_t)st.st_size - good;
	if (*cut == 0)
		return 0;
	if (ftruncate(fd, (off_t)good) < 0 || fdatasync(fd) < 0)
		return FAULT_SYS;
	return 0;
}

/* Scan, with `cut' not NULL cut, and write the index anew. */
static int
rebuild(int dirfd, const char *name, uint64_t *cut)
{
	char open[INDEX_NAME], done[INDEX_NAME];
	int fd = -1, index = -1, rc;
	int64_t records = 0;
	uint64_t good = 0;

	rc = archivefile_beside(name, ".cdxj.open", open, sizeof open);
	if (rc == 0)
		rc = archivefile_beside(name, ".cdxj", done, sizeof done);
	if (rc < 0)
		return rc;
	rc = open_both(dirfd, name, cut != NULL, open, &fd, &index);
	if (rc == 0)
		rc = scan(fd, name, index, NULL, &good, &records);
	/* no kill damages what a file begins with: not ours to throw away */
	if (cut != NULL && rc == FAULT_DAMAGED && good == 0)
		rc = FAULT_MAGIC;
	if (cut != NULL && (rc == 0 || broken(rc)))
		rc = cut_off(fd, good, cut);
	if (rc == 0 && records == 0 && cut != NULL) {
		/* nothing is in it, so nothing names it */
		(void)unlinkat(dirfd, open, 0);
		rc = unlinkat(dirfd, name, 0) < 0 ? FAULT_SYS : 0;
	} else if (rc == 0) {
		rc = cdxj_sort(dirfd, open, done);
	}
	if (fd >= 0)
		(void)close(fd);
	if (index >= 0)
		(void)close(index);
	return rc;
}

int
archive_recover(int dirfd, const char *name, uint64_t *cut)
{
	*cut = 0;
	return rebuild(dirfd, name, cut);
}

int
archive_reindex(int dirfd, const char *name)
{
	return rebuild(dirfd, name, NULL);
}

static int64_t
verify(int dirfd, const char *name, struct cdxj_sum *sum, uint64_t *where)
{
	int fd = file_open(dirfd, name, 0), rc;
	int64_t records;

	*where = 0;
	if (fd < 0)
		return fd;
	rc = scan(fd, name, -1, sum, where, &records);
	(void)close(fd);
	return rc < 0 ? rc : records;
}

int64_t
archive_verify(int dirfd, const char *name, uint64_t *where)
{
	return verify(dirfd, name, NULL, where);
}

int64_t
archive_verify_index(int dirfd, const char *name, uint64_t *where, int *index)
{
	struct cdxj_sum sum = { 0, 0, 0 }, has = { 0, 0, 0 };
	char done[INDEX_NAME];
	int64_t n = verify(dirfd, name, &sum, where);
	int rc;

	rc = archivefile_beside(name, ".cdxj", done, sizeof done);
	if (rc == 0)
		rc = cdxj_read(dirfd, done, &has);
	if (rc == 0)
		rc = memcmp(&sum, &has, sizeof sum) == 0 ? 1 : FAULT_MISMATCH;
	else if (rc == FAULT_SYS && errno == ENOENT)
		rc = 0;
	*index = rc;
	return n;
}

/* Is this an archive file of ours whose index is not closed? */
static int
is_open(int dirfd, const char *name)
{
	char done[INDEX_NAME];
	size_t len = strlen(name);
	struct stat st;

	if (len >= ARCHIVE_NAME || len < 9 || strstr(name, ".warc.") == NULL ||
	    (strcmp(name + len - 9, ".warc.zst") != 0 &&
		strcmp(name + len - 8, ".warc.gz") != 0))
		return 0;
	return archivefile_beside(name, ".cdxj", done, sizeof done) == 0 &&
	    fstatat(dirfd, done, &st, 0) < 0 && errno == ENOENT;
}

/* 1 if there is BASE SUFFIX, where BASE is the first `len' bytes of `name'. */
static int
is_there(int dirfd, const char *name, size_t len, const char *suffix)
{
	char path[INDEX_NAME];
	struct stat st;
	int n = snprintf(path, sizeof path, "%.*s%s", (int)len, name, suffix);

	return n > 0 && (size_t)n < sizeof path &&
	    (fstatat(dirfd, path, &st, 0) == 0 || errno != ENOENT);
}

/*
 * Remove what a kill while an index was closed has left (the index as it was
 * written beside the sorted one, or half of the latter), and one whose
 * archive file the power cut took.
 */
static int
tidy(int dirfd, const char *name)
{
	const char *dot = strstr(name, ".cdxj.");
	size_t len;

	if (dot == NULL || strlen(name) >= INDEX_NAME ||
	    (strcmp(dot, ".cdxj.open") != 0 && strcmp(dot, ".cdxj.tmp") != 0))
		return 0;
	len = (size_t)(dot - name);
	if (!is_there(dirfd, name, len, ".cdxj") &&
	    (is_there(dirfd, name, len, ".warc.zst") ||
		is_there(dirfd, name, len, ".warc.gz")))
		return 0;
	return unlinkat(dirfd, name, 0) < 0 && errno != ENOENT ? FAULT_SYS : 0;
}

/* Out of the way, for somebody to look at: it is not what its name says. */
static int
set_aside(int dirfd, const char *name)
{
	char to[INDEX_NAME], open[INDEX_NAME];

	if (archivefile_beside(name, ".cdxj.open", open, sizeof open) == 0)
		(void)unlinkat(dirfd, open, 0);
	/* is_open() has seen that it is shorter */
	(void)snprintf(to, sizeof to, "%.*s.broken", ARCHIVE_NAME - 1, name);
	return renameat(dirfd, name, dirfd, to) < 0 ? FAULT_SYS : 0;
}

int
archive_recover_all(int dirfd, uint64_t *cut)
{
	struct dirent *e;
	int fd, rc = 0, n = 0;
	uint64_t one;
	DIR *dir;

	*cut = 0;
	fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	dir = fd < 0 ? NULL : fdopendir(fd);
	if (dir == NULL) {
		if (fd >= 0)
			(void)close(fd);
		return FAULT_SYS;
	}
	while (rc == 0) {
		e = readdir(dir);
		if (e == NULL)
			break;
		rc = tidy(dirfd, e->d_name);
		if (rc < 0 || !is_open(dirfd, e->d_name))
			continue;
		rc = archive_recover(dirfd, e->d_name, &one);
		if (rc == FAULT_MAGIC)
			rc = set_aside(dirfd, e->d_name);
		*cut += one;
		n++;
	}
	(void)closedir(dir);
	return rc < 0 ? rc : n;
}
