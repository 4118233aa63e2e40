/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "crawler/utf8.h"

/*
 * The lead byte fixes the length and what the second byte may be; that is
 * where overlong forms, surrogates and numbers above U+10FFFF show.  0 if
 * `c' can't lead.
 */
static size_t
lead(unsigned char c, unsigned char *low, unsigned char *high)
{
	*low = 0x80;
	*high = 0xbf;
	if (c >= 0xc2 && c <= 0xdf)
		return 2;
	if (c >= 0xe0 && c <= 0xef) {
		if (c == 0xe0)
			*low = 0xa0;
		else if (c == 0xed)
			*high = 0x9f;
		return 3;
	}
	if (c >= 0xf0 && c <= 0xf4) {
		if (c == 0xf0)
			*low = 0x90;
		else if (c == 0xf4)
			*high = 0x8f;
		return 4;
	}
	return 0;
}

size_t
utf8_decode(const char *s, size_t len, uint32_t *cp)
{
	const unsigned char *p = (const unsigned char *)s;
	unsigned char low, high;
	uint32_t v;
	size_t i, n;

	*cp = p[0];
	if (p[0] < 0x80)
		return 1;
	*cp = UTF8_BAD;
	n = lead(p[0], &low, &high);
	if (n == 0)
		return 1;
	v = p[0] & (0x7fU >> n);
	for (i = 1; i < n; i++) {
		if (i == len || p[i] < low || p[i] > high)
			return i;
		v = v << 6 | (p[i] & 0x3fU);
		low = 0x80;
		high = 0xbf;
	}
	*cp = v;
	return n;
}

size_t
utf8_encode(uint32_t cp, char *out)
{
	if (cp < 0x80) {
		out[0] = (char)cp;
		return 1;
	}
	if (cp < 0x800) {
		out[0] = (char)(0xc0 | cp >> 6);
		out[1] = (char)(0x80 | (cp & 0x3f));
		return 2;
	}
	if (cp < 0x10000) {
		out[0] = (char)(0xe0 | cp >> 12);
		out[1] = (char)(0x80 | (cp >> 6 & 0x3f));
		out[2] = (char)(0x80 | (cp & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | cp >> 18);
	out[1] = (char)(0x80 | (cp >> 12 & 0x3f));
	out[2] = (char)(0x80 | (cp >> 6 & 0x3f));
	out[3] = (char)(0x80 | (cp & 0x3f));
	return 4;
}

int
utf8_valid(const char *s, size_t len)
{
	unsigned char low, high;
	uint64_t word;
	uint32_t cp;
	size_t n, i = 0;

	while (i < len) {
		/* most bytes of most pages are ASCII */
		while (len - i >= sizeof word) {
			memcpy(&word, s + i, sizeof word);
			if ((word & UINT64_C(0x8080808080808080)) != 0)
				break;
			i += sizeof word;
		}
		if (i == len)
			break;
		n = utf8_decode(s + i, len - i, &cp);
		if (cp == UTF8_BAD)
			return i + n == len &&
			    lead((unsigned char)s[i], &low, &high) > n;
		i += n;
	}
	return 1;
}
