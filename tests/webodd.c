/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webodd.c - the zones of odd URLs: private addresses, length, empty path
 * segments, queries in every order, and spaces of URLs without end
 */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tests/webzone.h"

/* Hosts that stand for addresses behind somebody's firewall. */
static const struct {
	const char *written, *normal;
} private_host[] = {
	{ "127.0.0.1:1", "127.0.0.1:1" },
	{ "169.254.169.254", "169.254.169.254" },
	{ "10.0.0.1", "10.0.0.1" },
	{ "192.168.0.1", "192.168.0.1" },
	{ "172.16.0.1", "172.16.0.1" },
	{ "100.64.0.1", "100.64.0.1" },
	{ "0x7f.2", "127.0.0.2" },
	{ "017700000003", "127.0.0.3" },
	{ "0", "0.0.0.0" },
	{ "[::1]", "[::1]" },
	{ "[::ffff:127.0.0.1]", "[::ffff:7f00:1]" },
	{ "[fe80::1]", "[fe80::1]" },
};

#define PRIVATE (sizeof private_host / sizeof private_host[0])

/* "/r/N" redirects to such a host, the root links to it and to that. */
static void
private_get(struct webanswer *a, const char *host, unsigned int i,
    const char *path)
{
	struct webpage_edge e = { NULL, "/", 0, 0, WEBPAGE_PRIVATE };
	struct webpage p;
	char to[32];
	long n = webzone_number(path, "/r/");
	size_t k;

	(void)i;
	if (n >= 0 && (size_t)n < PRIVATE) {
		e.host = private_host[n].normal;
		if (a->walk != NULL)
			a->walk(a->arg, &e);
		webanswer_plain(a, 302);
		webbuf_fmt(&a->head, "Location: http://%s/\r\n",
		    private_host[n].written);
		return;
	}
	if (strcmp(path, "/") != 0) {
		webanswer_leaf(a, host, path);
		return;
	}
	webanswer_open(a, &p, host, "/");
	for (k = 0; k < PRIVATE; k++) {
		webpage_edge(&p, private_host[k].normal, "/", WEBPAGE_PRIVATE);
		if (p.out != NULL)
			webbuf_fmt(p.out, "<a href=\"http://%s/\">x</a>\n",
			    private_host[k].written);
		snprintf(to, sizeof to, "/r/%zu", k);
		webpage_anchor(&p, host, to, WEBPAGE_FOLLOW);
	}
	webanswer_shut(a, &p);
}

/* Paths of 100 to 8,000 bytes, and one that no program should take. */
static void
longurls_get(struct webanswer *a, const char *host, unsigned int i,
    const char *path)
{
	static const size_t length[] = { 100, 1000, 1900 };
	struct webpage p;
	char to[WEB_PATH_MAX], thousand[1001];
	size_t k;

	(void)i;
	if (strcmp(path, "/") != 0) {
		webanswer_leaf(a, host, path);
		return;
	}
	webanswer_open(a, &p, host, "/");
	for (k = 0; k < 3; k++) {
		memset(to, 'a' + (int)k, length[k]);
		to[0] = '/';
		to[length[k]] = '\0';
		webpage_anchor(&p, host, to, WEBPAGE_FOLLOW);
	}
	/* a crawler may set itself a limit above 2,000 bytes */
	memset(to, 'x', 8000);
	to[0] = '/';
	to[8000] = '\0';
	webpage_anchor(&p, host, to, WEBPAGE_MAYBE);
	memset(thousand, 'y', 1000);
	thousand[1000] = '\0';
	webpage_text(&p, "<a href=\"/");
	for (k = 0; k < 100; k++)
		webpage_text(&p, thousand);
	webpage_text(&p, "\">x</a>\n");
	webanswer_shut(a, &p);
}

/* Empty segments are segments: all these are pages of their own. */
static void
slashes_get(struct webanswer *a, const char *host, unsigned int i,
    const char *path)
{
	static const char *const to[] = { "/a/b", "/a//b", "//a/b", "/a/b/",
		"/a/b//", "///", "//", "/a//b?x=//", "/a/%2F/b" };
	struct webpage p;
	size_t k;

	(void)i;
	if (strcmp(path, "/") != 0) {
		webanswer_leaf(a, host, path);
		return;
	}
	webanswer_open(a, &p, host, "/");
	for (k = 0; k < sizeof to / sizeof to[0]; k++)
		webpage_anchor(&p, host, to[k], WEBPAGE_FOLLOW);
	webanswer_shut(a, &p);
}

