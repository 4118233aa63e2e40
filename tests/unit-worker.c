/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <zlib.h>

#include "crawler/decode.h"
#include "crawler/links.h"
#include "crawler/robots.h"
#include "crawler/robotstag.h"
#include "tests/dnsserver.h"
#include "tests/workbench.h"

#define OK   "HTTP/1.1 200 OK\r\n"
#define HTML OK "Content-Type: text/html; charset=utf-8"

static char bomb[200000];

/* What the server has. */
static struct faultpage site[] = {
	{ "plain.test", "/", HTML,
	    "<a href='/b?x=1&amp;y'>b</a><a href=c>c</a><a href='/b?x=1&y'>"
	    "<a href=mailto:x>m</a><a href='http://[/'>bad</a>"
	    "<a rel=nofollow href=/no>n</a><img src=/i.png>",
	    0 },
	{ "plain.test", "/text",
	    OK "Content-Type: text/plain\r\nLink: </next>; rel=next\r\n"
	       "Refresh: 3; url=/fresh",
	    "<a href=/never>", 0 },
	{ "plain.test", "/xhtml", OK "content-type: APPLICATION/XHTML+XML",
	    "<html><body><a href='/x'>x</a></body></html>", 0 },
	{ "plain.test", "/untyped", OK "X: y", " <!DOCTYPE html><a href=/u>",
	    0 },
	{ "plain.test", "/binary", OK "X: y", "GIF89a <a href=/never>", 0 },
	{ "plain.test", "/folded",
	    OK "Content-Type: image/png\r\nLink: </one>;\r\n rel=next", "", 0 },
	{ "plain.test", "/tag", HTML "\r\nX-Robots-Tag: noindex",
	    "<meta name=robots content=nofollow><a href=/never>", 0 },
	{ "plain.test", "/tagus", HTML "\r\nX-Robots-Tag: testbot: nofollow",
	    "<a href=/never>", 0 },
	{ "plain.test", "/base", HTML,
	    "<base href='http://b.test/d/'><a href=e>", 0 },
	{ "plain.test", "/gone", "HTTP/1.1 410 Gone\r\nContent-Type: text/html",
	    "<a href=/never>", 0 },
	{ "plain.test", "/moved",
	    "HTTP/1.1 301 M\r\nLocation: //Other.test:80/a/../z#f\r\n"
	    "Content-Type: text/html",
	    "<a href=/never>", 0 },
	{ "plain.test", "/ftp", "HTTP/1.1 302 M\r\nLocation: ftp://x/", "", 0 },
	{ "plain.test", "/badto", "HTTP/1.1 307 M\r\nLocation: http://[/", "",
	    0 },
	{ "plain.test", "/nowhere", "HTTP/1.1 308 M\r\nX: y", "", 0 },
	{ "plain.test", "/notmod", "HTTP/1.1 305 M\r\nLocation: /x", "", 0 },
	{ "plain.test", "/bomb", HTML "\r\nContent-Encoding: gzip", bomb, 1 },
	{ "plain.test", "/badgz", HTML "\r\nContent-Encoding: gzip",
	    "\x1f\x8b\x08\0\0\0\0\0\0\3zzzz", 14 },

	/* robots.txt */
	{ "rules.test", "/robots.txt", OK "Content-Type: text/plain",
	    "User-agent: testbot\nDisallow: /no\n"
	    "Sitemap: http://cdn.test/s.xml\nSitemap: ftp://x/\n",
	    0 },
	{ "hop.test", "/robots.txt",
	    "HTTP/1.1 301 M\r\nLocation: //hop2.test/a/../elsewhere",
	    "User-agent: *\nDisallow: /\n", 0 },
	{ "hop2.test", "/elsewhere", OK "X: y", "User-agent: *\nDisallow: /\n",
	    0 },
	{ "none.test", "/robots.txt", "HTTP/1.1 404 N\r\nX: y", "Disallow: /",
	    0 },
	{ "auth.test", "/robots.txt", "HTTP/1.1 403 N\r\nX: y", "", 0 },
	{ "many.test", "/robots.txt", "HTTP/1.1 429 N\r\nRetry-After: 60", "",
	    0 },
	{ "error.test", "/robots.txt", "HTTP/1.1 503 N\r\nX: y", "", 0 },
	{ "lost.test", "/robots.txt", "HTTP/1.1 302 N\r\nX: y", "", 0 },
	{ "evil.test", "/robots.txt",
	    "HTTP/1.1 302 N\r\nLocation: http://inside.test/", "", 0 },
	{ "broken.test", "/robots.txt", OK "Content-Encoding: gzip",
	    "\x1f\x8b\x08\0\0\0\0\0\0\3\xff\xff\xff\xff", 14 },

