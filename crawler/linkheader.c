/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "crawler/ascii.h"
#include "crawler/linkheader.h"

void
linkheader_start(struct linkheader *it, const char *s, size_t len)
{
	it->next = s;
	it->end = s + len;
}

static const char *
skip_blanks(const char *p, const char *end)
{
	while (p < end && ascii_blank(*p))
		p++;
	return p;
}

/* A quoted string from after its quote: returns where it ends. */
static const char *
quoted(const char *p, const char *end)
{
	while (p < end && *p != '"')
		p += p + 1 < end && *p == '\\' ? 2 : 1;
	return p;
}

/* From `p' to the next comma that is in no quoted string. */
static const char *
skip_link(const char *p, const char *end)
{
	while (p < end && *p != ',') {
		if (*p == '"')
			p = quoted(p + 1, end);
		if (p < end)
			p++;
	}
	return p;
}

/*
 * The value of a parameter at `p', which stands after "=".  Returns where it
 * ends.
 */
static const char *
value(const char *p, const char *end, const char **text, size_t *len)
{
	p = skip_blanks(p, end);
	if (p < end && *p == '"') {
		*text = p + 1;
		p = quoted(p + 1, end);
		*len = (size_t)(p - *text);
		return p < end ? p + 1 : p;
	}
	*text = p;
	while (p < end && *p != ';' && *p != ',' && !ascii_blank(*p))
		p++;
	*len = (size_t)(p - *text);
	return p;
}

/*
 * The parameters from `p' on: what they say goes to `l', and the return is
 * where the link ends (a comma, or the end).
 */
static const char *
parameters(const char *p, const char *end, struct linkheader_link *l)
{
	const char *name, *text;
	size_t n, len;

	for (;;) {
		p = skip_blanks(p, end);
		if (p == end || *p != ';')
			return p;
		name = p = skip_blanks(p + 1, end);
		while (p < end && *p != '=' && *p != ';' && *p != ',' &&
		    !ascii_blank(*p))
			p++;
		n = (size_t)(p - name);
		text = NULL;
		len = 0;
		p = skip_blanks(p, end);
		if (p < end && *p == '=')
			p = value(p + 1, end, &text, &len);
		/* only the first rel counts (section 3.3) */
		if (ascii_is(name, n, "rel") && l->rel == NULL &&
		    text != NULL) {
			l->rel = text;
			l->rel_len = len;
		} else if (ascii_is(name, n, "anchor")) {
			l->anchor = 1;
		}
	}
}

int
linkheader_next(struct linkheader *it, struct linkheader_link *l)
{
	const char *p = it->next, *end = it->end, *close = NULL;

	memset(l, 0, sizeof *l);
	while (p < end && close == NULL) {
		while (p < end && (ascii_blank(*p) || *p == ','))
			p++;
		if (p < end && *p == '<')
			close = memchr(p, '>', (size_t)(end - p));
		if (close != NULL)
			break;
		p = skip_link(p, end);
	}
	if (close == NULL) {
		it->next = end;
		return 0;
	}
	l->url = p + 1;
	l->len = (size_t)(close - l->url);
	it->next = skip_link(parameters(close + 1, end, l), end);
	return 1;
}
