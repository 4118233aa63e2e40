/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filterfile.c - the order in which a filter's file is written
 *
 * create	temporary file (nameless where the system can), lock, allocate
 *		all of it, header (unclean), fsync, link into place: whoever
 *		opens the path finds a whole file, and finds it locked.
 * change	header (unclean, this boot), fdatasync, then the first bit.
 * grow		allocate, fsync, then the header that names the layer.
 * close	msync data, sums, fdatasync, header (clean), fsync, and the
 *		clean header once more into the other copy; of processes that
 *		share the file, the last one does it (filtershare.c).
 *
 * A header always replaces the older of two copies, so a valid one is there
 * at any time.  A kill can't tear a copy (it lies within a page of the page
 * cache); only a power cut can, and that means another boot.  One bad copy
 * in a file that this boot wrote is therefore damage, and refused.
 *
 * The counts of keys and bits are also kept in a mapped page of their own
 * behind the header: they survive a kill without a system call a batch.
 * They have no sum; who reads them compares them with a sample of the bits.
 */

#include "config.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dedup/filterdisk.h"
#include "snapshot/boot.h"
#include "snapshot/file.h"
#include "snapshot/lock.h"

#define REOPEN 16 /* times that a path may change under us */
#define REREAD 10 /* times that a header may change under us */

/* Read and check the header of f->fd. */
static int
load_head(struct filterfile *f)
{
	static const struct timespec ms = { 0, 1000000 };
	unsigned char page[FILTERHEAD_SIZE];
	unsigned int tries;
	struct stat st;
	long got;
	int rc = FAULT_DAMAGED;

	for (tries = 0; tries < REREAD; tries++) {
		if (fstat(f->fd, &st) != 0)
			return FAULT_SYS;
		if (!S_ISREG(st.st_mode))
			return FAULT_MAGIC;
		got = file_read(f->fd, page, sizeof page, 0);
		if (got < 0)
			return FAULT_SYS;
		rc = filterhead_decode(&f->head, page, (size_t)got,
		    (uint64_t)st.st_size);
		if (rc < 0)
			break;
		f->other_boot = boot_differs(f->head.boot);
		if (!f->head.torn || f->other_boot || f->flags & FILTER_REPAIR)
			return 0;
		/* Without a lock we may have met a writer: look again. */
		rc = FAULT_DAMAGED;
		if (!filterdisk_read_only(f))
			break;
		(void)nanosleep(&ms, NULL);
	}
	return rc;
}

/* Open for reading, locked if the kind needs it. */
static int
open_shared(struct filterfile *f, const char *path)
{
	const struct layer_kind *kind;
	unsigned int how = LOCK_SHARED;
	int rc;

	f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (f->fd < 0)
		return FAULT_SYS;
	rc = load_head(f);
	if (rc < 0)
		return rc;
	kind = layer_kind(f->head.spec.kind);
	if (kind != NULL && kind->grow_only)
		return 0;
	if (f->flags & FILTER_WAIT)
		how |= LOCK_WAIT;
	rc = lock_take(f->fd, how);
	return rc < 0 ? rc : load_head(f);
}

/* We have the lock.  Among others we may read once it is our turn. */
static int
start(struct filterfile *f)
{
	const struct layer_kind *kind;
	int rc;

	if (!(f->flags & FILTER_SHARED))
		return load_head(f);
	f->share.fd = f->fd;
	rc = share_take(&f->share,
	    f->flags & FILTER_WAIT ? -1 : LIMIT_SHARE_OPEN_MS);
	if (rc == 0)
		rc = load_head(f);
	if (rc < 0)
		return rc;
	kind = layer_kind(f->head.spec.kind);
	if (kind != NULL && !kind->grow_only)
		return FAULT_MISMATCH;
	f->others = !share_alone(&f->share);
	f->marked = f->others && !f->head.clean && !f->other_boot;
	rc = filterdisk_fill(f->fd, FILTERFILE_LIVE);
	return rc < 0 ? rc : share_join(&f->share);
}

/*
 * Open for writing, alone or among those that share it, the file that the
 * path names once we have it.
 */
static int
open_locked(struct filterfile *f, const char *path)
{
	unsigned int i, how = f->flags & FILTER_SHARED ? LOCK_SHARED : 0;
	int rc;

	if (f->flags & FILTER_WAIT)
		how |= LOCK_WAIT;
	for (i = 0; i < REOPEN; i++) {
		f->fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		if (f->fd < 0)
			return FAULT_SYS;
		rc = lock_take(f->fd, how);
		if (rc < 0)
			return rc;
		if (lock_names(f->fd, path))
			return start(f);
		(void)close(f->fd);
		f->fd = -1;
	}
	return FAULT_LOCKED;
}

