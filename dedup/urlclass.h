/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlclass.h - which bytes mean what in a URL
 *
 * One byte of flags for each byte value.  The percent-encode sets are those
 * of the WHATWG URL Standard, section 1.3, "unreserved" is RFC 3986,
 * section 2.3.  Bytes of 0x80 and more are in every encode set.
 */

#ifndef DEDUP_URLCLASS_H
#define DEDUP_URLCLASS_H

#include <stdint.h>

enum urlclass {
	URLCLASS_PATH = 1 << 0,       /* to be encoded in a path */
	URLCLASS_QUERY = 1 << 1,      /* in the query of http(s) */
	URLCLASS_USER = 1 << 2,       /* in user name and password */
	URLCLASS_FRAGMENT = 1 << 3,   /* in a fragment */
	URLCLASS_UNRESERVED = 1 << 4, /* never to be encoded */
	URLCLASS_HEX = 1 << 5,        /* a hex digit */
	URLCLASS_DOMAIN = 1 << 6,     /* forbidden in a domain */
	URLCLASS_SCHEME = 1 << 7,     /* may stand in a scheme */
};

extern const uint8_t urlclass[256];

/* Not 0 if `c' is in one of the classes `set'. */
static inline unsigned int
urlclass_is(char c, unsigned int set)
{
	return urlclass[(unsigned char)c] & set;
}

static inline int
urlclass_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* ASCII only, whatever the locale. */
static inline char
urlclass_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* The value of a hex digit; `c' must be one. */
static inline unsigned int
urlclass_hex(char c)
{
	unsigned int u = (unsigned char)c;

	return (u & 15) + (u >> 6) * 9;
}

#endif
