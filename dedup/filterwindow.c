/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/mman.h>

#include <fcntl.h>

#include "dedup/filterint.h"
#include "dedup/filterwindow.h"
#include "snapshot/limits.h"

#define PAGE 4096 /* bytes, or a part of what the system's have */

/* windows: how far ahead one is read, and behind which one is dropped */
#define AHEAD 2
#define DROP  4

/* keys for each page so that reading all of it is the quickest way */
#define DENSE 16

void
filterwindow_start(struct filterwindow *w, struct filter *f, size_t keys)
{
	unsigned int i, n = filter_layers(f);
	uint64_t bytes = 0;

	for (i = 0; i < n; i++)
		bytes += f->layer[i].bytes;
	w->filter = f;
	w->at = 0;
	w->dense = f->file != NULL && !(f->flags & FILTER_PRIVATE) &&
	    keys >= bytes / PAGE / DENSE;
	w->bits = 0;
	while (bytes >> w->bits > LIMIT_WINDOW)
		w->bits++;
	w->direct = w->dense ? filterdirect_new(f, w->bits) : NULL;
	w->dense = w->dense && w->direct == NULL;
	w->total = filter_total(f);
}

/* The least and the greatest high half of a key in window `i'. */
static uint64_t
first_of(const struct filterwindow *w, uint64_t i)
{
	return w->bits == 0 ? 0 : i << (64 - w->bits);
}

static uint64_t
last_of(const struct filterwindow *w, uint64_t i)
{
	return w->bits == 0 || i + 1 == UINT64_C(1) << w->bits ?
	    UINT64_MAX :
	    first_of(w, i + 1) - 1;
}

/* The pages of window `i' in a layer: bytes from its start. */
static void
range(const struct filterwindow *w, const struct layer *l, uint64_t i,
    uint64_t *from, uint64_t *len)
{
	uint64_t end = layer_place(last_of(w, i), l->bytes) + PAGE;

	*from = layer_place(first_of(w, i), l->bytes) / PAGE * PAGE;
	end = end / PAGE * PAGE;
	*len = (end < l->bytes ? end : l->bytes) - *from;
}

static void
ahead(const struct filterwindow *w, uint64_t i)
{
	unsigned int j, n = filter_layers(w->filter);
	uint64_t from, len;

	if (i >> w->bits != 0)
		return;
	for (j = 0; j < n; j++) {
		const struct layer *l = &w->filter->layer[j];

		range(w, l, i, &from, &len);
		(void)madvise((char *)l->map + from, len, MADV_WILLNEED);
	}
}

/* Begin to write window `i', or see that it was written, and drop it. */
static void
behind(const struct filterwindow *w, uint64_t i, int drop)
{
	unsigned int j, n = filter_layers(w->filter);
	uint64_t from, len;

	for (j = 0; j < n; j++) {
		const struct layer *l = &w->filter->layer[j];
		off_t at;

		range(w, l, i, &from, &len);
		at = (off_t)(l->offset + from);
		if (drop)
			(void)madvise((char *)l->map + from, len,
			    MADV_DONTNEED);
#ifdef SYNC_FILE_RANGE_WRITE
		(void)sync_file_range(w->filter->file->fd, at, (off_t)len,
		    drop ? SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
			    SYNC_FILE_RANGE_WAIT_AFTER :
			   SYNC_FILE_RANGE_WRITE);
#endif
		if (drop)
			(void)posix_fadvise(w->filter->file->fd, at, (off_t)len,
			    POSIX_FADV_DONTNEED);
	}
}

int
filterwindow_next(struct filterwindow *w)
{
	uint64_t i = w->at, j;
	int rc;

	if (w->direct != NULL && filter_total(w->filter) != w->total)
		filterdirect_changed(w->direct);
	w->total = filter_total(w->filter);
	if (w->dense && i > 0)
		behind(w, i - 1, 0);
	if (w->dense && i > DROP)
		behind(w, i - 1 - DROP, 1);
	if (i >> w->bits != 0)
		return 0;
	if (w->direct != NULL) {
		rc = filterdirect_step(w->direct, i);
		if (rc < 0)
			return rc;
	}
	for (j = i == 0 ? 0 : AHEAD; w->dense && j <= AHEAD; j++)
		ahead(w, i + j);
	w->last = last_of(w, i);
	w->at++;
	return 1;
}

int
filterwindow_end(struct filterwindow *w)
{
	uint64_t i = w->at > DROP ? w->at - DROP : 0;

	if (w->direct != NULL)
		return filterdirect_end(w->direct);
	for (; w->dense && i < w->at; i++)
		behind(w, i, 1);
	return 0;
}
