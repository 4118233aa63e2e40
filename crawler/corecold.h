/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * corecold.h - old segments of the journal are made small, beside the crawl
 *
 * What lies before every snapshot that may still be loaded serves only to
 * make the seen set anew, or everything.  Whenever a snapshot is in place, a
 * thread writes such segments anew (journal_compact.h), the oldest first, so
 * that only the first ones are ever compacted.  Nothing waits for it: a full
 * disk or an end leaves the rest for the next snapshot.
 *
 * Private to the core.
 */

#ifndef CRAWLER_CORECOLD_H
#define CRAWLER_CORECOLD_H

#include <stdatomic.h>
#include <stdint.h>

struct core;
struct helper;

struct corecold {
	struct helper *helper; /* NULL: there was nothing to do yet */
	uint64_t kept;  /* where replay from the newest snapshot begins: its
	                   segment, 0 = not known */
	uint64_t below; /* the helper's: segments before this are cold */
	int dirfd;      /* the helper's */
	atomic_int stop;
};

/* The newest snapshot is a new one, whose replay begins in this segment. */
void corecold_named(struct core *c, uint64_t segment);

/* Ends the thread. */
void corecold_free(struct core *c);

#endif
