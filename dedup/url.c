/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * url.c - the normaliser: resolves, parses and puts the parts together
 *
 * The standard's state machine has a state per byte; most of its states only
 * find where a part ends.  So we cut the input into parts first (scheme,
 * authority, path, query, fragment: each ends at one of a few bytes) and
 * write each part in normal form behind the one before.  Nothing is ever
 * parsed twice, and the output grows in one direction.
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "dedup/url.h"
#include "dedup/urlclass.h"
#include "dedup/urlfast.h"
#include "dedup/urlhost.h"
#include "dedup/urlpath.h"
#include "dedup/urlrules.h"
#include "snapshot/limits.h"

/* bytes: what any input can make, with a base in front (see urlpath.h) */
#define ROOM (3 * LIMIT_LINE + LIMIT_URL + LIMIT_HOST + 64)

enum scheme {
	SCHEME_NONE, /* the line is relative */
	SCHEME_HTTP,
	SCHEME_HTTPS,
	SCHEME_OTHER,
};

struct url {
	uint32_t rules;
	urlfast_fn *fast;
	urlskip_fn *skip;
	enum scheme scheme;      /* for lines without one, or SCHEME_NONE */
	enum scheme base_scheme; /* SCHEME_NONE: there is no base */
	struct url_parts parts;  /* of the base */
	uint32_t *params; /* for sorting a query; NULL without that rule */
	char base[LIMIT_URL];
	char line[LIMIT_LINE]; /* the input without tabs and newlines */
	char buf[ROOM];        /* the normal form */
	char alt[ROOM];        /* the same under further rules */
};

/* What is still to be read, and where to write. */
struct cursor {
	const char *s;
	const char *end;
	char *out;
};

struct url *
url_new(uint32_t rules)
{
	/* not calloc(): most of it is never touched */
	struct url *u = malloc(sizeof *u);

	if (u == NULL)
		return NULL;
	u->rules = rules;
	u->fast = urlfast_pick(NULL);
	u->skip = urlskip_pick(NULL);
	u->scheme = SCHEME_NONE;
	u->base_scheme = SCHEME_NONE;
	u->params = NULL;
	if (rules & URL_SORT_QUERY) {
		u->params = malloc(ROOM * sizeof *u->params);
		if (u->params == NULL) {
			free(u);
			return NULL;
		}
	}
	return u;
}

void
url_free(struct url *u)
{
	if (u == NULL)
		return;
	free(u->params);
	free(u);
}

/* Is `s' the scheme `name' (in lower case), in any case? */
static int
named(const char *s, size_t len, const char *name)
{
	size_t i;

	if (len != strlen(name))
		return 0;
	for (i = 0; i < len; i++)
		if (urlclass_lower(s[i]) != name[i])
			return 0;
	return 1;
}

static enum scheme
scheme_named(const char *s, size_t len)
{
	if (named(s, len, "https"))
		return SCHEME_HTTPS;
	return named(s, len, "http") ? SCHEME_HTTP : SCHEME_OTHER;
}

/* The scheme at `s'; `*after' is set behind its colon, if there is one. */
static enum scheme
scheme_of(const char *s, const char *end, const char **after)
{
	const char *p = s;

	*after = s;
	while (p < end && urlclass_is(*p, URLCLASS_SCHEME))
		p++;
	if (p == end || *p != ':' || p == s || (*s | 0x20) < 'a' ||
	    (*s | 0x20) > 'z')
		return SCHEME_NONE;
	*after = p + 1;
	return scheme_named(s, (size_t)(p - s));
}

static int
slash(char c)
{
	return c == '/' || c == '\\';
}

/* Where the authority at `s' ends: mostly behind what is plain in a host. */
static const char *
authority_end(const struct url *u, const char *s, const char *end)
{
	s += u->skip(s, 0, (size_t)(end - s), URLSKIP_HOST);
	while (s < end && !slash(*s) && *s != '?' && *s != '#')
		s++;
	return s;
}

/* The first `c' at `s', or the end. */
static const char *
find(const char *s, const char *end, char c)
{
	const char *p = memchr(s, c, (size_t)(end - s));

	return p == NULL ? end : p;
}

/* Up to the last "@" before `end': "user:password@", or nothing. */
static void
put_userinfo(struct cursor *c, const char *end)
{
	const char *at = memrchr(c->s, '@', (size_t)(end - c->s)), *colon;
	char *start = c->out;

	if (at == NULL)
		return;
	colon = find(c->s, at, ':');
	c->out = urlpath_encode(c->out, c->s, colon, URLCLASS_USER);
	if (at - colon > 1) {
		*c->out++ = ':';
		c->out = urlpath_encode(c->out, colon + 1, at, URLCLASS_USER);
	}
	if (c->out > start)
		*c->out++ = '@';
	c->s = at + 1;
}

