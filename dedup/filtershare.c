/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filtershare.c - several processes that write one filter
 *
 * All hold a shared flock(2), so that none comes in that wants the file for
 * itself, and take turns (share.h).  Only who has the turn stores anything:
 * bits, counts, the header, a further layer.  So there is one writer at any
 * time, plain stores lose no bit, and the order in which a file is written is
 * that of filterfile.c.  A kill gives the turn up; what it leaves is what a
 * kill leaves of a filter with one writer.
 *
 * Taking the turn compares the headers' sequence numbers, which are mapped,
 * with the one we know: it has changed if another process marked the file or
 * added a layer.  Counts pass from turn to turn in the mapped page behind it.
 *
 * Looking needs no turn.  Bits only turn on, so "seen" is true; "new" must be
 * asked again in the turn.
 */

#include "config.h"

#include <sys/stat.h>

#include <string.h>

#include "dedup/filterdisk.h"
#include "dedup/filtershare.h"
#include "snapshot/boot.h"

#define SEQUENCE 56 /* bytes: where it stands in a copy of the header */

/* The number of the newest header in the file. */
static uint64_t
sequence(const struct filterfile *f)
{
	const _Atomic uint64_t *w = f->map;
	uint64_t a = layer_load(w + SEQUENCE / sizeof *w);
	uint64_t b = layer_load(w + (FILTERHEAD_COPY + SEQUENCE) / sizeof *w);

	return a > b ? a : b;
}

/* Another process has written the header.  Its layers come behind ours. */
static int
new_head(struct filterfile *f, struct layer *layer, unsigned int *n)
{
	unsigned char page[FILTERHEAD_SIZE];
	struct filterhead h;
	struct stat st;
	int rc;

	if (fstat(f->fd, &st) != 0)
		return FAULT_SYS;
	memcpy(page, f->map, sizeof page);
	memset(&h, 0, sizeof h);
	rc = filterhead_decode(&h, page, sizeof page, (uint64_t)st.st_size);
	if (rc == 0 && (h.torn || h.layers < *n))
		rc = FAULT_DAMAGED;
	for (; rc == 0 && *n < h.layers; ++*n) {
		filterdisk_take(&layer[*n], &h.layer[*n]);
		rc = filterdisk_map(f, &layer[*n], LAYER_DIRTY);
	}
	if (rc < 0)
		return rc;
	f->head = h;
	f->other_boot = boot_differs(h.boot);
	f->marked = !h.clean && !f->other_boot;
	return 0;
}

int
filterfile_refresh(struct filterfile *f, struct layer *layer, unsigned int *n)
{
	unsigned int i;
	int rc;

	if (sequence(f) != f->head.sequence) {
		rc = new_head(f, layer, n);
		if (rc < 0)
			return rc;
	}
	for (i = 0; i < *n; i++)
		if (!filterfile_counted(f, i, &layer[i].count, &layer[i].ones))
			return FAULT_DAMAGED;
	return 0;
}

int
filterfile_last(struct filterfile *f, struct layer *all, unsigned int n)
{
	unsigned int i;

	if (!share_alone(&f->share))
		return 0;
	/* who else was there, and what they changed, nobody knows */
	for (i = 0; i < n; i++)
		memset(all[i].dirt, LAYER_DIRTY,
		    (all[i].bytes + LAYER_MIB - 1) / LAYER_MIB);
	return 1;
}

int
filter_shared(const struct filter *f)
{
	return f->file != NULL && (f->flags & FILTER_SHARED) != 0;
}

int
filter_can_share(unsigned int kind)
{
	const struct layer_kind *k = layer_kind(kind);

	return k != NULL && k->grow_only;
}

/* The turn, and what was done in those before it. */
static int
enter(struct filter *f, int ms)
{
	unsigned int n = filter_layers(f);
	int rc = share_take(&f->file->share, ms);

	if (rc < 0)
		return rc;
	rc = filterfile_refresh(f->file, f->layer, &n);
	if (rc == 0)
		filter_publish(f, n);
	else
		filter_leave(f);
	return rc;
}

int
filter_enter(struct filter *f)
{
	return filter_shared(f) ? enter(f, LIMIT_SHARE_MS) : 0;
}

void
filter_leave(struct filter *f)
{
	if (filter_shared(f))
		share_give(&f->file->share);
}

int
filtershare_last(struct filter *f)
{
	if (!filter_shared(f))
		return 1;
	/* one that does not move is there, so we are not the last */
	return enter(f, LIMIT_SHARE_MS) == 0 &&
	    filterfile_last(f->file, f->layer, filter_layers(f));
}
