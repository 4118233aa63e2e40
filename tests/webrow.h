/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webrow.h - one page, one link, one question: is it a link?
 *
 * A zone made of rows has a root that links to "/0", "/1", ...; page "/N" is
 * row N, whose link leads to "/N/x".  In texts and headers, \1 stands for
 * the whole URL of the target, \2 for its path, \3 for the agent's token.
 */

#ifndef TESTS_WEBROW_H
#define TESTS_WEBROW_H

#include "tests/webanswer.h"

struct webrow {
	const char *text; /* markup */
	enum webpage_why why;
	const char *head; /* header lines without CRLF, split by LF, or NULL */
	const char *type; /* Content-Type, or NULL: HTML in UTF-8 */
	const char *more; /* what follows "/N/x" in the path, or NULL */
	int bare;         /* 1: the text is the whole body */
};

/* How many rows there are before the one without text. */
size_t webrow_count(const struct webrow *r);

/* Write a row's text on a page, its link leading to `path'. */
void webrow_put(struct webpage *p, const struct webrow *r, const char *host,
    const char *path);

/* Answer for a zone of rows. */
void webrow_get(struct webanswer *a, const struct webrow *rows,
    const char *host, const char *path);

#endif
