/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * journal_mend.h - make a journal's end clean and durable, at start
 *
 * To be called under the state directory's lock before anything is read from
 * the journal that other state is derived from.  Doing it twice does no
 * harm, and a crash within it leaves what it found or what it makes.
 */

#ifndef SNAPSHOT_JOURNAL_MEND_H
#define SNAPSHOT_JOURNAL_MEND_H

#include <stdint.h>

#include "snapshot/fault.h"

/* What was done. */
struct journal_mended {
	uint64_t segment;     /* the last one now, 0 = the journal is empty */
	uint64_t cut;         /* bytes cut off behind the last whole frame */
	unsigned int removed; /* segments without any whole frame */
	int copied;           /* 1 if the last one had to be written anew */
	char detail[128];     /* after a fault: file, offset, what */
};

/*
 * Cut the torn frame off the last segment of the journal in the folder
 * `dirfd', remove the segment if nothing is left, remove temporary files, and
 * sync what stays.  FAULT_DAMAGED if whole frames follow the bad one, or if
 * what stays does not reach up to record number `least', which is known to
 * have been durable (0: nothing is known): then nothing was cut.
 */
must_check int journal_mend(int dirfd, uint64_t least,
    struct journal_mended *m);

#endif
