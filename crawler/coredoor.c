/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * coredoor.c - the one door for URLs
 *
 * They come in batches, normalised and hashed.  A batch is looked up in the
 * seen set at once (its lines of memory are asked for together); what is
 * left, a few of a page's links, is judged one by one.  Who passes is put in
 * the frontier, in the journal and among the keys that wait until that record
 * is durable, in this order: the first may fail and be tried again, the other
 * two can't, as their room was made sure of.
 */

#include "config.h"

#include <assert.h>
#include <string.h>

#include "crawler/coredoor.h"

/* bytes of a record beside its URL */
#define RECORD_ROOM 160

int
coredoor_record(struct core *c, struct record *r, int64_t now)
{
	uint64_t seq;
	int rc = journal_append(c->journal, now, r, &seq);

	assert(rc != FAULT_FULL);
	return rc;
}

/* 1 if records about `u' fit into the journal now. */
static int
room(const struct core *c, const struct coredoor *u)
{
	return journal_room(c->journal) >= 2 * (u->url.len + RECORD_ROOM) &&
	    gate_room(c->gate) > 0;
}

int
coredoor_scope(struct core *c, const struct coredoor *u, const char *why,
    int64_t now)
{
	struct record r = { 0 };
	int rc;

	if (!room(c, u))
		return FAULT_FULL;
	rc = scope_seed(c->scope, u->url, &u->parts);
	if (rc <= 0)
		return rc;
	r.type = RECORD_SCOPE;
	r.ordinal = c->count.admitted;
	r.url.s = u->url.s;
	r.url.len = u->url.len;
	r.word.s = why;
	r.word.len = strlen(why);
	return coredoor_record(c, &r, now);
}

/* 1 if scope and traps let `u' pass, in the lane that it then has. */
static int
passes(struct core *c, struct coredoor *u)
{
	enum scope_verdict in;
	enum trap_verdict trap;

	in = scope_check(c->scope, c->scratch, u->url, &u->parts);
	c->count.scope[in]++;
	if (in != SCOPE_IN)
		return 0;
	trap = trap_check(&c->trap_opts, u->url, &u->parts);
	if (trap == TRAP_NONE)
		trap = trap_count(c->trap, u->url, &u->parts,
		    u->word & COREWORD_DEPTH);
	c->count.trap[trap]++;
	if (trap_refused(trap)) {
		struct frontier_url f = { .url = u->url, .parts = u->parts };

		frontier_refused(c->frontier, &f);
		return 0;
	}
	if (trap != TRAP_NONE)
		u->lane = 2;
	return 1;
}

static int
push(struct core *c, const struct coredoor *u, int64_t now)
{
	struct frontier_url f;

	memset(&f, 0, sizeof f);
	f.url = u->url;
	f.parts = u->parts;
	f.ordinal = c->count.admitted;
	f.depth = u->word;
	f.lane = u->lane;
	f.revive = u->revive;
	return frontier_push(c->frontier, &f, now);
}

/* The record of `u', and its key among those that wait for it. */
static int
remember(struct core *c, const struct coredoor *u, int64_t now)
{
	struct record r = { 0 };
	int rc;

	r.type = RECORD_ADMITTED;
	r.ordinal = c->count.admitted;
	r.url.s = u->url.s;
	r.url.len = u->url.len;
	r.depth = u->word & COREWORD_DEPTH;
	r.lane = u->lane;
	r.flags = u->flags;
	rc = coredoor_record(c, &r, now);
	if (rc < 0)
		return rc;
	c->count.admitted++;
	rc = gate_admit(c->gate, u->key, gate_now(c->gate),
	    journal_next(c->journal));
	return rc < 0 ? rc : 0;
}

/* `u', which is not in the seen set: 0, FAULT_FULL or a fault. */
static int
take_one(struct core *c, const struct coredoor *u, int64_t now)
{
	struct coredoor v = *u;
	int rc;

	if (!room(c, u))
		return FAULT_FULL;
	if (gate_has(c->gate, u->key)) {
		c->count.refused[CORE_SEEN_BEFORE]++;
		return 0;
	}
	if (!passes(c, &v))
		return 0;
	rc = push(c, &v, now);
	if (rc == FAULT_ARG || rc == FAULT_FULL) {
		/* No URL of a kind that it can hold; too many hosts. */
		c->count.refused[CORE_NOT_A_URL]++;
		return 0;
	}
	if (rc < 0)
		return core_pause(c, COREPAUSE_FRONTIER, rc, now) < 0 ?
		    rc :
		    FAULT_FULL;
	return remember(c, &v, now);
}

int
coredoor_take(struct core *c, const struct coredoor *u, size_t n, int64_t now)
{
	struct urlkey key[GATE_BATCH];
	uint8_t seen[GATE_BATCH];
	size_t i;
	int rc;

	assert(n <= GATE_BATCH);
	if (n == 0)
		return 0;
	for (i = 0; i < n; i++)
		key[i] = u[i].key;
	memset(seen, 0, n);
	gate_look(c->gate, key, n, seen);
	for (i = 0; i < n; i++) {
		if (seen[i]) {
			c->count.refused[CORE_SEEN_BEFORE]++;
			continue;
		}
		rc = take_one(c, &u[i], now);
		if (rc == FAULT_FULL)
			break;
		if (rc < 0)
			return rc;
	}
	return (int)i;
}
