/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * robots.c - rules of a robots.txt, packed
 *
 * The flat form, numbers being LEB128 (seven bits a byte, low ones first):
 *
 *	byte	version, ROBOTS_VERSION
 *	byte	enum robots_group
 *	number	Crawl-delay in ms + 1, 0 if there is none
 *	number	rules; number: their bytes
 *	number	sitemaps; number: their bytes
 *	rules	each: number: line; number: octets; number: length * 4 +
 *		anchored * 2 + allow; the pattern in comparison form
 *	maps	each: number: length; the URL
 *
 * Rules are sorted by octets, then allow before disallow: the first that
 * matches decides.
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "crawler/robots.h"
#include "crawler/robotsagent.h"
#include "crawler/robotsline.h"
#include "crawler/robotspath.h"
#include "snapshot/limits.h"

#define ROBOTS_VERSION 1
#define NUMBER_MAX     5 /* bytes of a packed uint32_t */
#define HEAD_MAX       (2 + 5 * NUMBER_MAX)

struct rule {
	struct robotspattern pat;
	uint32_t line;
	int allow;
};

struct span {
	const char *s;
	size_t len;
};

struct parse {
	struct robotsagent agent;
	int best;       /* the highest rank of any User-agent line */
	int ours;       /* rules here apply to us */
	int delayed;    /* and so does a Crawl-delay */
	int rules_seen; /* the next User-agent line begins a group ... */
	int delay_seen; /* ... as far as Crawl-delay goes */
	int32_t delay;  /* ms, -1 none */
	struct rule *rule;
	size_t nrules;
	struct span *map;
	size_t nmaps;
	char *bytes; /* comparison forms */
	size_t nbytes;
};

static size_t
put(unsigned char *at, uint32_t v)
{
	size_t n = 0;

	while (v >= 0x80) {
		at[n++] = (unsigned char)(v | 0x80);
		v >>= 7;
	}
	at[n++] = (unsigned char)v;
	return n;
}

/* Read a number at `*at' and step over it: 0, or -1 if it is none. */
static int
get(const unsigned char **at, const unsigned char *end, uint32_t *v)
{
	const unsigned char *p = *at;
	uint64_t x = 0;
	int shift;

	for (shift = 0; shift < 7 * NUMBER_MAX && p < end; shift += 7) {
		x |= (uint64_t)(*p & 0x7f) << shift;
		if (*p++ < 0x80) {
			*at = p;
			*v = (uint32_t)x;
			return x <= UINT32_MAX ? 0 : -1;
		}
	}
	return -1;
}

/* Seconds with a fraction as milliseconds up to the limit, -1 if no number. */
static int32_t
delay_of(const char *s, size_t len)
{
	int64_t ms = 0;
	int32_t unit = 1000;
	size_t i, digits = 0;
	int dot = 0;

	for (i = 0; i < len; i++) {
		if (s[i] == '.' && !dot) {
			dot = 1;
			continue;
		}
		if (s[i] < '0' || s[i] > '9')
			break;
		digits++;
		if (dot) {
			unit /= 10;
			ms += (s[i] - '0') * unit;
		} else if (ms <= LIMIT_ROBOTS_DELAY) {
			ms = ms * 10 + (s[i] - '0') * 1000;
		}
	}
	if (digits == 0)
		return -1;
	return ms < LIMIT_ROBOTS_DELAY ? (int32_t)ms : LIMIT_ROBOTS_DELAY;
}

static int
is_absolute(const char *s, size_t len)
{
	return (len > 7 && strncasecmp(s, "http://", 7) == 0) ||
	    (len > 8 && strncasecmp(s, "https://", 8) == 0);
}

