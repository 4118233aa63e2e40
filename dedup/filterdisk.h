/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filterdisk.h - the steps that making, growing and closing a file consist of
 *
 * Only the files of dedup/filterfile include this.  Errors are those of
 * filterfile.h.
 */

#ifndef DEDUP_FILTERDISK_H
#define DEDUP_FILTERDISK_H

#include "dedup/filterfile.h"

/* A file that is not open yet, or NULL. */
struct filterfile *filterdisk_new(unsigned int flags);

/* 1 if the file may not be written. */
int filterdisk_read_only(const struct filterfile *f);

/* Allocate, so that no store into a mapping can fail later. */
must_check int filterdisk_allocate(int fd, uint64_t from, uint64_t to);

/*
 * Fill holes up to `end' that a copying program may have left.  Systems that
 * can't say have none or emulate it by writing, which is not safe here.
 */
must_check int filterdisk_fill(int fd, uint64_t end);

/* Map the header's page and that of the counts. */
must_check int filterdisk_map_live(struct filterfile *f);

/* What the header says of a layer. */
void filterdisk_take(struct layer *l, const struct filterhead_layer *h);

/* Map the layer at l->offset; its length was checked or allocated. */
must_check int filterdisk_map(const struct filterfile *f, struct layer *l,
    enum layer_dirt dirt);

/* Enter `l', whose shape is set, into the layer table at `offset'. */
void filterdisk_enter(struct filterhead_layer *h, struct layer *l,
    uint64_t offset);

/* Take the counts of the layers over into the header. */
void filterdisk_counts(struct filterfile *f, const struct layer *all,
    unsigned int n);

/* Put the header into the copy that is not the current one. */
must_check int filterdisk_head(struct filterfile *f);

/* Data and counts to the medium. */
must_check int filterdisk_write_back(struct filterfile *f,
    const struct layer *all, unsigned int n);

#endif
