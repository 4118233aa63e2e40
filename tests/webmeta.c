/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webmeta.c - zones of rows: what a page or its header says of its links
 *
 * HTML Living Standard sections 4.2.5.3 (refresh), 4.6.7 (link types); RFC
 * 8288 (Link); Encoding Standard; what search engines document of nofollow.
 */

#include "config.h"

#include <string.h>

#include "tests/webrow.h"
#include "tests/webzone.h"

#define P WEBPAGE_PHANTOM
#define F WEBPAGE_FOLLOW
#define N WEBPAGE_NOFOLLOW
#define E WEBPAGE_EMBED
#define M WEBPAGE_MAYBE

static const char link_text[] = "<a href=\"\1\">x</a>";

static const struct webrow nofollow[] = {
	{ .text = "<a rel=nofollow href=\"\1\">x</a>", .why = N },
	{ .text = "<a href=\"\1\" rel='noopener\tNoFollow ugc'>x</a>",
	    .why = N },
	{ .text = "<area rel=nofollow href=\"\1\">", .why = N },
	{ .text = "<link rel='next nofollow' href=\"\1\">", .why = N },
	{ .text = "<a rel='nofollowed x-nofollow' href=\"\1\">x</a>",
	    .why = F },
	{ .text = "<a rel='ugc sponsored' href=\"\1\">x</a>", .why = F },
	{ .text = "<a rel=nofollow href=\"\1\">x</a><a href=\"\1\">x</a>",
	    .why = F },
	{ .text = "<meta name=robots content=nofollow><a href=\"\1\">x</a>",
	    .why = N },
	{ .text = "<META NAME='ROBOTS' CONTENT=' NOINDEX ,NOFOLLOW'>"
		  "<a href=\"\1\">x</a>",
	    .why = N },
	{ .text = "<meta content=none name=robots><a href=\"\1\">x</a>",
	    .why = N },
	{ .text = "<meta name=\3 content=nofollow><a href=\"\1\">x</a>",
	    .why = N },
	{ .text = "<a href=\"\1\">x</a><meta name=robots content=nofollow>",
	    .why = N },
	{ .text = "<meta name=otherbot content=none><a href=\"\1\">x</a>",
	    .why = F },
	{ .text = "<meta name=robots content='noindex'><a href=\"\1\">x</a>",
	    .why = F },
	{ .text = "<meta name=robots content='index,follow'>"
		  "<a href=\"\1\">x</a>",
	    .why = F },
	{ .text = link_text, .why = N, .head = "X-Robots-Tag: nofollow" },
	{ .text = link_text,
	    .why = N,
	    .head = "X-Robots-Tag: noindex\nx-robots-tag: NoFollow" },
	{ .text = link_text, .why = N, .head = "X-Robots-Tag: none" },
	{ .text = link_text, .why = N, .head = "X-Robots-Tag: \3: nofollow" },
	{ .text = link_text,
	    .why = F,
	    .head = "X-Robots-Tag: otherbot: noindex, nofollow" },
	{ .text = link_text, .why = F, .head = "X-Robots-Tag: noindex" },
	{ .text = NULL },
};

static const struct webrow refresh[] = {
	{ .text = "<meta http-equiv=refresh content=\"0;url=\2\">", .why = F },
	{ .text = "<META HTTP-EQUIV=Refresh CONTENT=\"5; URL = '\1' x\">",
	    .why = F },
	{ .text = "<meta http-equiv=refresh content=\"0,url=\2\">", .why = F },
	{ .text = "<meta http-equiv=refresh content=\"1 \2\">", .why = F },
	{ .text = "<meta http-equiv=refresh content=\"3;\2\">", .why = F },
	{ .text = "<meta http-equiv=refresh content=\".5;url=\2\">", .why = F },
	{ .text = "<meta http-equiv=refresh content='9;url=\"\2\"'>",
	    .why = F },
	{ .text = "<meta http-equiv=refresh content=\"x;url=\2\">", .why = P },
	{ .text = "<meta http-equiv=refresh content=\"-1;url=\2\">", .why = P },
	{ .text = "<meta http-equiv=refresh content=\"0url=\2\">", .why = P },
	{ .text = "<p>x</p>", .why = F, .head = "Refresh: 0;url=\2" },
	{ .text = "<p>x</p>", .why = F, .head = "refresh: 2; URL=\"\1\"" },
	{ .text = NULL },
};

