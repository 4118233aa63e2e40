/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fuzz-sitemap.c - sitemaps, whole, gzipped and in pieces
 *
 * The input is parsed as it is; gzipped it must give the same entries, and so
 * must a well-formed one that is pushed a few bytes at a time.  Then its
 * lines are written into a sitemap of ours, from which they must come back.
 */

#include "config.h"

#include <string.h>
#include <zlib.h>

#include "crawler/sitemap.h"
#include "crawler/sitemaptext.h"
#include "crawler/sitemapxml.h"
#include "snapshot/limits.h"
#include "tests/fuzz.h"

struct sum {
	uint64_t hash; /* FNV-1a of all that was given */
	uint64_t n;
};

static void
mix(struct sum *s, const void *p, size_t len)
{
	const unsigned char *c = p;
	size_t i;

	for (i = 0; i < len; i++)
		s->hash = (s->hash ^ c[i]) * UINT64_C(0x100000001b3);
}

static int
take(void *arg, const struct sitemap_entry *e)
{
	struct sum *s = arg;
	const char *loc = e->loc;
	size_t len = e->len;

	fuzz_check(e->len > 0 && e->len <= LIMIT_LINE);
	fuzz_check(e->lastmod >= -1);
	fuzz_check(e->priority >= -1 && e->priority <= 1000);
	fuzz_check(e->kind == SITEMAP_URL || e->kind == SITEMAP_MAP);
	sitemaptext_trim(&loc, &len);
	fuzz_check(len == e->len);
	mix(s, e->loc, e->len);
	mix(s, &e->lastmod, sizeof e->lastmod);
	mix(s, &e->priority, sizeof e->priority);
	mix(s, &e->kind, sizeof e->kind);
	s->n++;
	fuzz_check(s->n <= LIMIT_SITEMAP_URLS);
	return 0;
}

static int
same(struct sum a, struct sum b)
{
	return a.hash == b.hash && a.n == b.n;
}

static void
gzipped(const uint8_t *data, size_t size, int want_rc, struct sum want)
{
	size_t room = size + size / 100 + 128;
	unsigned char *packed = malloc(room);
	struct sum got = { 0, 0 };
	z_stream z;

	if (packed == NULL)
		return;
	memset(&z, 0, sizeof z);
	if (deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
	    Z_OK) {
		free(packed);
		return;
	}
	z.next_in = (unsigned char *)(uintptr_t)data;
	z.avail_in = (uInt)size;
	z.next_out = packed;
	z.avail_out = (uInt)room;
	fuzz_check(deflate(&z, Z_FINISH) == Z_STREAM_END);
	fuzz_check(
	    sitemap_parse(packed, room - z.avail_out, take, &got) == want_rc);
	fuzz_check(same(got, want));
	/* cut short, there is less of it but nothing else */
	fuzz_check(
	    sitemap_parse(packed, (room - z.avail_out) / 2, take, &got) <= 0);
	deflateEnd(&z);
	free(packed);
}

static void
in_pieces(const uint8_t *data, size_t size, struct sum want)
{
	struct sum got = { 0, 0 };
	struct sitemapxml *x = sitemapxml_new(take, &got);
	size_t at = 0, n;
	int rc = 0;

	if (x == NULL)
		return;
	while (rc == 0 && at < size) {
		n = 1 + data[at] % 7;
		if (n > size - at)
			n = size - at;
		rc = sitemapxml_feed(x, (const char *)data + at, n);
		at += n;
	}
	fuzz_check(rc == 0 && sitemapxml_end(x) == 0);
	fuzz_check(same(got, want));
	sitemapxml_free(x);
}

struct expect {
	char *loc[64];
	size_t n;
	size_t seen;
};

static int
compare(void *arg, const struct sitemap_entry *e)
{
	struct expect *x = arg;

	fuzz_check(x->seen < x->n);
	fuzz_check(strlen(x->loc[x->seen]) == e->len);
	fuzz_check(memcmp(x->loc[x->seen], e->loc, e->len) == 0);
	x->seen++;
	return 0;
}

/* Write `*plain' as XML text; what may not stand in XML at all becomes "x". */
static size_t
escape(char *out, char *plain)
{
	switch (*plain) {
	case '&':
		memcpy(out, "&amp;", 5);
		return 5;
	case '<':
		memcpy(out, "&lt;", 4);
		return 4;
	case '>':
		memcpy(out, "&#62;", 5);
		return 5;
	case '\'':
		memcpy(out, "&#x27;", 6);
		return 6;
	default:
		if (*plain <= ' ' || *plain > '~')
			*plain = 'x';
		*out = *plain;
		return 1;
	}
}

static size_t
add(char *out, const char *s)
{
	size_t n = strlen(s);

	memcpy(out, s, n);
	return n;
}

/* The lines of the input as the locations of a sitemap. */
static void
round_trip(const uint8_t *data, size_t size)
{
	char *plain = malloc(size + 1), *xml = malloc(32 * size + 64);
	struct expect x;
	char *p, *line;
	size_t o = 0;

	memset(&x, 0, sizeof x);
	if (plain == NULL || xml == NULL || size > LIMIT_LINE)
		goto out;
	memcpy(plain, data, size);
	plain[size] = '\0';
	o = add(xml, "<urlset>");
	for (line = plain; line < plain + size && x.n < 64; line = p + 1) {
		o += add(xml + o, "<url><loc>");
		for (p = line; *p != '\0' && *p != '\n'; p++)
			o += escape(xml + o, p);
		*p = '\0';
		o += add(xml + o, "</loc></url>");
		if (p > line)
			x.loc[x.n++] = line;
	}
	o += add(xml + o, "</urlset>");
	fuzz_check(sitemap_parse(xml, o, compare, &x) == 0);
	fuzz_check(x.seen == x.n);
out:
	free(plain);
	free(xml);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sum sum = { 0, 0 };
	int rc = sitemap_parse(data, size, take, &sum);

	fuzz_check(rc <= 0);
	if (size < 2 || data[0] != 0x1f || data[1] != 0x8b)
		gzipped(data, size, rc, sum);
	if (rc == 0 && size > 0 && data[0] == '<')
		in_pieces(data, size, sum);
	round_trip(data, size);
	return 0;
}
