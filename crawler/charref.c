/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdint.h>
#include <string.h>
#include <libxml/HTMLparser.h>

#include "crawler/ascii.h"
#include "crawler/charref.h"
#include "crawler/transcode.h"
#include "crawler/utf8.h"

/* bytes: the longest name that we know is far shorter */
#define NAME_MAX_LEN 31

struct name {
	char name[20];
	uint16_t cp;
	char bare; /* 1 if it may stand without its semicolon */
};

/* What HTML 5 has beyond HTML 4, as far as URLs can hold it; and two that
   it gave another meaning. */
/* clang-format off */
static const struct name names[] = {
	{ "AMP", '&', 1 }, { "GT", '>', 1 }, { "LT", '<', 1 },
	{ "QUOT", '"', 1 }, { "COPY", 0xa9, 1 }, { "REG", 0xae, 1 },
	{ "Tab", '\t', 0 }, { "NewLine", '\n', 0 }, { "excl", '!', 0 },
	{ "num", '#', 0 }, { "dollar", '$', 0 }, { "percnt", '%', 0 },
	{ "apos", '\'', 0 }, { "lpar", '(', 0 }, { "rpar", ')', 0 },
	{ "ast", '*', 0 }, { "midast", '*', 0 }, { "plus", '+', 0 },
	{ "comma", ',', 0 }, { "period", '.', 0 }, { "sol", '/', 0 },
	{ "colon", ':', 0 }, { "semi", ';', 0 }, { "equals", '=', 0 },
	{ "quest", '?', 0 }, { "commat", '@', 0 }, { "lsqb", '[', 0 },
	{ "lbrack", '[', 0 }, { "bsol", '\\', 0 }, { "rsqb", ']', 0 },
	{ "rbrack", ']', 0 }, { "Hat", '^', 0 }, { "lowbar", '_', 0 },
	{ "UnderBar", '_', 0 }, { "grave", '`', 0 },
	{ "DiacriticalGrave", '`', 0 }, { "lcub", '{', 0 },
	{ "lbrace", '{', 0 }, { "verbar", '|', 0 }, { "vert", '|', 0 },
	{ "VerticalLine", '|', 0 }, { "rcub", '}', 0 }, { "rbrace", '}', 0 },
	{ "hyphen", 0x2010, 0 }, { "dash", 0x2010, 0 },
	{ "NonBreakingSpace", 0xa0, 0 }, { "lang", 0x27e8, 0 },
	{ "rang", 0x27e9, 0 },
};
/* clang-format on */

/* U+0080 to U+009F mean what windows-1252 has there ("numeric character
   reference end state"); 0 stands for itself. */
static const uint16_t c1[32] = { 0x20ac, 0, 0x201a, 0x192, 0x201e, 0x2026,
	0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0, 0x17d, 0, 0,
	0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122,
	0x161, 0x203a, 0x153, 0, 0x17e, 0x178 };

static int
alnum(char c)
{
	return ascii_alpha(c) || ascii_digit(c);
}

/* The value of `digit' to the base 10 or 16, or -1. */
static int
digit_value(char digit, uint32_t base)
{
	char c = ascii_lower(digit);

	if (ascii_digit(c))
		return c - '0';
	return base == 16 && c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* What follows "&#" at `s': stores the code point, returns its bytes. */
static size_t
numeric(const char *s, const char *end, uint32_t *cp)
{
	const char *p = s;
	uint32_t base = 10, v = 0;
	const char *first;

	if (p < end && (*p == 'x' || *p == 'X')) {
		base = 16;
		p++;
	}
	for (first = p; p < end && digit_value(*p, base) >= 0; p++)
		if (v <= 0x10ffff)
			v = v * base + (uint32_t)digit_value(*p, base);
	if (p == first)
		return 0;
	if (p < end && *p == ';')
		p++;
	if (v >= 0x80 && v < 0xa0 && c1[v - 0x80] != 0)
		v = c1[v - 0x80];
	if (v == 0 || v > 0x10ffff || (v >= 0xd800 && v < 0xe000))
		v = UTF8_REPLACEMENT;
	*cp = v;
	return (size_t)(p - s);
}

/* The code point of a name, 0 if we know none.  `bare' as in struct name. */
static uint32_t
lookup(const char *name, size_t len, int *bare)
{
	char text[NAME_MAX_LEN + 1];
	const htmlEntityDesc *e;
	size_t i;

	memcpy(text, name, len);
	text[len] = '\0';
	*bare = 0;
	for (i = 0; i < sizeof names / sizeof names[0]; i++) {
		if (strcmp(names[i].name, text) == 0) {
			*bare = names[i].bare;
			return names[i].cp;
		}
	}
	e = htmlEntityLookup((const xmlChar *)text);
	if (e == NULL)
		return 0;
	/* HTML 2's: those of Latin-1 and the four of the markup itself */
	*bare = e->value < 0x100;
	return (uint32_t)e->value;
}

/*
 * What follows "&" at `s', a name or not.  Names that may stand bare may do
 * so in front of a letter, digit or "=" only outside of attributes; hence no
 * search for the longest one is needed here.
 */
static size_t
named(const char *s, const char *end, uint32_t *cp)
{
	const char *p = s;
	int bare, closed;
	size_t len;

	while (p < end && alnum(*p))
		p++;
	len = (size_t)(p - s);
	if (len < 2 || len > NAME_MAX_LEN)
		return 0;
	closed = p < end && *p == ';';
	if (!closed && p < end && *p == '=')
		return 0;
	*cp = lookup(s, len, &bare);
	if (*cp == 0 || !(closed || bare))
		return 0;
	return closed ? len + 1 : len;
}

/* One reference, `s' being past its "&": what it takes, 0 if it is none. */
static size_t
reference(const char *s, const char *end, uint32_t *cp)
{
	size_t n;

	if (s < end && *s == '#') {
		n = numeric(s + 1, end, cp);
		return n == 0 ? 0 : n + 1;
	}
	return named(s, end, cp);
}

size_t
charref_decode(char *out, const char *s, size_t len)
{
	const char *end = s + len, *mark;
	size_t made = 0, n;
	uint32_t cp;

	while (s < end) {
		mark = memchr(s, (unsigned char)TRANSCODE_AMP[0],
		    (size_t)(end - s));
		n = mark == NULL ? (size_t)(end - s) : (size_t)(mark - s);
		memmove(out + made, s, n);
		made += n;
		s += n;
		if (s == end)
			break;
		if ((size_t)(end - s) < TRANSCODE_AMP_LEN ||
		    memcmp(s, TRANSCODE_AMP, TRANSCODE_AMP_LEN) != 0) {
			out[made++] = *s++;
			continue;
		}
		s += TRANSCODE_AMP_LEN;
		n = reference(s, end, &cp);
		s += n;
		/* no longer than what it replaces: three bytes for "&",
		   and a code point of four needs five digits or more */
		if (n == 0)
			out[made++] = '&';
		else
			made += utf8_encode(cp, out + made);
	}
	return made;
}
