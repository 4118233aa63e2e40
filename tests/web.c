/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/web.h"

enum profile {
	CLEAN = 1,
	HOSTILE = 2,
	BOTH = 3
};

struct feature {
	const char *name;
	const char *help;
	enum profile in;
};

/* clang-format off */
static const struct feature feature[WEB_FEATURES] = {
	[WEB_SPELLINGS] = { "spellings", "links in every spelling", BOTH },
	[WEB_IDN] = { "idn", "internationalised host names", BOTH },
	[WEB_BASE] = { "base", "pages with <base href>", BOTH },
	[WEB_LATIN1] = { "latin1", "pages in ISO 8859-1", BOTH },
	[WEB_ROBOTS] = { "robots", "a forbidden folder on most hosts", BOTH },
	[WEB_EMBEDS] = { "embeds", "images, style sheets, scripts", BOTH },
	[WEB_WHATWG] = { "whatwg", "backslashes, odd slashes", HOSTILE },
	[WEB_CODINGS] = { "codings", "gzip, deflate, br, zstd", HOSTILE },
	[WEB_MEMBERS] = { "members", "gzip of two members", HOSTILE },
	[WEB_FRAMING] = { "framing", "chunked, HTTP/1.0, length", HOSTILE },
	[WEB_FLAKY] = { "flaky", "answers that fail at first", HOSTILE },
	[WEB_RETRYAFTER] = { "retryafter", "503, 429 with a time", HOSTILE },
	[WEB_PHANTOMS] = { "phantoms", "what is no link", HOSTILE },
	[WEB_NOFOLLOW] = { "nofollow", "rel, meta, X-Robots-Tag", HOSTILE },
	[WEB_MARKUP] = { "markup", "broken HTML", HOSTILE },
	[WEB_REDIRECTS] = { "redirects", "chains, loops", HOSTILE },
	[WEB_ERRORS] = { "errors", "statuses from 204 to 599", HOSTILE },
	[WEB_RULES] = { "rules", "robots.txt of every kind", HOSTILE },
	[WEB_CHARSETS] = { "charsets", "encodings, declared or not", HOSTILE },
	[WEB_TYPES] = { "types", "what only looks like HTML", HOSTILE },
	[WEB_REFRESH] = { "refresh", "meta and header refresh", HOSTILE },
	[WEB_FRAMES] = { "frames", "frames, iframes, maps", HOSTILE },
	[WEB_LINKREL] = { "linkrel", "next, canonical, alternate", HOSTILE },
	[WEB_HEADERS] = { "headers", "the Link header", HOSTILE },
	[WEB_SITEMAPS] = { "sitemaps", "pages only they name", HOSTILE },
	[WEB_HUGE] = { "huge", "many MB, depth, attributes", HOSTILE },
	[WEB_SLOW] = { "slow", "slow, but whole", HOSTILE },
	[WEB_DEAD] = { "dead", "tarpits, silence", HOSTILE },
	[WEB_PRIVATE] = { "private", "private addresses", HOSTILE },
	[WEB_LONGURLS] = { "longurls", "URLs up to 8 KB", HOSTILE },
	[WEB_SLASHES] = { "slashes", "empty path segments", HOSTILE },
	[WEB_QUERIES] = { "queries", "every order, sessions", HOSTILE },
	[WEB_TRAP] = { "trap", "a calendar without end", HOSTILE },
};
/* clang-format on */

void
web_rng_seed(struct web_rng *r, uint64_t seed)
{
	r->state = seed;
}

