/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * journal_read.h - the records of a journal, each once, from any place on
 *
 * Reading changes nothing, so it serves replay at start, `--export' of a
 * crawl that is running, and `--verify'.  The end of the journal is the last
 * whole frame of the last segment; what lies behind it (a torn frame, or one
 * that is being written) is counted in journal_read_torn().
 *
 * Memory	That of a frame_reader: some 16 MiB at most.
 * Threads	One reader per thread; any number beside the writer.
 * Errors	FAULT_DAMAGED where a hole would be, FAULT_VERSION, FAULT_NOMEM,
 *		FAULT_SYS; journal_read_detail() has file and offset.
 */

#ifndef SNAPSHOT_JOURNAL_READ_H
#define SNAPSHOT_JOURNAL_READ_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"
#include "snapshot/journal.h"
#include "snapshot/journal_head.h"
#include "snapshot/record.h"

struct journal_read;

/*
 * Read the journal in the folder `dirfd' (the caller's, kept open) from
 * `from' on; NULL is the beginning.  `*r' is set whatever is returned but
 * FAULT_NOMEM, for journal_read_detail().
 */
must_check int journal_read_open(struct journal_read **r, int dirfd,
    const struct journal_pos *from);

/* `r' may be NULL. */
void journal_read_close(struct journal_read *r);

/*
 * The next record: 1, or 0 at the end (a later call looks again, for a
 * journal that grows).  Letters that we don't know are skipped.  `rec' points
 * into `r' until the next call; `seq', if not NULL, gets its number (in a
 * compacted segment: that of its batch).
 */
must_check int journal_read_next(struct journal_read *r, struct record *rec,
    uint64_t *seq);

/*
 * The next batch as bytes, lines with their newlines, records that were had
 * before left out: 1, or 0 at the end.  Not to be mixed with
 * journal_read_next().
 */
must_check int journal_read_batch(struct journal_read *r,
    struct journal_head *head, char **lines, size_t *len);

/* Where the next record is: at the end, where the writer goes on. */
struct journal_pos journal_read_end(const struct journal_read *r);

/* The batch that the last record came from. */
struct journal_head journal_read_head(const struct journal_read *r);

/* Bytes behind the end that are no whole frame; 0 if the end is clean. */
uint64_t journal_read_torn(const struct journal_read *r);

/*
 * File, offset and what is wrong, after a fault; also after 0 if the end is
 * torn.  Else "".
 */
const char *journal_read_detail(const struct journal_read *r);

#endif
