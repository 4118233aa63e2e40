/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * journal_head.h - the line at the start of each batch of the journal
 *
 *	J VERSION FIRST NEXT TIME KIND
 *
 * tab-separated, and KIND is "w" as it was written, or "c" if it has been
 * compacted since.  Further fields may follow one day.
 */

#ifndef SNAPSHOT_JOURNAL_HEAD_H
#define SNAPSHOT_JOURNAL_HEAD_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"

#define JOURNAL_VERSION 1  /* major: others are refused if newer */
#define JOURNAL_HEAD    72 /* bytes: the longest head that we write */

struct journal_head {
	uint64_t first; /* number of its first record */
	uint64_t next;  /* number after its last */
	int64_t time;   /* ms, of the owner's clock, when it was sealed */
	int compacted;  /* 1 if records between may have been left out */
};

/* Write the line, newline included: its length. */
size_t journal_head_put(char to[JOURNAL_HEAD], const struct journal_head *h);

/*
 * Read the line at the start of `len' bytes: its length with the newline, or
 * FAULT_DAMAGED, FAULT_VERSION.
 */
must_check long journal_head_parse(const char *s, size_t len,
    struct journal_head *h);

#endif