/* The port between `s' and `end'; the scheme's own is left out. */
static int
put_port(struct cursor *c, const char *s, const char *end, enum scheme scheme)
{
	unsigned int n = 0, div;

	if (s == end)
		return 0;
	for (; s < end; s++) {
		if (!urlclass_digit(*s))
			return FAULT_URL_PORT;
		n = n * 10 + (unsigned int)(*s - '0');
		if (n > 65535)
			return FAULT_URL_PORT;
	}
	if (n == (scheme == SCHEME_HTTPS ? 443 : 80))
		return 0;
	*c->out++ = ':';
	for (div = 10000; div > 1 && n < div; div /= 10)
		;
	for (; div > 0; div /= 10)
		*c->out++ = (char)('0' + n / div % 10);
	return 0;
}

/* User name, host and port; slashes in front are skipped. */
static int
put_authority(const struct url *u, struct cursor *c, enum scheme scheme)
{
	const char *end, *colon;
	int rc;

	while (c->s < c->end && slash(*c->s))
		c->s++;
	end = authority_end(u, c->s, c->end);
	put_userinfo(c, end);
	/* a bracket elsewhere is a fault, whatever stands in it */
	colon = c->s;
	if (colon < end && *colon == '[')
		colon = find(colon, end, ']');
	colon = find(colon, end, ':');
	rc = urlhost_put(c->out, c->s, (size_t)(colon - c->s));
	if (rc < 0)
		return rc;
	c->out += rc;
	c->s = end;
	return colon == end ? 0 : put_port(c, colon + 1, end, scheme);
}

/*
 * The path, behind the "/" that is already at `root'; then query and
 * fragment.
 */
static void
put_rest(const struct url *u, struct cursor *c, char *root, int fragment)
{
	const char *hash = find(c->s, c->end, '#');
	const char *quest = find(c->s, hash, '?');

	c->out = urlpath_segments(root, c->out, c->s, quest, u->skip);
	if (quest < hash) {
		*c->out++ = '?';
		c->out = urlpath_query(c->out, quest + 1, hash, u->skip);
	}
	if (hash < c->end && fragment) {
		*c->out++ = '#';
		c->out =
		    urlpath_encode(c->out, hash + 1, c->end, URLCLASS_FRAGMENT);
	}
}

static int
absolute(const struct url *u, struct cursor *c, enum scheme scheme,
    int fragment)
{
	const char *text = scheme == SCHEME_HTTPS ? "https://" : "http://";
	size_t n = strlen(text);
	char *root;
	int rc;

	memcpy(c->out, text, n);
	c->out += n;
	rc = put_authority(u, c, scheme);
	if (rc < 0)
		return rc;
	root = c->out;
	*c->out++ = '/';
	if (c->s < c->end && slash(*c->s))
		c->s++;
	put_rest(u, c, root, fragment);
	return 0;
}

/* The standard's relative state: `c' has no scheme, or only the base's. */
static int
relative(const struct url *u, struct cursor *c, int fragment)
{
	const struct url_parts *b = &u->parts;
	size_t keep = b->path;
	char *root = c->out + b->path;
	char first = c->s < c->end ? *c->s : '#';

	if (slash(first)) {
		if (c->end - c->s > 1 && slash(c->s[1]))
			return absolute(u, c, u->base_scheme, fragment);
		c->s++;
		keep = b->path + 1;
	} else if (first == '#') {
		keep = b->end;
	} else if (first == '?') {
		keep = b->query;
	} else {
		for (keep = b->query; u->base[keep - 1] != '/'; keep--)
			;
	}
	memcpy(c->out, u->base, keep);
	c->out += keep;
	put_rest(u, c, root, fragment);
	return 0;
}

/* Does a port follow the colon, rather than what a scheme names? */
static int
port_follows(const char *s, const char *end)
{
	unsigned int n = 0;
	const char *p = s;

	for (; p < end && urlclass_digit(*p) && n <= 65535; p++)
		n = n * 10 + (unsigned int)(*p - '0');
	return p > s && n <= 65535 &&
	    (p == end || slash(*p) || *p == '?' || *p == '#');
}

/* A line without a scheme where there is no base. */
static int
without_scheme(const struct url *u, struct cursor *c, int fragment)
{
	if (c->s == c->end)
		return FAULT_URL_EMPTY;
	if (u->scheme == SCHEME_NONE)
		return FAULT_URL_RELATIVE;
	/* "/a" names no host, "//example.com/a" does */
	if (slash(*c->s) && (c->end - c->s < 2 || !slash(c->s[1])))
		return FAULT_URL_RELATIVE;
	return absolute(u, c, u->scheme, fragment);
}

