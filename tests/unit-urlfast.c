/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * The scan for URLs in normal form, each of its makes: what one takes is
 * what the long way gives, all makes say the same, and what was normalised
 * is not changed again.  URLs are put together from pieces that matter and
 * then mutated; LONG=1 tries ten million.
 */

#include "config.h"

#include <stdint.h>

#include "dedup/url.h"
#include "dedup/urlfast.h"
#include "snapshot/limits.h"
#include "tests/pieces.h"
#include "tests/tap.h"

#define ROOM 1024

static const char *const scheme[] = { "http://", "https://", "https://",
	"HTTP://", "http:/", "https:", "ftp://", "http:\\\\" };
static const char *const host[] = { "example", "a-b", "a--b", "xn--", "-", ".",
	".", ".com", ".org", "_x", "www.", "1", "127.0.0.1", "0x7f", "EXAMPLE",
	"u@", "%41", ":80", ":443", ":8080", ":080", ":65536", "[::1]",
	"\xc3\xa4", "averyveryverylonglabelthatgoesonandon." };
static const char *const calm_host[] = { "a", "sub.", "x_y.", "a-b.", "1.",
	"averyveryverylonglabelthatgoesonandon." };
static const char *const calm_path[] = { "/", "/a", "b", "/index.html", "..",
	"%2F", "%C3%A4", ";p=1", "@", ":", "|", "~", "[", "'", "//",
	"/somewhatlongersegmentofapath" };
static const char *const calm_query[] = { "?", "a=1", "&", "b=%20", "+", "/../",
	"?", "%5B", "[", "{", "^", "`", "utm_source=somewhere" };
static const char *const path[] = { "/", "/", "/a", "b", "index.html", ".",
	"..", "/.", "/..", "/./", "%2F", "%2f", "%41", "%7E", "%7e", "%C3%A4",
	"%", "%4", "%zz", "\\", " ", "\t", "\"", "<", "'", "{", "~", ";p=1",
	"//", "@", ":", "|", "^", "`", "\x7f", "\xff",
	"somewhatlongersegmentofapath" };
static const char *const query[] = { "?", "?", "a=1", "&", "b=%20", "+", "'",
	"#", "x", "/../", "..", "%2e", "%2E", "%5B", "[", "]", "{", "^", "`",
	"utm_source=somewhere", "?", "=" };

/* One that may well be in normal form. */
static size_t
make_calm(struct pieces *g, char *s)
{
	size_t n = pieces_put(s, 0,
		   pieces_next(g) % 2 ? "http://" : "https://"),
	       i;

	for (i = pieces_next(g) % 4; i > 0; i--)
		n = pieces_put(s, n, PIECES_PICK(g, calm_host));
	n = pieces_put(s, n, "example.org/");
	for (i = pieces_next(g) % 6; i > 0; i--)
		n = pieces_put(s, n, PIECES_PICK(g, calm_path));
	for (i = pieces_next(g) % 4; i > 0; i--)
		n = pieces_put(s, n, PIECES_PICK(g, calm_query));
	return n;
}

/* One with pieces from everywhere, and bytes that don't belong. */
static size_t
make_odd(struct pieces *g, char *s)
{
	size_t n = pieces_put(s, 0, PIECES_PICK(g, scheme)), i;

	if (pieces_next(g) % 4 != 0)
		n = pieces_put(s, n, "www.example.com");
	for (i = pieces_next(g) % 4; i > 0; i--)
		n = pieces_put(s, n, PIECES_PICK(g, host));
	for (i = pieces_next(g) % 8; i > 0; i--)
		n = pieces_put(s, n, PIECES_PICK(g, path));
	for (i = pieces_next(g) % 4; i > 0; i--)
		n = pieces_put(s, n, PIECES_PICK(g, query));
	return n;
}

/* A URL of at most ROOM bytes, some of them mutated. */
static size_t
make(struct pieces *g, char *s)
{
	size_t n = pieces_next(g) % 2 ? make_calm(g, s) : make_odd(g, s), i;

	for (i = pieces_next(g) % 8 == 0 ? pieces_next(g) % 3 : 0; i > 0; i--)
		s[pieces_next(g) % n] = (char)pieces_next(g);
	return n;
}

struct tally {
	unsigned long taken;
	unsigned long differ; /* between makes */
	unsigned long wrong;  /* not what the long way gives */
	unsigned long moved;  /* normal form of the normal form is another */
};

/* All makes on exactly `n' bytes, in memory of their own for the sanitizers. */
static size_t
all_makes(const char *s, size_t n, unsigned int fragment, struct tally *t)
{
	char *own = malloc(n + 1);
	size_t first, got;
	unsigned int i;

	if (own == NULL)
		abort();
	memcpy(own + 1, s, n);
	first = urlfast_pick("portable")(own + 1, n, fragment);
	for (i = 1; urlfast_name(i) != NULL; i++) {
		urlfast_fn *make_i = urlfast_pick(urlfast_name(i));

		got = make_i == NULL ? first : make_i(own + 1, n, fragment);
		if (got != first && t->differ++ < 5)
			tap_diag("%s: %.*s: %zu, not %zu", urlfast_name(i),
			    (int)n, s, got, first);
	}
	free(own);
	return first;
}

static void
try(struct url *u, const char *s, size_t n, unsigned int fragment,
    struct tally *t)
{
	char slow[ROOM + 1], once[3 * ROOM];
	struct url_span out;
	size_t len = all_makes(s, n, fragment, t);
	int rc;