	/* sitemaps */
	{ "map.test", "/index.xml", OK "Content-Type: application/xml",
	    "<sitemapindex><sitemap><loc>http://map.test/a.xml</loc></sitemap>"
	    "</sitemapindex>",
	    0 },
	{ "map.test", "/a.xml", OK "Content-Type: application/xml",
	    "<urlset><url><loc>http://MAP.test/1</loc></url><url><loc>2</loc>"
	    "</url><url><loc>http://[/</loc></url></urlset>",
	    0 },
	{ "map.test", "/cut.xml", OK "Content-Type: application/xml",
	    "<urlset><url><loc>http://map.test/1</loc></url><url><lo", 0 },
	{ "map.test", "/no.xml", OK "X: y", "<html><p>", 0 },
	{ NULL, NULL, NULL, NULL, 0 },
};

/* 20 MB of links, small as gzip. */
static void
make_bomb(void)
{
	static char block[65536];
	struct faultpage *p = site;
	z_stream z;
	int i;

	for (i = 0; i < (int)sizeof block; i++)
		block[i] = "<a href=/a>x</a>"[i % 16];
	memset(&z, 0, sizeof z);
	if (deflateInit2(&z, 9, Z_DEFLATED, 31, 9, Z_DEFAULT_STRATEGY) != Z_OK)
		exit(99);
	z.next_out = (Bytef *)bomb;
	z.avail_out = sizeof bomb;
	for (i = 0; i < 320; i++) {
		z.next_in = (Bytef *)block;
		z.avail_in = sizeof block;
		if (deflate(&z, i == 319 ? Z_FINISH : Z_NO_FLUSH) < 0)
			exit(99);
	}
	while (p->body != bomb)
		p++;
	p->len = z.total_out;
	if (deflateEnd(&z) != Z_OK || z.avail_out == 0)
		exit(99);
}

static void
pages(struct tap *t, struct workbench *b)
{
	static const struct {
		const char *path;
		unsigned int flags;
		const char *links, *type;
		int status;
		uint32_t nofollow, scheme, invalid;
	} row[] = {
		{ "/", 0, "p http://plain.test/b?x=1&y p http://plain.test/c",
		    "text/html", 200, 1, 1, 1 },
		{ "/", WORKER_NOFOLLOW,
		    "p http://plain.test/b?x=1&y p http://plain.test/c "
		    "p http://plain.test/no",
		    "text/html", 200, 0, 1, 1 },
		{ "/", WORKER_EMBEDS,
		    "p http://plain.test/b?x=1&y p http://plain.test/c "
		    "p http://plain.test/i.png",
		    "text/html", 200, 1, 1, 1 },
		{ "/", WORKER_NO_LINKS, "", "text/html", 200, 0, 0, 0 },
		{ "/text", 0,
		    "p http://plain.test/next p http://plain.test/fresh",
		    "text/plain", 200, 0, 0, 0 },
		{ "/text", WORKER_NO_LINKS, "", "text/plain", 200, 0, 0, 0 },
		{ "/xhtml", 0, "p http://plain.test/x", "application/xhtml+xml",
		    200, 0, 0, 0 },
		{ "/untyped", 0, "p http://plain.test/u", "", 200, 0, 0, 0 },
		{ "/binary", 0, "", "", 200, 0, 0, 0 },
		{ "/folded", 0, "p http://plain.test/one", "image/png", 200, 0,
		    0, 0 },
		{ "/tag", 0, "", "text/html", 200, 1, 0, 0 },
		{ "/tagus", 0, "", "text/html", 200, 1, 0, 0 },
		{ "/base", 0, "p http://b.test/d/e", "text/html", 200, 0, 0,
		    0 },
		{ "/gone", 0, "", "text/html", 410, 0, 0, 0 },
		{ "/moved", 0, "r http://other.test/z", "text/html", 301, 0, 0,
		    0 },
		{ "/moved", WORKER_NO_LINKS, "r http://other.test/z",
		    "text/html", 301, 0, 0, 0 },
		{ "/ftp", 0, "", "", 302, 0, 1, 0 },
		{ "/badto", 0, "", "", 307, 0, 0, 1 },
		{ "/nowhere", 0, "", "", 308, 0, 0, 0 },
		{ "/notmod", 0, "", "", 305, 0, 0, 0 },
	};
	struct worker_page *p;
	char url[128], text[512];
	size_t i;

	for (i = 0; i < sizeof row / sizeof row[0]; i++) {
		(void)snprintf(url, sizeof url, "http://plain.test%s",
		    row[i].path);
		p = workbench_one(b, WORKER_PAGE, row[i].flags, url);
		workbench_links(p, text, sizeof text);
		if (!tap_ok(t,
			p->error == FETCH_OK && p->status == row[i].status &&
			    strcmp(text, row[i].links) == 0 &&
			    strcmp(p->type, row[i].type) == 0 &&
			    p->nofollow == row[i].nofollow &&
			    p->scheme == row[i].scheme &&
			    p->invalid == row[i].invalid && p->fault == 0 &&
			    p->cut == WARC_WHOLE && p->at.offset > 0 &&
			    p->at.length > 0 && p->at.file[0] != '\0',
			"page: %s, flags %u", row[i].path, row[i].flags))
			tap_diag("%d %s: %s (%u %u %u)", p->status, p->type,
			    text, p->nofollow, p->scheme, p->invalid);
	}
}

