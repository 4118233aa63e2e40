/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * corereplay.c - the journal behind the snapshot, and its end
 *
 * Records from where the snapshot says are applied in order.  Those before
 * `counted' are in its counters already; the frontier knows for each host
 * which it has.  Keys are added to the seen set, which does no harm twice.
 *
 * Compacted segments, to which only a replay of everything comes, have of a
 * done URL no more than its number, behind its admission.  So those numbers
 * are read first, a bit each, and such a URL is done as soon as it is pushed.
 */

#include "config.h"

#include <errno.h>
#include <string.h>

#include "crawler/coreagain.h"
#include "crawler/corereplay.h"
#include "crawler/coreseen.h"
#include "crawler/ordinals.h"
#include "frontier/image.h"

struct replay {
	struct core *c;
	struct coreseen_keys keys; /* unless we only look */
	struct ordinals folded;    /* without an image */
	uint64_t counted;
	int64_t now;
};

uint32_t
corereplay_word(const struct record *rec)
{
	uint32_t word =
	    rec->depth < COREWORD_DEPTH ? rec->depth : COREWORD_DEPTH;

	if (rec->flags & RECORD_SEED)
		word |= COREWORD_SEED;
	if (rec->flags & CORE_MAP)
		word |= COREWORD_MAP;
	return word;
}

int
corereplay_url(const struct record *rec, struct frontier_url *u)
{
	memset(u, 0, sizeof *u);
	u->url.s = rec->url.s;
	u->url.len = rec->url.len;
	u->ordinal = rec->ordinal;
	return url_split(u->url, &u->parts) < 0 ? FAULT_DAMAGED : 0;
}

/* Its own record was folded: what it said beside the URL is not known. */
static int
done_before(struct replay *r, const struct frontier_url *u, uint64_t seq)
{
	r->c->count.done++;
	r->c->count.status[2]++;
	return image_replay_done(r->c->frontier, u, seq, 0, FRONTIER_KEPT,
	    r->now);
}

static int
admitted(struct replay *r, const struct record *rec, uint64_t seq)
{
	struct core *c = r->c;
	struct frontier_url u;
	int rc = corereplay_url(rec, &u);

	if (rc < 0)
		return rc;
	if (rec->ordinal >= c->count.admitted)
		c->count.admitted = rec->ordinal + 1;
	if (seq >= r->counted && (rec->flags & RECORD_SEED) &&
	    !(rec->flags & RECORD_REDIRECT))
		c->count.seeds++;
	if (!c->look) {
		rc = coreseen_put(&r->keys, rec);
		if (rc < 0)
			return rc;
	}
	u.depth = corereplay_word(rec);
	u.lane = (uint8_t)(rec->lane < FRONTIER_LANES ? rec->lane : 1);
	rc = image_replay_push(c->frontier, &u, seq, r->now);
	if (rc < 0 || !ordinals_has(&r->folded, rec->ordinal))
		return rc;
	return done_before(r, &u, seq);
}

/* A seed, or where one led. */
static int
scoped(struct core *c, const struct record *rec)
{
	struct frontier_url u;
	int rc = corereplay_url(rec, &u);

	if (rc == 0)
		rc = scope_seed(c->scope, u.url, &u.parts);
	return rc < 0 ? rc : 0;
}

static void
count_end(struct core *c, const struct record *rec)
{
	if (rec->type == RECORD_DROPPED) {
		c->count.dropped++;
		return;
	}
	core_count_status(&c->count, rec->status);
	if (rec->type == RECORD_DONE)
		c->count.done++;
	else
		c->count.failed++;
}

/* Why it was dropped; of an unknown reason, for robots' sake. */
static enum frontier_reason
reason_of(const struct record *rec)
{
	const char *name;
	int i;

	if (rec->type != RECORD_DROPPED)
		return FRONTIER_KEPT;
	for (i = FRONTIER_KEPT + 1; i < FRONTIER_REASONS; i++) {
		name = frontier_reason_str((enum frontier_reason)i);
		if (strlen(name) == rec->word.len &&
		    memcmp(name, rec->word.s, rec->word.len) == 0)
			return (enum frontier_reason)i;
	}
	return FRONTIER_DISALLOWED;
}

static int
ended(struct replay *r, const struct record *rec, uint64_t seq)
{
	struct frontier_url u;
	int rc = corereplay_url(rec, &u);

	/* how it ended in the end is known already */
	if (rc < 0 || ordinals_has(&r->folded, rec->ordinal))
		return rc;
	if (seq >= r->counted)
		count_end(r->c, rec);
	return image_replay_done(r->c->frontier, &u, seq,
	    rec->type == RECORD_FAILED, reason_of(rec), r->now);
}

/* It had failed, and was put into the queue once more. */
static int
again(struct replay *r, const struct record *rec, uint64_t seq)
{
	struct frontier_url u;
	int rc = corereplay_url(rec, &u);

	if (rc < 0 || ordinals_has(&r->folded, rec->ordinal))
		return rc;
	if (seq >= r->counted)
		coreagain_count(r->c, rec);
	u.depth = corereplay_word(rec);
	u.lane = (uint8_t)(rec->lane < FRONTIER_LANES ? rec->lane : 1);
	return image_replay_again(r->c->frontier, &u, seq, r->now);
}

static void
fact(struct replay *r, const struct record *rec, uint64_t seq)
{
	static const char seed[] = CORE_FACT_SEED;

	if (seq >= r->counted && rec->word.len == sizeof seed - 1 &&
	    memcmp(rec->word.s, seed, rec->word.len) == 0)
		r->c->count.seeds_ok++;
}

static int
apply(struct replay *r, const struct record *rec, uint64_t seq)
{
	switch (rec->type) {
	case RECORD_ADMITTED:
		return admitted(r, rec, seq);
	case RECORD_DONE:
	case RECORD_FAILED:
	case RECORD_DROPPED:
		return ended(r, rec, seq);
	case RECORD_AGAIN:
		return again(r, rec, seq);
	case RECORD_SCOPE:
		return scoped(r->c, rec);
	case RECORD_HOST:
		fact(r, rec, seq);
		return 0;
	default:
		return 0;
	}
}

/* The seeds of old, for a scope of another kind than the snapshot's. */
static int
seeds_again(struct core *c)
{
	struct journal_read *j;
	struct record rec;
	int rc = journal_read_open(&j, c->journal_dir, NULL);

	while (rc >= 0) {
		rc = journal_read_next(j, &rec, NULL);
		if (rc <= 0)
			break;
		if (rec.type == RECORD_SCOPE ||
		    (rec.type == RECORD_ADMITTED && rec.flags & RECORD_SEED))
			rc = scoped(c, &rec);
	}
	journal_read_close(j);
	return rc;
}

/* The numbers of what was folded, all of it from the journal's beginning. */
static int
read_folded(struct replay *r)
{
	struct journal_read *j;
	struct record rec;
	int rc = journal_read_open(&j, r->c->journal_dir, NULL);

	while (rc >= 0) {
		rc = journal_read_next(j, &rec, NULL);
		/* the oldest are compacted first */
		if (rc > 0 && !journal_read_head(j).compacted)
			rc = 0;
		if (rc <= 0)
			break;
		if (rec.type == RECORD_FOLDED &&
		    ordinals_fold(&r->folded, &rec) < 0)
			rc = FAULT_DAMAGED;
	}
	journal_read_close(j);
	return rc;
}

static int
replay(struct replay *r, struct journal_read *j, struct core_error *err)
{
	struct record rec;
	uint64_t seq;
	int rc;

	for (;;) {
		rc = journal_read_next(j, &rec, &seq);
		if (rc <= 0)
			break;
		rc = apply(r, &rec, seq);
		if (rc < 0)
			break;
	}
	if (rc == 0 && !r->c->look)
		rc = coreseen_flush(&r->keys);
	if (rc < 0)
		snprintf(err->text, sizeof err->text,
		    "%s/" CORE_JOURNAL ": %s%s%s%s", r->c->o.dir,
		    journal_read_detail(j),
		    journal_read_detail(j)[0] == '\0' ? "" : ": ",
		    fault_why(rc), statedir_advice(rc));
	return rc;
}

int
corereplay_run(struct core *c, const struct coreload *l, int64_t now,
    struct core_error *err)
{
	struct journal_config conf;
	struct journal_read *j = NULL;
	struct journal_pos end;
	struct replay r;
	int rc;

	memset(&r, 0, sizeof r);
	r.c = c;
	r.keys.filter = c->seen;
	r.counted = l->counted;
	r.now = now;
	rc = l->image && !l->scope ? seeds_again(c) : 0;
	if (rc == 0 && !l->image)
		rc = read_folded(&r);
	if (rc == 0)
		rc = journal_read_open(&j, c->journal_dir,
		    l->image ? &l->from : NULL);
	if (rc < 0) {
		journal_read_close(j);
		goto out;
	}
	rc = replay(&r, j, err);
	end = journal_read_end(j);
	journal_read_close(j);
	ordinals_free(&r.folded);
	if (rc < 0 || c->look)
		return rc;
	memset(&conf, 0, sizeof conf);
	conf.dirfd = c->journal_dir;
	conf.sync_ms = c->o.sync_ms;
	conf.segment_bytes = c->o.segment;
	rc = journal_open(&c->journal, &conf, &end);
	c->safe = rc == 0 ? journal_durable(c->journal) : 0;
out:
	ordinals_free(&r.folded);
	if (rc < 0)
		snprintf(err->text, sizeof err->text,
		    "%s/" CORE_JOURNAL ": %s%s", c->o.dir, fault_why(rc),
		    statedir_advice(rc));
	return rc;
}
