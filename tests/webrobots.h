/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webrobots.h - robots.txt files of every kind, and what they mean
 *
 * No parser and no matcher: the meaning is written down beside each text, by
 * hand from RFC 9309, so that the truth can't share a mistake with one.
 */

#ifndef TESTS_WEBROBOTS_H
#define TESTS_WEBROBOTS_H

#include "tests/web.h"

/* How a robots.txt is served. */
enum webrobots_how {
	WEBROBOTS_PLAIN,
	WEBROBOTS_STATUS,   /* `body' is a status, alone */
	WEBROBOTS_RECOVERS, /* 500 for two requests, then the body */
	WEBROBOTS_MOVED,    /* over five redirects on its host */
	WEBROBOTS_FAR,      /* over a redirect to another host */
	WEBROBOTS_LONG,     /* body, 400 KB, "/m", 200 KB, "/z" disallowed */
	WEBROBOTS_MANY,     /* body, and 5,000 rules: "/xN" disallowed */
	WEBROBOTS_OLD,      /* HTTP/1.0, as HTML */
};

struct webrobots_style {
	const char *body;   /* \3 is the agent's token */
	const char *probes; /* paths: "+" allowed, "-" not, "?" either */
	enum webrobots_how how;
	unsigned int delay; /* ms between requests that it asks for */
};

/* Style `i', or NULL past the last. */
const struct webrobots_style *webrobots_style(unsigned int i);

/* The delay, ms, that zone host `name' asks for; 0 for others. */
unsigned int webrobots_delay(const struct web *w, const char *name);

#endif