static void
details(struct tap *t, struct workbench *b)
{
	const struct worker_link *l;
	struct worker_page *p;
	struct urlkey k;
	char ip[IP_TEXT];

	p = workbench_one(b, WORKER_PAGE, 0, "http://plain.test/text");
	l = &p->link[1];
	k = urlkey_of(&b->hasher, "http://plain.test/fresh", 23);
	tap_ok(t,
	    urlkey_same(l->key, k) && l->parts.host == 7 &&
		l->parts.host_end == 17 && l->parts.path == 17 &&
		l->parts.end == 23 && l->parts.port == 80 &&
		l->flags == (LINK_REFRESH | LINK_HEADER),
	    "a link is split and hashed");
	tap_ok(t,
	    p->url_len == 22 &&
		memcmp(p->url, "http://plain.test/text", 22) == 0 &&
		p->bytes == 15 && p->start_us > INT64_C(1700000000000000) &&
		strcmp(ip_text(&p->ip, ip), "127.0.0.1") == 0 &&
		p->retry_after_ms == -1 && strlen(p->at.digest) == 32,
	    "the page's own figures");
	p = workbench_one(b, WORKER_PAGE, 0, "http://plain.test/tag");
	tap_ok(t, p->robots_tag == (ROBOTSTAG_NOINDEX | ROBOTSTAG_NOFOLLOW),
	    "robots tags of header and page");
	p = workbench_one(b, WORKER_PAGE, 0, "http://plain.test/busy");
	tap_ok(t, p->status == 503 && p->retry_after_ms == 7000, "Retry-After");
	p = workbench_one(b, WORKER_PAGE, 0, "http://plain.test/short");
	tap_ok(t,
	    p->error == FETCH_SHORT && p->status == 200 &&
		p->cut == WARC_DISCONNECT && p->bytes == 4 && p->at.length > 0,
	    "half a page");
	p = workbench_one(b, WORKER_PAGE, 0, "http://plain.test/reset");
	tap_ok(t,
	    p->error == FETCH_RESET && p->why[0] != '\0' && p->status == 0 &&
		p->at.length > 0 && p->at.digest[0] == '\0',
	    "no page at all: a metadata record");
	p = workbench_one(b, WORKER_PAGE, 0, "http://plain.test/bomb");
	tap_ok(t,
	    (p->decoded & DECODE_CUT) && p->links == 1 && p->fault == 0 &&
		p->bytes < sizeof bomb,
	    "a gzip bomb is cut");
	p = workbench_one(b, WORKER_PAGE, 0, "http://plain.test/badgz");
	tap_ok(t, (p->decoded & DECODE_DAMAGED) && p->fault == 0,
	    "damaged gzip is no fault");
	p = workbench_one(b, WORKER_PAGE, 0, "http://plain.test/big?3000000");
	tap_ok(t, p->cut == WARC_LENGTH && p->bytes == 1024 * 1024,
	    "a body is cut at max_body");
}

