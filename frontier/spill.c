/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "frontier/spillint.h"
#include "snapshot/file.h"
#include "snapshot/frame.h"
#include "snapshot/limits.h"
#include "snapshot/series.h"

#define LEVEL     1    /* of zstd */
#define READ_STEP 8192 /* bytes: most chunks are less */

/* A new last file, which is made when the first chunk goes there. */
static int
file_add(struct spill *s, uint32_t number)
{
	struct spill_file *file;
	size_t n;

	if (s->files == s->room) {
		n = s->room == 0 ? 64 : s->room * 2;
		file = realloc(s->file, n * sizeof *file);
		if (file == NULL)
			return FAULT_NOMEM;
		s->file = file;
		s->room = n;
	}
	file = &s->file[s->files++];
	memset(file, 0, sizeof *file);
	file->number = number;
	return 0;
}

struct spill_file *
spill_find(const struct spill *s, uint32_t number)
{
	size_t low = 0, high = s->files, mid;

	while (low < high) {
		mid = (low + high) / 2;
		if (s->file[mid].number < number)
			low = mid + 1;
		else
			high = mid;
	}
	if (low == s->files || s->file[low].number != number)
		return NULL;
	return &s->file[low];
}

/* List what is in the folder, so that new files get new numbers. */
static int
list(struct spill *s)
{
	uint64_t n = 0;
	int rc;

	for (;;) {
		rc = series_next(s->dirfd, n, &n);
		if (rc <= 0)
			return rc;
		if (n >= UINT32_MAX)
			return FAULT_FULL;
		rc = file_add(s, (uint32_t)n);
		if (rc < 0)
			return rc;
		spill_last(s)->foreign = 1;
	}
}

int
spill_new(struct spill **out, int dirfd, uint64_t most, int readonly,
    unsigned int keep)
{
	struct spill *s = calloc(1, sizeof *s);
	int rc = FAULT_NOMEM;

	*out = NULL;
	if (s == NULL)
		return FAULT_NOMEM;
	s->dirfd = dirfd;
	s->readonly = readonly;
	s->most = most < LIMIT_SPILL_FILE_LEAST ? LIMIT_SPILL_FILE_LEAST : most;
	if (s->most > LIMIT_SPILL_FILE)
		s->most = LIMIT_SPILL_FILE;
	s->keep = keep < SPILL_KEEP ? keep : SPILL_KEEP;
	s->fd = -1;
	for (int i = 0; i < SPILL_KEEP; i++)
		s->named[i] = UINT64_MAX;
	for (int i = 0; i < SPILL_FDS; i++)
		s->fds[i].fd = -1;
	if (frame_packer_new(&s->packer, CHUNK_MOST, LEVEL) < 0 ||
	    frame_reader_new(&s->reader) < 0)
		goto out;
	frame_reader_step(s->reader, READ_STEP);
	rc = list(s);
	if (rc == 0)
		rc = file_add(s, s->files == 0 ? 1 : spill_last(s)->number + 1);
	if (rc < 0)
		goto out;
	*out = s;
	return 0;
out:
	spill_free(s);
	return rc;
}

void
spill_free(struct spill *s)
{
	if (s == NULL)
		return;
	for (int i = 0; i < SPILL_FDS; i++)
		file_close(s->fds[i].fd);
	file_close(s->fd);
	for (int i = 0; i < SPILL_READ; i++)
		free(s->read[i].text);
	frame_packer_free(s->packer);
	frame_reader_free(s->reader);
	chunk_free(&s->open);
	free(s->file);
	free(s);
}

int
spill_rotate(struct spill *s)
{
	int rc;

	if (spill_last(s)->number == UINT32_MAX)
		return FAULT_FULL;
	rc = file_add(s, spill_last(s)->number + 1);
	if (rc < 0)
		return rc;
	file_close(s->fd);
	s->fd = -1;
	if (s->file[s->files - 2].live == 0)
		spill_tidy(s);
	return 0;
}

int
spill_flush(struct spill *s)
{
	struct spill_file *f = spill_last(s);
	char name[SERIES_NAME];
	const void *frame;
	long n;
	int rc;

	if (s->open.pieces == 0)
		return 0;
	if (s->readonly)
		return FAULT_ARG;
	if (s->fd < 0) {
		series_name(name, f->number);
		rc = file_create(s->dirfd, name);
		if (rc < 0)
			return rc;
		s->fd = rc;
		f->fresh = 1;
	}
	n = frame_pack(s->packer, s->open.text, s->open.len, &frame);
	if (n < 0)
		return (int)n;
	rc = file_write(s->fd, frame, (size_t)n, f->size);
	if (rc < 0)
		return rc;
	f->size += (uint64_t)n;
	chunk_clear(&s->open);
	s->chunks++;
	return f->lost || f->size >= s->most ? spill_rotate(s) : 0;
}

