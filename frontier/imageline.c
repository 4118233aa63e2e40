/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * imageline.c - a frontier from the lines of its image
 *
 * Anything may be in them.  What is taken is what the crawl itself could have
 * made: hosts in the order of their numbers, URLs that pass for URLs, numbers
 * within their limits.  The rest is FAULT_DAMAGED.
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "frontier/chunk.h"
#include "frontier/image.h"
#include "frontier/imageline.h"
#include "frontier/sched.h"
#include "frontier/words.h"
#include "snapshot/limits.h"

static int64_t
shifted(const struct imageline *l, uint64_t t)
{
	int64_t at = (int64_t)t + l->shift;

	return at < 0 ? 0 : at;
}

/* A time of the host's record in s. */
static uint32_t
shifted_s(const struct imageline *l, uint64_t t)
{
	return (uint32_t)(shifted(l, t * 1000) / 1000);
}

/* frontier VERSION NOW */
static int
take_start(struct imageline *l, const char *s, const char *end)
{
	struct frontier *f = l->f;
	struct url_span word;
	uint64_t version, then;

	if (!words_next(&s, end, &word) || word.len != 8 ||
	    memcmp(word.s, "frontier", 8) != 0 ||
	    !words_number(&s, end, UINT32_MAX, &version))
		return FAULT_MAGIC;
	if (version != IMAGE_VERSION)
		return FAULT_VERSION;
	if (!words_number(&s, end, INT64_MAX / 2, &then) || s != end)
		return FAULT_DAMAGED;
	/* A clock that was set back must not make everybody wait. */
	if ((int64_t)then > f->now)
		l->shift = f->now - (int64_t)then;
	l->started = 1;
	return 0;
}

/* Give the host the rules that have come. */
static int
rules_end(struct imageline *l)
{
	struct host *h;
	int rc;

	if (l->rules_have != l->rules_len)
		return FAULT_DAMAGED;
	if (l->host == 0 || l->rules_len == 0)
		return 0;
	h = host_at(&l->f->hosts, l->host);
	rc = core_rules(l->f, h, l->rules, l->rules_len);
	l->rules_have = 0;
	l->rules_len = 0;
	return rc;
}

/* The host that lines belonged to is complete. */
static int
host_end(struct imageline *l)
{
	struct frontier *f = l->f;
	struct host *h;
	uint64_t more;

	if (l->host == 0)
		return 0;
	if (l->rules_len > 0)
		return FAULT_DAMAGED;
	h = host_at(&f->hosts, l->host);
	/* Marked URLs in memory were left out; see take_url(). */
	more = l->queued - h->queued;
	if (!l->pieces || more == 0)
		return more == 0 ? 0 : FAULT_DAMAGED;
	h->queued += (uint32_t)more;
	f->sum.queued += more;
	store_found(f->store, more);
	core_wake(f, l->host);
	return 0;
}

/* Bytes in hex: 1, or 0 if they are not. */
static int
unhex(struct url_span w, unsigned char *to)
{
	for (size_t i = 0; i + 1 < w.len; i += 2) {
		int a = imageline_hex(w.s[i]), b = imageline_hex(w.s[i + 1]);

		if (a < 0 || b < 0)
			return 0;
		*to++ = (unsigned char)(a << 4 | b);
	}
	return w.len % 2 == 0;
}

/* r HEX */
static int
take_rules(struct imageline *l, const char *s, const char *end)
{
	struct url_span w;
	unsigned char *more;

	if (!words_next(&s, end, &w) || s != end ||
	    w.len / 2 > l->rules_len - l->rules_have)
		return FAULT_DAMAGED;
	/* As much as there is, not as much as the host claims. */
	more = realloc(l->rules, l->rules_have + w.len / 2 + 1);
	if (more == NULL)
		return FAULT_NOMEM;
	l->rules = more;
	if (!unhex(w, more + l->rules_have))
		return FAULT_DAMAGED;
	l->rules_have += w.len / 2;
	return l->rules_have == l->rules_len ? rules_end(l) : 0;
}

