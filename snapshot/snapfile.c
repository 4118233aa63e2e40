/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/disk.h"
#include "snapshot/file.h"
#include "snapshot/frame.h"
#include "snapshot/helper.h"
#include "snapshot/limits.h"
#include "snapshot/record.h"
#include "snapshot/series.h"
#include "snapshot/snapfile.h"

#define LEVEL 3

/* bytes: the longest line in front of a chunk */
#define HEAD (LIMIT_SNAP_NAME + 64)

_Static_assert(LIMIT_SNAP_CHUNK + HEAD <= LIMIT_FRAME, "a chunk is a frame");

struct chunk {
	char *buf;   /* HEAD + LIMIT_SNAP_CHUNK bytes */
	size_t head; /* bytes of the line, which ends at buf + HEAD */
	size_t len;  /* bytes from there on */
};

/* What the helper has; the owner does not touch it while that is busy. */
struct step {
	struct frame_packer *packer;
	const struct chunk *chunk; /* to be written, if it is not empty */
	int last;                  /* then end the file */
	int dirfd;
	int fd; /* -1: not begun */
	uint64_t number;
	int64_t time;
	uint64_t at;       /* offset of the next frame */
	uint64_t synced;   /* bytes that are durable */
	uint64_t sections; /* of the whole file, for its last frame */
	uint64_t chunks;
	uint64_t bytes;
	int rc;
	int err;
};

enum state {
	WRITING,
	ENDING, /* the last step is with the helper */
	DONE,
};

struct snapfile {
	struct chunk chunk[2];
	struct chunk *open; /* takes bytes */
	struct chunk *sent; /* with the helper, or empty */
	struct helper *helper;
	struct step step;
	enum state state;
	int flying;
	int fault; /* the first, for good */
	int err;
	char section[LIMIT_SNAP_NAME + 1]; /* "" before the first */
	int fresh;         /* no chunk of this section was sent yet */
	uint64_t sections; /* so far */
	uint64_t chunks;
	uint64_t bytes;
};

/* Text in a buffer that is known to be large enough. */
static size_t
add_text(char *to, const char *s)
{
	size_t n = strlen(s);

	memcpy(to, s, n);
	return n;
}

static size_t
add_number(char *to, uint64_t v)
{
	*to = '\t';
	return 1 + record_number(to + 1, v);
}

/* Append a frame to the file. */
static int
append(struct step *s, const void *p, size_t n)
{
	const void *frame;
	long len;
	int rc;

	len = frame_pack(s->packer, p, n, &frame);
	if (len < 0)
		return (int)len;
	rc = file_write(s->fd, frame, (size_t)len, s->at);
	if (rc < 0)
		return rc;
	s->at += (uint64_t)len;
	if (s->at - s->synced < LIMIT_SNAP_DIRTY)
		return 0;
	rc = file_sync(s->fd);
	s->synced = s->at;
	return rc;
}

static int
begin(struct step *s)
{
	char name[SERIES_NAME], line[HEAD];
	size_t n;
	int rc;

	rc = series_clean(s->dirfd); /* what a crash has left */
	if (rc < 0)
		return rc;
	series_tmp(name, s->number);
	s->fd = file_create(s->dirfd, name);
	if (s->fd < 0)
		return FAULT_SYS;
	n = add_text(line, "crawl-snapshot");
	n += add_number(line + n, SNAPFILE_VERSION);
	n += add_number(line + n, SNAPFILE_MINOR);
	n += add_number(line + n, s->number);
	n += add_number(line + n, s->time < 0 ? 0 : (uint64_t)s->time);
	n += add_text(line + n, "\n");
	return append(s, line, n);
}

/* All but the newest may go.  That one can't be removed harms nobody. */
static void
forget(int dirfd, uint64_t newest)
{
	char name[SERIES_NAME];
	uint64_t n = newest;
	unsigned int kept = 1;

	while (series_prev(dirfd, n, &n) == 1) {
		if (kept++ < SNAPFILE_KEEP)
			continue;
		series_name(name, n);
		if (file_remove(dirfd, name) < 0)
			break;
	}
}

/* Last frame, sync, rename, sync of the folder; then the old ones go. */
static int
end(struct step *s)
{
	char from[SERIES_NAME], to[SERIES_NAME], line[HEAD];
	size_t n;
	int rc;

	n = add_text(line, ".");
	n += add_number(line + n, s->sections);
	n += add_number(line + n, s->chunks);
	n += add_number(line + n, s->bytes);
	n += add_text(line + n, "\n");
	rc = append(s, line, n);
	if (rc == 0 && s->synced < s->at)
		rc = file_sync(s->fd);
	if (rc < 0)
		return rc;
	series_tmp(from, s->number);
	series_name(to, s->number);
	rc = file_rename(s->dirfd, from, to);
	if (rc == 0)
		rc = file_sync_dir(s->dirfd);
	if (rc == 0)
		forget(s->dirfd, s->number);
	return rc;
}

static void
run(void *arg)
{
	struct step *s = arg;
	const struct chunk *c = s->chunk;
	int rc = 0;

	if (s->fd < 0)
		rc = begin(s);
	if (rc == 0 && c->len > 0)
		rc = append(s, c->buf + HEAD - c->head, c->head + c->len);
	if (rc == 0 && s->last)
		rc = end(s);
	s->rc = rc;
	s->err = errno;
}

