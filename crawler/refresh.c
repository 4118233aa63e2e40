/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "crawler/ascii.h"
#include "crawler/refresh.h"
#include "snapshot/limits.h"

static const char *
skip_blanks(const char *p, const char *end)
{
	while (p < end && ascii_blank(*p))
		p++;
	return p;
}

/* Reads the delay.  NULL if there is none. */
static const char *
delay(const char *p, const char *end, unsigned long *seconds)
{
	const char *start = p;

	*seconds = 0;
	for (; p < end && ascii_digit(*p); p++)
		if (*seconds < LIMIT_REFRESH_S)
			*seconds = *seconds * 10 + (unsigned long)(*p - '0');
	if (*seconds > LIMIT_REFRESH_S)
		*seconds = LIMIT_REFRESH_S;
	if (p == start && (p == end || *p != '.'))
		return NULL;
	while (p < end && (ascii_digit(*p) || *p == '.'))
		p++;
	return p;
}

/* Steps over "url =" and returns where the URL starts, or `p'. */
static const char *
skip_name(const char *p, const char *end)
{
	const char *q;

	if (end - p < 3 || !ascii_same(p, "url", 3))
		return p;
	q = skip_blanks(p + 3, end);
	return q < end && *q == '=' ? skip_blanks(q + 1, end) : p;
}

int
refresh_parse(const char *s, size_t len, struct refresh *r)
{
	const char *end = s + len, *p, *quote;

	p = delay(skip_blanks(s, end), end, &r->delay);
	if (p == NULL)
		return 0;
	r->url = end;
	r->len = 0;
	if (p == end)
		return 1;
	if (*p != ';' && *p != ',' && !ascii_blank(*p))
		return 0;
	p = skip_blanks(p, end);
	if (p < end && (*p == ';' || *p == ','))
		p++;
	p = skip_name(skip_blanks(p, end), end);
	if (p == end)
		return 1;
	r->url = p;
	r->len = (size_t)(end - p);
	if (*p == '"' || *p == '\'') {
		r->url++;
		r->len--;
		quote = memchr(r->url, *p, r->len);
		if (quote != NULL)
			r->len = (size_t)(quote - r->url);
	}
	return 1;
}
