/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * robotspath.h - rule patterns and URL paths in the form they are compared in
 *
 * RFC 9309 section 2.2.2 compares octets after %XX of unreserved characters
 * is decoded and octets outside of US-ASCII are encoded.  We go one step
 * further, because URL parsers do: a character that may not stand in a URI,
 * and the apostrophe, which the WHATWG parser encodes in queries, is %XX on
 * both sides.  Hex digits are capitals; a "%" without two hex digits stays.
 *
 * In a pattern "*" is any run of octets and "$" at its end is the end of the
 * path (section 2.2.3).  In a path they are %2A and %24, which is also how a
 * pattern names the characters themselves.
 */

#ifndef CRAWLER_ROBOTSPATH_H
#define CRAWLER_ROBOTSPATH_H

#include <stddef.h>
#include <stdint.h>

struct robotspattern {
	const char *s;   /* in comparison form, without the "$" at its end */
	size_t len;      /* bytes */
	uint32_t octets; /* how specific it is: more win (section 2.2.2) */
	int anchored;    /* it ended in "$" */
};

/*
 * The comparison form of a path and query (up to a "#") in `out', which has
 * room for 3 * len bytes.  Returns its length.
 */
size_t robotspath_canon(const char *s, size_t len, char *out);

/* The same of a rule's value; `p' then points at `out'. */
void robotspath_pattern(const char *s, size_t len, char *out,
    struct robotspattern *p);

/*
 * RFC 9309's table of encodings (section 2.2.2) takes ":" and "/" in a query
 * for the same as %3A and %2F.  1 if `p' has such bytes behind a "?": `twin'
 * then is `p' with all of them written the other way, in `out', which has room
 * for 3 * p->len bytes.
 */
int robotspath_twin(const struct robotspattern *p, char *out,
    struct robotspattern *twin);

/* 1 if a path has its comparison form already. */
int robotspath_is_canon(const char *s, size_t len);

/*
 * Does `p' match the path of `len' bytes in comparison form?  Linear in the
 * path.  `*steps' is reduced by the bytes that had to be searched.
 */
int robotspath_match(const struct robotspattern *p, const char *path,
    size_t len, int64_t *steps);

#endif