static const struct webrow frames[] = {
	{ .text = "<iframe src=\"\1\"></iframe>", .why = F },
	{ .text = "<IFRAME WIDTH=1 SRC=\2>", .why = F, .bare = 1 },
	{ .text = "<frameset cols=1,2><frame src=\"\1\"></frameset>",
	    .why = F,
	    .bare = 1 },
	{ .text = "<map name=m><area shape=rect href=\"\1\"></map>", .why = F },
	{ .text = "<iframe src='about:blank' data-src=\"\1\"></iframe>",
	    .why = P },
	{ .text = "<img src=\"\1\">", .why = E },
	{ .text = "<video poster=\"\1\"></video>", .why = E },
	{ .text = "<script src=\"\1\"></script>", .why = E },
	{ .text = "<img srcset=\"\1 2x\">", .why = E },
	{ .text = "<img src=\"\1\"><a href=\"\1\">x</a>", .why = F },
	{ .text = NULL },
};

static const struct webrow linkrel[] = {
	{ .text = "<link rel=next href=\"\1\">", .why = F },
	{ .text = "<LINK HREF=\2 REL='start PREV'>", .why = F },
	{ .text = "<link rel=canonical href=\"\1\">", .why = F },
	{ .text = "<link rel=alternate hreflang=de href=\"\2\">", .why = F },
	{ .text = "<p><link rel='Alternate' href=\"\2\"></p>", .why = F },
	{ .text = "<link rel=stylesheet href=\"\1\">", .why = E },
	{ .text = "<link rel='alternate stylesheet' href=\"\1\">", .why = E },
	{ .text = "<link rel='shortcut icon' href=\"\1\">", .why = E },
	{ .text = "<link href=\"\1\">", .why = P },
	{ .text = "<link rel='' href=\"\1\">", .why = P },
	{ .text = NULL },
};

static const struct webrow headers[] = {
	{ .text = "x", .why = F, .head = "Link: <\2>; rel=next" },
	{ .text = "x", .why = F, .head = "link: <\1>; rel=\"canonical\"" },
	{ .text = "x",
	    .why = F,
	    .head = "Link: </0>; rel=prev, <\2>; title=\"a, b\"; rel=next" },
	{ .text = "x",
	    .why = F,
	    .head = "Link: </0>; rel=prev\nLink:<\2>;rel=\"start next\"" },
	{ .text = "x", .why = F, .head = "Link: <\2> ; REL = Alternate" },
	{ .text = "x", .why = E, .head = "Link: <\2>; rel=preload" },
	{ .text = "x", .why = E, .head = "Link: <\2>; rel=stylesheet" },
	{ .text = "x", .why = P, .head = "Link: <\2>" },
	{ .text = "x", .why = P, .head = "Link: \2; rel=next" },
	{ .text = "x", .why = P, .head = "X-Link: <\2>; rel=next" },
	{ .text = NULL },
};

static const char page_text[] = "<!DOCTYPE html><title>x</title>"
				"<a href=\"\1\">x</a>";

static const struct webrow types[] = {
	{ .text = page_text, .why = P, .type = "text/plain", .bare = 1 },
	{ .text = page_text, .why = P, .type = "application/json", .bare = 1 },
	{ .text = page_text, .why = P, .type = "text/css", .bare = 1 },
	{ .text = page_text, .why = P, .type = "image/png", .bare = 1 },
	{ .text = page_text, .why = P, .type = "application/pdf", .bare = 1 },
	{ .text = page_text,
	    .why = P,
	    .type = "application/octet-stream",
	    .bare = 1 },
	{ .text = "<rss><channel><link>\1</link></channel></rss>",
	    .why = P,
	    .type = "application/rss+xml",
	    .bare = 1 },
	{ .text = "<urlset><url><loc>\1</loc></url></urlset>",
	    .why = P,
	    .type = "text/xml",
	    .bare = 1 },
	{ .text = "var a = '<a href=\"\1\">'",
	    .why = P,
	    .type = "text/javascript; x=text/html",
	    .bare = 1 },
	{ .text = page_text, .why = F, .type = "TEXT/HTML", .bare = 1 },
	{ .text = page_text,
	    .why = F,
	    .type = "text/html ; x=\";\"; charset=\"utf-8\"",
	    .bare = 1 },
	{ .text = "<html xmlns=\"http://www.w3.org/1999/xhtml\"><head>"
		  "<title>x</title></head><body><a href=\"\1\">x</a>"
		  "</body></html>",
	    .why = F,
	    .type = "application/xhtml+xml",
	    .bare = 1 },
	{ .text = page_text, .why = M, .type = "", .bare = 1 },
	{ .text = page_text,
	    .why = M,
	    .head = "Content-Disposition: attachment; filename=x.html",
	    .bare = 1 },
	{ .text = NULL },
};

