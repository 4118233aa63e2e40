/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "dedup/urlclass.h"
#include "dedup/urlhost.h"
#include "dedup/urlnames.h"
#include "dedup/urlquery.h"
#include "dedup/urlrules.h"

static char *
copy(char *out, const char *s, const char *end)
{
	size_t n = (size_t)(end - s);

	memcpy(out, s, n);
	return out + n;
}

/*
 * The host without "www.", as often as that stands there.  What is left must
 * have a dot between two labels and not be taken for an address.
 */
static const char *
without_www(const char *s, const char *end)
{
	const char *rest, *dot;

	while (end - s > 4 && memcmp(s, "www.", 4) == 0) {
		rest = s + 4;
		dot = memchr(rest, '.', (size_t)(end - rest));
		if (dot == NULL || dot == rest || end - dot < 2 ||
		    dot[1] == '.' ||
		    urlhost_numeric(rest, (size_t)(end - rest)))
			break;
		s = rest;
	}
	return s;
}

/*
 * A path segment without session parameters (";jsessionid=..."), unless it
 * would become a dot segment by that.
 */
static char *
put_segment(char *out, const char *s, const char *end)
{
	const char *from = s, *p;
	char *start = out;

	while (s < end) {
		p = memchr(s + 1, ';', (size_t)(end - s - 1));
		if (p == NULL)
			p = end;
		if (*s != ';' || !urlnames_session(s + 1, p))
			out = copy(out, s, p);
		s = p;
	}
	if ((out - start == 1 && start[0] == '.') ||
	    (out - start == 2 && start[0] == '.' && start[1] == '.'))
		return copy(start, from, end);
	return out;
}

/*
 * The segment that ASP.NET keeps a session in where there are no cookies:
 * "(S(...))", also with other letters, "(X(1)S(...))".
 */
static int
session_segment(const char *s, const char *end)
{
	if (end - s < 5 || *s != '(' || end[-1] != ')')
		return 0;
	end--;
	for (s++; s < end; s++) {
		if (end - s < 3 || memchr("AFSX", *s, 4) == NULL || s[1] != '(')
			return 0;
		for (s += 2; s < end && *s != ')' && *s != '('; s++)
			;
		if (s == end || *s != ')')
			return 0;
	}
	return 1;
}

/* Index files and trailing slashes at the end of the path, in turns. */
static char *
cut_tail(uint32_t rules, const char *root, char *out)
{
	char *seg, *before;

	do {
		before = out;
		for (seg = out; seg[-1] != '/'; seg--)
			;
		if (rules & URL_STRIP_INDEX && urlnames_index(seg, out))
			out = seg;
		while (
		    rules & URL_STRIP_SLASH && out - root > 1 && out[-1] == '/')
			out--;
	} while (out < before);
	return out;
}

/* The path `s', which starts with "/". */
static char *
put_path(uint32_t rules, char *out, const char *s, const char *end)
{
	const char *p;
	char *root = out, *seg;

	while (s < end) {
		s++; /* the "/" */
		p = memchr(s, '/', (size_t)(end - s));
		if (p == NULL)
			p = end;
		if (!(rules & URL_MERGE_SLASHES) || out == root ||
		    out[-1] != '/')
			*out++ = '/';
		seg = out;
		if (!(rules & URL_STRIP_SESSION)) {
			out = copy(out, s, p);
		} else {
			out = put_segment(out, s, p);
			if (session_segment(seg, out))
				out = p == end ? seg : seg - 1;
		}
		s = p;
	}
	return cut_tail(rules, root, out);
}

/* Scheme, user name, host and port. */
static char *
put_front(uint32_t rules, char *out, const char *s, const struct url_parts *p)
{
	const char *host = s + p->host, *host_end = s + p->host_end;
	int fold = p->https && rules & URL_FOLD_SCHEME;
	const char *after = s + (p->https ? 8 : 7); /* the scheme */

	memcpy(out, "http://", 7);
	out = fold ? out + 7 : copy(out, s, after);
	if (!(rules & URL_DROP_USERINFO))
		out = copy(out, after, host);
	if (rules & URL_STRIP_WWW)
		host = without_www(host, host_end);
	out = copy(out, host, host_end);
	/* what was a port of its own for https is the default of http */
	if (fold && p->port == 80)
		return out;
	return copy(out, host_end, s + p->path);
}

int
urlrules_apply(uint32_t rules, struct url_span in, char *out, uint32_t *params)
{
	const char *s = in.s, *query, *end, *hash;
	struct url_parts p;
	char *start = out;
	int rc = url_split(in, &p);

	if (rc < 0)
		return rc;
	query = s + p.query;
	end = s + p.end;
	hash = memchr(query, '#', (size_t)(end - query));
	if (hash == NULL)
		hash = end;
	out = put_front(rules, out, s, &p);
	out = put_path(rules, out, s + p.path, query);
	if (query < hash)
		out = urlquery_put(rules, out, query + 1, hash, params);
	out = copy(out, hash, end);
	return (int)(out - start);
}