uint64_t
web_rng_next(struct web_rng *r)
{
	uint64_t z;

	r->state += UINT64_C(0x9e3779b97f4a7c15);
	z = r->state;
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

uint32_t
web_rng_below(struct web_rng *r, uint32_t n)
{
	return (uint32_t)(web_rng_next(r) % n);
}

uint64_t
web_hash(const struct web *w, uint64_t a, uint64_t b)
{
	struct web_rng r;

	web_rng_seed(&r, w->seed ^ (a * UINT64_C(0xd6e8feb86659fd93)));
	web_rng_seed(&r, web_rng_next(&r) ^ b);
	return web_rng_next(&r);
}

int
web_has(const struct web *w, enum web_feature f)
{
	return (w->features >> f & 1) != 0;
}

int
web_profile(struct web *w, const char *name)
{
	enum profile want;
	unsigned int i;

	if (strcmp(name, "clean") == 0)
		want = CLEAN;
	else if (strcmp(name, "hostile") == 0)
		want = HOSTILE;
	else
		return -1;
	w->features = 0;
	for (i = 0; i < WEB_FEATURES; i++)
		if (feature[i].in & want)
			w->features |= UINT64_C(1) << i;
	return 0;
}

/* The features that `len' bytes at `s' name: one, all of them, or none. */
static uint64_t
named(const char *s, size_t len)
{
	unsigned int i;

	if (len == 3 && memcmp(s, "all", 3) == 0)
		return (UINT64_C(1) << WEB_FEATURES) - 1;
	for (i = 0; i < WEB_FEATURES; i++)
		if (strlen(feature[i].name) == len &&
		    memcmp(feature[i].name, s, len) == 0)
			return UINT64_C(1) << i;
	return 0;
}

int
web_switch(struct web *w, const char *s)
{
	uint64_t bits;
	size_t len;
	int off;

	while (*s != '\0') {
		off = *s == '-';
		s += off;
		len = strcspn(s, ",");
		bits = named(s, len);
		if (bits == 0)
			return -1;
		if (off)
			w->features &= ~bits;
		else
			w->features |= bits;
		s += len;
		s += *s == ',';
	}
	return 0;
}

const char *
web_feature_name(unsigned int i)
{
	return feature[i].name;
}

const char *
web_feature_help(unsigned int i)
{
	return feature[i].help;
}

uint32_t
web_pages(const struct web *w, uint32_t h)
{
	return w->pages / w->hosts + (h < w->pages % w->hosts);
}

/*
 * Most hosts are hN.test.  Of each eight, one has a further label, two an
 * internationalised one (bücher, faß: the latter tells UTS 46's two ways of
 * processing apart), and one shares its neighbour's registrable domain.
 */
static const char *
label(const struct web *w, uint32_t h)
{
	switch (h % 8) {
	case 2:
		return "sub.";
	case 3:
		return web_has(w, WEB_IDN) ? "xn--bcher-kva." : "";
	case 5:
		return web_has(w, WEB_IDN) ? "xn--fa-hia." : "";
	case 6:
		return "www.";
	default:
		return "";
	}
}

void
web_host(const struct web *w, uint32_t h, char *out)
{
	uint32_t n = h % 8 == 6 ? h - 1 : h;
	char port[8] = "";

	if (w->port != 80)
		snprintf(port, sizeof port, ":%u", w->port);
	snprintf(out, WEB_HOST_MAX, "%sh%" PRIu32 ".test%s", label(w, h), n,
	    port);
}

int
web_host_find(const struct web *w, const char *name, uint32_t *h)
{
	static const char *const end = ".test";
	char again[WEB_HOST_MAX];
	const char *at = strstr(name, end);
	unsigned long n;
	uint32_t i;

	if (at == NULL)
		return 0;
	while (at > name && at[-1] >= '0' && at[-1] <= '9')
		at--;
	n = strtoul(at, NULL, 10);
	/* N names host N, or N + 1 where that shares N's domain. */
	for (i = 0; i < 2; i++) {
		if (n + i >= w->hosts)
			return 0;
		web_host(w, (uint32_t)n + i, again);
		if (strcmp(name, again) == 0) {
			*h = (uint32_t)n + i;
			return 1;
		}
	}
	return 0;
}

/* The path shapes: "pN" stands for the page, every other number is noise. */
static int
shaped(unsigned int shape, uint32_t n, char *out)
{
	const size_t room = WEB_PATH_MAX;

	switch (shape) {
	case 0:
	case 1:
		return snprintf(out, room, "/d%u/p%u.html", n % 23, n);
	case 2:
	case 3:
		return snprintf(out, room, "/d%u/e%u/p%u.html", n % 23, n % 7,
		    n);
	case 4:
		return snprintf(out, room, "/d%u/p%u", n % 23, n);
	case 8:
		return snprintf(out, room, "/~u%u/p%u/", n % 5, n);
	case 9:
		return snprintf(out, room, "/list?id=p%u&s=%u", n, n % 3);
	case 10:
		return snprintf(out, room, "/d%u/view.cgi?a=1&b=x%%20y&id=p%u",
		    n % 23, n);
	case 11:
		return snprintf(out, room, "/caf%%C3%%A9/p%u.html", n);
	case 12:
		return snprintf(out, room, "/a%%20b/p%u.html", n);
	case 13:
		return snprintf(out, room, "/x%%2Fy/p%u;v=1", n);
	case 14:
		return snprintf(out, room, "/%%E6%%97%%A5%%E6%%9C%%AC/p%u", n);
	default:
		return snprintf(out, room, "/p%u.html", n);
	}
}

void
web_path(const struct web *w, uint32_t h, uint32_t n, char *out)
{
	unsigned int shapes = web_has(w, WEB_SPELLINGS) ? 16 : 8;

	if (n == 0) {
		out[0] = '/';
		out[1] = '\0';
		return;
	}
	shaped((unsigned int)(web_hash(w, h, n) % shapes), n, out);
}

int
web_path_find(const struct web *w, uint32_t h, const char *path, uint32_t *n)
{
	char again[WEB_PATH_MAX];
	const char *at = path + strlen(path);
	unsigned long v = 0;

	while (at > path && !(at[-1] == 'p' && *at >= '0' && *at <= '9'))
		at--;
	if (at > path)
		v = strtoul(at, NULL, 10);
	if (v >= web_pages(w, h))
		return 0;
	*n = (uint32_t)v;
	web_path(w, h, *n, again);
	return strcmp(path, again) == 0;
}