/* The first pass: which groups are ours, and how much there is at most. */
static void
survey(struct parse *p, struct robotsline l)
{
	int rank;

	while (robotsline_next(&l)) {
		if (l.key == ROBOTSKEY_AGENT) {
			rank = robotsagent_rank(&p->agent, l.value, l.len);
			if (rank > p->best)
				p->best = rank;
		} else if (l.key == ROBOTSKEY_SITEMAP) {
			p->nmaps++;
		} else if (l.key == ROBOTSKEY_ALLOW ||
		    l.key == ROBOTSKEY_DISALLOW) {
			p->nrules++;
		}
	}
	if (p->nmaps > LIMIT_ROBOTS_SITEMAPS)
		p->nmaps = LIMIT_ROBOTS_SITEMAPS;
}

static void
take_agent(struct parse *p, const struct robotsline *l)
{
	int rank = robotsagent_rank(&p->agent, l->value, l->len);
	int mine = rank != ROBOTSRANK_NONE && rank == p->best;

	p->ours = mine || (p->ours && !p->rules_seen);
	p->delayed = mine || (p->delayed && !p->delay_seen);
	p->rules_seen = 0;
	p->delay_seen = 0;
}

static void
add_rule(struct parse *p, const struct robotsline *l,
    const struct robotspattern *pat)
{
	struct rule *r = &p->rule[p->nrules++];

	r->pat = *pat;
	r->line = l->number;
	r->allow = l->key == ROBOTSKEY_ALLOW;
	p->nbytes += pat->len;
}

static void
take_rule(struct parse *p, const struct robotsline *l)
{
	struct robotspattern pat, twin;

	p->rules_seen = 1;
	p->delay_seen = 1;
	/* an empty value is no rule (section 2.2.2: "Disallow:") */
	if (!p->ours || l->len == 0)
		return;
	robotspath_pattern(l->value, l->len, p->bytes + p->nbytes, &pat);
	add_rule(p, l, &pat);
	if (robotspath_twin(&pat, p->bytes + p->nbytes, &twin))
		add_rule(p, l, &twin);
}

static void
take_delay(struct parse *p, const struct robotsline *l)
{
	int32_t ms = delay_of(l->value, l->len);

	p->delay_seen = 1;
	if (p->delayed && ms > p->delay)
		p->delay = ms;
}

static void
take_sitemap(struct parse *p, const struct robotsline *l)
{
	if (p->nmaps == LIMIT_ROBOTS_SITEMAPS || l->len > LIMIT_LINE ||
	    !is_absolute(l->value, l->len))
		return;
	p->map[p->nmaps].s = l->value;
	p->map[p->nmaps++].len = l->len;
}

/* The second pass. */
static void
collect(struct parse *p, struct robotsline l)
{
	p->nrules = 0;
	p->nmaps = 0;
	while (robotsline_next(&l)) {
		switch (l.key) {
		case ROBOTSKEY_AGENT:
			take_agent(p, &l);
			break;
		case ROBOTSKEY_ALLOW:
		case ROBOTSKEY_DISALLOW:
			take_rule(p, &l);
			break;
		case ROBOTSKEY_DELAY:
			take_delay(p, &l);
			break;
		case ROBOTSKEY_SITEMAP:
			take_sitemap(p, &l);
			break;
		case ROBOTSKEY_OTHER:
			break;
		}
	}
}

