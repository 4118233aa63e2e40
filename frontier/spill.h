/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * spill.h - the files that queues are spilled to
 *
 * A folder of numbered files of zstd frames (series.h, frame.h), each frame a
 * chunk (chunk.h).  They are only ever appended to, and a process starts new
 * ones: what an image refers to stays as it is.
 *
 * A piece (a queue's part of a chunk) is live until its queue has no more use
 * for it.  A file without live pieces is deleted once no image needs it that
 * may still be loaded: those are the `keep' newest named ones and the one
 * being written.  When less than half of all URLs are in live pieces, the
 * file with the fewest is compacted, that is, its owner moves what is live to
 * the open chunk (spill_worst()).
 *
 * Order	A piece's place is known before its chunk is written, so it can
 *		be referred to at once; until then it is read from memory.
 *		spill_flush() writes, spill_sync() shows what must be synced
 *		before an image may be relied on.
 * Memory	The open chunk, one that was read, a packer, 64 bytes a file.
 * Errors	FAULT_SYS: nothing has changed, try again.  FAULT_DAMAGED,
 *		FAULT_TRUNCATED: a chunk can't be read back.
 */

#ifndef FRONTIER_SPILL_H
#define FRONTIER_SPILL_H

#include <stddef.h>
#include <stdint.h>

#include "frontier/chunk.h"
#include "frontier/refs.h"

struct spill;

/*
 * Spill to the folder `dirfd' (stays the caller's), in files of `most' bytes
 * or a little more (within limits).  What is there already is left alone.
 * `readonly': nothing may be written.  FAULT_NOMEM, FAULT_SYS.
 */
must_check int spill_new(struct spill **s, int dirfd, uint64_t most,
    int readonly, unsigned int keep);
void spill_free(struct spill *s);

/* Delete all files of the folder: nothing refers to them. */
must_check int spill_fresh(struct spill *s);

/*
 * The chunk to add a piece to, once it has room, and the place of what is
 * added to it: *at.  Writes the one before if that is full.  FAULT_SYS,
 * FAULT_NOMEM, FAULT_FULL at the last file number.
 */
must_check int spill_open(struct spill *s, struct chunk **c, struct ref *at);

/* A piece of `urls' URLs was added there. */
void spill_added(struct spill *s, uint32_t urls);

/* Write the open chunk. */
must_check int spill_flush(struct spill *s);

/*
 * The piece of `o' in the chunk at `r': its lines, the first line's place in
 * *head; good until the next call of any function here.
 */
must_check int spill_read(struct spill *s, struct ref r, struct chunk_owner o,
    struct chunk_lines *piece, const char **head);

/* A piece of `urls' URLs at `r' is not needed any more. */
void spill_drop(struct spill *s, struct ref r, uint32_t urls);

/*
 * A file that should be compacted: its number, 0 if there is none.  Then
 * spill_scan() shows its chunks one after the other, from offset 0 on: 1 and
 * the next offset, 0 at the end.
 */
uint32_t spill_worst(const struct spill *s);
must_check int spill_scan(struct spill *s, uint32_t file, uint64_t *offset,
    struct ref *at, struct chunk_lines *all);

/* An image is begun; it is named; it will not be. */
void spill_begin(struct spill *s);
void spill_named(struct spill *s);
void spill_abort(struct spill *s);

/* See image_sync(). */
must_check int spill_sync(struct spill *s, int (*fn)(void *ctx, int fd),
    void *ctx);

/* What an image tells of a file. */
struct spill_told {
	uint32_t file;
	uint32_t urls; /* that were ever in it */
	uint32_t left; /* of these, in live pieces */
	uint64_t size; /* bytes */
};

/* Each file with live pieces; `fn' returns below zero to stop. */
must_check int spill_files(struct spill *s,
    int (*fn)(void *ctx, const struct spill_told *t), void *ctx);

/*
 * While an image is loaded: a piece at `r' is live.  FAULT_DAMAGED if there
 * is no such file, or it is too short.  After all pieces of a file comes what
 * is told of it.
 */
must_check int spill_adopt(struct spill *s, struct ref r);
must_check int spill_loaded(struct spill *s, const struct spill_told *t);

/* All of them are known now.  Other files in the folder are kept for as long
   as if an image of now had named them. */
void spill_settle(struct spill *s);

/* Bytes on disk, and of memory. */
uint64_t spill_disk(const struct spill *s);
uint64_t spill_memory(const struct spill *s);

/* Chunks written so far: a clock for those who do something for each. */
uint64_t spill_chunks(const struct spill *s);

#endif
