/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fuzz-html.c - the small parsers round extraction, one by one
 *
 * The first byte chooses.  Iterators end and stay within their input; what
 * the transcoder makes is clean whatever the encoding and however small the
 * pieces, and encoded queries are ASCII; a character reference never makes
 * a text longer.
 */

#include "config.h"

#include <string.h>

#include "crawler/charref.h"
#include "crawler/charset.h"
#include "crawler/linkheader.h"
#include "crawler/refresh.h"
#include "crawler/robotstag.h"
#include "crawler/srcset.h"
#include "crawler/transcode.h"
#include "crawler/utf8.h"
#include "tests/fuzz.h"

static void
within(const char *s, size_t len, const char *part, size_t part_len)
{
	fuzz_check(part >= s && part <= s + len);
	fuzz_check(part_len <= (size_t)(s + len - part));
}

static void
fuzz_srcset(const char *s, size_t len)
{
	struct srcset_candidate c;
	const char *last = s;
	struct srcset it;

	srcset_start(&it, s, len);
	while (srcset_next(&it, &c)) {
		within(s, len, c.url, c.len);
		fuzz_check(it.next > last && it.next <= s + len);
		last = it.next;
	}
}

static void
fuzz_linkheader(const char *s, size_t len)
{
	struct linkheader_link l;
	const char *last = s;
	struct linkheader it;

	linkheader_start(&it, s, len);
	while (linkheader_next(&it, &l)) {
		within(s, len, l.url, l.len);
		if (l.rel != NULL)
			within(s, len, l.rel, l.rel_len);
		fuzz_check(it.next > last && it.next <= s + len);
		last = it.next;
	}
	fuzz_check(robotstag_header(s, len, "bot", 3) <= 3);
	fuzz_check(robotstag_content(s, len) <= 3);
}

static void
fuzz_refresh(const char *s, size_t len)
{
	struct refresh r;

	if (!refresh_parse(s, len, &r))
		return;
	within(s, len, r.url, r.len);
	fuzz_check(r.delay <= 1000000000UL);
}

static void
fuzz_charref(const char *s, size_t len)
{
	char *out = malloc(len + 1), *same = malloc(len + 1);
	size_t n;

	fuzz_check(out != NULL && same != NULL);
	n = charref_decode(out, s, len);
	fuzz_check(n <= len);
	memcpy(same, s, len);
	fuzz_check(charref_decode(same, same, len) == n);
	fuzz_check(memcmp(same, out, n) == 0);
	if (utf8_valid(s, len))
		fuzz_check(utf8_valid(out, n));
	free(out);
	free(same);
}

/* Read all of it in pieces of `room': a new string. */
static char *
read_all(struct transcode *t, size_t room, size_t *len)
{
	size_t n, size = 256;
	char *s = malloc(size);

	*len = 0;
	for (;;) {
		fuzz_check(s != NULL);
		n = transcode_read(t, s + *len, room);
		fuzz_check(n <= room);
		if (n == 0)
			return s;
		*len += n;
		if (size - *len < room) {
			size = 2 * size + room;
			s = realloc(s, size);
		}
	}
}

static void
fuzz_transcode(const char *s, size_t len)
{
	static const char *const labels[] = { "utf-8", "windows-1252",
		"utf-16be", "big5", "euc-jp", "gbk", "iso-2022-jp",
		"windows-1255", "x-user-defined", "replacement", "euc-kr",
		"shift_jis", "utf-16le", "koi8-u", "windows-874", "latin2" };
	struct transcode *t = transcode_new();
	const char *label;
	char *a, *b, query[4096];
	size_t n, k;
	long q;

	fuzz_check(t != NULL);
	if (len == 0)
		goto out;
	label = labels[s[0] & 15];
	transcode_start(t, charset_find(label, strlen(label)), s + 1, len - 1);
	a = read_all(t, 64, &n);
	transcode_start(t, charset_find(label, strlen(label)), s + 1, len - 1);
	b = read_all(t, TRANSCODE_ROOM + (s[0] >> 4 & 7), &k);
	fuzz_check(n == k && memcmp(a, b, n) == 0);
	fuzz_check(utf8_valid(a, n));
	fuzz_check(n == 0 || memchr(a, '\0', n) == NULL);
	fuzz_check(n == 0 || memchr(a, '&', n) == NULL);
	q = transcode_query(t, a, n, query, sizeof query);
	fuzz_check(q <= (long)sizeof query);
	for (; q > 0; q--)
		fuzz_check((signed char)query[q - 1] > 0);
	free(a);
	free(b);
out:
	transcode_free(t);
}

static void
fuzz_charset(const char *s, size_t len)
{
	const struct charset *cs;
	size_t bom;

	cs = charset_settle(s, len, s, len / 4, &bom);
	fuzz_check(cs != NULL && bom <= len && bom <= 3);
	fuzz_check(charset_find(cs->name, strlen(cs->name)) == cs);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const targets[])(const char *, size_t) = { fuzz_srcset,
		fuzz_linkheader, fuzz_refresh, fuzz_charref, fuzz_transcode,
		fuzz_charset };
	char *s;

	if (size == 0)
		return 0;
	/* a copy of its own, so that a sanitizer sees where it ends */
	s = malloc(size);
	fuzz_check(s != NULL);
	memcpy(s, data + 1, size - 1);
	targets[data[0] % (sizeof targets / sizeof targets[0])](s, size - 1);
	free(s);
	return 0;
}
