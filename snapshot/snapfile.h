/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * snapfile.h - a snapshot: named sections in one file, written in slices
 *
 * A snapshot is a file of the series in its folder (series.h), made of zstd
 * frames (frame.h).  Each frame begins with one line:
 *
 *	crawl-snapshot MAJOR MINOR NUMBER TIME	the first frame, nothing else
 *	= SECTION INDEX LENGTH			a chunk: LENGTH bytes follow
 *	. SECTIONS CHUNKS LENGTH		the last frame: the sums
 *
 * tab-separated.  INDEX counts the chunks of the whole file from 0, so one
 * that is missing or out of place is noticed.  What is in the bytes is the
 * owner's affair; text is best, as then zstdcat shows all of it.
 *
 * Order	The file is written under a temporary name, synced, renamed,
 *		the folder synced, and only then is the third newest removed:
 *		at every instant two good ones are there, once there were two.
 * Slices	The owner fills a chunk in memory; a full one goes to a helper
 *		thread, while the owner fills the next.  Where both are full,
 *		snapfile_write() takes nothing and says FAULT_FULL, and the
 *		owner goes on with its loop.  No call but snapfile_abandon()
 *		waits for the disk.
 * Dirt		The helper syncs every LIMIT_SNAP_DIRTY bytes, so that a large
 *		snapshot holds up the journal's syncs no longer than that.
 * Memory	Two chunks of LIMIT_SNAP_CHUNK and a packer.
 * Errors	Faults of fault.h; FAULT_SYS leaves errno.  A writer that had
 *		one keeps it: abandon it and try again at the next interval.
 */

#ifndef SNAPSHOT_SNAPFILE_H
#define SNAPSHOT_SNAPFILE_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"

#define SNAPFILE_VERSION 1 /* major: a newer one is refused */
#define SNAPFILE_MINOR   0
#define SNAPFILE_KEEP    2

struct snapfile;

/*
 * Begin the next snapshot in the folder `dirfd' (the caller's, kept open
 * until the end) at time `now' in ms.  FAULT_NOMEM, FAULT_SYS.
 */
must_check int snapfile_begin(struct snapfile **w, int dirfd, int64_t now);

/*
 * What is written from now on belongs to section `name' (letters, digits,
 * "._-", at most LIMIT_SNAP_NAME bytes; else FAULT_ARG).  FAULT_FULL: not
 * now.
 */
must_check int snapfile_section(struct snapfile *w, const char *name);

/*
 * Append `n' bytes to the section: all of them, in one chunk, or FAULT_FULL
 * and none.  FAULT_TOOBIG if `n' is above LIMIT_SNAP_CHUNK, FAULT_ARG without
 * a section, or the helper's fault.
 */
must_check int snapfile_write(struct snapfile *w, const void *p, size_t n);

/*
 * End the file.  Called again and again, as the others: 1 once the snapshot
 * is durable and in place, 0 while it is not yet, or the fault.  Then comes
 * snapfile_free().
 */
must_check int snapfile_commit(struct snapfile *w);

/* For poll(2): readable when the helper has ended a step. */
int snapfile_fd(const struct snapfile *w);

/*
 * Free `w' (NULL is fine).  Waits for the helper's step; a snapshot that was
 * not committed is removed.
 */
void snapfile_free(struct snapfile *w);

/*
 * Remove the snapshots in the folder `dirfd' that are newer than number
 * `good', which is the newest whole one: else a damaged one would count as
 * one of the two that are kept.  To be called while none is written.
 * FAULT_SYS.
 */
must_check int snapfile_discard(int dirfd, uint64_t good);

/* Number of the snapshot being written. */
uint64_t snapfile_number(const struct snapfile *w);

#endif
