/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "crawler/ascii.h"
#include "crawler/robotstag.h"

/* One directive, its blanks gone. */
static unsigned int
directive(const char *s, size_t len)
{
	if (ascii_is(s, len, "noindex"))
		return ROBOTSTAG_NOINDEX;
	if (ascii_is(s, len, "nofollow"))
		return ROBOTSTAG_NOFOLLOW;
	if (ascii_is(s, len, "none"))
		return ROBOTSTAG_NOINDEX | ROBOTSTAG_NOFOLLOW;
	return 0;
}

unsigned int
robotstag_content(const char *s, size_t len)
{
	const char *end = s + len, *start = s;
	unsigned int set = 0;

	/* commas by the book, blanks by habit */
	for (; s <= end; s++) {
		if (s < end && *s != ',' && *s != ';' && !ascii_blank(*s))
			continue;
		set |= directive(start, (size_t)(s - start));
		start = s + 1;
	}
	return set;
}

/* 1 for the directives that have a value of their own behind a colon. */
static int
has_value(const char *s, size_t len)
{
	return ascii_is(s, len, "unavailable_after") ||
	    ascii_is(s, len, "max-snippet") ||
	    ascii_is(s, len, "max-image-preview") ||
	    ascii_is(s, len, "max-video-preview");
}

unsigned int
robotstag_header(const char *s, size_t len, const char *agent, size_t agent_len)
{
	const char *end = s + len, *stop, *colon, *name;
	unsigned int set = 0;
	int ours = 1;
	size_t n;

	for (; s < end; s = stop + 1) {
		stop = memchr(s, ',', (size_t)(end - s));
		if (stop == NULL)
			stop = end;
		colon = memchr(s, ':', (size_t)(stop - s));
		name = s;
		n = colon == NULL ? 0 : (size_t)(colon - s);
		ascii_trim(&name, &n);
		if (colon != NULL && !has_value(name, n)) {
			ours = n == agent_len && ascii_same(name, agent, n);
			s = colon + 1;
		}
		n = (size_t)(stop - s);
		ascii_trim(&s, &n);
		if (ours)
			set |= directive(s, n);
	}
	return set;
}
