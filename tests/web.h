/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * web.h - a web that is a pure function of its parameters
 *
 * Hosts are numbered from 0 and pages from 0 within their host.  Page 0 is
 * "/"; page n links to pages 4n+1 to 4n+4, and each root to the next host's
 * root, so that everything can be reached from any root.  Names, paths,
 * links and markup all come from a hash of (seed, host, page): the server
 * and the truth hold no page in memory and can't disagree.
 *
 * All URLs here are in normal form: a host as in the Host header (lower
 * case, ASCII, with ":port" unless it is 80) and a path with its query,
 * beginning with "/".
 */

#ifndef TESTS_WEB_H
#define TESTS_WEB_H

#include <stddef.h>
#include <stdint.h>

#define WEB_HOST_MAX 128  /* bytes of a host, with port and NUL */
#define WEB_PATH_MAX 9216 /* bytes of a path and query, with NUL */
#define WEB_FANOUT   4    /* children of a page in its host's tree */

/* What makes this web hard; each can be switched by name. */
enum web_feature {
	WEB_SPELLINGS, /* links in every spelling, odd paths */
	WEB_IDN,       /* internationalised host names */
	WEB_BASE,      /* <base href> */
	WEB_LATIN1,    /* pages in ISO 8859-1 */
	WEB_ROBOTS,    /* robots.txt with a forbidden folder */
	WEB_EMBEDS,    /* images, style sheets, scripts */
	/* on every host */
	WEB_WHATWG,     /* spellings that only a browser's parser knows */
	WEB_CODINGS,    /* gzip, deflate, br, zstd */
	WEB_MEMBERS,    /* gzip bodies of two members */
	WEB_FRAMING,    /* chunked, HTTP/1.0, Content-Length too small */
	WEB_FLAKY,      /* answers that fail at first */
	WEB_RETRYAFTER, /* 503 and 429 that say when to come back */
	WEB_PHANTOMS,   /* what looks like a link and is none */
	WEB_NOFOLLOW,   /* links that a crawler is asked not to follow */
	WEB_MARKUP,     /* broken HTML */
	WEB_REDIRECTS,  /* chains, loops, across hosts */
	/* on a host of their own */
	WEB_ERRORS,   /* statuses from 204 to 599 */
	WEB_RULES,    /* robots.txt files of every kind */
	WEB_CHARSETS, /* encodings declared in every way, or not at all */
	WEB_TYPES,    /* what is not HTML but looks like it */
	WEB_REFRESH,  /* meta refresh and the Refresh header */
	WEB_FRAMES,   /* frames, iframes, image maps */
	WEB_LINKREL,  /* link elements: next, canonical, alternate */
	WEB_HEADERS,  /* the Link header */
	WEB_SITEMAPS, /* pages that only a sitemap names */
	WEB_HUGE,     /* pages of many MB, depth, or attributes */
	WEB_SLOW,     /* slow, but they get there */
	WEB_DEAD,     /* tarpits and hosts that never answer */
	WEB_PRIVATE,  /* links and redirects to private addresses */
	WEB_LONGURLS, /* URLs up to 8 KB */
	WEB_SLASHES,  /* empty path segments */
	WEB_QUERIES,  /* parameters in every order, session ids */
	WEB_TRAP,     /* a calendar without end, and more of that kind */
	WEB_FEATURES
};

struct web {
	uint64_t seed;
	uint32_t hosts;      /* 1 or more, or 0 with a site only */
	uint32_t pages;      /* over all hosts, at least one each */
	uint32_t page_bytes; /* least size of an HTML page */
	uint32_t links;      /* random links on a page */
	uint32_t trap;       /* pages of a trap; 0: it has no end */
	uint64_t features;   /* bit N is enum web_feature N */
	unsigned int port;   /* in URLs; 80 is not written */
	const char *agent;   /* token that robots.txt files speak to */
	const char *site;    /* folder of static files, or NULL */
};

/* A small random stream (splitmix64, Steele et al. 2014). */
struct web_rng {
	uint64_t state;
};

/* A number drawn for (a, b) under the web's seed. */
uint64_t web_hash(const struct web *w, uint64_t a, uint64_t b);

void web_rng_seed(struct web_rng *r, uint64_t seed);
uint64_t web_rng_next(struct web_rng *r);

/* 0 <= result < n; n > 0 (the bias of a 64-bit modulo is no matter here). */
uint32_t web_rng_below(struct web_rng *r, uint32_t n);

int web_has(const struct web *w, enum web_feature f);

/*
 * Set the features of a profile ("clean", "hostile"), then switch those in
 * the comma-separated list `s' ("a,-b").  0, or -1 for an unknown name.
 */
int web_profile(struct web *w, const char *name);
int web_switch(struct web *w, const char *s);

/* Name and one-line explanation of feature `i' (0 <= i < WEB_FEATURES). */
const char *web_feature_name(unsigned int i);
const char *web_feature_help(unsigned int i);

/* Pages on host `h'. */
uint32_t web_pages(const struct web *w, uint32_t h);

/* The name of host `h' into `out' (WEB_HOST_MAX bytes). */
void web_host(const struct web *w, uint32_t h, char *out);

/* The number of the host named `name' (any case is wrong) into `*h', 1 or 0. */
int web_host_find(const struct web *w, const char *name, uint32_t *h);

/* The path of page `n' of host `h' into `out' (WEB_PATH_MAX bytes). */
void web_path(const struct web *w, uint32_t h, uint32_t n, char *out);

/* The page of host `h' with exactly this path into `*n', 1 or 0. */
int web_path_find(const struct web *w, uint32_t h, const char *path,
    uint32_t *n);

#endif
