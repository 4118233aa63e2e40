/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "dedup/urladdr.h"
#include "dedup/urlclass.h"

int
urladdr_number(const char *s, size_t len, uint64_t *n)
{
	unsigned int base = 10, digit;
	size_t i = 0;

	if (len == 0)
		return FAULT_URL_HOST;
	if (len >= 2 && s[0] == '0' && (s[1] | 0x20) == 'x') {
		base = 16;
		i = 2;
	} else if (len >= 2 && s[0] == '0') {
		base = 8;
		i = 1;
	}
	*n = 0; /* "0x" alone is 0 */
	for (; i < len; i++) {
		if (!urlclass_is(s[i], URLCLASS_HEX))
			return FAULT_URL_HOST;
		digit = urlclass_hex(s[i]);
		if (digit >= base)
			return FAULT_URL_HOST;
		/* all digits are looked at, however many there are */
		if (*n <= UINT32_MAX)
			*n = *n * base + digit;
		if (*n > UINT32_MAX)
			*n = UINT64_MAX;
	}
	return 0;
}

int
urladdr_ipv4(const char *s, size_t len, uint32_t *addr)
{
	const char *end, *dot;
	uint64_t part[4];
	int i, n = 0;

	if (len > 0 && s[len - 1] == '.')
		len--;
	for (end = s + len;; s = dot + 1) {
		dot = memchr(s, '.', (size_t)(end - s));
		if (dot == NULL)
			dot = end;
		if (n == 4 ||
		    urladdr_number(s, (size_t)(dot - s), &part[n]) < 0)
			return FAULT_URL_HOST;
		n++;
		if (dot == end)
			break;
	}
	/* the last number fills all the bytes that are left */
	if (part[n - 1] >> (8 * (5 - n)) != 0)
		return FAULT_URL_HOST;
	*addr = (uint32_t)part[n - 1];
	for (i = 0; i < n - 1; i++) {
		if (part[i] > 255)
			return FAULT_URL_HOST;
		*addr += (uint32_t)part[i] << (8 * (3 - i));
	}
	return 0;
}

/*
 * The dotted end of an IPv6 address: four decimal numbers without leading
 * zeros, which fill the pieces `at' and `at' + 1.
 */
static int
embedded(const char *s, const char *end, uint16_t *at)
{
	unsigned int n;
	int i;

	for (i = 0; i < 4; i++) {
		if (i > 0 && (s == end || *s++ != '.'))
			return FAULT_URL_HOST;
		if (s == end || !urlclass_digit(*s))
			return FAULT_URL_HOST;
		n = (unsigned int)(*s++ - '0');
		while (s < end && urlclass_digit(*s)) {
			if (n == 0)
				return FAULT_URL_HOST;
			n = n * 10 + (unsigned int)(*s++ - '0');
			if (n > 255)
				return FAULT_URL_HOST;
		}
		at[i / 2] = (uint16_t)(at[i / 2] << 8 | n);
	}
	return s == end ? 0 : FAULT_URL_HOST;
}

/* Move the pieces from `gap' up to `n' to the end, zeros in between. */
static void
stretch(uint16_t addr[8], int gap, int n)
{
	int tail = n - gap;

	memmove(addr + 8 - tail, addr + gap, (size_t)tail * sizeof *addr);
	memset(addr + gap, 0, (size_t)(8 - n) * sizeof *addr);
}

/* Up to four hex digits at `s'; the end of them. */
static const char *
piece(const char *s, const char *end, uint16_t *v)
{
	const char *stop = end - s > 4 ? s + 4 : end;
	unsigned int n = 0;

	while (s < stop && urlclass_is(*s, URLCLASS_HEX))
		n = n << 4 | urlclass_hex(*s++);
	*v = (uint16_t)n;
	return s;
}

int
urladdr_ipv6(const char *s, size_t len, uint16_t addr[8])
{
	const char *end = s + len, *from;
	int n = 0, gap = -1; /* pieces read; where "::" stood */

	memset(addr, 0, 8 * sizeof *addr);
	if (len >= 2 && s[0] == ':' && s[1] == ':') {
		s += 2;
		gap = 0;
	}
	while (s < end) {
		if (n == 8)
			return FAULT_URL_HOST;
		if (*s == ':') {
			if (gap >= 0 || n == 0)
				return FAULT_URL_HOST;
			gap = n;
			s++;
			continue;
		}
		from = s;
		s = piece(s, end, &addr[n]);
		if (s < end && *s == '.') {
			addr[n] = 0;
			if (n > 6 || embedded(from, end, addr + n) < 0)
				return FAULT_URL_HOST;
			n += 2;
			break;
		}
		n++;
		if (s == end)
			break;
		/* a colon, and something after it */
		if (s == from || *s++ != ':' || s == end)
			return FAULT_URL_HOST;
	}
	if (gap < 0)
		return n == 8 ? 0 : FAULT_URL_HOST;
	if (n == 8)
		return FAULT_URL_HOST;
	stretch(addr, gap, n);
	return 0;
}

static char *
put_decimal(char *out, unsigned int n)
{
	if (n >= 100)
		*out++ = (char)('0' + n / 100);
	if (n >= 10)
		*out++ = (char)('0' + n / 10 % 10);
	*out++ = (char)('0' + n % 10);
	return out;
}

char *
urladdr_put4(char *out, uint32_t addr)
{
	int i;

	for (i = 24; i >= 0; i -= 8) {
		out = put_decimal(out, addr >> i & 255);
		if (i > 0)
			*out++ = '.';
	}
	return out;
}

/* The first of the longest runs of two or more zeros; its length, or 0. */
static int
zeros(const uint16_t addr[8], int *at)
{
	int i, run = 0, best = 1;

	*at = -1;
	for (i = 0; i < 8; i++) {
		run = addr[i] == 0 ? run + 1 : 0;
		if (run > best) {
			best = run;
			*at = i + 1 - run;
		}
	}
	return *at < 0 ? 0 : best;
}

char *
urladdr_put6(char *out, const uint16_t addr[8])
{
	static const char digit[16] = "0123456789abcdef";
	int i, shift, at, n = zeros(addr, &at);

	for (i = 0; i < 8; i++) {
		if (i == at) {
			*out++ = ':';
			if (i == 0)
				*out++ = ':';
			i += n - 1;
			continue;
		}
		for (shift = 12; shift > 0; shift -= 4)
			if (addr[i] >> shift != 0)
				break;
		for (; shift >= 0; shift -= 4)
			*out++ = digit[addr[i] >> shift & 15];
		if (i < 7)
			*out++ = ':';
	}
	return out;
}
