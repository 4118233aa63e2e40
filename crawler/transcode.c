/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <iconv.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crawler/ascii.h"
#include "crawler/transcode.h"
#include "crawler/utf8.h"

#define NO_ICONV ((iconv_t)-1)

/* bytes decoded at a time */
#define MIDDLE 4096

struct transcode {
	const struct charset *cs;
	const char *in; /* what was not decoded yet */
	size_t left;
	const char *next; /* UTF-8 that was not cleaned yet */
	size_t ready;
	char last;   /* byte handed out */
	int in_name; /* what was handed out ends in 1: "<", 2: and a name */
	/* kept open from page to page, because a site's pages are alike */
	iconv_t decoder, encoder;
	const struct charset *decodes, *encodes;
	char middle[MIDDLE];
};

/* U+0080 to U+009F of windows-1252 (Encoding Standard, index); the five
   bytes that Microsoft left out stand for themselves. */
static const uint16_t high[32] = { 0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026,
	0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d, 0x8f,
	0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc,
	0x2122, 0x161, 0x203a, 0x153, 0x9d, 0x17e, 0x178 };

struct transcode *
transcode_new(void)
{
	struct transcode *t = calloc(1, sizeof *t);

	if (t == NULL)
		return NULL;
	t->decoder = NO_ICONV;
	t->encoder = NO_ICONV;
	t->cs = charset_find("utf-8", 5);
	return t;
}

void
transcode_free(struct transcode *t)
{
	if (t == NULL)
		return;
	if (t->decoder != NO_ICONV)
		iconv_close(t->decoder);
	if (t->encoder != NO_ICONV)
		iconv_close(t->encoder);
	free(t);
}

/* A descriptor that converts `cs' in its first state: the old one if it
   does that already. */
static void
reopen(iconv_t *cd, const struct charset **open, const struct charset *cs,
    const char *to, const char *from)
{
	if (*cd != NO_ICONV && *open == cs) {
		iconv(*cd, NULL, NULL, NULL, NULL);
		return;
	}
	if (*cd != NO_ICONV)
		iconv_close(*cd);
	*cd = iconv_open(to, from);
	*open = cs;
}

const struct charset *
transcode_start(struct transcode *t, const struct charset *cs, const char *body,
    size_t len)
{
	if (cs->kind == CHARSET_ICONV) {
		reopen(&t->decoder, &t->decodes, cs, "UTF-8", cs->iconv);
		if (t->decoder == NO_ICONV)
			cs = charset_find("windows-1252", 12);
	}
	t->cs = cs;
	t->in = body;
	t->left = len;
	t->next = NULL;
	t->ready = 0;
	t->last = '\0';
	t->in_name = 0;
	return cs;
}

/* Fill the buffer, of which `n' bytes are taken, from a single-byte encoding
   that we know ourselves.  Returns the bytes in it. */
static size_t
decode_bytes(struct transcode *t, size_t n)
{
	unsigned char c;
	uint32_t cp;

	while (t->left > 0 && n <= MIDDLE - UTF8_MAX) {
		c = (unsigned char)*t->in++;
		t->left--;
		if (t->cs->kind == CHARSET_USER_DEFINED)
			cp = c < 0x80 ? c : 0xf700U + c;
		else
			cp = c >= 0x80 && c < 0xa0 ? high[c - 0x80] : c;
		n += utf8_encode(cp, t->middle + n);
	}
	return n;
}

/*
 * The same with iconv.  What it does not know costs one byte, so that a
 * tag's "<" after half a character is not lost with it.
 */
static size_t
decode_iconv(struct transcode *t, size_t taken)
{
	union {
		const char *in;
		char *iconv; /* takes char **, and changes nothing there */
	} u;
	char *out = t->middle + taken;
	size_t room = MIDDLE - UTF8_MAX - taken, n;

	u.in = t->in;
	while (t->left > 0 && room >= UTF8_MAX) {
		n = iconv(t->decoder, &u.iconv, &t->left, &out, &room);
		if (n != (size_t)-1 || errno == E2BIG)
			break;
		u.in++;
		t->left--;
		n = utf8_encode(UTF8_REPLACEMENT, out);
		out += n;
		room -= n < room ? n : room;
	}
	t->in = u.in;
	room += UTF8_MAX;
	if (t->left == 0)
		iconv(t->decoder, NULL, NULL, &out, &room);
	return (size_t)(out - t->middle);
}

