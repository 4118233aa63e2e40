/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>
#include <time.h>

#include "crawler/robots.h"
#include "snapshot/limits.h"
#include "tests/tap.h"

struct parsed {
	unsigned char *flat;
	size_t len;
	struct robots r;
};

static int
parse(struct parsed *p, const char *text, size_t len)
{
	if (robots_parse("bot/1.0", 7, text, len, &p->flat, &p->len) != 0)
		return -1;
	return robots_view(&p->r, p->flat, p->len);
}

static int
allowed(const struct robots *r, const char *path, uint32_t *line)
{
	return robots_allowed(r, path, strlen(path), line);
}

static void
fixed(struct tap *t)
{
	const unsigned char *flat;
	struct robots r;
	uint32_t line;
	size_t len;

	flat = robots_fixed(1, &len);
	tap_ok(t,
	    robots_view(&r, flat, len) == 0 && allowed(&r, "/x", &line) == 1 &&
		r.delay_ms == -1,
	    "no robots.txt: all is allowed");
	flat = robots_fixed(0, &len);
	tap_ok(t,
	    robots_view(&r, flat, len) == 0 && allowed(&r, "/x", &line) == 0 &&
		allowed(&r, "/robots.txt", &line) == 1,
	    "no answer: nothing is, but robots.txt");
}

static void
groups(struct tap *t)
{
	static const char own[] = "User-agent: bot\nDisallow: /";
	static const char any[] = "User-agent: *\nDisallow: /";
	static const char none[] = "User-agent: other\nDisallow: /";
	struct parsed p;

	tap_ok(t,
	    parse(&p, own, strlen(own)) == 0 && p.r.group == ROBOTS_OWN_GROUP,
	    "a group of our own");
	free(p.flat);
	tap_ok(t,
	    parse(&p, any, strlen(any)) == 0 && p.r.group == ROBOTS_ANY_GROUP,
	    "the group for all");
	free(p.flat);
	tap_ok(t,
	    parse(&p, none, strlen(none)) == 0 && p.r.group == ROBOTS_NO_GROUP,
	    "no group");
	tap_ok(t, p.len == 7, "which takes 7 bytes");
	free(p.flat);
}

static void
sitemaps(struct tap *t)
{
	static const char text[] = "Sitemap: http://x.example/a.xml\n"
				   "User-agent: q\nDisallow: /\n"
				   "sitemap:HTTPS://x.example/b.xml#c\n"
				   "Sitemap: /relative\nSitemap:\n"
				   "Sitemap: ftp://x/\nSitemap: http://\n";
	struct parsed p;
	size_t at = 0, len;
	const char *s;

	tap_ok(t, parse(&p, text, strlen(text)) == 0 && p.r.nmaps == 2,
	    "sitemaps: the absolute ones");
	s = robots_sitemap(&p.r, &at, &len);
	tap_ok(t,
	    s != NULL && len == 22 &&
		memcmp(s, "http://x.example/a.xml", 22) == 0,
	    "the first");
	s = robots_sitemap(&p.r, &at, &len);
	tap_ok(t,
	    s != NULL && len == 23 &&
		memcmp(s, "HTTPS://x.example/b.xml", 23) == 0,
	    "the second, in another group");
	tap_ok(t, robots_sitemap(&p.r, &at, &len) == NULL, "no third");
	free(p.flat);
}

/* `line' again and again, `size' bytes or a little less. */
static char *
repeat(const char *head, const char *line, size_t size, size_t *len)
{
	char *text = malloc(size);
	size_t n = strlen(line);

	if (text == NULL)
		abort();
	*len = strlen(head);
	memcpy(text, head, *len);
	for (; *len + n <= size; *len += n)
		memcpy(text + *len, line, n);
	return text;
}

static void
ceilings(struct tap *t)
{
	struct parsed p;
	size_t len;
	uint32_t line;
	char *text;

	text = repeat("", "Sitemap: http://x/y\n", LIMIT_ROBOTS, &len);
	tap_ok(t,
	    parse(&p, text, len) == 0 && p.r.nmaps == LIMIT_ROBOTS_SITEMAPS,
	    "sitemaps are bounded");
	free(p.flat);
	free(text);

	text = repeat("User-agent:*\nAllow:/a?:\n", "Allow:\xff?:/\n",
	    LIMIT_ROBOTS, &len);
	tap_ok(t, parse(&p, text, len) == 0 && p.len <= LIMIT_ROBOTS_FLAT,
	    "and so is the flat form");
	tap_diag("%zu bytes of %zu", p.len, len);
	free(p.flat);
	free(text);

	/* the last rule within the first 500 KiB counts */
	text = repeat("User-agent: *\n", "#2345678901234567890123456789012\n",
	    500 * 1024, &len);
	memcpy(text + len - 14, "\nDisallow: /z\n", 14);
	tap_ok(t, parse(&p, text, len) == 0 && allowed(&p.r, "/z", &line) == 0,
	    "500 KiB are read");
	free(p.flat);
	free(text);
}

