/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * robotsline.h - the lines of a robots.txt, one at a time
 *
 * Lines end in LF, CR or CRLF; a UTF-8 byte order mark (or the start of one)
 * before the first is skipped; "#" begins a comment.  Keys are recognised by
 * how they begin, whatever the case, and with the misspellings that Google's
 * parser has met often enough to accept: "useragent", "user agent",
 * "dissallow", "dissalow", "disalow", "diasllow", "disallaw", "site-map".
 * Where the colon is missing, white space between exactly two words stands
 * for it.
 *
 * Memory	Nothing is copied: values point into the text.
 */

#ifndef CRAWLER_ROBOTSLINE_H
#define CRAWLER_ROBOTSLINE_H

#include <stddef.h>
#include <stdint.h>

enum robotskey {
	ROBOTSKEY_OTHER, /* unknown: never ends a group (RFC 9309 s. 2.2.4) */
	ROBOTSKEY_AGENT,
	ROBOTSKEY_ALLOW,
	ROBOTSKEY_DISALLOW,
	ROBOTSKEY_DELAY,
	ROBOTSKEY_SITEMAP,
};

struct robotsline {
	const char *at;  /* the first byte that was not read yet */
	const char *end; /* one past the text */
	uint32_t number; /* of the line found last, from 1 */
	enum robotskey key;
	const char *value; /* without white space around it */
	size_t len;        /* bytes of the value, may be 0 */
};

/*
 * Begin with `len' bytes at `text', which must outlive `l'.  Of a text longer
 * than LIMIT_ROBOTS only the lines that end within it are read.
 */
void robotsline_init(struct robotsline *l, const char *text, size_t len);

/* 1 and the next line that has a key and a value, 0 after the last. */
int robotsline_next(struct robotsline *l);

#endif