/*
 * Have bytes ready in UTF-8, and enough of them to see how markup begins
 * unless the body ends there.  0 at its end.
 */
static int
refill(struct transcode *t)
{
	if (t->ready >= TRANSCODE_ROOM || t->left == 0)
		return t->ready > 0;
	if (t->cs->kind == CHARSET_UTF_8) {
		t->next = t->in;
		t->ready = t->left;
		t->left = 0;
		return 1;
	}
	if (t->ready > 0)
		memmove(t->middle, t->next, t->ready);
	t->next = t->middle;
	if (t->cs->kind == CHARSET_ICONV) {
		t->ready = decode_iconv(t, t->ready);
	} else if (t->cs->kind == CHARSET_REPLACEMENT) {
		t->ready = utf8_encode(UTF8_REPLACEMENT, t->middle);
		t->left = 0;
	} else {
		t->ready = decode_bytes(t, t->ready);
	}
	return t->ready > 0;
}

/* A bit for each byte of `w' that is zero; others may get one too, but only
   above one that is (Mycroft's test), so 0 means none. */
static inline uint64_t
zeros(uint64_t w)
{
	return (w - UINT64_C(0x0101010101010101)) & ~w &
	    UINT64_C(0x8080808080808080);
}

/* Copy what needs no care, eight bytes at a time: how many. */
static size_t
copy_plain(const char *s, size_t len, char *out)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	uint64_t w;
	size_t i;

	for (i = 0; len - i >= sizeof w; i += sizeof w) {
		memcpy(&w, s + i, sizeof w);
		if (((w & UINT64_C(0x8080808080808080)) | zeros(w) |
			zeros(w ^ each * '&') | zeros(w ^ each * '!') |
			zeros(w ^ each * '?')) != 0)
			break;
		memcpy(out + i, &w, sizeof w);
	}
	return i;
}

/*
 * After a "<", at `s', which begins with "!" or "?": what goes out in place
 * of the first `*used' bytes, NULL to leave them alone.
 */
static const char *
reword(const char *s, size_t len, size_t *used)
{
	*used = 1;
	if (*s == '?')
		return len > 1 && ascii_alpha(s[1]) ? NULL : "?x ";
	if (len >= 8 && ascii_is(s + 1, 7, "doctype"))
		return NULL;
	if (len < 3 || memcmp(s, "!--", 3) != 0)
		return "?x ";
	*used = 3;
	if (len >= 4 && s[3] == '>')
		return "!-- --";
	if (len >= 5 && memcmp(s + 3, "->", 2) == 0)
		return "!-- -";
	return NULL;
}

/* Take one character from the front, clean, to `out': its bytes, at most
   TRANSCODE_ROOM. */
static size_t
clean_one(struct transcode *t, char *out)
{
	const char *word;
	uint32_t cp;
	size_t n;

	if (t->last == '<' && (*t->next == '!' || *t->next == '?')) {
		word = reword(t->next, t->ready, &n);
		if (word != NULL) {
			t->next += n;
			t->ready -= n;
			n = strlen(word);
			memcpy(out, word, n);
			return n;
		}
	}
	n = utf8_decode(t->next, t->ready, &cp);
	t->next += n;
	t->ready -= n;
	if (cp == '&') {
		memcpy(out, TRANSCODE_AMP, TRANSCODE_AMP_LEN);
		return TRANSCODE_AMP_LEN;
	}
	if (cp == UTF8_BAD || cp == 0 || cp == 0xfdd0)
		cp = UTF8_REPLACEMENT;
	return utf8_encode(cp, out);
}

/*
 * The parser takes "<a/href=x" for an element called a/href, and a form feed
 * for part of a name.  To the Standard both are blanks: the slash if it stands
 * right behind a tag's name and is not that of "/>".
 */
static void
part_names(struct transcode *t, char *out, size_t len)
{
	char *s = out, *end = out + len, *ff = out;

	for (;;) {
		ff = memchr(ff, '\f', (size_t)(end - ff));
		if (ff == NULL)
			break;
		*ff++ = ' ';
	}
	while (s < end) {
		if (t->in_name == 0) {
			s = memchr(s, '<', (size_t)(end - s));
			if (s == NULL)
				return;
			t->in_name = 1;
			s++;
			continue;
		}
		if (t->in_name == 1 && !ascii_alpha(*s)) {
			t->in_name = 0;
			continue;
		}
		while (s < end && (ascii_alpha(*s) || ascii_digit(*s)))
			s++;
		t->in_name = s == end ? 2 : 0;
		if (s == end || *s != '/')
			continue;
		if (end - s > 1 ? s[1] != '>' : refill(t) && *t->next != '>')
			*s = ' ';
	}
}

