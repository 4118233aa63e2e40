/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlquery.c - dropping and sorting query parameters
 *
 * Sorting is a heapsort over offsets: it needs no memory of its own and no
 * luck with the input, and the offset as the last key makes it stable.
 */

#include "config.h"

#include <string.h>

#include "dedup/url.h"
#include "dedup/urlnames.h"
#include "dedup/urlquery.h"

/* A query and its parameters, by their offsets. */
struct list {
	const char *s;
	const char *end;
	uint32_t *at;
	size_t n;
};

static const char *
param_end(const char *s, const char *end)
{
	const char *p = memchr(s, '&', (size_t)(end - s));

	return p == NULL ? end : p;
}

/* By the bytes of the names, then by place. */
static int
before(const struct list *l, uint32_t a, uint32_t b)
{
	const char *p = l->s + a, *q = l->s + b;
	int c, d;

	for (;; p++, q++) {
		c = p == l->end || *p == '&' || *p == '=' ? -1 :
							    (unsigned char)*p;
		d = q == l->end || *q == '&' || *q == '=' ? -1 :
							    (unsigned char)*q;
		if (c != d)
			return c < d;
		if (c < 0)
			return a < b;
	}
}

/* Let the entry at `i' sink in the heap of the first `n'. */
static void
sink(struct list *l, size_t i, size_t n)
{
	uint32_t v = l->at[i];
	size_t kid;

	for (; 2 * i + 1 < n; i = kid) {
		kid = 2 * i + 1;
		if (kid + 1 < n && before(l, l->at[kid], l->at[kid + 1]))
			kid++;
		if (!before(l, v, l->at[kid]))
			break;
		l->at[i] = l->at[kid];
	}
	l->at[i] = v;
}

static void
sort(struct list *l)
{
	uint32_t v;
	size_t i;

	for (i = l->n / 2; i > 0; i--)
		sink(l, i - 1, l->n);
	for (i = l->n; i > 1; i--) {
		v = l->at[i - 1];
		l->at[i - 1] = l->at[0];
		l->at[0] = v;
		sink(l, 0, i - 1);
	}
}

/* Is the parameter one that the rules drop? */
static int
dropped(uint32_t rules, const char *s, const char *end)
{
	return (rules & URL_STRIP_PARAMS && urlnames_tracking(s, end)) ||
	    (rules & URL_STRIP_SESSION && urlnames_session(s, end));
}

/* The first one follows the "?", each other one a "&". */
static char *
put_param(char *out, int first, const char *s, const char *end)
{
	size_t n = (size_t)(end - s);

	*out++ = first ? '?' : '&';
	memcpy(out, s, n);
	return out + n;
}

char *
urlquery_put(uint32_t rules, char *out, const char *s, const char *end,
    uint32_t *params)
{
	struct list l = { s, end, params, 0 };
	const char *p;
	char *start = out;
	size_t i, drops = 0;

	for (;; s = p + 1) {
		p = param_end(s, end);
		if (dropped(rules, s, p))
			drops++;
		else if (rules & URL_SORT_QUERY)
			l.at[l.n++] = (uint32_t)(s - l.s);
		else
			out = put_param(out, out == start, s, p);
		if (p == end)
			break;
	}
	sort(&l);
	for (i = 0; i < l.n; i++) {
		s = l.s + l.at[i];
		out = put_param(out, out == start, s, param_end(s, end));
	}
	if (out - start <= 1 && (drops > 0 || rules & URL_DROP_EMPTY_QUERY))
		return start;
	return out;
}