/* A rule that the limit cuts must not act as a shorter one. */
static void
cut(struct tap *t)
{
	size_t len, total = LIMIT_ROBOTS + 64;
	struct parsed p;
	uint32_t line;
	char *text;

	text = repeat("User-agent: *\nDisallow: /a\n", "#\n", LIMIT_ROBOTS - 12,
	    &len);
	text = realloc(text, total);
	if (text == NULL)
		abort();
	memset(text + len, 'x', total - len);
	memcpy(text + len, "Disallow: /", 11);
	tap_ok(t,
	    parse(&p, text, total) == 0 && allowed(&p.r, "/y", &line) == 1 &&
		allowed(&p.r, "/xx", &line) == 1,
	    "a rule across the limit is none");
	tap_ok(t, allowed(&p.r, "/a", &line) == 0 && line == 2,
	    "those before it hold");
	free(p.flat);
	free(text);
}

static double
seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void
hostile(struct tap *t)
{
	struct parsed p;
	size_t len;
	uint32_t line;
	char *text, *path;
	double took = seconds();

	text = repeat("User-agent: *\nDisallow: /", "*a*b*c*d", LIMIT_ROBOTS,
	    &len);
	memcpy(text + len - 4, "*e$\n", 4);
	if (parse(&p, text, len) != 0)
		abort();
	path = repeat("/", "abcd", LIMIT_LINE, &len);
	tap_ok(t, robots_allowed(&p.r, path, len, &line) == 1,
	    "a rule of 400,000 stars");
	free(p.flat);
	free(text);

	text = repeat("User-agent: *\n", "Allow: /*zq\n", LIMIT_ROBOTS, &len);
	if (parse(&p, text, len) != 0)
		abort();
	tap_ok(t, allowed(&p.r, "/short", &line) == 1 && line == 0,
	    "43,000 rules with stars, a short path");
	tap_ok(t,
	    robots_allowed(&p.r, path, LIMIT_LINE - 4, &line) == 0 && line > 1,
	    "a long one is refused at the limit");
	took = seconds() - took;
	tap_ok(t, took < 10, "all that in %.3f s", took);
	free(p.flat);
	free(text);
	free(path);
}

static void
long_path(struct tap *t)
{
	static const char rule[] = "User-agent: *\nDisallow: /*\xc3\xa4$";
	struct parsed p;
	size_t len;
	uint32_t line;
	char *path = repeat("/", "\xc3\xa4", LIMIT_LINE, &len);

	if (parse(&p, rule, strlen(rule)) != 0)
		abort();
	tap_ok(t, robots_allowed(&p.r, path, len, &line) == 0 && line == 2,
	    "a long path that has to be encoded");
	tap_ok(t, robots_allowed(&p.r, path, len - 1, &line) == 1,
	    "cut in the middle of a character");
	free(p.flat);
	free(path);
}

static void
damaged(struct tap *t)
{
	static const char text[] = "User-agent: *\nDisallow: /a\nAllow: /b\n"
				   "Sitemap: http://x/\nCrawl-delay: 7";
	struct parsed p;
	struct robots r;
	size_t i, found = 0;

	if (parse(&p, text, strlen(text)) != 0)
		abort();
	for (i = 0; i < p.len; i++)
		found += robots_view(&r, p.flat, i) == FAULT_DAMAGED;
	tap_ok(t, found == p.len, "every cut is found");
	p.flat[0]++;
	tap_ok(t, robots_view(&r, p.flat, p.len) == FAULT_DAMAGED,
	    "another version is refused");
	free(p.flat);
}

int
main(void)
{
	struct tap t = { 0, 0 };

	fixed(&t);
	groups(&t);
	sitemaps(&t);
	ceilings(&t);
	cut(&t);
	hostile(&t);
	long_path(&t);
	damaged(&t);
	return tap_done(&t);
}
