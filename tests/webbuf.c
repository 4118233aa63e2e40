/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/webbuf.h"

/* Room for `n' more bytes?  Doubles, so that appending stays linear. */
static int
room(struct webbuf *b, size_t n)
{
	size_t cap = b->cap == 0 ? 4096 : b->cap;
	char *s;

	if (b->failed || n > WEBBUF_MAX - b->len) {
		b->failed = 1;
		return 0;
	}
	if (n <= b->cap - b->len)
		return 1;
	while (cap - b->len < n)
		cap *= 2;
	s = realloc(b->s, cap);
	if (s == NULL) {
		b->failed = 1;
		return 0;
	}
	b->s = s;
	b->cap = cap;
	return 1;
}

void
webbuf_clear(struct webbuf *b)
{
	b->len = 0;
	b->failed = 0;
}

void
webbuf_free(struct webbuf *b)
{
	free(b->s);
	memset(b, 0, sizeof *b);
}

void
webbuf_put(struct webbuf *b, const char *s, size_t n)
{
	if (n == 0 || !room(b, n))
		return;
	memcpy(b->s + b->len, s, n);
	b->len += n;
}

void
webbuf_str(struct webbuf *b, const char *s)
{
	webbuf_put(b, s, strlen(s));
}

void
webbuf_byte(struct webbuf *b, char c)
{
	webbuf_put(b, &c, 1);
}

void
webbuf_fmt(struct webbuf *b, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0 || !room(b, (size_t)n + 1)) {
		b->failed = 1;
		return;
	}
	va_start(ap, fmt);
	vsnprintf(b->s + b->len, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->len += (size_t)n;
}