/* Without further rules these all differ, however alike they look. */
static void
queries_get(struct webanswer *a, const char *host, unsigned int i,
    const char *path)
{
	static const char *const to[] = { "/q", "/q?", "/q??", "/q?a",
		"/q?a=", "/q?a=1", "/q?a=1&b=2", "/q?b=2&a=1", "/q?a=1&a=1",
		"/q?&", "/q?a=%26", "/q?a=%2B+b", "/q?a=/../b", "/q?a=b%23c",
		"/q?sid=0123456789abcdef0123456789abcdef",
		"/q;jsessionid=0123456789ABCDEF?a=1", "/q?utm_source=x",
		"/Q?A=1", "/q/?a=1" };
	struct webpage p;
	char path_k[64];
	size_t k;

	(void)i;
	if (strcmp(path, "/") != 0) {
		webanswer_leaf(a, host, path);
		return;
	}
	webanswer_open(a, &p, host, "/");
	for (k = 0; k < sizeof to / sizeof to[0]; k++)
		webpage_anchor(&p, host, to[k], WEBPAGE_FOLLOW);
	for (k = 0; k < 100; k++) {
		snprintf(path_k, sizeof path_k,
		    "/shop?colour=%zu&size=%zu&page=1", k % 10, k / 10);
		webpage_anchor(&p, host, path_k, WEBPAGE_FOLLOW);
	}
	webanswer_shut(a, &p);
}

/*
 * Spaces without end, or with as many pages as --trap says: a calendar, a
 * folder in itself, a session id for each link.  All below "/t/".
 */
static void
trap_page(struct webpage *p, const char *host, unsigned long n)
{
	char to[128];

	snprintf(to, sizeof to, "/t/calendar/%lu/%02lu", 2000 + n / 12,
	    n % 12 + 1);
	webpage_anchor(p, host, to, WEBPAGE_TRAP);
	snprintf(to, sizeof to, "/t/shop?page=%lu&sid=%08lx", n,
	    n * 2654435761u & 0xffffffff);
	webpage_anchor(p, host, to, WEBPAGE_TRAP);
	webpage_text(p, "<a href=\"more/\">x</a>\n");
}

/* How deep into a trap this path is: pages, or 0 for another spelling. */
static unsigned long
trap_depth(const char *path)
{
	unsigned long year, month, n = 0;
	const char *s;

	if (sscanf(path, "/t/calendar/%lu/%lu", &year, &month) == 2)
		return year < 2000 ? 0 : (year - 2000) * 12 + month;
	if (sscanf(path, "/t/shop?page=%lu", &n) == 1)
		return n + 1;
	for (s = path; *s != '\0'; s++)
		n += *s == '/';
	return n;
}

static void
trap_get(struct webanswer *a, const char *host, unsigned int i,
    const char *path)
{
	struct webpage p;
	unsigned long n = 0;

	(void)i;
	if (strncmp(path, "/t/", 3) == 0)
		n = trap_depth(path);
	webanswer_open(a, &p, host, path);
	if (strcmp(path, "/") == 0)
		webpage_anchor(&p, host, "/t/", WEBPAGE_TRAP);
	else if (a->web->trap == 0 || n < a->web->trap)
		trap_page(&p, host, n);
	webanswer_shut(a, &p);
}

const struct webzone webodd_zones[] = {
	{ "private", WEB_PRIVATE, 0, 1, private_get, NULL, NULL },
	{ "longurls", WEB_LONGURLS, 0, 1, longurls_get, NULL, NULL },
	{ "slashes", WEB_SLASHES, 0, 1, slashes_get, NULL, NULL },
	{ "queries", WEB_QUERIES, 0, 1, queries_get, NULL, NULL },
	{ "trap", WEB_TRAP, 0, 1, trap_get, NULL, NULL },
	{ NULL, WEB_FEATURES, 0, 0, NULL, NULL, NULL },
};