/* Make the host of ORIGIN/; its number has to be the next one. */
static int
make_host(struct imageline *l, struct url_span url, uint64_t number)
{
	struct frontier *f = l->f;
	struct frontier_url u = { .url = url };
	uint32_t before = host_count(&f->hosts);
	uint64_t *since;
	int rc;

	if (url_split(url, &u.parts) < 0 || u.parts.path + 1 != url.len ||
	    u.parts.host != (u.parts.https ? 8 : 7))
		return FAULT_DAMAGED;
	rc = core_host(f, &u, &l->host);
	if (rc < 0)
		return rc == FAULT_ARG ? FAULT_DAMAGED : rc;
	if (l->host != before + 1 || number != l->host)
		return FAULT_DAMAGED;
	if (table_take(&f->since) != l->host)
		return FAULT_NOMEM;
	since = table_rw(&f->since, l->host);
	*since = 0;
	return 0;
}

/* The numbers of a host's line, in order, and the most they can be. */
enum number {
	NEXT,
	DELAY,
	ROBOTS_UNTIL,
	ADDR_UNTIL,
	PAGES,
	FAILED,
	REFUSED,
	DEFERRED,
	QUEUED,
	FLAGS,
	REASON,
	TURN,
	FAILURES,
	BUSY,
	TRIES,
	RULES,
	NUMBERS,
};

static const uint64_t most[NUMBERS] = {
	[NEXT] = INT64_MAX / 2,
	[DELAY] = LIMIT_ROBOTS_DELAY,
	[ROBOTS_UNTIL] = UINT32_MAX,
	[ADDR_UNTIL] = UINT32_MAX,
	[PAGES] = UINT32_MAX,
	[FAILED] = UINT32_MAX,
	[REFUSED] = UINT32_MAX,
	[DEFERRED] = UINT32_MAX,
	[QUEUED] = UINT32_MAX,
	[FLAGS] = HOST_KEPT,
	[REASON] = FRONTIER_REASONS - 1,
	[TURN] = UINT8_MAX,
	[FAILURES] = UINT8_MAX,
	[BUSY] = UINT8_MAX,
	[TRIES] = UINT8_MAX,
	[RULES] = LIMIT_ROBOTS_FLAT,
};

static void
fill_host(struct imageline *l, struct host *h, const uint64_t v[NUMBERS])
{
	struct frontier *f = l->f;
	int64_t soonest;

	h->delay = (uint32_t)v[DELAY];
	h->robots_until = shifted_s(l, v[ROBOTS_UNTIL]);
	h->addr_until = shifted_s(l, v[ADDR_UNTIL]);
	h->pages = (uint32_t)v[PAGES];
	h->failed = (uint32_t)v[FAILED];
	h->refused = (uint32_t)v[REFUSED];
	h->deferred = (uint32_t)v[DEFERRED];
	h->flags |= (uint16_t)(v[FLAGS] & HOST_KEPT);
	h->reason = (uint8_t)v[REASON];
	h->turn = (uint8_t)v[TURN];
	h->failures = (uint8_t)v[FAILURES];
	h->busy = (uint8_t)v[BUSY];
	h->tries = (uint8_t)v[TRIES];
	/*
	 * Nobody knows when it was asked last: the image may be older.  And
	 * a wait that is no more than the delay which was in force ends with
	 * it, so that a shorter one is obeyed at once.
	 */
	soonest = f->now + core_delay(f, h);
	h->next = shifted(l, v[NEXT]);
	if (h->next < soonest ||
	    (h->next <= f->now + f->opts.delay_was && h->failures == 0 &&
		h->busy == 0 && h->tries == 0 && !(h->flags & HOST_DRAIN)))
		h->next = soonest;
	if (h->flags & HOST_DRAIN)
		f->sum.dead++;
}

