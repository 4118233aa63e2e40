/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "crawler/archivefile.h"
#include "crawler/cdxj.h"
#include "crawler/pack.h"
#include "crawler/warc.h"
#include "snapshot/limits.h"

#define INDEX_NAME (ARCHIVE_NAME + 16)
#define TRIES      10000 /* names taken by earlier runs of this second */

int
archivefile_beside(const char *name, const char *suffix, char *out, size_t size)
{
	const char *dot = strstr(name, ".warc");
	int n;

	if (dot == NULL)
		return FAULT_MAGIC;
	n = snprintf(out, size, "%.*s%s", (int)(dot - name), name, suffix);
	return n > 0 && (size_t)n < size ? 0 : FAULT_TOOBIG;
}

static int
write_all(int fd, const char *s, size_t len, off_t at)
{
	ssize_t n;

	while (len > 0) {
		n = pwrite(fd, s, len, at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return FAULT_SYS;
		s += n;
		len -= (size_t)n;
		at += n;
	}
	return 0;
}

/* Find a name that is free and open it: 0 or FAULT_SYS. */
static int
create(struct archivefile *f, const struct archive_opts *o, int64_t now,
    unsigned int *serial)
{
	time_t t = (time_t)(now / 1000000);
	char stamp[16];
	struct tm tm;
	int i;

	if (gmtime_r(&t, &tm) == NULL)
		return FAULT_SYS;
	(void)strftime(stamp, sizeof stamp, "%Y%m%d%H%M%S", &tm);
	for (i = 0; i < TRIES; i++) {
		(void)snprintf(f->name, sizeof f->name, "%s-%02u-%05u.warc.%s",
		    stamp, o->worker % 1000, ++*serial % 100000,
		    o->kind == ARCHIVE_ZST ? "zst" : "gz");
		f->fd = openat(o->dirfd, f->name,
		    O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (f->fd >= 0 || errno != EEXIST)
			break;
	}
	return f->fd >= 0 ? 0 : FAULT_SYS;
}

/* What every file starts with, by a packer of its own: see archive.c. */
static int
first_frames(struct archivefile *f, const struct archive_opts *o,
    const struct archivedict *dict, int64_t now)
{
	const char *info = o->info == NULL ? "" : o->info;
	size_t dict_len;
	const void *bytes = archivedict_get(dict, &dict_len);
	struct pack *pack = NULL;
	struct buf raw, out;
	int rc;

	f->dict = bytes != NULL;

	buf_init(&raw, LIMIT_WARC_HEAD);
	buf_init(&out, SIZE_MAX / 2);
	rc = pack_new(&pack, o->kind, o->level, bytes, dict_len);
	if (rc == 0)
		rc = pack_head(pack, &out);
	if (rc == 0)
		rc = warc_info(&raw, f->name, now, info, strlen(info));
	if (rc == 0)
		rc = pack_add(pack, &out, raw.s, raw.len);
	if (rc == 0)
		rc = archivefile_write(f, out.s, out.len);
	pack_free(pack);
	buf_free(&raw);
	buf_free(&out);
	return rc;
}

int
archivefile_new(struct archivefile **out, const struct archive_opts *o,
    const struct archivedict *dict, unsigned int *serial)
{
	char index[INDEX_NAME];
	struct archivefile *f;
	struct timespec ts;
	int64_t now;
	int rc, err;

	f = calloc(1, sizeof *f);
	if (f == NULL)
		return FAULT_NOMEM;
	f->dirfd = o->dirfd;
	f->fd = f->index = -1;
	f->fresh = 1;
	(void)clock_gettime(CLOCK_REALTIME, &ts);
	now = (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
	rc = create(f, o, now, serial);
	if (rc == 0)
		rc = archivefile_beside(f->name, ".cdxj.open", index,
		    sizeof index);
	if (rc == 0) {
		f->index = openat(o->dirfd, index,
		    O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
		rc = f->index < 0 ? FAULT_SYS : 0;
	}
	if (rc == 0)
		rc = first_frames(f, o, dict, now);
	if (rc == 0) {
		*out = f;
		return 0;
	}
	err = errno;
	if (f->index >= 0)
		(void)unlinkat(o->dirfd, index, 0);
	if (f->fd >= 0)
		(void)unlinkat(o->dirfd, f->name, 0);
	archivefile_abandon(f);
	errno = err;
	return rc;
}

int
archivefile_write(struct archivefile *f, const void *s, size_t len)
{
	int err;

	if (write_all(f->fd, s, len, (off_t)f->end) < 0) {
		err = errno;
		archivefile_cut(f, f->end);
		errno = err;
		return FAULT_SYS;
	}
	f->end += len;
	return 0;
}

void
archivefile_cut(struct archivefile *f, uint64_t end)
{
	/* a tail that will not go is no place to write on */
	if (ftruncate(f->fd, (off_t)end) < 0)
		f->bad = 1;
	f->end = end;
}

int
archivefile_sync(struct archivefile *f)
{
	if (fdatasync(f->fd) < 0 || (f->fresh && fsync(f->dirfd) < 0)) {
		f->bad = 1;
		return FAULT_SYS;
	}
	f->fresh = 0;
	return 0;
}

void
archivefile_index(struct archivefile *f, struct buf *lines, int rc)
{
	if (rc == 0)
		rc = write_all(f->index, lines->s, lines->len,
		    (off_t)f->index_len);
	if (rc < 0)
		f->no_index = 1;
	f->index_len += lines->len;
	buf_clear(lines);
}

void
archivefile_abandon(struct archivefile *f)
{
	if (f == NULL)
		return;
	if (f->fd >= 0)
		(void)close(f->fd);
	if (f->index >= 0)
		(void)close(f->index);
	free(f);
}

int
archivefile_close(struct archivefile *f)
{
	char open[INDEX_NAME], done[INDEX_NAME], name[ARCHIVE_NAME];
	int dirfd = f->dirfd, rebuild = f->no_index || f->bad, rc;
	uint64_t cut;

	memcpy(name, f->name, sizeof name);
	archivefile_abandon(f);
	if (rebuild)
		return archive_recover(dirfd, name, &cut);
	rc = archivefile_beside(name, ".cdxj.open", open, sizeof open);
	if (rc == 0)
		rc = archivefile_beside(name, ".cdxj", done, sizeof done);
	return rc == 0 ? cdxj_sort(dirfd, open, done) : rc;
}

int
archivefile_close_all(struct archivefile *l)
{
	struct archivefile *f;
	int rc = 0, one;

	while (l != NULL) {
		f = l;
		l = f->next;
		one = archivefile_close(f);
		rc = rc < 0 ? rc : one;
	}
	return rc;
}
