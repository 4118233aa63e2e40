/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * life.h - a life: journal, snapshots and compaction, as a crawl uses them
 *
 * It opens the state directory in the current folder, mends the journal,
 * finds out from the newest snapshot and the journal where it is, and then
 * writes records, with a snapshot every few batches and compaction of what
 * lies before the snapshots.  Whatever it relies on it tells.
 */

#ifndef TESTS_LIFE_H
#define TESTS_LIFE_H

#include <stdint.h>

#include "snapshot/journal.h"
#include "snapshot/statedir.h"

#define LIFE_BATCH 10  /* records */
#define LIFE_TOTAL 100 /* records, after which it ends */

/* Where a life is. */
struct life {
	struct statedir *state;
	int journal_dir;
	int snapshot_dir;
	struct journal *journal;
	int out;               /* where to say what is durable; -1 = nowhere */
	uint64_t found;        /* records that were there at its start */
	struct journal_pos at; /* of its last snapshot, and the one before */
	struct journal_pos before;
	unsigned int pictures; /* good snapshots that there are, 2 at most */
	uint64_t most;         /* records that it writes, 0 = up to TOTAL */
	const char *stage;
	char detail[128];
};

/* What was told: records that are durable, and good snapshots. */
#define LIFE_TOLD(records, pictures) ((records) | (uint64_t)(pictures) << 32)

/* Live, from all zero but for `out' and `most': 0, or a fault. */
int life(struct life *l);

#endif
