/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tests/webpage.h"

static const char prose[] =
    "The miller counted his sacks twice, once in the evening by the lamp and "
    "once in the morning when the carts came down from the upper farms. "
    "Nobody in the valley had asked him to do so, yet everyone relied on it: "
    "a number that was found by two ways and agreed was worth more to them "
    "than a larger one that only a single man had seen. When the river froze "
    "he counted the days until it would turn the wheel again, and when it ran "
    "high he counted the planks of the weir. Children brought him questions "
    "that could be answered with a number, and he never sent one home without "
    "an answer and the way to check it. In the year of the long rain the mill "
    "stood under water to the second step, and still the tally on the door "
    "was right to the last sack. ";

#define PROSE (sizeof prose - 1)

void
webpage_begin(struct webpage *p, const char *host, const char *path,
    uint64_t id)
{
	web_rng_seed(&p->rng, web_hash(p->web, id, 1));
	web_rng_seed(&p->look, web_hash(p->web, id, 2));
	memset(&p->spell, 0, sizeof p->spell);
	p->spell.web = p->web;
	p->spell.rng = &p->look;
	p->spell.host = host;
	p->spell.path = path;
	p->start = p->out == NULL ? 0 : p->out->len;
}

void
webpage_free(struct webpage *p)
{
	webspell_free(&p->spell);
}

void
webpage_text(struct webpage *p, const char *html)
{
	if (p->out != NULL)
		webbuf_str(p->out, html);
}

void
webpage_prose(struct webpage *p, size_t bytes)
{
	size_t at, n;

	if (p->out == NULL)
		return;
	at = web_rng_below(&p->look, PROSE);
	while (bytes > 0) {
		n = bytes < PROSE - at ? bytes : PROSE - at;
		webbuf_put(p->out, prose + at, n);
		bytes -= n;
		at = 0;
	}
}

void
webpage_edge(struct webpage *p, const char *host, const char *path,
    enum webpage_why why)
{
	struct webpage_edge e = { host, path, 0, 0, why };

	if (p->edge != NULL)
		p->edge(p->arg, &e);
}

/* The writing half of a link. */
static void
put_anchor(struct webpage *p, const char *host, const char *path)
{
	if (p->out == NULL)
		return;
	webspell_anchor(&p->spell, p->out, host, path);
	webpage_prose(p, 4 + web_rng_below(&p->look, 30));
	webbuf_str(p->out, "</a>\n");
}

void
webpage_link(struct webpage *p, uint32_t h, uint32_t n)
{
	struct webpage_edge e = { NULL, NULL, h, n, WEBPAGE_FOLLOW };
	char host[WEB_HOST_MAX], path[WEB_PATH_MAX];

	if (p->edge != NULL)
		p->edge(p->arg, &e);
	if (p->out == NULL)
		return;
	web_host(p->web, h, host);
	web_path(p->web, h, n, path);
	put_anchor(p, host, path);
}

void
webpage_anchor(struct webpage *p, const char *host, const char *path,
    enum webpage_why why)
{
	webpage_edge(p, host, path, why);
	put_anchor(p, host, path);
}

int
webpage_latin1(const struct web *w, uint32_t h, uint32_t n)
{
	return web_has(w, WEB_LATIN1) && web_hash(w, ~(uint64_t)h, n) % 8 == 0;
}

/* The head, with a base of another folder or host on some pages. */
static void
put_head(struct webpage *p, uint32_t h, uint32_t n)
{
	static const char *const dir[] = { "/d1/e2/", "/d3/", "/", "/~u1/index",
		"/caf%C3%A9/x/y?q=/z" };

	p->spell.latin1 = webpage_latin1(p->web, h, n);
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

/* What a crawler must leave alone. */
static void
put_forbidden(struct webpage *p, const char *host, uint32_t h, uint32_t n)
{
	char path[64];

	if (web_has(p->web, WEB_ROBOTS) && h % 4 != 3 && n % 4 == 0) {
		snprintf(path, sizeof path, "/private/x%u.html", n);
		webpage_anchor(p, host, path, WEBPAGE_FOLLOW);
	}
	if (!web_has(p->web, WEB_EMBEDS))
		return;
	snprintf(path, sizeof path, "/i/x%u.png", n % 50);
	webpage_edge(p, host, path, WEBPAGE_EMBED);
	if (p->out != NULL)
		webbuf_fmt(p->out, "<img src=\"http://%s%s\" alt=x>\n", host,
		    path);
}

void
webpage_whole(struct webpage *p, uint32_t h, uint32_t n)
{
	const char *host = p->spell.host;
	size_t share = 0, have;
	uint32_t i;

	put_head(p, h, n);
	webpage_text(p, "</head><body>\n");
	put_tree(p, h, n);
	put_forbidden(p, host, h, n);
	if (p->out != NULL && p->out->len - p->start < p->web->page_bytes) {
		have = p->out->len - p->start + p->web->links * 60;
		if (have < p->web->page_bytes)
			share =
			    (p->web->page_bytes - have) / (p->web->links + 1);
	}
	for (i = 0; i < p->web->links; i++) {
		put_random(p, h);
		webpage_text(p, "<p>");
		webpage_prose(p, share);
		webpage_text(p, "</p>\n");
	}
	if (p->out != NULL && p->out->len - p->start < p->web->page_bytes)
		webpage_prose(p, p->web->page_bytes - (p->out->len - p->start));
	webpage_text(p, "</body></html>\n");
}
