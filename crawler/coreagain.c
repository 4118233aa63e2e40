/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * coreagain.c - what had failed, once more
 *
 * One pass over the journal finds how each URL ended, two bits for each (what
 * a pattern kept out that is not there any more goes with what failed); a
 * second one meets their admissions, which have all that a queue needs.  Each
 * gets a record, so that a crash leaves it either failed or waiting.
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "crawler/coreagain.h"
#include "crawler/coredoor.h"
#include "crawler/corereplay.h"
#include "crawler/ordinals.h"
#include "snapshot/journal_read.h"
#include "snapshot/limits.h"

#define WAS_FAILED  "failed"
#define WAS_DROPPED "dropped"

struct core_again {
	struct core *c;
	struct ordinals failed, dropped;
	struct journal_read *j;
	struct record r; /* of the journal, while `held' */
	int held;        /* there was no room for it */
};

int
coreagain_failed(const struct record *r)
{
	static const enum frontier_reason reason[] = {
		FRONTIER_DEAD,
		FRONTIER_NO_ADDRESS,
		FRONTIER_NO_ROBOTS,
	};
	const char *name;
	size_t i;

	if (r->type != RECORD_DROPPED)
		return r->type == RECORD_FAILED;
	for (i = 0; i < sizeof reason / sizeof reason[0]; i++) {
		name = frontier_reason_str(reason[i]);
		if (strlen(name) == r->word.len &&
		    memcmp(name, r->word.s, r->word.len) == 0)
			return 1;
	}
	return 0;
}

void
coreagain_count(struct core *c, const struct record *r)
{
	uint64_t *n = &c->count.dropped;

	if (r->word.len == strlen(WAS_FAILED) &&
	    memcmp(r->word.s, WAS_FAILED, r->word.len) == 0)
		n = &c->count.failed;
	if (*n > 0)
		--*n;
}

/* Left out since a pattern did not want it then. */
static int
excluded(const struct record *r)
{
	const char *name = frontier_reason_str(FRONTIER_EXCLUDED);

	return r->type == RECORD_DROPPED && strlen(name) == r->word.len &&
	    memcmp(name, r->word.s, r->word.len) == 0;
}

/* How its URL ended, as far as the journal was read. */
static int
note(struct core_again *a, const struct record *r)
{
	int failed = coreagain_failed(r) || excluded(r), rc = 0;

	switch (r->type) {
	case RECORD_FOLDED:
		return 0; /* done; what it was before is not looked at */
	case RECORD_DONE:
	case RECORD_FAILED:
	case RECORD_DROPPED:
	case RECORD_AGAIN:
		rc = ordinals_put(&a->failed, r->ordinal,
		    failed && r->type == RECORD_FAILED);
		if (rc == 0)
			rc = ordinals_put(&a->dropped, r->ordinal,
			    failed && r->type == RECORD_DROPPED);
		return rc;
	default:
		return 0;
	}
}

static int
find(struct core_again *a)
{
	struct journal_read *j = NULL;
	struct record r;
	int rc = journal_read_open(&j, a->c->journal_dir, NULL);

	while (rc >= 0) {
		rc = journal_read_next(j, &r, NULL);
		if (rc <= 0)
			break;
		rc = note(a, &r);
	}
	journal_read_close(j);
	return rc;
}

int
core_again_open(struct core_again **out, struct core *c)
{
	struct core_again *a = calloc(1, sizeof *a);
	int rc;

	if (a == NULL)
		return FAULT_NOMEM;
	a->c = c;
	rc = find(a);
	if (rc == 0)
		rc = journal_read_open(&a->j, c->journal_dir, NULL);
	if (rc < 0) {
		core_again_close(a);
		return rc;
	}
	*out = a;
	return 0;
}

void
core_again_close(struct core_again *a)
{
	if (a == NULL)
		return;
	journal_read_close(a->j);
	ordinals_free(&a->failed);
	ordinals_free(&a->dropped);
	free(a);
}

/* The next admission of one that failed: as journal_read_next(). */
static int
seek(struct core_again *a)
{
	int rc;

	for (;;) {
		rc = journal_read_next(a->j, &a->r, NULL);
		if (rc <= 0)
			return rc;
		if (a->r.type == RECORD_ADMITTED &&
		    (ordinals_has(&a->failed, a->r.ordinal) ||
			ordinals_has(&a->dropped, a->r.ordinal)))
			return 1;
	}
}

/* Queue it, then say so: the first may fail, and then nothing was said.  1, 0
   if it is not wanted, or a fault. */
static int
put(struct core_again *a, int64_t now)
{
	struct record r = a->r;
	struct frontier_url u;
	const char *was =
	    ordinals_has(&a->failed, r.ordinal) ? WAS_FAILED : WAS_DROPPED;
	int rc = corereplay_url(&r, &u);

	if (rc < 0 || !core_wanted(a->c, u.url))
		return rc;
	if (journal_room(a->c->journal) < LIMIT_RECORD)
		return FAULT_FULL;
	u.depth = corereplay_word(&r);
	u.lane = (uint8_t)(r.lane < FRONTIER_LANES ? r.lane : 1);
	rc = frontier_again(a->c->frontier, &u, now);
	if (rc < 0)
		return rc;
	r.type = RECORD_AGAIN;
	r.word.s = was;
	r.word.len = strlen(was);
	rc = coredoor_record(a->c, &r, now);
	if (rc < 0)
		return rc;
	coreagain_count(a->c, &r);
	return 1;
}

int
core_again_next(struct core_again *a, int64_t now)
{
	int rc;

	for (;;) {
		rc = a->held ? 1 : seek(a);
		if (rc <= 0)
			return rc;
		rc = put(a, now);
		a->held = rc == FAULT_FULL;
		if (rc != 0)
			return rc;
	}
}
