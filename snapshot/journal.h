/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * journal.h - what a crawl knows, in the order in which it learnt it
 *
 * The journal is the truth; the seen set and the queues are derived from it.
 * It is a folder of segments (series.h), each a series of zstd frames
 * (frame.h), each frame a batch of records (record.h) behind one line that
 * says which: "J 1 FIRST NEXT TIME w", tab-separated.  Records are numbered
 * from 0 without holes over the life of the journal, and FIRST is the number
 * of the batch's first record, NEXT of the one after its last.  These
 * sequence numbers are what the journal itself goes by; the ordinals in the
 * records are the owner's.
 *
 * Who writes what, and when
 *
 *   owner	appends records to the open batch, in memory.  A page's links
 *		go in before its done record, and that only once the page's
 *		archive frame is durable.
 *   owner	seals the batch when it is old or large enough and the helper
 *		is idle, and opens the next one.
 *   helper	packs the batch, writes it behind the last one, fdatasync(2);
 *		behind a new segment's first batch it syncs the folder too.
 *   owner	learns of it (journal_poll()): all records numbered below
 *		journal_durable() will be there after any crash.  Only now
 *		may the seen set's bits be set and the URLs be queued.
 *
 * So there are two generations, the open batch and the one in flight, each
 * with a ceiling.  When both are full, journal_append() takes nothing and
 * says FAULT_FULL; helper_fd() (journal_fd()) wakes the owner.
 *
 * What goes wrong
 *
 *   write fails (ENOSPC, EIO, a short write): the batch stays with the
 *	helper, the segment is cut back to its last durable byte, and the
 *	owner is told by journal_poll(); journal_retry() tries again.
 *   sync fails: the kernel may have dropped the pages, so neither that
 *	descriptor nor what we wrote through it is trusted again.  We cut
 *	the batch off as well as we can (remove the segment if it was its
 *	first) and write it to a new segment, once; if that fails as well, the
 *	owner is told, as above.
 *
 * What a crash leaves, and how start mends it (journal_mend())
 *
 *   in memory		the open batch is lost.  Nothing was derived from it.
 *   in a write		a torn frame at the end of the last segment: cut off.
 *   before the sync	the frame is whole, torn or absent.  Whole, it is
 *			taken, but we don't know whether it is durable and
 *			are about to derive things from it: the last segment
 *			is synced first, and copied to a new file where that
 *			fails.
 *   in a new segment	a last segment without a whole frame: removed.
 *   after a failed sync  a damaged tail of a segment that is not the last.
 *			Its batch stands again at the start of the next
 *			segment: that one begins at the number where the
 *			damage does, so nothing is missing.
 *   in compaction	a temporary file: removed.
 *
 * A reader goes by the numbers.  It leaves out records that it has had (a
 * batch that stands twice), and reports as damage whatever would make a
 * hole: a bad frame with whole frames behind it, or a segment that begins
 * later than the one before it ends.
 *
 * Memory	Three times LIMIT_BATCH, all had at journal_open(), and what
 *		zstd takes at the first batch (some MB); appending allocates
 *		nothing.
 * Threads	One owner; the helper thread is inside (helper.h).
 * Clock	Handed in, in ms; it stands in the J lines too, so wall-clock
 *		time is best.  A clock that steps back only makes a batch
 *		leave early.
 * Errors	Faults of fault.h; FAULT_SYS leaves errno.
 */

#ifndef SNAPSHOT_JOURNAL_H
#define SNAPSHOT_JOURNAL_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"
#include "snapshot/record.h"

/* A place in the journal: all zero is its beginning. */
struct journal_pos {
	uint64_t seq;     /* number of the next record */
	uint64_t segment; /* the segment it is in, 0 = look for it */
	uint64_t offset;  /* of the frame it is in, in bytes */
};

struct journal_config {
	int dirfd;              /* the folder of the segments, the caller's */
	int level;              /* of zstd, 1 to 22; 0 = 3 */
	unsigned int sync_ms;   /* a record waits this long at most */
	size_t batch_bytes;     /* a batch of this size leaves; 0 = 1 MiB */
	uint64_t segment_bytes; /* a segment ends here; 0 = LIMIT_SEGMENT */
};

struct journal;

/*
 * Go on writing at `end', which journal_read_end() gave after journal_mend().
 * Starts the helper; touches no file yet.  FAULT_ARG for a config out of
 * range, FAULT_NOMEM, FAULT_SYS.
 */
must_check int journal_open(struct journal **j, const struct journal_config *c,
    const struct journal_pos *end);

/*
 * Write what is open and wait for it, at most `timeout' ms; then free `j',
 * whatever is returned.  0 if every record is durable, else the fault.
 */
must_check int journal_close(struct journal *j, int64_t now,
    unsigned int timeout);

/* Free `j' (NULL is fine) without writing the open batch. */
void journal_abandon(struct journal *j);

/*
 * Append `r'; its number is `*seq'.  FAULT_FULL if there is no room now: wait
 * for journal_fd() or, after a fault, for journal_retry().  FAULT_ARG and
 * FAULT_TOOBIG as record_put().  Nothing is appended on a fault.
 */
must_check int journal_append(struct journal *j, int64_t now,
    const struct record *r, uint64_t *seq);

/* Bytes of records that fit before FAULT_FULL. */
size_t journal_room(const struct journal *j);

/*
 * Take what the helper has to say and seal the open batch if it is due at
 * `now'.  Called once per turn of the owner's loop.  0, or the helper's fault
 * for as long as it lasts: errno says which (ENOSPC, EIO, ...), the batch is
 * kept, and journal_retry() has another go.
 */
must_check int journal_poll(struct journal *j, int64_t now);

/* Seal the open batch now, or as soon as the helper is idle. */
void journal_flush(struct journal *j);

/* Let the helper try again after a fault.  Nothing to do: nothing done. */
void journal_retry(struct journal *j);

/*
 * Write all that was appended and wait until it is durable, at most
 * `timeout' ms.  0, FAULT_SYS with ETIMEDOUT, or the helper's fault.
 */
must_check int journal_drain(struct journal *j, int64_t now,
    unsigned int timeout);

/*
 * All records numbered below this are durable, as of the last
 * journal_poll().  Never goes back.
 */
uint64_t journal_durable(const struct journal *j);

/* The number that the next record will have. */
uint64_t journal_next(const struct journal *j);

/*
 * Where the record numbered journal_durable() will be found: what a snapshot
 * keeps, taken when it starts.
 */
struct journal_pos journal_durable_pos(const struct journal *j);

/* When journal_poll() is due at the latest, on the owner's clock; -1 never. */
int64_t journal_deadline(const struct journal *j);

/* For poll(2): readable when the helper has something to say. */
int journal_fd(const struct journal *j);

#endif
