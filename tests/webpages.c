/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/webpages.h"
#include "tests/webphantom.h"
#include "tests/webzone.h"

/* What is drawn for a page, each from a stream of its own. */
enum draw {
	DRAW_LATIN1 = 1,
	DRAW_FRAMING,
	DRAW_FAILURE,
	DRAW_DELAY
};

static uint32_t
draw(const struct web *w, uint32_t h, uint32_t n, enum draw what, uint32_t of)
{
	return (
	    uint32_t)(web_hash(w, (uint64_t)h << 32 | n, ~(uint64_t)what) % of);
}

static int
is_latin1(const struct web *w, uint32_t h, uint32_t n)
{
	return web_has(w, WEB_LATIN1) && draw(w, h, n, DRAW_LATIN1, 8) == 0;
}

/* The head, with a base of another folder or host on some pages. */
static void
put_head(struct webpage *p, uint32_t h, uint32_t n)
{
	static const char *const dir[] = { "/d1/e2/", "/d3/", "/", "/~u1/index",
		"/caf%C3%A9/x/y?q=/z" };

	p->spell.latin1 = is_latin1(p->web, h, n);
	webpage_text(p, "<!DOCTYPE html>\n<html><head>\n");
	if (!p->spell.latin1)
		webpage_text(p, "<meta charset=\"utf-8\">\n");
	else if (n % 2 == 0)
		webpage_text(p, "<meta charset=iso-8859-1>\n");
	else
		webpage_text(p,
		    "<META HTTP-EQUIV='Content-Type' "
		    "content='text/html; charset=ISO-8859-1'>\n");
	if (p->out == NULL)
		return;
	webbuf_fmt(p->out, "<title>Page %u of host %u</title>\n", n, h);
	if (web_has(p->web, WEB_BASE) && web_rng_below(&p->look, 8) == 0) {
		/* another host, perhaps: the links stay what they are */
		web_host(p->web, web_rng_below(&p->look, p->web->hosts),
		    p->base);
		p->spell.host = p->base;
		p->spell.path = dir[web_rng_below(&p->look, 5)];
		webbuf_fmt(p->out, "<base href=\"http://%s%s\">\n", p->base,
		    p->spell.path);
	}
}

/* Links that hold the web together: the tree, and the ring of hosts. */
static void
put_tree(struct webpage *p, uint32_t h, uint32_t n)
{
	const struct web *w = p->web;
	uint64_t child;
	uint32_t i;

	for (i = 1; i <= WEB_FANOUT; i++) {
		child = (uint64_t)n * WEB_FANOUT + i;
		if (child < web_pages(w, h))
			webpage_link(p, h, (uint32_t)child);
	}
	if (n > 0)
		return;
	webpage_link(p, (h + 1) % w->hosts, 0);
	for (i = 1; i <= 2; i++) {
		child = (uint64_t)h * 2 + i;
		if (child < w->hosts)
			webpage_link(p, (uint32_t)child, 0);
	}
	if (h == 0)
		webzone_links(p);
}

/* A third of the random links lead to other hosts. */
static void
put_random(struct webpage *p, uint32_t h)
{
	const struct web *w = p->web;
	uint32_t to = h;

	if (web_rng_below(&p->rng, 3) == 0)
		to = web_rng_below(&p->rng, w->hosts);
	webpage_link(p, to, web_rng_below(&p->rng, web_pages(w, to)));
}

