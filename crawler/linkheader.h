/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * linkheader.h - the links in a Link header
 *
 * RFC 8288 section 3, read as its appendix B.2 says: what does not parse is
 * skipped up to the next comma.  An iterator; nothing is copied.
 */

#ifndef CRAWLER_LINKHEADER_H
#define CRAWLER_LINKHEADER_H

#include <stddef.h>

/* What is left to read. */
struct linkheader {
	const char *next;
	const char *end;
};

struct linkheader_link {
	const char *url; /* relative to the URL of the response */
	size_t len;
	const char *rel; /* relation types, separated by blanks */
	size_t rel_len;
	int anchor; /* 1: it is said of another page than this one */
};

/* Start on `len' bytes at `s', which stay the caller's. */
void linkheader_start(struct linkheader *it, const char *s, size_t len);

/* 1 and the next link, or 0. */
int linkheader_next(struct linkheader *it, struct linkheader_link *l);

#endif
