/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * segment.h - the end of the journal, as the helper thread sees it
 *
 * Makes one batch after the other durable, in one segment after the other.
 * What is done about failed writes and syncs stands in journal.h.
 *
 * Memory	A packer for LIMIT_BATCH.
 * Threads	One at a time: the helper while a job runs, else its owner.
 * Errors	Faults of fault.h; FAULT_SYS leaves errno.
 */

#ifndef SNAPSHOT_SEGMENT_H
#define SNAPSHOT_SEGMENT_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"

struct segment;

/*
 * Go on in segment `number' of the folder `dirfd' at offset `end', its size
 * (0 and 0: there is none yet).  A segment of `limit' bytes or more is ended.
 * `level' is zstd's.  No file is touched yet.  FAULT_ARG, FAULT_NOMEM.
 */
must_check int segment_new(struct segment **s, int dirfd, int level,
    uint64_t limit, uint64_t number, uint64_t end);

/* `s' may be NULL. */
void segment_free(struct segment *s);

/*
 * Make `n' bytes at `batch' durable behind what is there.  After a fault
 * nothing of them counts, and it can be called again with the same.
 */
must_check int segment_put(struct segment *s, const void *batch, size_t n);

/* Where the last batch that is durable ends. */
uint64_t segment_number(const struct segment *s);
uint64_t segment_end(const struct segment *s);

#endif