/* What a crawler must leave alone, or follow only by a detour. */
static void
put_others(struct webpage *p, const char *host, uint32_t h, uint32_t n)
{
	char path[64];

	if (web_has(p->web, WEB_ROBOTS) && h % 4 != 3 && n % 4 == 0) {
		snprintf(path, sizeof path, "/private/x%u.html", n);
		webpage_anchor(p, host, path, WEBPAGE_FOLLOW);
	}
	if (web_has(p->web, WEB_EMBEDS)) {
		snprintf(path, sizeof path, "/i/x%u.png", n % 50);
		webpage_mark(p, "<img src=\"", host, path, "\" alt=x>\n",
		    WEBPAGE_EMBED);
	}
	if (web_has(p->web, WEB_REDIRECTS) && n % 4 == 1) {
		snprintf(path, sizeof path, "/go/%u", n);
		webpage_anchor(p, host, path, WEBPAGE_FOLLOW);
	}
	if (web_has(p->web, WEB_NOFOLLOW) && n % 4 == 2) {
		snprintf(path, sizeof path, "/nofollow/%u", n);
		webpage_mark(p, "<a rel='noopener NOFOLLOW' href='", host, path,
		    "'>x</a>\n", WEBPAGE_NOFOLLOW);
	}
	if (web_has(p->web, WEB_PHANTOMS) && n % 4 == 3)
		webphantom_put(p, host, n / 4);
	if (web_has(p->web, WEB_MARKUP) && n % 3 == 1)
		webphantom_break(p, n / 3);
}

/* The prose between two links, so that the page gets its size. */
static size_t
share_of(const struct webpage *p)
{
	const struct web *w = p->web;
	size_t have;

	if (p->out == NULL)
		return 0;
	have = p->out->len - p->start + w->links * 60;
	return have < w->page_bytes ? (w->page_bytes - have) / (w->links + 1) :
				      0;
}

static void
put_page(struct webpage *p, const char *host, uint32_t h, uint32_t n)
{
	size_t share, least = p->web->page_bytes;
	uint32_t i;

	put_head(p, h, n);
	webpage_text(p, "</head><body>\n");
	put_tree(p, h, n);
	put_others(p, host, h, n);
	share = share_of(p);
	for (i = 0; i < p->web->links; i++) {
		put_random(p, h);
		webpage_text(p, "<p>");
		webpage_prose(p, share);
		webpage_text(p, "</p>\n");
	}
	if (p->out != NULL && p->out->len - p->start < least)
		webpage_prose(p, least - (p->out->len - p->start));
	webpage_text(p, "</body></html>\n");
}

/*
 * Some pages fail at first.  1: this answer is such a failure.  The first
 * page of a host never fails, so that a crawl that gives up after one try
 * still shows what else it can do.
 */
static int
fails(struct webanswer *a, const char *host, const char *path, uint32_t kind)
{
	static const unsigned char times[] = { 1, 1, 1, 1, 1, 2, 1, 1, 1 };
	static const int status[] = { 500, 503, 200, 200, 200, 502, 503, 503,
		429 };
	int timed = kind >= 6;

	if (kind >= sizeof times ||
	    !web_has(a->web, timed ? WEB_RETRYAFTER : WEB_FLAKY) ||
	    webanswer_before(a, host, path) >= times[kind])
		return 0;
	if (status[kind] != 200)
		webanswer_plain(a, status[kind]);
	else
		a->fate = kind == 2 ? WEBANSWER_RESET :
		    kind == 3       ? WEBANSWER_SHORT :
				      WEBANSWER_GONE;
	if (timed)
		webanswer_retry_after(a, kind == 7 ? 2 : 1, kind == 7);
	return status[kind] != 200;
}

static void
page(struct webanswer *a, const char *host, const char *path, uint32_t h,
    uint32_t n)
{
	static const enum webanswer_fate framing[] = { WEBANSWER_CHUNKED,
		WEBANSWER_CHUNKED, WEBANSWER_OLD, WEBANSWER_LESS };
	struct webpage p;
	uint32_t f = draw(a->web, h, n, DRAW_FRAMING, 8);

	if (web_has(a->web, WEB_FRAMING) && f < 4)
		a->fate = framing[f];
	if (web_has(a->web, WEB_SLOW) &&
	    draw(a->web, h, n, DRAW_DELAY, 16) == 0)
		a->delay = 100 + n % 400;
	if (n > 0 && fails(a, host, path, draw(a->web, h, n, DRAW_FAILURE, 96)))
		return;
	p.web = a->web;
	p.out = a->walk == NULL ? &a->body : NULL;
	p.edge = a->walk;
	p.arg = a->arg;
	webpage_begin(&p, host, path, (uint64_t)h << 32 | n);
	put_page(&p, host, h, n);
	webpage_free(&p);
	a->status = 200;
	/* a Latin-1 page is left to its meta element */
	a->type = "text/html";
	if (!is_latin1(a->web, h, n))
		a->type = "text/html; charset=utf-8";
}