size_t
transcode_read(struct transcode *t, char *out, size_t room)
{
	size_t made = 0, n;

	while (room - made >= TRANSCODE_ROOM && refill(t)) {
		n = t->ready < room - made ? t->ready : room - made;
		n = copy_plain(t->next, n, out + made);
		t->next += n;
		t->ready -= n;
		made += n;
		if (made > 0)
			t->last = out[made - 1];
		/* then up to the next stretch that may be plain */
		for (n = 0; n < 8 && room - made >= TRANSCODE_ROOM && refill(t);
		     n++) {
			made += clean_one(t, out + made);
			t->last = out[made - 1];
		}
	}
	part_names(t, out, made);
	return made;
}

int
transcode_encodes(const struct transcode *t)
{
	return t->cs->kind != CHARSET_UTF_8 && !t->cs->utf16 &&
	    t->cs->kind != CHARSET_REPLACEMENT;
}

/* One character in an encoding of our own: its byte, or -1. */
static int
encode_byte(const struct charset *cs, uint32_t cp)
{
	int i;

	if (cs->kind == CHARSET_USER_DEFINED)
		return cp >= 0xf780 && cp <= 0xf7ff ? (int)(cp - 0xf700) : -1;
	if (cp >= 0xa0 && cp <= 0xff)
		return (int)cp;
	for (i = 0; i < 32; i++)
		if (high[i] == cp)
			return 0x80 + i;
	return -1;
}

/* One character in the document's encoding: its bytes, 0 if it has none. */
static size_t
encode_one(struct transcode *t, const char *s, size_t len, uint32_t cp,
    char out[16])
{
	union {
		const char *s;
		char *iconv;
	} u;
	size_t room = 16;
	char *end = out;
	int c;

	if (t->cs->kind != CHARSET_ICONV) {
		c = encode_byte(t->cs, cp);
		out[0] = (char)c;
		return c < 0 ? 0 : 1;
	}
	u.s = s;
	/* more than 0 would be a character that only looks like it */
	if (t->encoder == NO_ICONV ||
	    iconv(t->encoder, &u.iconv, &len, &end, &room) != 0 ||
	    iconv(t->encoder, NULL, NULL, &end, &room) != 0) {
		if (t->encoder != NO_ICONV)
			iconv(t->encoder, NULL, NULL, NULL, NULL);
		return 0;
	}
	return 16 - room;
}

/* `len' encoded bytes into a query: what the URL parser leaves alone stays,
   and what would end or split the query there does not. */
static size_t
percent(const char *s, size_t len, char *out)
{
	static const char hex[] = "0123456789ABCDEF";
	unsigned char c;
	size_t i, n = 0;

	for (i = 0; i < len; i++) {
		c = (unsigned char)s[i];
		if (c > 0x20 && c < 0x7f && c != '"' && c != '#' && c != '<' &&
		    c != '>' && c != '\'') {
			out[n++] = (char)c;
			continue;
		}
		out[n++] = '%';
		out[n++] = hex[c >> 4];
		out[n++] = hex[c & 15];
	}
	return n;
}

long
transcode_query(struct transcode *t, const char *s, size_t len, char *out,
    size_t room)
{
	char code[16];
	size_t i, n, k, made = 0;
	uint32_t cp;

	if (t->cs->kind == CHARSET_ICONV)
		reopen(&t->encoder, &t->encodes, t->cs, t->cs->iconv, "UTF-8");
	for (i = 0; i < len; i += n) {
		/* the longest that one character can become */
		if (room - made < 3 * sizeof code)
			return FAULT_TOOBIG;
		n = utf8_decode(s + i, len - i, &cp);
		if (cp < 0x80) {
			out[made++] = s[i];
			continue;
		}
		if (cp == UTF8_BAD)
			cp = UTF8_REPLACEMENT;
		k = encode_one(t, s + i, n, cp, code);
		if (k > 0)
			made += percent(code, k, out + made);
		else
			made += (size_t)snprintf(out + made, room - made,
			    "%%26%%23%lu%%3B", (unsigned long)cp);
	}
	return (long)made;
}
