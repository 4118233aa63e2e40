/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * words.h - lines of words with one blank between, as images and chunks are
 */

#ifndef FRONTIER_WORDS_H
#define FRONTIER_WORDS_H

#include <stdint.h>
#include <string.h>

#include "dedup/url.h"

#define WORDS_NUMBER 20 /* bytes of a number, at most */

/* Write `v' in decimal and return one past. */
static inline char *
words_put(char *p, uint64_t v)
{
	char digit[WORDS_NUMBER];
	unsigned int n = 0;

	do {
		digit[n++] = (char)('0' + v % 10);
		v /= 10;
	} while (v > 0);
	while (n > 0)
		*p++ = digit[--n];
	return p;
}

/* The next word of the line from *s to `end', which may be the last: 1, or 0
   if there is none. */
static inline int
words_next(const char **s, const char *end, struct url_span *w)
{
	const char *blank;

	if (*s >= end)
		return 0;
	blank = memchr(*s, ' ', (size_t)(end - *s));
	w->s = *s;
	w->len = (size_t)((blank == NULL ? end : blank) - *s);
	*s = blank == NULL ? end : blank + 1;
	return w->len > 0;
}

/* The next word, which is a number up to `most': 1, or 0 if it is not. */
static inline int
words_number(const char **s, const char *end, uint64_t most, uint64_t *v)
{
	const char *p = *s;
	uint64_t x = 0;

	while (p < end && *p >= '0' && *p <= '9' && p - *s < WORDS_NUMBER) {
		unsigned int d = (unsigned int)(*p++ - '0');

		if (x > (UINT64_MAX - d) / 10)
			return 0;
		x = x * 10 + d;
	}
	if (p == *s || x > most || (p < end && *p != ' '))
		return 0;
	*v = x;
	*s = p + (p < end);
	return 1;
}

#endif
