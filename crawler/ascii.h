/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ascii.h - what markup and headers mean by a blank, a letter, a word
 *
 * Unlike <ctype.h> these don't depend on the locale.  Blanks are those of
 * the HTML Standard: tab, line feed, form feed, carriage return, space.
 */

#ifndef CRAWLER_ASCII_H
#define CRAWLER_ASCII_H

#include <stddef.h>
#include <string.h>

static inline int
ascii_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

static inline int
ascii_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline char
ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static inline int
ascii_alpha(char c)
{
	char l = ascii_lower(c);

	return l >= 'a' && l <= 'z';
}

/* 1 if `len' bytes at `s' are `word' (lower case) in any case. */
static inline int
ascii_is(const char *s, size_t len, const char *word)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (word[i] == '\0' || ascii_lower(s[i]) != word[i])
			return 0;
	return word[i] == '\0';
}

/* 1 if two strings of `len' bytes are the same in any case. */
static inline int
ascii_same(const char *a, const char *b, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (ascii_lower(a[i]) != ascii_lower(b[i]))
			return 0;
	return 1;
}

/* Take the blanks off both ends. */
static inline void
ascii_trim(const char **s, size_t *len)
{
	while (*len > 0 && ascii_blank((*s)[0])) {
		(*s)++;
		(*len)--;
	}
	while (*len > 0 && ascii_blank((*s)[*len - 1]))
		(*len)--;
}

/*
 * The next word of a blank-separated list that ends at `end': NULL when
 * there is none, else its start; `*p' and `*len' are moved on.
 */
static inline const char *
ascii_word(const char **p, const char *end, size_t *len)
{
	const char *s = *p, *start;

	while (s < end && ascii_blank(*s))
		s++;
	start = s;
	while (s < end && !ascii_blank(*s))
		s++;
	*p = s;
	*len = (size_t)(s - start);
	return s == start ? NULL : start;
}

#endif
