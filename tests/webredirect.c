/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webredirect.c - the zones of redirects and of other statuses
 *
 * RFC 9110 section 15.4.  There are three hosts, so that chains can cross
 * them: "/c/STATUS/N" stays on its host for N hops, "/x/N" changes it with
 * each.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/webzone.h"

#define HOSTS 3
#define HOPS  5

static const int moved[] = { 301, 302, 303, 307, 308 };

#define MOVED (sizeof moved / sizeof moved[0])

/*
 * Location headers of every kind at "/l/N", and where they lead: a path on
 * the same host, or NULL where they lead nowhere.
 */
static const struct {
	const char *location, *path;
} odd[] = {
	{ "x", "/l/x" },
	{ "./x1", "/l/x1" },
	{ "../up", "/up" },
	{ "../../../up2", "/up2" },
	{ "/abs", "/abs" },
	{ "?q=1", "" }, /* depends on its number: see odd_at() */
	{ "/frag#part", "/frag" },
	{ "/a%7eb%2fc", "/a~b%2Fc" },
	{ "/a b", "/a%20b" },
	{ "  /spaced  ", "/spaced" },
	{ "#self", NULL },
	{ "", NULL },
	{ "http://", NULL },
	{ "http://[::1", NULL },
	{ "javascript:go('/never/js')", NULL },
	{ "mailto:a@h0.test", NULL },
	{ "ftp://h0.test/never/ftp", NULL },
	{ "data:text/html,<a href=/never/data>x</a>", NULL },
};

#define ODD (sizeof odd / sizeof odd[0])

static void
root(struct webanswer *a, const char *host, unsigned int i)
{
	static const char *const more[] = { "/x/5", "/self", "/loop2/0",
		"/loop3/0", "/none", "/outside", "/private" };
	struct webpage p;
	char path[64];
	size_t k;

	webanswer_open(a, &p, host, "/");
	for (k = 0; k < MOVED; k++) {
		snprintf(path, sizeof path, "/c/%d/%d", moved[k], HOPS);
		webpage_anchor(&p, host, path, WEBPAGE_FOLLOW);
	}
	for (k = 0; k < sizeof more / sizeof more[0]; k++)
		webpage_anchor(&p, host, more[k], WEBPAGE_FOLLOW);
	for (k = 0; i == 0 && k < ODD; k++) {
		snprintf(path, sizeof path, "/l/%zu", k);
		webpage_anchor(&p, host, path, WEBPAGE_FOLLOW);
	}
	webanswer_shut(a, &p);
}

/* "/l/N": the Location as it is, without a look at what it means. */
static int
odd_at(struct webanswer *a, const char *host, const char *path)
{
	long n = webzone_number(path, "/l/");
	char query[32];
	const char *to;

	if (n < 0 || (size_t)n >= ODD)
		return 0;
	to = odd[n].path;
	if (odd[n].location[0] == '?') {
		snprintf(query, sizeof query, "%s%s", path, odd[n].location);
		to = query;
	}
	if (to == NULL)
		to = path;
	webanswer_redirect(a, 302, host, to, odd[n].location);
	return 1;
}

/* "/c/STATUS/N": on to N - 1, where 0 is a page. */
static int
chain_at(struct webanswer *a, const char *host, const char *path)
{
	char prefix[32], to[64];
	long n;
	size_t k;

	for (k = 0; k < MOVED; k++) {
		snprintf(prefix, sizeof prefix, "/c/%d/", moved[k]);
		n = webzone_number(path, prefix);
		if (n < 1 || n > HOPS)
			continue;
		snprintf(to, sizeof to, "/c/%d/%ld", moved[k], n - 1);
		/* every second hop is relative */
		webanswer_redirect(a, moved[k], host, to,
		    n % 2 == 0 ? strrchr(to, '/') + 1 : NULL);
		return 1;
	}
	return 0;
}

/* "/x/N": the same on another host each time. */
static int
cross_at(struct webanswer *a, unsigned int i, const char *path)
{
	const struct webzone *z = &webredirect_zones[0];
	long n = webzone_number(path, "/x/");
	char host[WEB_HOST_MAX], to[32];

	if (n < 1 || n > HOPS)
		return 0;
	webzone_host(a->web, z, (i + 1) % HOSTS, host);
	snprintf(to, sizeof to, "/x/%ld", n - 1);
	webanswer_redirect(a, moved[n % 5], host, to, NULL);
	return 1;
}

/* Loops, and what leads where a crawler must not go. */
static int
round_at(struct webanswer *a, const char *host, const char *path)
{
	char to[32], home[WEB_HOST_MAX];
	long two = webzone_number(path, "/loop2/");
	long three = webzone_number(path, "/loop3/");

	if (two >= 0 && two < 2) {
		snprintf(to, sizeof to, "/loop2/%ld", 1 - two);
		webanswer_redirect(a, 301, host, to, NULL);
	} else if (three >= 0 && three < 3) {
		snprintf(to, sizeof to, "/loop3/%ld", (three + 1) % 3);
		webanswer_redirect(a, 307, host, to, to);
	} else if (strcmp(path, "/self") == 0)
		webanswer_redirect(a, 302, host, path, path);
	else if (strcmp(path, "/none") == 0)
		webanswer_plain(a, 302); /* no Location at all */
	else if (strcmp(path, "/outside") == 0)
		webanswer_redirect(a, 302, "outside.invalid", "/", NULL);
	else if (strcmp(path, "/private") == 0) {
		web_host(a->web, 0, home);
		webanswer_redirect(a, 302, home, "/private/moved", NULL);
	} else
		return 0;
	return 1;
}

static void
redirects_get(struct webanswer *a, const char *host, unsigned int i,
    const char *path)
{
	if (strcmp(path, "/") == 0)
		root(a, host, i);
	else if (!chain_at(a, host, path) && !cross_at(a, i, path) &&
	    !round_at(a, host, path) && !odd_at(a, host, path))
		webanswer_leaf(a, host, path);
}

/* "/N" answers with status N. */
static void
errors_get(struct webanswer *a, const char *host, unsigned int i,
    const char *path)
{
	static const short status[] = { 204, 205, 226, 299, 300, 304, 305, 306,
		399, 400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411,
		412, 413, 414, 415, 416, 417, 418, 421, 422, 423, 424, 425, 426,
		428, 431, 451, 499, 500, 501, 502, 504, 505, 506, 507, 508, 510,
		511, 520, 599 };
	struct webpage p;
	char to[32];
	long n = webzone_number(path, "/");
	size_t k;

	(void)i;
	if (n > 0) {
		webanswer_plain(a, (int)n);
		return;
	}
	webanswer_open(a, &p, host, "/");
	for (k = 0; k < sizeof status / sizeof status[0]; k++) {
		snprintf(to, sizeof to, "/%d", status[k]);
		webpage_anchor(&p, host, to, WEBPAGE_FOLLOW);
	}
	webanswer_shut(a, &p);
}

const struct webzone webredirect_zones[] = {
	{ "redirects", WEB_REDIRECTS, HOSTS, HOSTS, redirects_get, NULL, NULL },
	{ "errors", WEB_ERRORS, 0, 1, errors_get, NULL, NULL },
	{ NULL, WEB_FEATURES, 0, 0, NULL, NULL, NULL },
};
