/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * frame.h - files that are series of small zstd frames
 *
 * Every frame stands alone (RFC 8878): its header states the size of its
 * content, at most LIMIT_FRAME bytes, and it ends with the checksum of that
 * content.  So `zstd -dc' and `zstd -t' work on the file, a reader knows its
 * memory before it decodes, and a file that was cut anywhere is good up to
 * its last whole frame.  Frames without either, skippable frames and frames
 * with a dictionary are not ours: FAULT_DAMAGED.
 *
 * Memory	A packer holds ZSTD_compressBound() of its largest content
 *		and the compressor; a reader grows to the largest frame met,
 *		at most twice LIMIT_FRAME and a little.
 * Threads	No locks, no shared state.
 */

#ifndef SNAPSHOT_FRAME_H
#define SNAPSHOT_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"

struct frame_packer;
struct frame_reader;

/*
 * A packer for contents of up to `max' bytes (at most LIMIT_FRAME) at zstd
 * level `level' (1 to 22).  FAULT_ARG, FAULT_NOMEM.
 */
must_check int frame_packer_new(struct frame_packer **p, size_t max, int level);
void frame_packer_free(struct frame_packer *p);

/*
 * Pack `n' bytes at `content' into one frame: its length, and `*frame',
 * which is good until the next call.  FAULT_TOOBIG if `n' is above `max',
 * FAULT_NOMEM.
 */
must_check long frame_pack(struct frame_packer *p, const void *content,
    size_t n, const void **frame);

must_check int frame_reader_new(struct frame_reader **r);
void frame_reader_free(struct frame_reader *r);

/* Read `fd' from byte `offset' on.  The descriptor stays the caller's. */
void frame_reader_start(struct frame_reader *r, int fd, uint64_t offset);

/*
 * Read about `n' bytes at a time from now on, where a frame needs no more:
 * for one who wants single small frames.
 */
void frame_reader_step(struct frame_reader *r, size_t n);

/*
 * Decode the next frame.  1 and its content, which the caller may change
 * and which is good until the next call and has a NUL behind it; 0 at the
 * end of the file.  FAULT_TRUNCATED if the file ends inside of a frame,
 * FAULT_DAMAGED, FAULT_TOOBIG (content), FAULT_NOMEM, FAULT_SYS.  After a
 * fault the reader stays where it is, so that a file that grows meanwhile
 * can be tried again.
 */
must_check int frame_next(struct frame_reader *r, char **content, size_t *n);

/* Offset of the frame that frame_next() gave or failed on; one past it. */
uint64_t frame_offset(const struct frame_reader *r);
uint64_t frame_end(const struct frame_reader *r);

/* A few words on what was wrong after a fault, else "". */
const char *frame_detail(const struct frame_reader *r);

/*
 * After a fault: is there a whole frame anywhere behind frame_offset() + 1?
 * 1 and where, 0 if not, FAULT_SYS, FAULT_NOMEM.  A damaged frame with whole
 * ones behind it is no torn tail.  Tries LIMIT_FRAME_TRIES places at most and
 * then says 1: who asks is about to cut, and what we have not looked at must
 * not be cut.
 */
must_check int frame_find(struct frame_reader *r, uint64_t *offset);

#endif
