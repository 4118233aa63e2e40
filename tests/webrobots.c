/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/webrobots.h"
#include "tests/webzone.h"

#define STYLES 51 /* as many hosts as webrules.c has rows */
#define HOPS   5

static void
put_text(struct webanswer *a, const char *s)
{
	for (; *s != '\0'; s++) {
		if (*s == '\3')
			webbuf_str(&a->body, a->web->agent);
		else
			webbuf_byte(&a->body, *s);
	}
}

static void
put_comments(struct webanswer *a, size_t bytes)
{
	static const char line[] = "# nothing to be seen in this line, go on\n";

	for (; bytes > sizeof line; bytes -= sizeof line - 1)
		webbuf_put(&a->body, line, sizeof line - 1);
}

static void
put_body(struct webanswer *a, const struct webrobots_style *s)
{
	unsigned int i;

	a->status = 200;
	a->type = "text/plain";
	put_text(a, s->body);
	if (s->how == WEBROBOTS_LONG) {
		put_comments(a, 400000);
		webbuf_str(&a->body, "Disallow: /m\n");
		put_comments(a, 200000);
		webbuf_str(&a->body, "Disallow: /z\n");
	}
	if (s->how == WEBROBOTS_MANY)
		for (i = 0; i < 5000; i++)
			webbuf_fmt(&a->body, "Disallow: /x%u\n", i);
	if (s->how == WEBROBOTS_OLD) {
		a->type = "text/html";
		a->fate = WEBANSWER_OLD;
	}
}

/* "/robots-N.txt": N redirects before the text. */
static void
hop(struct webanswer *a, const struct webrobots_style *s, const char *host,
    long n)
{
	char to[32];

	if (n == 0) {
		put_body(a, s);
		return;
	}
	snprintf(to, sizeof to, "/robots-%ld.txt", n - 1);
	webanswer_redirect(a, n % 2 == 0 ? 301 : 307, host, to,
	    n % 2 == 0 ? to : NULL);
}

static void
rules_robots(struct webanswer *a, const char *host, unsigned int i)
{
	const struct webrobots_style *s = webrobots_style(i);
	char far[WEB_HOST_MAX], path[32];

	switch (s->how) {
	case WEBROBOTS_STATUS:
		webanswer_plain(a, (int)strtol(s->body, NULL, 10));
		break;
	case WEBROBOTS_RECOVERS:
		if (webanswer_before(a, host, "/robots.txt") < 2)
			webanswer_plain(a, 500);
		else
			put_body(a, s);
		break;
	case WEBROBOTS_MOVED:
		hop(a, s, host, HOPS);
		break;
	case WEBROBOTS_FAR:
		webzone_host(a->web, &webrobots_zones[0], 0, far);
		snprintf(path, sizeof path, "/far-%u.txt", i);
		webanswer_redirect(a, 302, far, path, NULL);
		break;
	case WEBROBOTS_PLAIN:
	case WEBROBOTS_LONG:
	case WEBROBOTS_MANY:
	case WEBROBOTS_OLD:
		put_body(a, s);
		break;
	}
}

/* The next probe of a list into `path'; its sign, or 0 at the end. */
static char
next_probe(const char **probes, char *path, size_t size)
{
	size_t n;
	char sign;

	*probes += strspn(*probes, " ");
	sign = **probes;
	if (sign == '\0')
		return 0;
	n = strcspn(*probes, " ");
	snprintf(path, size, "%.*s", (int)(n - 1), *probes + 1);
	*probes += n;
	return sign;
}

static int
rules_allows(const struct web *w, unsigned int i, const char *path)
{
	const char *probes = webrobots_style(i)->probes;
	char probe[128], sign;

	(void)w;
	for (;;) {
		sign = next_probe(&probes, probe, sizeof probe);
		if (sign == 0)
			return 1;
		if (strcmp(probe, path) == 0)
			return sign != '-';
	}
}

static void
put_probes(struct webpage *p, unsigned int i)
{
	const char *probes = webrobots_style(i)->probes;
	char host[WEB_HOST_MAX], probe[128], sign;

	webzone_host(p->web, &webrobots_zones[0], i, host);
	for (;;) {
		sign = next_probe(&probes, probe, sizeof probe);
		if (sign == 0)
			return;
		webpage_anchor(p, host, probe,
		    sign == '?' ? WEBPAGE_MAYBE : WEBPAGE_FOLLOW);
	}
}

/* Host 0 links to the probes of all, for some roots are forbidden. */
static void
rules_get(struct webanswer *a, const char *host, unsigned int i,
    const char *path)
{
	const struct webrobots_style *far;
	struct webpage p;
	unsigned int k;
	int n = -1;

	if (sscanf(path, "/robots-%d.txt", &n) == 1 && n >= 0 && n < HOPS) {
		hop(a, webrobots_style(i), host, n);
		return;
	}
	if (i == 0 && sscanf(path, "/far-%u.txt", &k) == 1) {
		far = webrobots_style(k);
		if (far != NULL && far->how == WEBROBOTS_FAR) {
			put_body(a, far);
			return;
		}
	}
	if (strcmp(path, "/") != 0 || i > 0) {
		webanswer_leaf(a, host, path);
		return;
	}
	webanswer_open(a, &p, host, path);
	for (k = 0; k < STYLES; k++)
		put_probes(&p, k);
	webanswer_shut(a, &p);
}

unsigned int
webrobots_delay(const struct web *w, const char *name)
{
	unsigned int i;
	const struct webzone *z = webzone_find(w, name, &i);

	return z == &webrobots_zones[0] ? webrobots_style(i)->delay : 0;
}

const struct webzone webrobots_zones[] = {
	{ "rules", WEB_RULES, STYLES, 1, rules_get, rules_robots,
	    rules_allows },
	{ NULL, WEB_FEATURES, 0, 0, NULL, NULL, NULL },
};