static int
by_weight(const void *va, const void *vb)
{
	const struct rule *a = va, *b = vb;

	if (a->pat.octets != b->pat.octets)
		return a->pat.octets > b->pat.octets ? -1 : 1;
	if (a->allow != b->allow)
		return a->allow ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static size_t
put_rule(unsigned char *at, const struct rule *r)
{
	size_t n;

	n = put(at, r->line);
	n += put(at + n, r->pat.octets);
	n += put(at + n,
	    (uint32_t)r->pat.len * 4 + (r->pat.anchored ? 2 : 0) +
		(r->allow ? 1 : 0));
	memcpy(at + n, r->pat.s, r->pat.len);
	return n + r->pat.len;
}

static size_t
put_map(unsigned char *at, struct span map)
{
	size_t n = put(at, (uint32_t)map.len);

	memcpy(at + n, map.s, map.len);
	return n + map.len;
}

/* Write `body' bytes of records behind a head, in memory of the exact size. */
static int
pack(const struct parse *p, unsigned char **flat, size_t *flat_len)
{
	size_t i, room = HEAD_MAX + p->nbytes, n = 0, rules, maps;
	unsigned char head[HEAD_MAX], *buf, *fit;

	room += p->nrules * 3 * NUMBER_MAX;
	for (i = 0; i < p->nmaps; i++)
		room += NUMBER_MAX + p->map[i].len;
	buf = malloc(room);
	if (buf == NULL)
		return FAULT_NOMEM;
	for (i = 0; i < p->nrules; i++)
		n += put_rule(buf + HEAD_MAX + n, &p->rule[i]);
	rules = n;
	for (i = 0; i < p->nmaps; i++)
		n += put_map(buf + HEAD_MAX + n, p->map[i]);
	maps = n - rules;
	head[0] = ROBOTS_VERSION;
	head[1] = p->best >= ROBOTSRANK_OWN ? ROBOTS_OWN_GROUP :
	    p->best == ROBOTSRANK_ANY       ? ROBOTS_ANY_GROUP :
					      ROBOTS_NO_GROUP;
	i = 2;
	i += put(head + i, (uint32_t)(p->delay + 1));
	i += put(head + i, (uint32_t)p->nrules);
	i += put(head + i, (uint32_t)rules);
	i += put(head + i, (uint32_t)p->nmaps);
	i += put(head + i, (uint32_t)maps);
	memmove(buf + i, buf + HEAD_MAX, n);
	memcpy(buf, head, i);
	fit = realloc(buf, i + n);
	*flat = fit == NULL ? buf : fit;
	*flat_len = i + n;
	return 0;
}

int
robots_parse(const char *agent, size_t agent_len, const char *text, size_t len,
    unsigned char **flat, size_t *flat_len)
{
	struct parse p;
	struct robotsline l;
	int rc = FAULT_NOMEM;

	memset(&p, 0, sizeof p);
	p.delay = -1;
	robotsagent_init(&p.agent, agent, agent_len);
	robotsline_init(&l, text, len);
	survey(&p, l);
	/* rules with their twins; one more, as malloc(0) may give NULL */
	p.rule = malloc((2 * p.nrules + 1) * sizeof *p.rule);
	p.map = malloc((p.nmaps + 1) * sizeof *p.map);
	p.bytes = malloc(6 * (size_t)(l.end - l.at) + 1);
	if (p.rule == NULL || p.map == NULL || p.bytes == NULL)
		goto out;
	collect(&p, l);
	qsort(p.rule, p.nrules, sizeof *p.rule, by_weight);
	rc = pack(&p, flat, flat_len);
out:
	free(p.rule);
	free(p.map);
	free(p.bytes);
	return rc;
}

const unsigned char *
robots_fixed(int allow, size_t *flat_len)
{
	/* no delay; no rules, or one: disallow "/", line 0; no sitemaps */
	static const unsigned char yes[] = { ROBOTS_VERSION, ROBOTS_FIXED_GROUP,
		0, 0, 0, 0, 0 };
	static const unsigned char no[] = { ROBOTS_VERSION, ROBOTS_FIXED_GROUP,
		0, 1, 4, 0, 0, 0, 1, 1 * 4, '/' };

	*flat_len = allow ? sizeof yes : sizeof no;
	return allow ? yes : no;
}

/* Read the rule at `*at'; 0, or -1 if it does not fit before `end'. */
static int
get_rule(const unsigned char **at, const unsigned char *end, struct rule *r)
{
	uint32_t packed;

	if (get(at, end, &r->line) < 0 || get(at, end, &r->pat.octets) < 0 ||
	    get(at, end, &packed) < 0)
		return -1;
	r->allow = packed & 1;
	r->pat.anchored = packed >> 1 & 1;
	r->pat.len = packed >> 2;
	r->pat.s = (const char *)*at;
	if (r->pat.len > (size_t)(end - *at))
		return -1;
	*at += r->pat.len;
	return 0;
}

static int
check(const struct robots *r)
{
	const unsigned char *at = r->rules, *end = r->rules + r->rules_len;
	struct rule rule;
	uint32_t i, n;

	for (i = 0; i < r->nrules; i++)
		if (get_rule(&at, end, &rule) < 0)
			return FAULT_DAMAGED;
	if (at != end)
		return FAULT_DAMAGED;
	at = r->maps;
	end = r->maps + r->maps_len;
	for (i = 0; i < r->nmaps; i++) {
		if (get(&at, end, &n) < 0 || n > (size_t)(end - at))
			return FAULT_DAMAGED;
		at += n;
	}
	return at == end ? 0 : FAULT_DAMAGED;
}

int
robots_view(struct robots *r, const unsigned char *flat, size_t len)
{
	const unsigned char *at = flat + 2, *end = flat + len;
	uint32_t delay, rules, maps;

	if (len < 2 || len > LIMIT_ROBOTS_FLAT || flat[0] != ROBOTS_VERSION ||
	    flat[1] > ROBOTS_FIXED_GROUP)
		return FAULT_DAMAGED;
	if (get(&at, end, &delay) < 0 || delay > LIMIT_ROBOTS_DELAY + 1 ||
	    get(&at, end, &r->nrules) < 0 || get(&at, end, &rules) < 0 ||
	    get(&at, end, &r->nmaps) < 0 || get(&at, end, &maps) < 0)
		return FAULT_DAMAGED;
	if ((uint64_t)rules + maps != (uint64_t)(end - at))
		return FAULT_DAMAGED;
	r->group = (enum robots_group)flat[1];
	r->delay_ms = (int32_t)delay - 1;
	r->rules = at;
	r->rules_len = rules;
	r->maps = at + rules;
	r->maps_len = maps;
	return check(r);
}

/* The first rule that matches a path in comparison form. */
static int
decide(const struct robots *r, const char *path, size_t len, uint32_t *line)
{
	const unsigned char *at = r->rules, *end = at + r->rules_len;
	static const char own[] = "/robots.txt";
	int64_t steps = LIMIT_ROBOTS_STEPS;
	struct rule rule;

	*line = 0;
	if (len == sizeof own - 1 && memcmp(path, own, len) == 0)
		return 1;
	while (at < end && get_rule(&at, end, &rule) == 0) {
		if (robotspath_match(&rule.pat, path, len, &steps)) {
			*line = rule.line;
			return rule.allow;
		}
		if (steps < 0) {
			*line = rule.line;
			return 0;
		}
	}
	return 1;
}

int
robots_allowed(const struct robots *r, const char *path, size_t len,
    uint32_t *line)
{
	char small[3 * 1024], *buf = small;
	int rc;

	*line = 0;
	if (robotspath_is_canon(path, len))
		return decide(r, path, len, line);
	if (len > sizeof small / 3) {
		if (len > LIMIT_URL)
			return FAULT_TOOBIG;
		buf = malloc(3 * len);
		if (buf == NULL)
			return FAULT_NOMEM;
	}
	len = robotspath_canon(path, len, buf);
	rc = decide(r, buf, len, line);
	if (buf != small)
		free(buf);
	return rc;
}

const char *
robots_sitemap(const struct robots *r, size_t *at, size_t *len)
{
	const unsigned char *p = r->maps + *at, *end = r->maps + r->maps_len;
	uint32_t n;

	if (p >= end || get(&p, end, &n) < 0 || n > (size_t)(end - p))
		return NULL;
	*len = n;
	*at = (size_t)(p - r->maps) + n;
	return (const char *)p;
}
