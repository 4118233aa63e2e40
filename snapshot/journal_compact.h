/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * journal_compact.h - old segments, made small
 *
 * A segment that lies wholly before every snapshot that is kept serves only
 * to rebuild the seen set, or everything.  It is written anew with batches
 * put together up to LIMIT_FRAME and a higher zstd level, and its done
 * records folded: the ordinals stay, as gaps of a few bits each, URL and
 * archive place go.  So even a crawl that has lost its snapshots knows what
 * was done.  Failed, dropped and other records stay as they are, and what was
 * done before a record that puts something back stays before it; otherwise
 * folded records stand behind the others of their batch.
 *
 * The new file is written beside, synced and renamed over the old one, and
 * covers the same record numbers, so a reader with the old file open, and a
 * crash, find one or the other.  A position inside of the segment that
 * somebody kept is worth nothing afterwards: hence "before every snapshot".
 *
 * Memory	That of a reader, a packer of LIMIT_FRAME, LIMIT_FRAME of text.
 * Threads	May run in a thread of its own beside reader and writer, once
 *		per segment at a time.
 */

#ifndef SNAPSHOT_JOURNAL_COMPACT_H
#define SNAPSHOT_JOURNAL_COMPACT_H

#include <stdint.h>

#include "snapshot/fault.h"

struct journal_compact {
	int level;               /* of zstd, 1 to 22; 0 = 9 */
	int (*stop)(void *);     /* asked per batch; not 0 = give up; or NULL */
	void *stop_arg;          /* handed to `stop' */
	uint64_t bytes_before;   /* result: the segment's size */
	uint64_t bytes_after;    /* result */
	uint64_t records_before; /* result: lines without J */
	uint64_t records_after;  /* result */
	char detail[128];        /* after a fault: file, offset, what */
};

/*
 * Compact segment number `segment' of the folder `dirfd'.  1 if it was done,
 * 0 if it was compacted before or `stop' said so.  FAULT_ARG if it is the
 * last segment, which the writer may have open.  After any fault the segment
 * is as it was.
 */
must_check int journal_compact_segment(int dirfd, uint64_t segment,
    struct journal_compact *c);

#endif
