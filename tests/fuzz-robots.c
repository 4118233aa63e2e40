/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fuzz-robots.c - robots.txt against a slow reference
 *
 * An input is a path, a line end, a user agent, a line end, a robots.txt.
 * The reference keeps no rules: it walks the lines, matches each rule by a
 * table of all (pattern, path) prefixes, and remembers the best.  The flat
 * form must read back as it was written, and damage to it must be found or
 * be harmless.
 */

#include "config.h"

#include <string.h>

#include "crawler/robots.h"
#include "crawler/robotsagent.h"
#include "crawler/robotsline.h"
#include "snapshot/limits.h"
#include "tests/fuzz.h"

#define SMALL 200 /* characters of a pattern or path the reference takes */

/* What it compares: an octet, 256 more if it is %XX and stays so, or these. */
#define STAR 1000
#define END  1001

struct chars {
	int c[SMALL];
	size_t n;
	uint32_t octets;
	int toobig;
};

static void
add(struct chars *x, int c, uint32_t octets)
{
	x->octets += octets;
	if (x->n == SMALL)
		x->toobig = 1;
	else
		x->c[x->n++] = c;
}

static int
is_hex(char c)
{
	return c != '\0' && strchr("0123456789abcdefABCDEF", c) != NULL;
}

static int
is_one_of(int c, const char *set)
{
	return c > 0 && c < 128 && strchr(set, c) != NULL;
}

#define UNRESERVED                                                             \
	"abcdefghijklmnopqrstuvwxyz0123456789"                                 \
	"ABCDEFGHIJKLMNOPQRSTUVWXYZ-._~"

static void
chars_of(const char *s, size_t len, int pattern, struct chars *x)
{
	char two[3] = "";
	size_t i;
	int c;

	memset(x, 0, sizeof *x);
	for (i = 0; i < len; i++) {
		c = (unsigned char)s[i];
		if (!pattern && c == '#')
			break;
		if (pattern && c == '*') {
			add(x, STAR, 1);
		} else if (pattern && c == '$' && i == len - 1) {
			add(x, END, 1);
		} else if (c == '%' && i + 2 < len && is_hex(s[i + 1]) &&
		    is_hex(s[i + 2])) {
			memcpy(two, s + i + 1, 2);
			c = (int)strtol(two, NULL, 16);
			if (is_one_of(c, UNRESERVED))
				add(x, c, 1);
			else
				add(x, 256 + c, 3);
			i += 2;
		} else if (is_one_of(c, UNRESERVED ":/?[]@!&()+,;=%")) {
			add(x, c, 1);
		} else {
			add(x, 256 + c, c < 128 ? 1 : 3);
		}
	}
}

/* A %3A of the pattern's or path's query as a colon, and so on. */
static void
fold_query(struct chars *x, int encode)
{
	size_t i = 0;

	while (i < x->n && x->c[i] != '?')
		i++;
	for (; i < x->n; i++) {
		if (encode && (x->c[i] == ':' || x->c[i] == '/'))
			x->c[i] += 256;
		else if (!encode &&
		    (x->c[i] == 256 + ':' || x->c[i] == 256 + '/'))
			x->c[i] -= 256;
	}
}

/* One character %XX is three octets: a rule may end within it. */
static size_t
spell(const struct chars *x, int *out)
{
	static const char digits[] = "0123456789ABCDEF";
	size_t i, n = 0;

	for (i = 0; i < x->n; i++) {
		if (x->c[i] >= 256 && x->c[i] < 512) {
			out[n++] = '%';
			out[n++] = digits[(x->c[i] - 256) >> 4];
			out[n++] = digits[(x->c[i] - 256) & 15];
		} else {
			out[n++] = x->c[i];
		}
	}
	return n;
}

/* row[j]: can the pattern so far match the first j octets of the path? */
static int
reference_match(const struct chars *pattern, const struct chars *path)
{
	int pat[3 * SMALL], txt[3 * SMALL];
	unsigned char row[3 * SMALL + 1] = { 1 }, next[3 * SMALL + 1];
	size_t m = spell(pattern, pat), n = spell(path, txt), i, j;

	for (i = 0; i < m; i++) {
		if (pat[i] == END)
			return row[n];
		next[0] = row[0] && pat[i] == STAR;
		for (j = 1; j <= n; j++)
			next[j] = pat[i] == STAR ?
			    row[j] || next[j - 1] :
			    row[j - 1] && pat[i] == txt[j - 1];
		memcpy(row, next, n + 1);
	}
	for (j = 0; j <= n; j++)
		if (row[j])
			return 1;
	return 0;
}

static int
rule_matches(struct chars pattern, const struct chars *path)
{
	struct chars twin = pattern;

	if (reference_match(&pattern, path))
		return 1;
	fold_query(&twin, 1);
	if (reference_match(&twin, path))
		return 1;
	/* a rule that mixes both spellings is never decoded */
	if (memcmp(&twin, &pattern, sizeof twin) == 0)
		fold_query(&twin, 0);
	return reference_match(&twin, path);
}

static int
is_own(const struct chars *path)
{
	static const char own[] = "/robots.txt";
	size_t i;

	for (i = 0; i < path->n && i < sizeof own - 1; i++)
		if (path->c[i] != own[i])
			return 0;
	return path->n == sizeof own - 1;
}

