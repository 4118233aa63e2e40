/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlpath.h - everything behind the host: encoding, decoding, dot segments
 *
 * These write the normal form of a part of a URL.  What may stand as it is
 * is copied; bytes of the part's encode set become %XX (WHATWG URL, section
 * 1.3); %XX of unreserved characters is decoded and the digits of any other
 * become capitals (RFC 3986, section 6.2.2).  A "%" that is not followed by
 * two hex digits stays, and a digit that would complete it is not decoded:
 * "%2%65" would become "%2e", which means something else and would not stay
 * as it is the next time.
 *
 * Memory	A part grows to three times its length at most; the caller
 *		has the room, and at least two bytes of the URL before it.
 */

#ifndef DEDUP_URLPATH_H
#define DEDUP_URLPATH_H

#include "dedup/urlskip.h"

/*
 * Write `s' up to `end' in normal form at `out'; `set' is the encode set, an
 * URLCLASS_*.  Returns the end of what was written.
 */
char *urlpath_encode(char *out, const char *s, const char *end,
    unsigned int set);

/* The same for a query. */
char *urlpath_query(char *out, const char *s, const char *end,
    urlskip_fn *skip);

/*
 * Write the path `s' up to `end' behind the "/" before `out', without dot
 * segments; "\" counts as "/".  `root' is the path's first "/", so ".." can
 * take away segments that were there before.  Returns the new end.
 */
char *urlpath_segments(char *root, char *out, const char *s, const char *end,
    urlskip_fn *skip);

#endif
