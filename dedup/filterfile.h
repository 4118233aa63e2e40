/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filterfile.h - a filter's layers in a mapped file
 *
 * Invariant	At any moment the file's header names only layers that are
 *		allocated and on the medium, and while it says "clean" no
 *		byte of theirs has changed since their sums were written.
 * Memory	A layer is mapped, never read whole but for its sums.
 * Threads	One at a time per file.
 * Errors	Faults of fault.h; FAULT_SYS leaves errno.
 */

#ifndef DEDUP_FILTERFILE_H
#define DEDUP_FILTERFILE_H

#include <stdatomic.h>

#include "dedup/filterhead.h"
#include "dedup/layer.h"
#include "dedup/share.h"

#define FILTERFILE_LIVE 8192 /* bytes: header and running counts */

struct filterfile {
	int fd;
	unsigned int flags; /* enum filter_flag */
	int marked;         /* the file says that it is not clean */
	int broken;         /* a sync failed: never say that it is clean */
	int other_boot;     /* last written before this boot */
	struct filterhead head;
	_Atomic uint64_t *live; /* counts that survive a kill, or NULL */
	struct share share;     /* turns with other processes */
	int others;             /* there were some when we joined */
	void *map;
	char *temp; /* the name it has until filterfile_name(), or NULL */
};

/*
 * Make `path' with one layer `l' whose shape, rate and capacity are set, and
 * map that.  FAULT_SYS with EEXIST if the path is taken.  With FILTER_UNNAMED
 * it gets its name from filterfile_name(), or else goes when it is freed.
 */
must_check int filterfile_create(struct filterfile **f, const char *path,
    const struct filter_spec *spec, struct layer *l, unsigned int flags);

/*
 * Give it the name `path'; with `replace' the file that has it now loses it,
 * else FAULT_SYS with EEXIST.
 */
must_check int filterfile_name(struct filterfile *f, const char *path,
    int replace);

/* Open, lock and check `path'; map its layers into layer[LIMIT_LAYERS]. */
must_check int filterfile_open(struct filterfile **f, const char *path,
    struct layer *layer, unsigned int flags);

/*
 * In our turn: take over what other processes did to the header and the
 * counts, and map what they added to the `*n' layers.
 */
must_check int filterfile_refresh(struct filterfile *f, struct layer *layer,
    unsigned int *n);

/* In our turn, at the end: 1 if we are the last, and must finish the file. */
int filterfile_last(struct filterfile *f, struct layer *all, unsigned int n);

/* Add the layer `l' (as for filterfile_create()) behind `n' others. */
must_check int filterfile_grow(struct filterfile *f, const struct layer *all,
    unsigned int n, struct layer *l);

/* Call before a byte changes.  A plain comparison once it has been done. */
must_check int filterfile_mark(struct filterfile *f);

/* Let the counts of these layers survive a kill. */
void filterfile_count(struct filterfile *f, const struct layer *all,
    unsigned int n);

/* The counts that did: 0 if there are none. */
int filterfile_counted(const struct filterfile *f, unsigned int i,
    uint64_t *count, uint64_t *ones);

/* Write all of it to the medium, unclean. */
must_check int filterfile_sync(struct filterfile *f, const struct layer *all,
    unsigned int n);

/* Write data and sums, and then the clean mark. */
must_check int filterfile_finish(struct filterfile *f, const struct layer *all,
    unsigned int n);

/* Of `n' layers: 0, FAULT_DAMAGED with the first bad MiB of the file,
   FAULT_SYS, FAULT_NOMEM.  It reads once, in order, a MiB at a time. */
must_check int filterfile_verify(const struct filterfile *f, unsigned int n,
    uint64_t *where);

/* Close and free; layers are the caller's to unmap. */
void filterfile_free(struct filterfile *f);

#endif