/* "/go/N": a redirect to a page of any host, spelled in any way. */
static int
go(struct webanswer *a, const char *host, const char *path)
{
	static const int status[] = { 301, 302, 303, 307, 308 };
	const struct web *w = a->web;
	char to_host[WEB_HOST_MAX], to_path[WEB_PATH_MAX];
	struct webbuf location = { NULL, 0, 0, 0 };
	struct webspell s;
	struct web_rng r;
	long n = webzone_number(path, "/go/");
	uint32_t h;

	if (n < 0 || n % 4 != 1 || !web_has(w, WEB_REDIRECTS))
		return 0;
	web_rng_seed(&r, web_hash(w, (uint64_t)n, 4711));
	h = web_rng_below(&r, w->hosts);
	web_host(w, h, to_host);
	web_path(w, h, web_rng_below(&r, web_pages(w, h)), to_path);
	memset(&s, 0, sizeof s);
	s.web = w;
	s.rng = &r;
	s.host = host;
	s.path = path;
	s.ascii = 1;
	webspell_url(&s, &location, to_host, to_path);
	webbuf_byte(&location, '\0');
	webanswer_redirect(a, status[n / 4 % 5], to_host, to_path,
	    location.failed ? NULL : location.s);
	webspell_free(&s);
	webbuf_free(&location);
	return 1;
}

static void
robots(struct webanswer *a, uint32_t h)
{
	if (!web_has(a->web, WEB_ROBOTS) || h % 4 == 3) {
		webanswer_plain(a, 404);
		return;
	}
	a->status = 200;
	a->type = "text/plain";
	if (h % 4 == 0)
		webbuf_str(&a->body, "User-agent: *\nDisallow: /private/\n");
	else if (h % 4 == 1)
		/* our own group: the others' rules are not for us */
		webbuf_fmt(&a->body,
		    "User-agent: *\nDisallow: /\n\n"
		    "User-agent: %s\nDisallow: /private/\n",
		    a->web->agent);
	else
		/* the longest match wins */
		webbuf_str(&a->body,
		    "User-agent: *\nAllow: /\n"
		    "Disallow: /private\nDisallow: /p*.x$\n");
}

int
webpages_allows(const struct web *w, uint32_t h, const char *path)
{
	return !web_has(w, WEB_ROBOTS) || h % 4 == 3 ||
	    strncmp(path, "/private/", 9) != 0;
}

/* What a crawler should not ask for, answered all the same. */
static int
decoy(struct webanswer *a, const char *path)
{
	static const char *const folder[] = { "/private/", "/nofollow/",
		"/never/" };
	size_t i;

	a->status = 200;
	a->type = "image/png";
	if (strncmp(path, "/i/", 3) == 0) {
		webbuf_put(&a->body, "\x89PNG\r\n\x1a\n", 8);
		return 1;
	}
	a->type = "text/html";
	for (i = 0; i < sizeof folder / sizeof folder[0]; i++) {
		if (strncmp(path, folder[i], strlen(folder[i])) != 0)
			continue;
		webbuf_str(&a->body, "<p>Nobody should come here.</p>\n");
		return 1;
	}
	return 0;
}

void
webpages_get(struct webanswer *a, const char *host, uint32_t h,
    const char *path)
{
	uint32_t n;

	if (strcmp(path, "/robots.txt") == 0)
		robots(a, h);
	else if (web_path_find(a->web, h, path, &n))
		page(a, host, path, h, n);
	else if (!go(a, host, path) && !decoy(a, path))
		webanswer_plain(a, 404);
}
