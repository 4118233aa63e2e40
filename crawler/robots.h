/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * robots.h - what a site asks of us in its robots.txt (RFC 9309)
 *
 * A robots.txt is parsed for one user agent into a flat string of bytes: the
 * rules that apply to it, most specific first, its crawl delay, and the
 * site's sitemaps.  The string has no pointers and no byte order, so it can
 * be kept in a table on disk or in a snapshot as it is; robots_view() checks
 * it and makes it usable in place.
 *
 * All groups that name the agent are one (section 2.2.1; robotsagent.h says
 * which do), those for "*" count only where none does.  Blank, unknown and
 * Crawl-delay lines end no group (section 2.2.4).  Of the rules that match,
 * the one with most octets decides, and allow where they are equal; without
 * a match, and for "/robots.txt" itself, the answer is yes (section 2.2.2).
 *
 * Crawl-delay is no part of the RFC.  It holds for the User-agent lines
 * before it, back to the last Crawl-delay, Allow or Disallow line, which is
 * how sites use it: agents listed with a delay each, rules for all of them
 * below.  Of several the longest counts, up to LIMIT_ROBOTS_DELAY.
 *
 * Memory	robots_parse() makes one allocation that lasts: the flat
 *		string, at most LIMIT_ROBOTS_FLAT bytes.  A view borrows it.
 * Threads	A flat string and its view are never written to: share them.
 * Errors	FAULT_NOMEM, FAULT_DAMAGED.
 */

#ifndef CRAWLER_ROBOTS_H
#define CRAWLER_ROBOTS_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"

/* Where the rules come from. */
enum robots_group {
	ROBOTS_NO_GROUP = 0,    /* no group applies: all is allowed */
	ROBOTS_ANY_GROUP = 1,   /* the groups for "*" */
	ROBOTS_OWN_GROUP = 2,   /* groups that name the agent */
	ROBOTS_FIXED_GROUP = 3, /* robots_fixed() */
};

struct robots {
	const unsigned char *rules; /* packed; see robots.c */
	const unsigned char *maps;
	size_t rules_len; /* bytes */
	size_t maps_len;  /* bytes */
	uint32_t nrules;
	uint32_t nmaps;
	int32_t delay_ms; /* Crawl-delay in milliseconds, -1 if none */
	enum robots_group group;
};

/*
 * Parse `len' bytes of a robots.txt for the agent with the given User-Agent
 * string (or bare product token).  0, and `*flat' with `*flat_len' bytes,
 * which the caller frees.  Any bytes will do; nothing in them is a fault.
 */
must_check int robots_parse(const char *agent, size_t agent_len,
    const char *text, size_t len, unsigned char **flat, size_t *flat_len);

/*
 * The flat form of "all is allowed" (1: there is no robots.txt, section
 * 2.3.1.3) or "nothing is" (0: it can't be had for now, section 2.3.1.4).
 * Static: not to be freed.
 */
const unsigned char *robots_fixed(int allow, size_t *flat_len);

/* Check a flat string and make `r' a view of it. */
must_check int robots_view(struct robots *r, const unsigned char *flat,
    size_t len);

/*
 * May the path and query at `path' ("/" and what follows, `len' bytes) be
 * fetched?  1 or 0; `*line' gets the number of the line that decided, 0 if
 * none did.  Searching for "*" is bounded by LIMIT_ROBOTS_STEPS: the rule that
 * passes it counts as a disallow.
 */
must_check int robots_allowed(const struct robots *r, const char *path,
    size_t len, uint32_t *line);

/*
 * The next Sitemap line's absolute URL, from `*at' on, which is 0 at first.
 * NULL after the last.
 */
const char *robots_sitemap(const struct robots *r, size_t *at, size_t *len);

#endif
