/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crawler/buf.h"

#define BUF_FIRST 256 /* bytes: the first allocation */

void
buf_init(struct buf *b, size_t max)
{
	b->s = NULL;
	b->len = 0;
	b->size = 0;
	b->max = max;
}

void
buf_free(struct buf *b)
{
	free(b->s);
	buf_init(b, b->max);
}

int
buf_room(struct buf *b, size_t n)
{
	size_t want;
	char *s;

	if (b->size - b->len >= n)
		return 0;
	if (n > b->max - b->len)
		return FAULT_TOOBIG;
	want = b->size < b->max / 2 ? b->size * 2 : b->max;
	if (want < BUF_FIRST)
		want = BUF_FIRST < b->max ? BUF_FIRST : b->max;
	if (want < b->len + n)
		want = b->len + n;
	s = realloc(b->s, want);
	if (s == NULL)
		return FAULT_NOMEM;
	b->s = s;
	b->size = want;
	return 0;
}

int
buf_add(struct buf *b, const void *s, size_t n)
{
	int rc;

	if (n == 0)
		return 0;
	rc = buf_room(b, n);
	if (rc < 0)
		return rc;
	memcpy(b->s + b->len, s, n);
	b->len += n;
	return 0;
}

int
buf_str(struct buf *b, const char *s)
{
	return buf_add(b, s, strlen(s));
}

int
buf_fmt(struct buf *b, const char *fmt, ...)
{
	va_list ap;
	int n, rc;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		return FAULT_NOMEM;
	/* vsnprintf() writes a NUL, which is not counted as ours */
	rc = buf_room(b, (size_t)n + 1);
	if (rc < 0)
		return rc;
	va_start(ap, fmt);
	(void)vsnprintf(b->s + b->len, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->len += (size_t)n;
	return 0;
}
