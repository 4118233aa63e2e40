/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include "crawler/ascii.h"
#include "crawler/srcset.h"

/* The descriptors of one candidate as they are read. */
struct descriptors {
	int width, density, height; /* 1 once there is one */
	int bad;
};

void
srcset_start(struct srcset *it, const char *s, size_t len)
{
	it->next = s;
	it->end = s + len;
}

/* "Valid non-negative integer": 0 if `s' is none, 1 if it is 0, else 2. */
static int
integer(const char *s, size_t len)
{
	int some = 1;
	size_t i;

	for (i = 0; i < len; i++) {
		if (!ascii_digit(s[i]))
			return 0;
		if (s[i] != '0')
			some = 2;
	}
	return len == 0 ? 0 : some;
}

/* Step over digits: 1 if there was one. */
static int
digits(const char **p, const char *end)
{
	const char *start = *p;

	while (*p < end && ascii_digit(**p))
		(*p)++;
	return *p > start;
}

/* 1 for a "valid floating-point number" that is not below zero. */
static int
density(const char *s, size_t len)
{
	const char *end = s + len, *p, *first;
	int whole, below = 0, nonzero = 0;

	if (s < end && *s == '-') {
		below = 1;
		s++;
	}
	first = s;
	whole = digits(&s, end);
	if (s < end && *s == '.') {
		s++;
		if (!digits(&s, end))
			return 0;
	} else if (!whole) {
		return 0;
	}
	for (p = first; p < s; p++)
		nonzero |= *p != '0' && *p != '.';
	if (s < end && (*s == 'e' || *s == 'E')) {
		s++;
		if (s < end && (*s == '-' || *s == '+'))
			s++;
		if (!digits(&s, end))
			return 0;
	}
	return s == end && !(below && nonzero);
}

/* Take one descriptor into account: "12w", "2x", "34h". */
static void
descriptor(struct descriptors *d, const char *s, size_t len)
{
	char unit = s[len - 1];

	len--;
	if (unit == 'w' && integer(s, len) == 2 && !d->width && !d->density)
		d->width = 1;
	else if (unit == 'x' && density(s, len) && !d->width && !d->density &&
	    !d->height)
		d->density = 1;
	else if (unit == 'h' && integer(s, len) == 2 && !d->height &&
	    !d->density)
		d->height = 1;
	else
		d->bad = 1;
}

/*
 * Read descriptors from `p' up to a comma outside of parentheses, and past
 * it.  A "(" opens only within a descriptor and a ")" ends that state, but
 * not the descriptor.
 */
static const char *
tokenise(const char *p, const char *end, struct descriptors *d)
{
	const char *start = NULL;
	int parens = 0;

	for (; p < end; p++) {
		if (parens) {
			parens = *p != ')';
			continue;
		}
		if (*p == ',' || ascii_blank(*p)) {
			if (start != NULL)
				descriptor(d, start, (size_t)(p - start));
			start = NULL;
			if (*p == ',')
				return p + 1;
			continue;
		}
		if (start == NULL)
			start = p;
		parens = *p == '(';
	}
	if (start != NULL)
		descriptor(d, start, (size_t)(p - start));
	return p;
}

int
srcset_next(struct srcset *it, struct srcset_candidate *c)
{
	struct descriptors d = { 0, 0, 0, 0 };
	const char *p = it->next, *end = it->end;

	while (p < end && (ascii_blank(*p) || *p == ','))
		p++;
	it->next = p;
	if (p == end)
		return 0;
	c->url = p;
	while (p < end && !ascii_blank(*p))
		p++;
	c->len = (size_t)(p - c->url);
	if (p[-1] == ',') {
		/* the comma ends the candidate: no descriptors */
		while (c->len > 0 && c->url[c->len - 1] == ',')
			c->len--;
	} else {
		p = tokenise(p, end, &d);
	}
	it->next = p;
	if (d.height && !d.width)
		d.bad = 1;
	c->valid = !d.bad;
	return 1;
}
