/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * archivedict.h - the zstd dictionary of one worker's archive
 *
 * Private to archive.c, which says when what happens.  Pages of a crawl are
 * alike, and each is a frame of its own: a dictionary gives the frames what
 * they have in common.  It is trained on what the worker archives first, and
 * never changes.
 *
 * A sample is the beginning of a response's record and the request's record
 * behind it.  Of the first `records' of them LIMIT_DICT_SAMPLES are kept, each
 * with the same chance, so that they are not all of the host that came first.
 *
 * Memory	LIMIT_DICT_SAMPLES times LIMIT_DICT_SAMPLE bytes until it is
 *		trained, touched as they fill; then LIMIT_DICT.
 * Threads	archivedict_take() and archivedict_taken() in one thread,
 *		archivedict_train() in one other, archivedict_get() in any.
 */

#ifndef CRAWLER_ARCHIVEDICT_H
#define CRAWLER_ARCHIVEDICT_H

#include <stddef.h>

#include "snapshot/fault.h"

struct archivedict;

/* `records': how many to draw samples from; 0 = LIMIT_DICT_RECORDS. */
must_check int archivedict_new(struct archivedict **d, unsigned int records);

/* `d' may be NULL. */
void archivedict_free(struct archivedict *d);

/*
 * Begin a sample with up to `len' bytes of a response's record, then give it
 * the request's.  It counts once archivedict_taken() says that both are
 * archived; without that the next one takes its place.  `d' may be NULL.
 */
void archivedict_response(struct archivedict *d, const void *s, size_t len);
void archivedict_request(struct archivedict *d, const void *s, size_t len);
void archivedict_taken(struct archivedict *d);

/* 1 if all samples are there and archivedict_train() has not been called. */
int archivedict_due(const struct archivedict *d);

/*
 * Make the dictionary: some 0.15 s of CPU.  Samples too unlike each other, or
 * too few bytes of them, make none: then there never is one.
 */
void archivedict_train(struct archivedict *d);

/* The dictionary, or NULL if there is none (yet).  `d' may be NULL. */
const void *archivedict_get(const struct archivedict *d, size_t *len);

#endif