static void
robots(struct tap *t, struct workbench *b)
{
	static const struct {
		const char *url;
		enum worker_robots class;
		enum fetch_error error;
		int allowed; /* /no, by the rules; -1: there are none */
		const char *links;
	} row[] = {
		{ "http://rules.test/robots.txt", WORKER_ROBOTS_OK, FETCH_OK, 0,
		    "s http://cdn.test/s.xml" },
		{ "http://hop.test/robots.txt", WORKER_ROBOTS_UNAVAILABLE,
		    FETCH_OK, -1, "r http://hop2.test/elsewhere" },
		{ "http://hop2.test/elsewhere", WORKER_ROBOTS_OK, FETCH_OK, 0,
		    "" },
		{ "http://gone.test/reset", WORKER_ROBOTS_UNREACHABLE,
		    FETCH_RESET, -1, "" },
		{ "http://none.test/robots.txt", WORKER_ROBOTS_UNAVAILABLE,
		    FETCH_OK, -1, "" },
		{ "http://auth.test/robots.txt", WORKER_ROBOTS_UNAVAILABLE,
		    FETCH_OK, -1, "" },
		{ "http://lost.test/robots.txt", WORKER_ROBOTS_UNAVAILABLE,
		    FETCH_OK, -1, "" },
		{ "http://many.test/robots.txt", WORKER_ROBOTS_UNREACHABLE,
		    FETCH_OK, -1, "" },
		{ "http://error.test/robots.txt", WORKER_ROBOTS_UNREACHABLE,
		    FETCH_OK, -1, "" },
		{ "http://broken.test/robots.txt", WORKER_ROBOTS_UNREACHABLE,
		    FETCH_OK, -1, "" },
	};
	struct worker_page *p;
	struct robots view;
	char text[512];
	uint32_t line;
	size_t i;
	int allowed;

	for (i = 0; i < sizeof row / sizeof row[0]; i++) {
		p = workbench_one(b, WORKER_ROBOTS, 0, row[i].url);
		allowed = -1;
		if (p->robots != NULL &&
		    robots_view(&view, p->robots, p->robots_len) == 0)
			allowed = robots_allowed(&view, "/no", 3, &line);
		workbench_links(p, text, sizeof text);
		if (!tap_ok(t,
			p->robots_class == row[i].class &&
			    p->error == row[i].error &&
			    allowed == row[i].allowed &&
			    strcmp(text, row[i].links) == 0 &&
			    p->url_len == strlen(row[i].url),
			"robots: %s", row[i].url + 7))
			tap_diag("class %d, %s (%s), allowed %d, %s",
			    (int)p->robots_class, fetch_error_name(p->error),
			    p->why, allowed, text);
	}
}

static void
sitemaps(struct tap *t, struct workbench *b)
{
	static const struct {
		const char *path, *links;
		int fault;
		uint32_t invalid;
	} row[] = {
		{ "/index.xml", "s http://map.test/a.xml", 0, 0 },
		{ "/a.xml", "e http://map.test/1 e http://map.test/2", 0, 1 },
		{ "/cut.xml", "e http://map.test/1", FAULT_TRUNCATED, 0 },
		{ "/no.xml", "", FAULT_MAGIC, 0 },
		{ "/none", "", 0, 0 },
	};
	struct worker_page *p;
	char url[128], text[512];
	size_t i;

	for (i = 0; i < sizeof row / sizeof row[0]; i++) {
		(void)snprintf(url, sizeof url, "http://map.test%s",
		    row[i].path);
		p = workbench_one(b, WORKER_SITEMAP, 0, url);
		workbench_links(p, text, sizeof text);
		if (!tap_ok(t,
			strcmp(text, row[i].links) == 0 &&
			    p->fault == row[i].fault &&
			    p->invalid == row[i].invalid,
			"sitemap: %s", row[i].path))
			tap_diag("%s, %d", text, p->fault);
	}
}