/* See image.c, put_head(). */
static int
take_host(struct imageline *l, const char *s, const char *end)
{
	struct url_span url, addr;
	struct frontier_addr ip;
	uint64_t number, pos, v[NUMBERS];
	struct host *h;
	int rc = host_end(l);

	if (rc < 0)
		return rc;
	if (!words_next(&s, end, &url) ||
	    !words_number(&s, end, LIMIT_HOSTS, &number) ||
	    !words_number(&s, end, UINT64_MAX, &pos) ||
	    !words_next(&s, end, &addr))
		return FAULT_DAMAGED;
	for (int i = 0; i < NUMBERS; i++)
		if (!words_number(&s, end, most[i], &v[i]))
			return FAULT_DAMAGED;
	if (s != end || (v[FLAGS] & ~(uint64_t)HOST_KEPT) != 0 ||
	    ((v[FLAGS] & HOST_DRAIN) != 0) != (v[REASON] != 0))
		return FAULT_DAMAGED;
	rc = make_host(l, url, number);
	if (rc < 0)
		return rc;
	*(uint64_t *)table_rw(&l->f->since, l->host) = pos;
	h = host_at(&l->f->hosts, l->host);
	fill_host(l, h, v);
	l->queued = v[QUEUED];
	l->pieces = 0;
	l->rules_len = v[RULES];
	l->lane = FRONTIER_LANES;
	if (addr.len == 1 && addr.s[0] == '-')
		return 0;
	if (addr.len != 2 * sizeof ip.b || !unhex(addr, ip.b))
		return FAULT_DAMAGED;
	/* An address is held by those that have URLs. */
	return l->queued > 0 ? sched_move(l->f, h, &ip) : 0;
}

/* q LANE */
static int
take_lane(struct imageline *l, const char *s, const char *end)
{
	uint64_t lane;

	if (l->host == 0 || l->rules_len > 0 ||
	    !words_number(&s, end, FRONTIER_LANES - 1, &lane) || s != end)
		return FAULT_DAMAGED;
	l->lane = (unsigned int)lane;
	return 0;
}

/* u ORDINAL DEPTH TRIES TAIL */
static int
take_url(struct imageline *l, const char *s, const char *end)
{
	struct host *h;
	struct url_span tail;
	uint64_t depth, tries;
	struct entry e;
	int rc;

	if (l->host == 0 || l->lane >= FRONTIER_LANES ||
	    !words_number(&s, end, UINT64_MAX, &e.ordinal) ||
	    !words_number(&s, end, UINT32_MAX, &depth) ||
	    !words_number(&s, end, LIMIT_RETRIES + 1, &tries) ||
	    !words_next(&s, end, &tail) || s != end ||
	    !chunk_is_tail(tail.s, tail.len))
		return FAULT_DAMAGED;
	/* The host's own count has those that are marked taken off already. */
	if (marks_unset(&l->f->marks, e.ordinal))
		return 0;
	e.depth = (uint32_t)depth;
	e.tries = (uint32_t)tries;
	e.text = tail.s;
	e.len = (uint32_t)tail.len;
	h = host_at(&l->f->hosts, l->host);
	if (h->queued >= l->queued || tail.len + h->name_len + 7 > LIMIT_URL)
		return FAULT_DAMAGED;
	rc = store_reserve(l->f->store);
	return rc < 0 ? rc : core_queue(l->f, l->host, l->lane, &e);
}

/* c FILE OFFSET GONE */
static int
take_piece(struct imageline *l, const char *s, const char *end)
{
	struct chunk_owner o = { l->host, l->lane };
	uint64_t file, offset, gone;
	struct ref r;
	int rc;

	if (l->host == 0 || l->lane >= FRONTIER_LANES ||
	    !words_number(&s, end, UINT32_MAX, &file) ||
	    !words_number(&s, end, UINT32_MAX, &offset) ||
	    !words_number(&s, end, UINT16_MAX, &gone) || s != end)
		return FAULT_DAMAGED;
	r.file = (uint32_t)file;
	r.offset = (uint32_t)offset;
	l->pieces = 1;
	rc = table_reserve(l->f->pager);
	if (rc < 0)
		return rc;
	return store_load(l->f->store, o,
	    &host_at(&l->f->hosts, l->host)->queue[l->lane], r,
	    (unsigned int)gone);
}

