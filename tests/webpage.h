/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webpage.h - an HTML page being written, or only walked for its links
 *
 * The same code writes a page for the server and names its links for the
 * truth, so neither can know a link that the other does not.  What depends
 * on the page's meaning is drawn from `rng', what is only looks from the
 * speller's own stream: a page that is walked draws the same targets.
 *
 * Memory	A page borrows `out'; webpage_free() gives its scratch back.
 */

#ifndef TESTS_WEBPAGE_H
#define TESTS_WEBPAGE_H

#include "tests/web.h"
#include "tests/webbuf.h"
#include "tests/webspell.h"

/* What a right crawler does with a link. */
enum webpage_why {
	WEBPAGE_FOLLOW,   /* fetch it */
	WEBPAGE_REDIRECT, /* fetch it: a redirect's target */
	WEBPAGE_SITEMAP,  /* fetch it, unless --sitemaps=no */
	WEBPAGE_EMBED,    /* fetch it only with --embeds=yes */
	WEBPAGE_NOFOLLOW, /* fetch it only with --nofollow=ignore */
	WEBPAGE_PHANTOM,  /* never: it is no link */
	WEBPAGE_PRIVATE,  /* never: a private address */
	WEBPAGE_MAYBE,    /* as it likes: beyond a limit that is its own */
	WEBPAGE_TRAP,     /* as it likes, and so what is below it */
};

/* Where a link leads: page `n' of host `h', or, if `host', a named URL. */
struct webpage_edge {
	const char *host, *path;
	uint32_t h, n;
	enum webpage_why why;
};

struct webpage {
	const struct web *web;
	struct webbuf *out; /* NULL: walk only */
	void (*edge)(void *arg, const struct webpage_edge *e); /* or NULL */
	void *arg;
	struct web_rng rng;  /* draws targets */
	struct web_rng look; /* draws spellings and filler */
	struct webspell spell;
	char base[WEB_HOST_MAX]; /* of a <base href> */
	size_t start;            /* where the page begins in `out' */
};

/*
 * Begin a page whose base is http://HOST/PATH (both must outlive it).  The
 * caller has set web, out, edge and arg; `id' seeds both streams.
 */
void webpage_begin(struct webpage *p, const char *host, const char *path,
    uint64_t id);
void webpage_free(struct webpage *p);

/* Markup as it is. */
void webpage_text(struct webpage *p, const char *html);

/* About `bytes' of prose. */
void webpage_prose(struct webpage *p, size_t bytes);

/* An <a> element to a generated page, or to any URL. */
void webpage_link(struct webpage *p, uint32_t h, uint32_t n);
void webpage_anchor(struct webpage *p, const char *host, const char *path,
    enum webpage_why why);

/* Tell the walker of a link that the caller writes itself. */
void webpage_edge(struct webpage *p, const char *host, const char *path,
    enum webpage_why why);

/*
 * A link of any kind, written absolute between two pieces of markup, with
 * the HTML escapes that its "&" needs.
 */
void webpage_mark(struct webpage *p, const char *before, const char *host,
    const char *path, const char *after, enum webpage_why why);

#endif
