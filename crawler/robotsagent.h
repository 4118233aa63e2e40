/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * robotsagent.h - which User-agent lines of a robots.txt speak to us
 *
 * A crawler is addressed by its product token (RFC 9309 section 2.2.1),
 * without regard to case and in full: "foo" is not "foobot".  The token is
 * what the User-Agent string begins with, up to the first byte that no name
 * has ("/", a space ...).  In the form that imitates a browser,
 * "Mozilla/5.0 (compatible; ExampleBot/1.0; ...)", the crawler's name is the
 * product after "compatible;", else the one after "Mozilla"; it comes first
 * and "Mozilla" itself second.
 *
 * The RFC's tokens have letters, "-" and "_" only, yet names such as "Bot2"
 * are common.  They are compared whole; only where no group has the whole
 * name, a group for its leading letters ("Bot") is ours.  The groups for "*"
 * count where no other does.
 *
 * Memory	Points into the agent string, which must outlive it.
 */

#ifndef CRAWLER_ROBOTSAGENT_H
#define CRAWLER_ROBOTSAGENT_H

#include <stddef.h>

struct robotsagent {
	const char *name[2]; /* best first */
	size_t len[2];       /* bytes; 0 if there is no such name */
};

/* How well a User-agent line fits; the groups of the best rank are ours. */
enum robotsrank {
	ROBOTSRANK_NONE = 0,
	ROBOTSRANK_ANY = 1, /* "*" */
	ROBOTSRANK_OWN = 2, /* this and above: by name */
	ROBOTSRANK_BEST = 5,
};

/* The names in the `len' bytes of the User-Agent string at `agent'. */
void robotsagent_init(struct robotsagent *a, const char *agent, size_t len);

/* The rank of a User-agent line with this value. */
int robotsagent_rank(const struct robotsagent *a, const char *value,
    size_t len);

#endif
