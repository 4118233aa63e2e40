/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * image.h - the frontier as bytes, for a snapshot, and back
 *
 * An image is written in slices between batches, with the crawl going on.
 * It is not one moment's state: each host is whole as of the journal position
 * that it was written at, and carries it.  Replaying the journal from the
 * position at image_begin() makes it whole, because replay_push() and
 * replay_done() skip what a host already has.  For that the caller keeps one
 * rule: when it passes `pos', all records before `pos' and none after have
 * reached the frontier.
 *
 * What is in flight is written as still queued.  Queues that have spilled
 * are written as references to chunk files; these must be synced before the
 * snapshot is named (image_sync()), and are kept until the snapshots that
 * need them are gone (image_named()).
 *
 * It is text, so that zstdcat shows it: blocks of whole lines, each after its
 * length as eight hex digits on a line.  A line is words with blanks between:
 *
 *	frontier VERSION NOW	first of all
 *	m ORDINAL		a URL that is done though it is queued
 *	h ORIGIN/ NUMBER ...	a host; see put_host() in image.c
 *	r HEX			a piece of its robots rules
 *	q LANE			what follows waits in this lane
 *	c FILE OFFSET GONE	a piece of it on disk, GONE of its first ones not
 *	u ORDINAL DEPTH TRIES PATH?QUERY
 *	s ...			sums over the frontier's life
 *	f FILE SIZE URLS LEFT	a file with pieces: see spill.h
 *	end
 *
 * Lengths and numbers are checked against limits.h before anything is
 * allocated: a damaged stream is a fault.
 */

#ifndef FRONTIER_IMAGE_H
#define FRONTIER_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#include "frontier/frontier.h"

/* Take all `n' bytes (at most IMAGE_PIECE): 0; FAULT_FULL: not now, and
   nothing was taken; or a fault that stops the image. */
typedef int image_write_fn(void *ctx, const void *p, size_t n);

#define IMAGE_PIECE   (256 * 1024)
#define IMAGE_VERSION 1

/* Fill `n' bytes: 0, or a fault (FAULT_TRUNCATED at the end). */
typedef int image_read_fn(void *ctx, void *p, size_t n);

/* Start an image; one that was not finished is given up. */
void image_begin(struct frontier *f);

/*
 * Write about `max' bytes more (a host is never cut, so a little over; `max'
 * of 256 KiB takes a millisecond or two).  `pos' as above.  1: there is more
 * to do (now, or once `write' has room again), 0: the image is complete, or
 * a fault and the image is given up.
 */
must_check int image_save(struct frontier *f, image_write_fn *write, void *ctx,
    uint64_t pos, size_t max);

/*
 * Show the descriptors of the chunk files (and their folder) that must be
 * synced before the image may be relied on; call it after image_save() gave
 * 0.  `fn' may dup() them for another thread and returns below zero to stop.
 * If a sync fails call image_abort(): what it may have lost is then written
 * anew, and until that is done this is FAULT_SYS.
 */
must_check int image_sync(struct frontier *f, int (*fn)(void *ctx, int fd),
    void *ctx);

/*
 * The complete image is durable under its name, and the `keep' newest (see
 * struct frontier_opts) are all that will ever be loaded: chunk files that
 * none of them needs are deleted.
 */
void image_named(struct frontier *f);

/* Stop an image that will not be finished or not be named. */
void image_abort(struct frontier *f);

/*
 * Fill `f', just made by frontier_new() with the same directory, from an
 * image.  0, FAULT_MAGIC, FAULT_VERSION, FAULT_DAMAGED, FAULT_TRUNCATED,
 * FAULT_NOMEM, FAULT_SYS, or what `read' gave; after a fault only
 * frontier_free() may follow.
 */
must_check int image_load(struct frontier *f, image_read_fn *read, void *ctx,
    int64_t now);

/* `size' bytes of chunk file number `file' are needed.  Below zero stops. */
typedef int image_file_fn(void *ctx, uint32_t file, uint64_t size);

/*
 * Tell `fn' of the chunk files that an image needs, and load nothing.  0 or a
 * fault as above, or what `fn' gave.
 */
must_check int image_files(image_read_fn *read, void *ctx, image_file_fn *fn,
    void *fn_ctx);

/*
 * Replay, in journal order, from the position at which the image was begun
 * (or 0 without an image): the record at `pos' admitted `u' ...
 */
must_check int image_replay_push(struct frontier *f,
    const struct frontier_url *u, uint64_t pos, int64_t now);

/*
 * ... or says that it is done: `failed' 1 if no answer was good, `reason' if
 * it was dropped (FRONTIER_KEPT: it was not).  Idempotent.  The URL leaves
 * when its turn comes: until replay is over nothing may be taken.
 */
must_check int image_replay_done(struct frontier *f,
    const struct frontier_url *u, uint64_t pos, int failed,
    enum frontier_reason reason, int64_t now);

/* ... or that it was queued again: see frontier_again(). */
must_check int image_replay_again(struct frontier *f,
    const struct frontier_url *u, uint64_t pos, int64_t now);

/* Replay is over; frontier_next() calls it. */
void image_settle(struct frontier *f);

#endif