/* The path's last letter, in bytes of the page's encoding. */
static const struct webrow charsets[] = {
	{ .text = "<a href=\2\xe9>x</a>",
	    .why = F,
	    .type = "text/html; charset=ISO-8859-1",
	    .more = "%C3%A9",
	    .bare = 1 },
	{ .text = "<meta charset=latin1><a href=\2\xe9>x</a>",
	    .why = F,
	    .type = "text/html",
	    .more = "%C3%A9",
	    .bare = 1 },
	{ .text = "<a href=\2\xe9>x</a>",
	    .why = F,
	    .type = "text/html",
	    .more = "%C3%A9",
	    .bare = 1 },
	{ .text = "<a href=\2\xc3\xa9>x</a>",
	    .why = F,
	    .type = "text/html",
	    .more = "%C3%A9",
	    .bare = 1 },
	{ .text = "<a href=\2\x80>x</a>",
	    .why = F,
	    .type = "text/html; charset=windows-1252",
	    .more = "%E2%82%AC",
	    .bare = 1 },
	{ .text = "\xef\xbb\xbf<a href=\2\xc3\xa9>x</a>",
	    .why = F,
	    .type = "text/html; charset=iso-8859-1",
	    .more = "%C3%A9",
	    .bare = 1 },
	{ .text = "<meta charset=utf-8><a href=\2\xe9>x</a>",
	    .why = F,
	    .type = "text/html; charset=windows-1251",
	    .more = "%D0%B9",
	    .bare = 1 },
	{ .text = "<meta http-equiv=content-type content='text/html;"
		  "charset=koi8-r'><a href=\2\xca>x</a>",
	    .why = F,
	    .type = "text/html",
	    .more = "%D0%B9",
	    .bare = 1 },
	{ .text = "<a href=\2\x93\xfa>x</a>",
	    .why = F,
	    .type = "text/html; charset=shift_jis",
	    .more = "%E6%97%A5",
	    .bare = 1 },
	{ .text = "<meta charset=x-no-such><a href=\2\xc3\xa9>x</a>",
	    .why = F,
	    .type = "text/html",
	    .more = "%C3%A9",
	    .bare = 1 },
	{ .text = "<meta charset=utf-16le><a href=\2\xc3\xa9>x</a>",
	    .why = F,
	    .type = "text/html",
	    .more = "%C3%A9",
	    .bare = 1 },
	{ .text = NULL },
};

static void
rows_get(struct webanswer *a, const char *host, unsigned int i,
    const char *path)
{
	static const struct {
		const char *name;
		const struct webrow *rows;
	} all[] = {
		{ "nofollow.", nofollow },
		{ "refresh.", refresh },
		{ "frames.", frames },
		{ "linkrel.", linkrel },
		{ "headers.", headers },
		{ "types.", types },
		{ "charsets.", charsets },
	};

	for (i = 0; i < sizeof all / sizeof all[0]; i++)
		if (strncmp(host, all[i].name, strlen(all[i].name)) == 0)
			webrow_get(a, all[i].rows, host, path);
}

const struct webzone webmeta_zones[] = {
	{ "nofollow", WEB_NOFOLLOW, 0, 1, rows_get, NULL, NULL },
	{ "refresh", WEB_REFRESH, 0, 1, rows_get, NULL, NULL },
	{ "frames", WEB_FRAMES, 0, 1, rows_get, NULL, NULL },
	{ "linkrel", WEB_LINKREL, 0, 1, rows_get, NULL, NULL },
	{ "headers", WEB_HEADERS, 0, 1, rows_get, NULL, NULL },
	{ "types", WEB_TYPES, 0, 1, rows_get, NULL, NULL },
	{ "charsets", WEB_CHARSETS, 0, 1, rows_get, NULL, NULL },
	{ NULL, WEB_FEATURES, 0, 0, NULL, NULL, NULL },
};