/* Names, and the guard behind them. */
static void
names(struct tap *t, struct faultserver *s)
{
	static const struct dnsname table[] = {
		{ "good.test", "127.0.0.1", 1000 },
		{ "evil.test", "127.0.0.1", 1000 },
		{ "inside.test", "127.0.0.1", 1000 },
		{ "two.test", "192.0.2.1 2001:db8::1", 1000 },
		{ "fail.test", "fail", 0 },
		{ "drop.test", "drop", 0 },
		{ NULL, NULL, 0 },
	};
	static struct workbench b;
	struct dnsserver d;
	struct addrguard *g = NULL;
	struct worker_page *p;
	struct worker_stat st;
	char servers[32], url[128];
	int before;

	dnsserver_start(&d, table);
	(void)snprintf(servers, sizeof servers, "127.0.0.1:%u", d.port);
	workbench_init(&b, ARCHIVE_NONE);
	b.conf.dns.servers = servers;
	b.conf.dns.timeout_ms = 300;
	if (addrguard_new(&g) < 0 ||
	    addrguard_allow_host(g, "good.test", 9) < 0 ||
	    addrguard_allow_host(g, "evil.test", 9) < 0)
		exit(99);
	b.conf.fetch.guard = g;
	workbench_open(&b);
	p = workbench_one(&b, WORKER_RESOLVE, 0, "http://two.test/x");
	tap_ok(t,
	    p->error == FETCH_OK && p->ips == 2 && p->addr[0].family == 4 &&
		p->addr[1].family == 6,
	    "resolve: both families");
	p = workbench_one(&b, WORKER_RESOLVE, 0, "http://[2001:db8::9]:81/");
	tap_ok(t, p->ips == 1 && p->addr[0].b[15] == 9, "resolve: a literal");
	p = workbench_one(&b, WORKER_RESOLVE, 0, "http://fail.test/");
	tap_ok(t, p->error == FETCH_NAME_LATER && p->why[0] != '\0',
	    "resolve: not now");
	p = workbench_one(&b, WORKER_PAGE, 0, "http://nobody.test/");
	tap_ok(t, p->error == FETCH_NAME && p->at.file[0] == '\0',
	    "a page at no such name");
	p = workbench_one(&b, WORKER_PAGE, 0, "http://drop.test/");
	tap_ok(t, p->error == FETCH_NAME_LATER, "a page, and no name server");
	before = atomic_load(&s->accepted);
	(void)snprintf(url, sizeof url, "http://inside.test:%u/", s->port);
	p = workbench_one(&b, WORKER_PAGE, 0, url);
	tap_ok(t,
	    p->error == FETCH_GUARD && atomic_load(&s->accepted) == before,
	    "the guard refuses a name at a private address");
	(void)snprintf(url, sizeof url, "http://127.0.0.1:%u/", s->port);
	p = workbench_one(&b, WORKER_ROBOTS, 0, url);
	tap_ok(t,
	    p->error == FETCH_GUARD &&
		p->robots_class == WORKER_ROBOTS_UNREACHABLE,
	    "and the address itself");
	(void)snprintf(url, sizeof url, "http://good.test:%u/ok", s->port);
	p = workbench_one(&b, WORKER_PAGE, 0, url);
	tap_ok(t, p->error == FETCH_OK && p->at.digest[0] != '\0',
	    "but lets the user's through");
	(void)snprintf(url, sizeof url, "http://evil.test:%u/robots.txt",
	    s->port);
	p = workbench_one(&b, WORKER_ROBOTS, 0, url);
	tap_ok(t, p->links == 1 && p->link[0].kind == WORKER_LINK_REDIRECT,
	    "where robots.txt is elsewhere,");
	(void)snprintf(url, sizeof url, "%.*s", (int)p->link[0].len,
	    p->link[0].url);
	p = workbench_one(&b, WORKER_ROBOTS, 0, url);
	tap_ok(t,
	    p->error == FETCH_GUARD &&
		p->robots_class == WORKER_ROBOTS_UNREACHABLE &&
		atomic_load(&s->accepted) == before + 2,
	    "that meets the guard too");
	worker_stat(b.pool, &st);
	if (!tap_ok(t, st.dns.queries >= 7 && st.fetch.finished == 5,
		"figures of names"))
		tap_diag("%d, %d", (int)st.dns.queries, (int)st.fetch.finished);
	tap_ok(t, b.wrong == 0, "each in the right order, without archive");
	if (workbench_close(&b) != 0)
		tap_ok(t, 0, "closed");
	addrguard_free(g);
	dnsserver_stop(&d);
}

int
main(void)
{
	static struct workbench b;
	struct tap t = { 0, 0 };
	struct faultserver s;
	struct worker_stat st;
	int n;

	if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0)
		return 99;
	make_bomb();
	faultserver_start(&s);
	s.table = site;
	workbench_init(&b, ARCHIVE_ZST);
	workbench_route(&b, &s);
	workbench_open(&b);
	pages(&t, &b);
	details(&t, &b);
	robots(&t, &b);
	sitemaps(&t, &b);
	worker_stat(b.pool, &st);
	tap_ok(&t, b.wrong == 0 && b.fetched == b.done,
	    "every page: fetched, then done");
	tap_ok(&t, st.syncs > 0 && st.archive_bytes > 0, "figures");
	n = (int)st.fetch.finished;
	/* two records a capture (one of /reset, hopgone.test), and
	   a warcinfo for each file */
	n = 2 * (n - b.stale) - 2 + 2;
	tap_ok(&t, workbench_close(&b) == n, "the archive is whole: %d records",
	    n);
	names(&t, &s);
	faultserver_stop(&s);
	curl_global_cleanup();
	return tap_done(&t);
}