	/* a space in front, which goes, leads the long way round */
	slow[0] = ' ';
	memcpy(slow + 1, s, n);
	rc = url_normalise(u, slow, n + 1, &out);
	if (len > 0) {
		t->taken++;
		if ((rc < 0 || out.len != len || memcmp(out.s, s, len) != 0) &&
		    t->wrong++ < 5)
			tap_diag("taken as it is: %.*s", (int)n, s);
	}
	if (rc < 0 || out.len > sizeof once)
		return;
	memcpy(once, out.s, out.len);
	n = out.len;
	rc = url_normalise(u, once, n, &out);
	if ((rc < 0 || out.len != n || memcmp(out.s, once, n) != 0) &&
	    t->moved++ < 5)
		tap_diag("not stable: %.*s", (int)n, once);
}

static void
random_urls(struct tap *t, unsigned int fragment, unsigned long many)
{
	struct pieces g = { fragment + 1 };
	struct url *u = url_new(fragment ? URL_KEEP_FRAGMENT : 0);
	struct tally n = { 0, 0, 0, 0 };
	char s[ROOM];
	unsigned long i;

	if (u == NULL)
		abort();
	for (i = 0; i < many; i++)
		try(u, s, make(&g, s), fragment, &n);
	url_free(u);
	tap_ok(t, n.taken > many / 8, "enough are in normal form: %lu of %lu",
	    n.taken, many);
	tap_ok(t, n.differ == 0, "all makes say the same");
	tap_ok(t, n.wrong == 0, "what is taken is what the long way gives");
	tap_ok(t, n.moved == 0, "normalising again changes no byte");
}

/* An odd byte at each place of URLs of each length around the vectors'. */
static void
places(struct tap *t)
{
	static const char odd[] = "%?#./\\ \"-\x80\x7f";
	struct url *u = url_new(0);
	struct tally n = { 0, 0, 0, 0 };
	char s[160];
	size_t len, at, i;

	if (u == NULL)
		abort();
	for (len = 9; len <= 140; len++) {
		memset(s, 'a', sizeof s);
		memcpy(s, "http://a.bc/", 12);
		for (at = 8; at < len; at++) {
			for (i = 0; i < sizeof odd; i++) {
				char was = s[at];

				s[at] = odd[i];
				try(u, s, len, 0, &n);
				s[at] = was;
			}
		}
	}
	url_free(u);
	tap_ok(t, n.differ + n.wrong + n.moved == 0 && n.taken > 0,
	    "odd bytes at each place: %lu taken", n.taken);
}

/*
 * A "?" at each place, and behind it what may stand in a query and not in a
 * path, at each place: blocks of bytes must hand over which part they ended
 * in.
 */
static void
parts(struct tap *t)
{
	struct url *u = url_new(0);
	struct tally n = { 0, 0, 0, 0 };
	char s[140];
	size_t quest, at, tries = 0;

	if (u == NULL)
		abort();
	memset(s, 'a', sizeof s);
	memcpy(s, "http://a.bc/", 12);
	for (quest = 12; quest < sizeof s; quest++) {
		s[quest] = '?';
		for (at = quest + 1; at < sizeof s; at++) {
			s[at] = '`';
			try(u, s, sizeof s, 0, &n);
			memcpy(s + at - 1, "/.", at > quest + 1 ? 2 : 0);
			try(u, s, sizeof s, 0, &n);
			memset(s + quest + 1, 'a', sizeof s - quest - 1);
			tries += 2;
		}
		s[quest] = 'a';
	}
	url_free(u);
	tap_ok(t, n.differ + n.wrong + n.moved == 0 && n.taken == tries,
	    "queries from each place: %lu taken", n.taken);
}

struct row {
	const char *url;
	size_t len; /* of the normal form, 0: to be thought about */
};

static const struct row rows[] = {
	{ "http://example.com/", 19 },
	{ "https://example.com/a/b.html?q=1&r=%20", 38 },
	{ "http://example.com/a#b", 20 },
	{ "http://example.com:8080/", 24 },
	{ "http://example.com:80/", 0 },
	{ "https://example.com:80/", 23 },
	{ "http://example.com", 0 },
	{ "http://Example.com/", 0 },
	{ "http://example.com./", 0 },
	{ "http://1.2.3.4/", 0 },
	{ "http://xn--nxa.example/", 0 },
	{ "http://example.com/a/../b", 0 },
	{ "http://example.com/.well-known", 0 },
	{ "http://example.com/%2e%2e", 0 },
	{ "http://example.com/%2F", 22 },
	{ "http://example.com/%2f", 0 },
	{ "http://example.com/?a?b/./c", 27 },
	{ "http://example.com/a b", 0 },
	{ "http://u@example.com/", 0 },
	{ "ftp://example.com/", 0 },
};

static void
known(struct tap *t)
{
	size_t i, len;
	unsigned int m;

	for (m = 0; urlfast_name(m) != NULL; m++) {
		urlfast_fn *fast = urlfast_pick(urlfast_name(m));

		if (fast == NULL) {
			tap_skip(t, urlfast_name(m));
			continue;
		}
		for (i = 0; i < sizeof rows / sizeof *rows; i++) {
			len = fast(rows[i].url, strlen(rows[i].url), 0);
			tap_ok(t, len == rows[i].len, "%s: %s", urlfast_name(m),
			    rows[i].url);
		}
	}
	tap_ok(t, urlfast_pick("abacus") == NULL, "no other make");
}

int
main(void)
{
	const char *longer = getenv("LONG");
	unsigned long many = 100000;
	struct tap t = { 0, 0 };

	if (longer != NULL && *longer != '\0')
		many = 10000000;
	known(&t);
	places(&t);
	parts(&t);
	random_urls(&t, 0, many);
	random_urls(&t, 1, many / 4);
	return tap_done(&t);
}