/* Parse what `c' holds, trimmed, and write it under no further rules. */
static int
parse(const struct url *u, struct cursor *c, int fragment)
{
	const char *after;
	enum scheme scheme = scheme_of(c->s, c->end, &after);

	if (scheme != SCHEME_NONE && u->scheme != SCHEME_NONE &&
	    u->base_scheme == SCHEME_NONE && port_follows(after, c->end))
		scheme = SCHEME_NONE; /* a host and its port */
	else
		c->s = after;
	if (scheme == SCHEME_OTHER)
		return FAULT_URL_SCHEME;
	if (scheme == SCHEME_NONE)
		return u->base_scheme == SCHEME_NONE ?
		    without_scheme(u, c, fragment) :
		    relative(u, c, fragment);
	if (scheme == u->base_scheme &&
	    !(c->end - c->s > 1 && c->s[0] == '/' && c->s[1] == '/'))
		return relative(u, c, fragment);
	return absolute(u, c, scheme, fragment);
}

static int
unwanted(char c)
{
	return c == '\t' || c == '\n' || c == '\r';
}

/*
 * Trim controls and spaces off both ends, and take tabs and newlines out:
 * that needs a copy, in `line'.
 */
static void
trim(char *line, struct cursor *c)
{
	const char *p;
	char *to = line;

	while (c->s < c->end && (unsigned char)*c->s <= ' ')
		c->s++;
	while (c->end > c->s && (unsigned char)c->end[-1] <= ' ')
		c->end--;
	if (find(c->s, c->end, '\t') == c->end &&
	    find(c->s, c->end, '\n') == c->end &&
	    find(c->s, c->end, '\r') == c->end)
		return;
	for (p = c->s; p < c->end; p++)
		if (!unwanted(*p))
			*to++ = *p;
	c->s = line;
	c->end = to;
}

/* The whole way, for whatever is not in normal form at first sight. */
static int
slow(struct url *u, const char *s, size_t len, uint32_t rules,
    struct url_span *out)
{
	struct cursor c;
	int rc;

	c.s = s;
	c.end = s + len;
	c.out = u->buf;
	trim(u->line, &c);
	rc = parse(u, &c, (rules & URL_KEEP_FRAGMENT) != 0);
	if (rc < 0)
		return rc;
	out->s = u->buf;
	out->len = (size_t)(c.out - u->buf);
	return out->len > LIMIT_URL ? FAULT_URL_TOOLONG : 0;
}

/*
 * The input may be memory of ours, a result from before: move it to where
 * nothing is written while it is read.
 */
static const char *
apart(struct url *u, const char *s, size_t len)
{
	uintptr_t from = (uintptr_t)u, at = (uintptr_t)s;

	if (at < from || at >= from + sizeof *u)
		return s;
	memmove(u->line, s, len);
	return u->line;
}

int
url_normalise(struct url *u, const char *s, size_t len, struct url_span *out)
{
	int rc;

	if (len > LIMIT_LINE)
		return FAULT_URL_TOOLONG;
	s = apart(u, s, len);
	out->s = s;
	out->len = u->fast(s, len, u->rules & URL_KEEP_FRAGMENT);
	if (out->len == 0) {
		rc = slow(u, s, len, u->rules, out);
		if (rc < 0)
			return rc;
	}
	if ((u->rules & ~(uint32_t)URL_KEEP_FRAGMENT) != 0) {
		rc = urlrules_apply(u->rules, *out, u->alt, u->params);
		if (rc < 0)
			return rc;
		out->s = u->alt;
		out->len = (size_t)rc;
	}
	if (out->len == len && out->s != s && memcmp(out->s, s, len) == 0)
		out->s = s;
	return 0;
}

int
url_default_scheme(struct url *u, const char *scheme)
{
	enum scheme n = SCHEME_NONE;

	if (scheme != NULL)
		n = scheme_named(scheme, strlen(scheme));
	if (n == SCHEME_OTHER)
		return FAULT_URL_SCHEME;
	u->scheme = n;
	return 0;
}

int
url_base(struct url *u, const char *base, size_t len)
{
	enum scheme old = u->base_scheme;
	struct url_span n;
	int rc;

	u->base_scheme = SCHEME_NONE;
	if (len == 0)
		return 0;
	rc = FAULT_URL_TOOLONG;
	if (len <= LIMIT_LINE)
		rc = slow(u, apart(u, base, len), len, 0, &n);
	if (rc < 0) {
		u->base_scheme = old;
		return rc;
	}
	memcpy(u->base, n.s, n.len);
	rc = url_split(n, &u->parts);
	u->base_scheme = u->parts.https ? SCHEME_HTTPS : SCHEME_HTTP;
	return rc;
}