struct verdict {
	int allow;
	uint32_t line;
	uint32_t octets;
	int unsure; /* something was too big for the reference */
};

static int
best_rank(const struct robotsagent *agent, struct robotsline l)
{
	int rank, best = 0;

	while (robotsline_next(&l)) {
		if (l.key != ROBOTSKEY_AGENT)
			continue;
		rank = robotsagent_rank(agent, l.value, l.len);
		best = rank > best ? rank : best;
	}
	return best;
}

static struct verdict
reference(const struct robotsagent *agent, struct robotsline l,
    const char *path, size_t len)
{
	struct verdict v = { 1, 0, 0, 0 };
	struct chars pattern, target;
	int best = best_rank(agent, l), ours = 0, rules = 0, allow;

	chars_of(path, len, 0, &target);
	v.unsure = target.toobig;
	if (is_own(&target))
		return v;
	while (robotsline_next(&l)) {
		if (l.key == ROBOTSKEY_AGENT) {
			if (rules)
				ours = 0;
			rules = 0;
			if (best > 0 &&
			    robotsagent_rank(agent, l.value, l.len) == best)
				ours = 1;
		}
		if (l.key != ROBOTSKEY_ALLOW && l.key != ROBOTSKEY_DISALLOW)
			continue;
		rules = 1;
		if (!ours || l.len == 0)
			continue;
		allow = l.key == ROBOTSKEY_ALLOW;
		chars_of(l.value, l.len, 1, &pattern);
		v.unsure |= pattern.toobig;
		if (pattern.toobig || !rule_matches(pattern, &target))
			continue;
		if (v.line == 0 || pattern.octets > v.octets ||
		    (pattern.octets == v.octets && allow && !v.allow)) {
			v.line = l.number;
			v.octets = pattern.octets;
			v.allow = allow;
		}
	}
	return v;
}

/* The size of the longest and the number of all sitemaps. */
static size_t
walk_sitemaps(const struct robots *r)
{
	size_t at = 0, len, n = 0;

	while (robots_sitemap(r, &at, &len) != NULL) {
		n++;
		fuzz_check(len <= LIMIT_ROBOTS_FLAT);
	}
	return n;
}

/* Flip a byte and cut: never read outside, whatever the answer. */
static void
damage(const unsigned char *flat, size_t len, const uint8_t *data, size_t size)
{
	unsigned char *copy;
	struct robots r;
	uint32_t line;
	size_t at = size * 2654435761u % len;

	copy = malloc(len);
	if (copy == NULL)
		return;
	memcpy(copy, flat, len);
	copy[at] = (unsigned char)(copy[at] ^ (data[size / 2] | 1));
	if (robots_view(&r, copy, len) == 0) {
		fuzz_check(robots_allowed(&r, "/abc", 4, &line) >= 0);
		(void)walk_sitemaps(&r);
	}
	free(copy);
	copy = malloc(at + 1);
	if (copy == NULL)
		return;
	memcpy(copy, flat, at);
	fuzz_check(robots_view(&r, copy, at) < 0);
	free(copy);
}

static void
compare(const struct robots *r, const struct verdict *want, const char *path,
    size_t len)
{
	uint32_t line;
	int got = robots_allowed(r, path, len, &line);

	fuzz_check(got == 0 || got == 1);
	fuzz_check((line == 0) <= got);
	fuzz_check(want->unsure || got == want->allow);
	fuzz_check(want->unsure || line == want->line);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = (const char *)data, *end = path + size;
	const char *agent, *text;
	unsigned char *flat, *again;
	struct robotsagent who;
	struct robotsline l;
	struct verdict want;
	struct robots r;
	size_t flat_len, again_len;

	agent = memchr(path, '\n', size);
	if (agent == NULL)
		return 0;
	text = memchr(agent + 1, '\n', (size_t)(end - agent - 1));
	if (text == NULL)
		return 0;
	robotsagent_init(&who, agent + 1, (size_t)(text - agent - 1));
	robotsline_init(&l, text + 1, (size_t)(end - text - 1));
	want = reference(&who, l, path, (size_t)(agent - path));

	fuzz_check(robots_parse(agent + 1, (size_t)(text - agent - 1), text + 1,
		       (size_t)(end - text - 1), &flat, &flat_len) == 0);
	fuzz_check(flat_len <= LIMIT_ROBOTS_FLAT);
	fuzz_check(robots_view(&r, flat, flat_len) == 0);
	fuzz_check(r.delay_ms >= -1 && r.delay_ms <= LIMIT_ROBOTS_DELAY);
	fuzz_check(walk_sitemaps(&r) == r.nmaps);
	fuzz_check(r.nmaps <= LIMIT_ROBOTS_SITEMAPS);
	compare(&r, &want, path, (size_t)(agent - path));

	fuzz_check(robots_parse(agent + 1, (size_t)(text - agent - 1), text + 1,
		       (size_t)(end - text - 1), &again, &again_len) == 0);
	fuzz_check(again_len == flat_len && memcmp(again, flat, flat_len) == 0);
	damage(flat, flat_len, data, size);
	free(again);
	free(flat);
	return 0;
}