/* f FILE SIZE URLS LEFT */
int
imageline_file(const char *s, const char *end, struct spill_told *t)
{
	uint64_t file, size, urls, left;

	if (!words_number(&s, end, UINT32_MAX, &file) ||
	    !words_number(&s, end, UINT64_MAX, &size) ||
	    !words_number(&s, end, UINT32_MAX, &urls) ||
	    !words_number(&s, end, UINT32_MAX, &left) || s != end)
		return FAULT_DAMAGED;
	t->file = (uint32_t)file;
	t->size = size;
	t->urls = (uint32_t)urls;
	t->left = (uint32_t)left;
	return 0;
}

static int
take_file(struct imageline *l, const char *s, const char *end)
{
	struct spill_told t;
	int rc = imageline_file(s, end, &t);

	if (rc < 0 || l->f->spill == NULL)
		return rc;
	return spill_loaded(l->f->spill, &t);
}

/* m ORDINAL */
static int
take_mark(struct imageline *l, const char *s, const char *end)
{
	uint64_t ordinal;
	int rc;

	if (l->host != 0 || !words_number(&s, end, UINT64_MAX, &ordinal) ||
	    s != end)
		return FAULT_DAMAGED;
	rc = table_reserve(l->f->pager);
	if (rc == 0)
		rc = marks_set(&l->f->marks, ordinal);
	return rc < 0 ? rc : 0;
}

#define SUMS_LEAST 10 /* an image of before has no more of them */

/* s POSITION PUSHED FINISHED FAILED RETRIED DROPPED... */
static int
take_sums(struct imageline *l, const char *s, const char *end)
{
	struct frontier *f = l->f;
	uint64_t v[5 + FRONTIER_REASONS - 1] = { 0 };
	int rc = host_end(l);

	for (size_t i = 0; rc == 0 && i < sizeof v / sizeof *v; i++)
		if (i == SUMS_LEAST && s == end)
			break;
		else if (!words_number(&s, end, UINT64_MAX, &v[i]))
			rc = FAULT_DAMAGED;
	if (rc < 0 || s != end)
		return rc < 0 ? rc : FAULT_DAMAGED;
	l->host = 0;
	l->lane = FRONTIER_LANES;
	f->since_sums = v[0];
	f->sum.pushed = v[1];
	f->sum.finished = v[2];
	f->sum.failed = v[3];
	f->sum.retried = v[4];
	for (int i = 1; i < FRONTIER_REASONS; i++)
		f->sum.dropped[i] = v[4 + i];
	l->summed = 1;
	return 0;
}

/* end: behind the sums, which are behind the last host, and that is whole. */
static int
take_end(struct imageline *l)
{
	if (!l->summed || l->host != 0)
		return FAULT_DAMAGED;
	l->ended = 1;
	return 0;
}

int
imageline_take(struct imageline *l, const char *s, const char *end)
{
	if (!l->started)
		return take_start(l, s, end);
	if (end - s == 3 && memcmp(s, "end", 3) == 0)
		return take_end(l);
	if (l->ended || end - s < 3 || s[1] != ' ')
		return FAULT_DAMAGED;
	switch (s[0]) {
	case 'h':
		return take_host(l, s + 2, end);
	case 'r':
		return take_rules(l, s + 2, end);
	case 'q':
		return take_lane(l, s + 2, end);
	case 'u':
		return take_url(l, s + 2, end);
	case 'c':
		return take_piece(l, s + 2, end);
	case 'f':
		return take_file(l, s + 2, end);
	case 'm':
		return take_mark(l, s + 2, end);
	case 's':
		return take_sums(l, s + 2, end);
	default:
		return FAULT_DAMAGED;
	}
}
