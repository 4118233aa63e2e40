/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * spillkeep.c - how long a spill file is kept
 *
 * Images are counted as they are begun.  A file that loses its last live
 * piece notes the number of images begun so far: one that was begun later
 * can't refer to it.  The folder may also hold files that the image we were
 * loaded from does not name, because an older or a newer image needs them;
 * they are listed without live pieces, as if they had died before all.
 */

#include "config.h"

#include <errno.h>
#include <string.h>

#include "frontier/spillint.h"
#include "snapshot/file.h"
#include "snapshot/series.h"

/* Delete file `f' from the folder; it may stay if that fails. */
static int
delete_file(struct spill *s, const struct spill_file *f)
{
	char name[SERIES_NAME];

	for (int i = 0; i < SPILL_FDS; i++) {
		if (s->fds[i].fd < 0 || s->fds[i].number != f->number)
			continue;
		file_close(s->fds[i].fd);
		s->fds[i].fd = -1;
	}
	for (int i = 0; i < SPILL_READ; i++)
		if (s->read[i].at.file == f->number)
			s->read[i].at.file = 0;
	series_name(name, f->number);
	return file_remove(s->dirfd, name);
}

int
spill_fresh(struct spill *s)
{
	int rc = 0;

	while (rc == 0 && s->files > 1) {
		rc = delete_file(s, &s->file[0]);
		if (rc == 0)
			memmove(s->file, s->file + 1,
			    --s->files * sizeof *s->file);
	}
	s->settled |= rc == 0;
	return rc;
}

/* May an image that can still be loaded refer to `f'? */
static int
needed(const struct spill *s, const struct spill_file *f)
{
	if (f->live > 0 || f == spill_last(s) || (f->foreign && !s->settled) ||
	    (s->writing != 0 && s->writing <= f->died))
		return 1;
	for (unsigned int i = 0; i < s->keep; i++)
		if (s->named[i] != UINT64_MAX && s->named[i] <= f->died)
			return 1;
	return 0;
}

void
spill_tidy(struct spill *s)
{
	size_t to = 0;

	if (s->readonly)
		return;
	for (size_t i = 0; i < s->files; i++) {
		/* A file that can't be deleted stays listed. */
		if (!needed(s, &s->file[i]) && delete_file(s, &s->file[i]) == 0)
			continue;
		s->file[to++] = s->file[i];
	}
	s->files = to;
}

void
spill_drop(struct spill *s, struct ref r, uint32_t urls)
{
	struct spill_file *f = spill_find(s, r.file);

	if (f == NULL || f->live == 0)
		return;
	f->left -= urls < f->left ? urls : f->left;
	if (--f->live > 0)
		return;
	f->left = 0;
	f->died = s->images;
	if (!needed(s, f))
		spill_tidy(s);
}

uint32_t
spill_worst(const struct spill *s)
{
	const struct spill_file *worst = NULL;
	uint64_t left = 0, urls = 0;

	for (size_t i = 0; i + 1 < s->files; i++) {
		const struct spill_file *f = &s->file[i];

		if (f->live == 0)
			continue;
		if (f->lost)
			return f->number;
		if (f->urls == 0)
			continue;
		left += f->left;
		urls += f->urls;
		if (worst == NULL ||
		    (uint64_t)f->left * worst->urls <
			(uint64_t)worst->left * f->urls)
			worst = f;
	}
	/* As long as half is live in all, files get emptier by themselves,
	   and moving what is left costs less (Rosenblum & Ousterhout 1992,
	   section 3.4). */
	return worst != NULL && left < urls / 2 ? worst->number : 0;
}

void
spill_begin(struct spill *s)
{
	spill_abort(s);
	s->writing = ++s->images;
}

void
spill_named(struct spill *s)
{
	if (s->writing == 0)
		return;
	for (unsigned int i = SPILL_KEEP - 1; i > 0; i--)
		s->named[i] = s->named[i - 1];
	s->named[0] = s->writing;
	s->writing = 0;
	for (size_t i = 0; i < s->files; i++) {
		struct spill_file *f = &s->file[i];

		if (f->shown) {
			f->synced = f->asked;
			f->fresh = 0;
		}
		f->shown = 0;
	}
	/* A last file that is all dead would stay for good. */
	if (spill_last(s)->live == 0 && spill_last(s)->size > 0 &&
	    spill_rotate(s) < 0)
		return;
	spill_tidy(s);
}

