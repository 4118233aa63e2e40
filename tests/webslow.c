/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webslow.c - the zones that take time, memory or patience
 */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tests/webzone.h"

#define MB (1024u * 1024)

/* Answers that are slow and whole: "/N". */
static void
slow_get(struct webanswer *a, const char *host, unsigned int i,
    const char *path)
{
	struct webpage p;
	char to[32];
	long n = webzone_number(path, "/"), k;

	(void)i;
	if (n >= 0) {
		webanswer_leaf(a, host, path);
		if (n % 2 == 0)
			a->delay = 300 + (unsigned int)n * 100;
		else
			a->fate = WEBANSWER_PIECES;
		return;
	}
	if (strcmp(path, "/") != 0) {
		webanswer_leaf(a, host, path);
		return;
	}
	webanswer_open(a, &p, host, "/");
	for (k = 0; k < 8; k++) {
		snprintf(to, sizeof to, "/%ld", k);
		webpage_anchor(&p, host, to, WEBPAGE_FOLLOW);
	}
	webanswer_shut(a, &p);
}

/*
 * Answers that never come: host 0 to 3 in their pages, host 4 in robots.txt
 * too, so that nothing of it may be fetched (RFC 9309 section 2.3.1.4).
 */
static const enum webanswer_fate dead_fate[] = { WEBANSWER_SILENT,
	WEBANSWER_STALL, WEBANSWER_DRIP, WEBANSWER_GONE, WEBANSWER_SILENT };

static void
dead_get(struct webanswer *a, const char *host, unsigned int i,
    const char *path)
{
	webanswer_leaf(a, host, path);
	a->fate = dead_fate[i];
}

static void
dead_robots(struct webanswer *a, const char *host, unsigned int i)
{
	(void)host;
	webanswer_plain(a, 404);
	if (i == 4)
		a->fate = WEBANSWER_SILENT;
}

static int
dead_allows(const struct web *w, unsigned int i, const char *path)
{
	(void)w;
	(void)path;
	return i != 4;
}

static void
repeat(struct webpage *p, const char *s, size_t times)
{
	if (p->out != NULL)
		for (; times > 0; times--)
			webbuf_str(p->out, s);
}

/* One tag with 40,000 attributes. */
static void
attributes(struct webpage *p)
{
	unsigned int i;

	if (p->out == NULL)
		return;
	webbuf_str(p->out, "<p");
	for (i = 0; i < 40000; i++)
		webbuf_fmt(p->out, " a%u=%u", i, i);
	webbuf_str(p->out, ">\n");
}

/*
 * Pages beyond a crawler's limits.  What stands before the excess must be
 * found, what stands after it may be.
 */
static void
huge_page(struct webanswer *a, const char *host, const char *path, long n)
{
	struct webpage p;
	char to[64];

	webanswer_open(a, &p, host, path);
	snprintf(to, sizeof to, "/%ld/start", n);
	webpage_anchor(&p, host, to, WEBPAGE_FOLLOW);
	switch (n) {
	case 0:
		webpage_prose(&p, 20 * MB);
		snprintf(to, sizeof to, "/%ld/middle", n);
		webpage_anchor(&p, host, to, WEBPAGE_MAYBE);
		webpage_prose(&p, 20 * MB);
		break;
	case 1:
		repeat(&p, "<div>", 100000);
		break;
	case 2:
		attributes(&p);
		break;
	case 3:
		repeat(&p, "<div></b>", 80000);
		break;
	case 4:
		repeat(&p, "<a href=/4/start>x</a>\n", 50000);
		break;
	case 5:
		repeat(&p, "<table><tr><td>", 30000);
		break;
	case 6:
		repeat(&p, "&lt", MB);
		break;
	default:
		repeat(&p, "<b><i><p>", 5000);
		break;
	}
	snprintf(to, sizeof to, "/%ld/end", n);
	webpage_anchor(&p, host, to,
	    n == 4 || n == 6 ? WEBPAGE_FOLLOW : WEBPAGE_MAYBE);
	webanswer_shut(a, &p);
}

static void
huge_get(struct webanswer *a, const char *host, unsigned int i,
    const char *path)
{
	struct webpage p;
	char to[32];
	long n = webzone_number(path, "/"), k;

	(void)i;
	if (n >= 0 && n < 8) {
		huge_page(a, host, path, n);
		return;
	}
	if (strcmp(path, "/") != 0) {
		webanswer_leaf(a, host, path);
		return;
	}
	webanswer_open(a, &p, host, "/");
	for (k = 0; k < 8; k++) {
		snprintf(to, sizeof to, "/%ld", k);
		webpage_anchor(&p, host, to, WEBPAGE_FOLLOW);
	}
	webanswer_shut(a, &p);
}

const struct webzone webslow_zones[] = {
	{ "slow", WEB_SLOW, 0, 1, slow_get, NULL, NULL },
	{ "dead", WEB_DEAD, 5, 5, dead_get, dead_robots, dead_allows },
	{ "huge", WEB_HUGE, 0, 1, huge_get, NULL, NULL },
	{ NULL, WEB_FEATURES, 0, 0, NULL, NULL, NULL },
};