static int
make(struct snapfile *w)
{
	int rc;

	w->chunk[0].buf = malloc(HEAD + LIMIT_SNAP_CHUNK);
	w->chunk[1].buf = malloc(HEAD + LIMIT_SNAP_CHUNK);
	if (w->chunk[0].buf == NULL || w->chunk[1].buf == NULL)
		return FAULT_NOMEM;
	rc = frame_packer_new(&w->step.packer, HEAD + LIMIT_SNAP_CHUNK, LEVEL);
	return rc < 0 ? rc : helper_new(&w->helper);
}

int
snapfile_begin(struct snapfile **to, int dirfd, int64_t now)
{
	struct snapfile *w;
	uint64_t last = 0;
	int rc;

	*to = NULL;
	rc = series_prev(dirfd, UINT64_MAX, &last);
	if (rc < 0)
		return rc;
	if (rc > 0 && last >= SERIES_MAX)
		return FAULT_FULL;
	w = calloc(1, sizeof *w);
	if (w == NULL)
		return FAULT_NOMEM;
	w->step.fd = -1;
	w->step.dirfd = dirfd;
	w->step.number = rc > 0 ? last + 1 : 1;
	w->step.time = now;
	w->open = &w->chunk[0];
	w->sent = &w->chunk[1];
	rc = make(w);
	if (rc < 0) {
		snapfile_free(w);
		return rc;
	}
	*to = w;
	return 0;
}

void
snapfile_free(struct snapfile *w)
{
	char name[SERIES_NAME];
	int saved = errno;

	if (w == NULL)
		return;
	helper_free(w->helper);
	if (w->step.fd >= 0) {
		/* where it was renamed there is nothing of this name */
		series_tmp(name, w->step.number);
		(void)disk_unlink(w->step.dirfd, name);
	}
	file_close(w->step.fd);
	frame_packer_free(w->step.packer);
	free(w->chunk[0].buf);
	free(w->chunk[1].buf);
	free(w);
	errno = saved;
}

/* 0 if the helper is idle, FAULT_FULL if it is not, or the lasting fault. */
static int
collect(struct snapfile *w)
{
	if (w->flying) {
		if (helper_busy(w->helper))
			return FAULT_FULL;
		w->flying = 0;
		w->sent->len = 0;
		w->fault = w->step.rc;
		w->err = w->step.err;
	}
	if (w->fault < 0)
		errno = w->err;
	return w->fault;
}

/* The helper is idle: give it the open chunk. */
static void
send_open(struct snapfile *w, int last)
{
	struct chunk *c = w->open;
	char line[HEAD];
	size_t n = 0;

	if (c->len > 0) {
		n = add_text(line, "=\t");
		n += add_text(line + n, w->section);
		n += add_number(line + n, w->chunks);
		n += add_number(line + n, c->len);
		n += add_text(line + n, "\n");
		memcpy(c->buf + HEAD - n, line, n);
		w->chunks++;
		w->bytes += c->len;
		w->sections += (uint64_t)w->fresh;
		w->fresh = 0;
	}
	c->head = n;
	w->step.chunk = c;
	w->step.last = last;
	w->step.sections = w->sections;
	w->step.chunks = w->chunks;
	w->step.bytes = w->bytes;
	w->open = w->sent;
	w->sent = c;
	w->flying = 1;
	helper_give(w->helper, run, &w->step);
}

/* Have nothing in the open chunk. */
static int
clear(struct snapfile *w)
{
	int rc;

	if (w->open->len == 0)
		return 0;
	rc = collect(w);
	if (rc == 0)
		send_open(w, 0);
	return rc;
}

static int
good_name(const char *name)
{
	static const char set[] = "0123456789._-"
				  "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t n = strspn(name, set);

	return n > 0 && n <= LIMIT_SNAP_NAME && name[n] == '\0';
}

int
snapfile_section(struct snapfile *w, const char *name)
{
	int rc;

	if (!good_name(name) || w->state != WRITING)
		return FAULT_ARG;
	if (strcmp(name, w->section) == 0)
		return 0;
	rc = clear(w);
	if (rc < 0)
		return rc;
	memcpy(w->section, name, strlen(name) + 1);
	w->fresh = 1;
	return 0;
}

int
snapfile_write(struct snapfile *w, const void *p, size_t n)
{
	int rc;

	if (n > LIMIT_SNAP_CHUNK)
		return FAULT_TOOBIG;
	if (w->section[0] == '\0' || w->state != WRITING)
		return FAULT_ARG;
	if (w->fault < 0)
		return collect(w);
	if (w->open->len + n > LIMIT_SNAP_CHUNK) {
		rc = clear(w);
		if (rc < 0)
			return rc;
	}
	if (n > 0)
		memcpy(w->open->buf + HEAD + w->open->len, p, n);
	w->open->len += n;
	return 0;
}

int
snapfile_commit(struct snapfile *w)
{
	int rc;

	if (w->state == DONE)
		return 1;
	rc = collect(w);
	if (rc == FAULT_FULL)
		return 0;
	if (rc < 0)
		return rc;
	if (w->state == ENDING) {
		w->state = DONE;
		return 1;
	}
	w->state = ENDING;
	send_open(w, 1);
	return 0;
}

int
snapfile_discard(int dirfd, uint64_t good)
{
	char name[SERIES_NAME];
	uint64_t n = UINT64_MAX;
	int rc;

	for (;;) {
		rc = series_prev(dirfd, n, &n);
		if (rc <= 0 || n <= good)
			return rc < 0 ? rc : 0;
		series_name(name, n);
		rc = file_remove(dirfd, name);
		if (rc < 0)
			return rc;
	}
}

int
snapfile_fd(const struct snapfile *w)
{
	return helper_fd(w->helper);
}

uint64_t
snapfile_number(const struct snapfile *w)
{
	return w->step.number;
}