static int
map_all(struct filterfile *f, struct layer *layer)
{
	enum layer_dirt dirt = f->head.clean ? LAYER_SUMMED : LAYER_DIRTY;
	unsigned int i;
	int rc = filterdisk_map_live(f);

	for (i = 0; i < f->head.layers && rc == 0; i++) {
		filterdisk_take(&layer[i], &f->head.layer[i]);
		rc = filterdisk_map(f, &layer[i], dirt);
	}
	return rc;
}

int
filterfile_open(struct filterfile **f, const char *path, struct layer *layer,
    unsigned int flags)
{
	struct filterfile *n = filterdisk_new(flags);
	const struct layer_kind *kind;
	int rc, saved;

	if (n == NULL)
		return FAULT_NOMEM;
	rc = filterdisk_read_only(n) ? open_shared(n, path) :
				       open_locked(n, path);
	if (rc < 0)
		goto out;
	kind = layer_kind(n->head.spec.kind);
	rc = FAULT_VERSION;
	if (kind == NULL)
		goto out;
	rc = FAULT_UNCLEAN;
	if (!n->head.clean && !kind->grow_only && n->other_boot &&
	    !(flags & (FILTER_REPAIR | FILTER_LOOK)))
		goto out;
	rc = map_all(n, layer);
	if (rc < 0)
		goto out;
	*f = n;
	n = NULL;
out:
	saved = errno;
	filterfile_free(n);
	errno = saved;
	return rc;
}

int
filterfile_grow(struct filterfile *f, const struct layer *all, unsigned int n,
    struct layer *l)
{
	struct filterhead_layer *last = &f->head.layer[n - 1];
	uint64_t old = filterhead_end(last), at;
	int rc, saved;

	at = (old + LAYER_ALIGN - 1) / LAYER_ALIGN * LAYER_ALIGN;
	filterdisk_enter(&last[1], l, at);
	rc = filterfile_mark(f);
	if (rc == 0)
		rc = filterdisk_allocate(f->fd, old, filterhead_end(&last[1]));
	if (rc == 0)
		rc = filterdisk_map(f, l, LAYER_FRESH);
	if (rc == 0 && fsync(f->fd) != 0) {
		f->broken = 1;
		rc = FAULT_SYS;
	}
	if (rc < 0) {
		saved = errno;
		(void)!ftruncate(f->fd, (off_t)old);
		errno = saved;
		return rc;
	}
	filterdisk_counts(f, all, n);
	f->head.layers = n + 1;
	f->head.generation++;
	rc = filterdisk_head(f);
	if (rc < 0)
		f->head.layers = n;
	return rc;
}

int
filterfile_mark(struct filterfile *f)
{
	int rc;

	if (f->marked)
		return 0;
	rc = filterdisk_fill(f->fd,
	    filterhead_end(&f->head.layer[f->head.layers - 1]));
	if (rc < 0)
		return rc;
	f->head.clean = 0;
	boot_id(f->head.boot);
	rc = filterdisk_head(f);
	if (rc == 0 && fdatasync(f->fd) != 0)
		rc = FAULT_SYS;
	f->marked = rc == 0;
	return rc;
}

void
filterfile_count(struct filterfile *f, const struct layer *all, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		layer_store(f->live + 2 * i, all[i].count);
		layer_store(f->live + 2 * i + 1, all[i].ones);
	}
}

int
filterfile_counted(const struct filterfile *f, unsigned int i, uint64_t *count,
    uint64_t *ones)
{
	*count = layer_load(f->live + 2 * i);
	*ones = layer_load(f->live + 2 * i + 1);
	return *count <= INT64_MAX;
}

int
filterfile_sync(struct filterfile *f, const struct layer *all, unsigned int n)
{
	int rc;

	if (filterdisk_read_only(f) || !f->marked)
		return 0;
	if (f->broken) {
		errno = EIO;
		return FAULT_SYS;
	}
	rc = filterdisk_write_back(f, all, n);
	if (rc < 0)
		return rc;
	filterdisk_counts(f, all, n);
	rc = filterdisk_head(f);
	if (rc == 0 && fdatasync(f->fd) != 0)
		rc = FAULT_SYS;
	f->broken = rc < 0;
	return rc;
}

void
filterfile_free(struct filterfile *f)
{
	if (f == NULL)
		return;
	if (f->map != NULL)
		(void)munmap(f->map, FILTERFILE_LIVE);
	file_close(f->fd);
	if (f->temp != NULL)
		(void)unlink(f->temp);
	free(f->temp);
	free(f);
}