int
spill_open(struct spill *s, struct chunk **c, struct ref *at)
{
	int rc = 0;

	if (chunk_full(&s->open))
		rc = spill_flush(s);
	*c = &s->open;
	at->file = spill_last(s)->number;
	at->offset = (uint32_t)spill_last(s)->size;
	return rc;
}

void
spill_added(struct spill *s, uint32_t urls)
{
	struct spill_file *f = spill_last(s);

	f->live++;
	f->left += urls;
	f->urls += urls;
}

/* A descriptor to read `f' by: the kept one, or a new one. */
static int
fd_of(struct spill *s, const struct spill_file *f)
{
	char name[SERIES_NAME];
	int fd;

	if (f == spill_last(s) && s->fd >= 0)
		return s->fd;
	for (int i = 0; i < SPILL_FDS; i++)
		if (s->fds[i].fd >= 0 && s->fds[i].number == f->number)
			return s->fds[i].fd;
	series_name(name, f->number);
	fd = file_open(s->dirfd, name, 0);
	if (fd < 0)
		return fd;
	file_close(s->fds[s->next_fd].fd);
	s->fds[s->next_fd].fd = fd;
	s->fds[s->next_fd].number = f->number;
	s->next_fd = (s->next_fd + 1) % SPILL_FDS;
	return fd;
}

/* Keep the `n' bytes at `text', which are the chunk at `r', in `c'. */
static int
keep(struct spill *s, struct spill_chunk *c, struct ref r, const char *text,
    size_t n)
{
	char *more;

	c->at.file = 0;
	if (n > c->room) {
		more = realloc(c->text, n);
		if (more == NULL)
			return FAULT_NOMEM;
		c->text = more;
		c->room = n;
	}
	memcpy(c->text, text, n);
	c->len = n;
	c->at = r;
	c->end = frame_end(s->reader);
	return 0;
}

/* Have the chunk at `r' in memory: *out. */
static int
load(struct spill *s, struct ref r, struct spill_chunk **out)
{
	struct spill_chunk *c = &s->read[0];
	struct spill_file *f;
	char *text;
	size_t n;
	int fd, rc;

	s->reads++;
	for (int i = 0; i < SPILL_READ; i++) {
		*out = &s->read[i];
		if ((*out)->at.offset == r.offset && (*out)->at.file == r.file)
			goto out;
		if ((*out)->used < c->used)
			c = *out;
	}
	*out = c;
	f = spill_find(s, r.file);
	if (f == NULL)
		return FAULT_DAMAGED;
	fd = fd_of(s, f);
	if (fd < 0)
		return errno == ENOENT ? FAULT_DAMAGED : fd;
	frame_reader_start(s->reader, fd, r.offset);
	rc = frame_next(s->reader, &text, &n);
	if (rc <= 0)
		return rc == 0 ? FAULT_TRUNCATED : rc;
	rc = keep(s, c, r, text, n);
	if (rc < 0)
		return rc;
out:
	(*out)->used = s->reads;
	return 0;
}

int
spill_read(struct spill *s, struct ref r, struct chunk_owner o,
    struct chunk_lines *piece, const char **head)
{
	struct chunk_lines all;
	struct chunk_owner who;
	struct spill_chunk *c;
	int rc;

	if (r.file == spill_last(s)->number &&
	    r.offset == spill_last(s)->size) {
		all.s = s->open.text;
		all.end = all.s + s->open.len;
	} else {
		rc = load(s, r, &c);
		if (rc < 0)
			return rc;
		all.s = c->text;
		all.end = all.s + c->len;
	}
	do {
		rc = chunk_piece(&all, &who, piece, head);
		if (rc <= 0)
			return FAULT_DAMAGED;
	} while (who.host != o.host || who.lane != o.lane);
	return 0;
}

int
spill_scan(struct spill *s, uint32_t file, uint64_t *offset, struct ref *at,
    struct chunk_lines *all)
{
	const struct spill_file *f = spill_find(s, file);
	struct spill_chunk *c;
	int rc;

	if (f == NULL || f->live == 0 || *offset >= f->size)
		return 0;
	at->file = file;
	at->offset = (uint32_t)*offset;
	rc = load(s, *at, &c);
	if (rc < 0)
		return rc;
	*offset = c->end;
	all->s = c->text;
	all->end = c->text + c->len;
	return 1;
}

uint64_t
spill_disk(const struct spill *s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->files; i++)
		n += s->file[i].size;
	return n;
}

uint64_t
spill_memory(const struct spill *s)
{
	uint64_t n = s->open.room + s->room * sizeof *s->file + 1024 * 1024;

	for (int i = 0; i < SPILL_READ; i++)
		n += s->read[i].room;
	return n;
}

uint64_t
spill_chunks(const struct spill *s)
{
	return s->chunks;
}
