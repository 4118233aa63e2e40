/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * coregrow.h - a larger seen set, made from the journal beside the crawl
 *
 * A filter that is full goes on with one layer upon the other, and each look
 * then asks them all.  So once there are several times as many URLs as it was
 * made for, a thread fills a larger one, DIR/seen.new, from the journal.  The
 * owner reads what is left and puts it in the other's place at a moment at
 * which it holds exactly what is durable: a bit is never set for a URL whose
 * record is not.  A kill before that leaves a file that the next start
 * removes; a fault leaves the old filter, until there are twice as many URLs.
 *
 * Private to the core.
 */

#ifndef CRAWLER_COREGROW_H
#define CRAWLER_COREGROW_H

#include <stdatomic.h>
#include <stdint.h>

#include "dedup/filter.h"

struct core;
struct helper;
struct journal_read;

#define COREGROW_NAME "seen.new" /* beside CORE_SEEN */

struct coregrow {
	uint64_t at; /* admitted URLs from which a larger one is wanted */
	struct helper *helper;
	/* the helper's while it is busy */
	char *path;
	int journal_dir;
	struct filter_spec spec;
	struct filter *fresh; /* being filled */
	struct journal_read *in;
	int rc;
	atomic_int stop;
};

/* The seen set is one made for so many keys. */
void coregrow_from(struct core *c, uint64_t capacity);

/* Do a little.  Trouble is no fault. */
void coregrow_step(struct core *c);

void coregrow_free(struct core *c);

#endif
