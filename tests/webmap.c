/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webmap.c - the zone of sitemaps, with pages that only they name
 *
 * The Sitemap protocol 0.9: urlset, sitemapindex, text, each also as a gzip
 * file.  "/a/N" are the pages.
 */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tests/webcoding.h"
#include "tests/webzone.h"

#define EACH 5 /* pages that one sitemap names */

static const char xml[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
static const char ns[] =
    "xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"";

/* The ways to write a loc element; \1 is the URL, "&" escaped. */
static void
put_loc(struct webbuf *out, const char *host, const char *path, unsigned int k)
{
	static const char *const before[] = { "<loc>", "<loc>\n    ",
		"<loc><![CDATA[", "<loc>",
		"<lastmod>2024-01-01</lastmod><loc>" };
	static const char *const after[] = { "</loc>", "\n  </loc>",
		"]]></loc>", "</loc><priority>0.5</priority>", "</loc>" };

	webbuf_fmt(out, "%shttp://%s", before[k % 5], host);
	for (; *path != '\0'; path++) {
		webbuf_byte(out, *path);
		if (*path == '&' && k % 5 != 2)
			webbuf_str(out, "amp;");
	}
	webbuf_str(out, after[k % 5]);
}

static void
tell(struct webanswer *a, const char *host, const char *path)
{
	struct webpage_edge e = { host, path, 0, 0, WEBPAGE_SITEMAP };

	if (a->walk != NULL)
		a->walk(a->arg, &e);
}

/* A urlset of the pages from `from' on. */
static void
urlset(struct webanswer *a, const char *host, unsigned int from)
{
	char path[64];
	unsigned int k;

	a->type = "application/xml";
	webbuf_fmt(&a->body, "%s<urlset %s>\n", xml, ns);
	for (k = from; k < from + EACH; k++) {
		snprintf(path, sizeof path, "/a/%u?b=1&c=%u", k, k);
		tell(a, host, path);
		webbuf_str(&a->body, "  <url>");
		put_loc(&a->body, host, path, k);
		webbuf_fmt(&a->body,
		    "<image:loc>http://%s/never/image</image:loc>", host);
		webbuf_str(&a->body, "</url>\n");
	}
	/* what robots.txt forbids stays forbidden */
	tell(a, host, "/private/named");
	webbuf_fmt(&a->body, "<url><loc>http://%s/private/named</loc></url>",
	    host);
	webbuf_str(&a->body, "</urlset>\n");
}

static void
sitemapindex(struct webanswer *a, const char *host)
{
	static const char *const part[] = { "/part1.xml", "/part2.xml.gz",
		"/part3.txt", "/index.xml", "/missing.xml" };
	size_t i;

	a->type = "text/xml; charset=utf-8";
	webbuf_fmt(&a->body, "%s<sitemapindex %s>\n", xml, ns);
	for (i = 0; i < sizeof part / sizeof part[0]; i++) {
		tell(a, host, part[i]);
		webbuf_fmt(&a->body,
		    "<sitemap><loc>http://%s%s</loc></sitemap>\n", host,
		    part[i]);
	}
	webbuf_str(&a->body, "</sitemapindex>\n");
}

static void
list(struct webanswer *a, const char *host, unsigned int from)
{
	char path[64];
	unsigned int k;

	a->type = "text/plain";
	webbuf_str(&a->body, "\xef\xbb\xbf");
	for (k = from; k < from + EACH; k++) {
		snprintf(path, sizeof path, "/a/%u", k);
		tell(a, host, path);
		webbuf_fmt(&a->body, "http://%s%s\r\n", host, path);
	}
}

static void
packed(struct webanswer *a)
{
	struct webbuf scratch = { NULL, 0, 0, 0 };

	a->type = "application/gzip";
	if (webcoding_pack(WEBCODING_GZIP, &a->body, &scratch) == NULL)
		a->body.failed = 1;
	webbuf_free(&scratch);
}

static void
sitemaps_get(struct webanswer *a, const char *host, unsigned int i,
    const char *path)
{
	(void)i;
	a->status = 200;
	if (strcmp(path, "/sitemap.xml") == 0)
		urlset(a, host, 0);
	else if (strcmp(path, "/part1.xml") == 0)
		urlset(a, host, 100);
	else if (strcmp(path, "/part2.xml.gz") == 0) {
		urlset(a, host, 200);
		packed(a);
	} else if (strcmp(path, "/packed.txt.gz") == 0) {
		list(a, host, 300);
		packed(a);
	} else if (strcmp(path, "/list.txt") == 0)
		list(a, host, 400);
	else if (strcmp(path, "/part3.txt") == 0)
		list(a, host, 500);
	else if (strcmp(path, "/index.xml") == 0)
		sitemapindex(a, host);
	else if (strcmp(path, "/missing.xml") == 0)
		webanswer_plain(a, 404);
	else
		webanswer_leaf(a, host, path);
}

static void
sitemaps_robots(struct webanswer *a, const char *host, unsigned int i)
{
	static const char *const map[] = { "/sitemap.xml", "/index.xml",
		"/list.txt", "/packed.txt.gz" };
	size_t k;

	(void)i;
	a->status = 200;
	a->type = "text/plain";
	webbuf_str(&a->body, "User-agent: *\nDisallow: /private/\n");
	for (k = 0; k < sizeof map / sizeof map[0]; k++) {
		tell(a, host, map[k]);
		webbuf_fmt(&a->body, "%s: http://%s%s\n",
		    k % 2 == 0 ? "Sitemap" : "SITEMAP", host, map[k]);
	}
}

static int
sitemaps_allows(const struct web *w, unsigned int i, const char *path)
{
	(void)w;
	(void)i;
	return strncmp(path, "/private/", 9) != 0;
}

const struct webzone webmap_zones[] = {
	{ "sitemaps", WEB_SITEMAPS, 0, 1, sitemaps_get, sitemaps_robots,
	    sitemaps_allows },
	{ NULL, WEB_FEATURES, 0, 0, NULL, NULL, NULL },
};