void
spill_abort(struct spill *s)
{
	if (s->writing == 0)
		return;
	s->writing = 0;
	for (size_t i = 0; i < s->files; i++) {
		/* A failed sync may have lost what was written, and another
		   one would not say so.  While the bytes can still be read
		   they are moved to a file that can be synced. */
		if (s->file[i].shown)
			s->file[i].lost = 1;
		s->file[i].shown = 0;
	}
	/* What is in the open chunk belongs there; if it can't be written now
	   no image can be either, and the next flush comes back to this. */
	if (spill_last(s)->lost) {
		int rc = s->open.pieces > 0 ? spill_flush(s) : spill_rotate(s);

		(void)rc;
	}
	spill_tidy(s);
}

/* Show file `f' to be synced. */
static int
show(struct spill *s, struct spill_file *f, int (*fn)(void *ctx, int fd),
    void *ctx)
{
	char name[SERIES_NAME];
	int fd, rc;

	series_name(name, f->number);
	fd = file_open(s->dirfd, name, 0);
	if (fd < 0)
		return fd;
	rc = fn(ctx, fd);
	file_close(fd);
	if (rc < 0)
		return rc;
	f->shown = 1;
	f->asked = f->size;
	return 0;
}

int
spill_sync(struct spill *s, int (*fn)(void *ctx, int fd), void *ctx)
{
	int rc = 0, made = 0;

	if (s->readonly)
		return 0;
	for (size_t i = 0; rc == 0 && i < s->files; i++) {
		struct spill_file *f = &s->file[i];

		if (f->lost && f->live > 0) {
			errno = EIO;
			return FAULT_SYS;
		}
		if (f->foreign || f->synced == f->size)
			continue;
		made |= f->fresh;
		rc = show(s, f, fn, ctx);
	}
	if (rc == 0 && made)
		rc = fn(ctx, s->dirfd);
	return rc < 0 ? rc : 0;
}

int
spill_files(struct spill *s, int (*fn)(void *ctx, const struct spill_told *t),
    void *ctx)
{
	struct spill_told t;
	int rc = 0;

	for (size_t i = 0; rc >= 0 && i < s->files; i++) {
		const struct spill_file *f = &s->file[i];

		if (f->live == 0)
			continue;
		t.file = f->number;
		t.urls = f->urls;
		t.left = f->left;
		t.size = f->size;
		rc = fn(ctx, &t);
	}
	return rc < 0 ? rc : 0;
}

/* Have the size of the foreign file `f'. */
static int
measure(struct spill *s, struct spill_file *f)
{
	char name[SERIES_NAME];
	int fd, rc;

	if (f->size > 0)
		return 0;
	series_name(name, f->number);
	fd = file_open(s->dirfd, name, 0);
	if (fd < 0)
		return fd;
	rc = file_size(fd, &f->size);
	file_close(fd);
	return rc;
}

int
spill_adopt(struct spill *s, struct ref r)
{
	struct spill_file *f = spill_find(s, r.file);
	int rc;

	if (f == NULL || !f->foreign)
		return FAULT_DAMAGED;
	rc = measure(s, f);
	if (rc < 0)
		return rc;
	if (r.offset >= f->size || f->live == UINT32_MAX)
		return FAULT_DAMAGED;
	f->live++;
	return 0;
}

int
spill_loaded(struct spill *s, const struct spill_told *t)
{
	struct spill_file *f = spill_find(s, t->file);
	int rc;

	if (f == NULL || f->live == 0)
		return 0; /* nobody refers to it */
	rc = measure(s, f);
	if (rc < 0)
		return rc;
	if (f->size < t->size || t->left > t->urls)
		return FAULT_DAMAGED;
	f->urls = t->urls;
	f->left = t->left;
	/* What a killed process wrote behind that nobody refers to, and it may
	   never have been synced. */
	f->size = t->size;
	return 0;
}

void
spill_settle(struct spill *s)
{
	s->settled = 1;
	for (size_t i = 0; i < s->files; i++)
		s->file[i].synced = s->file[i].size;
	for (unsigned int i = 0; i < s->keep; i++)
		s->named[i] = 0;
	spill_tidy(s);
}
