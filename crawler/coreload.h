/* SPDX-License-Identifier: BSD-2-Clause */

/* coreload.h - a core from its newest snapshot; for the core and --verify */

#ifndef CRAWLER_CORELOAD_H
#define CRAWLER_CORELOAD_H

#include "crawler/coreint.h"
#include "frontier/image.h"
#include "snapshot/snapfile_read.h"

/* What the newest snapshot says, and where replay has to begin. */
struct coreload {
	struct journal_pos from;
	uint64_t counted; /* records from this number on are not counted yet */
	int image;        /* 1: the frontier was loaded */
	int broken;       /* 1: it was not, and is of no use */
	int scope;        /* 1: the scope was loaded */
};

/* 1 if there was a good one, 0 if all has to be replayed, or a fault. */
must_check int coreload_snapshot(struct core *c, struct coreload *l,
    int64_t now, struct core_error *err);

/*
 * The number of the first record that the newest good snapshot in the folder
 * `dirfd' does not take for durable; 0 if there is none.
 */
uint64_t coreload_durable(int dirfd);

/*
 * Tell `fn' of the chunk files that a snapshot needs.  0 or a fault of
 * snapfile_read_next() or image_files().
 */
must_check int coreload_files(struct snapfile_read *r, image_file_fn *fn,
    void *ctx);

#endif
