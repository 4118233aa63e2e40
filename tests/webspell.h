/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webspell.h - one URL, written in every way that means the same
 *
 * Two layers, drawn at random each: the URL reference (absolute, relative
 * to the base, escapes, dot segments, case, port, fragment, white space:
 * WHATWG URL Standard section 4.4, RFC 3986 section 6.2.2), and the HTML
 * attribute that holds it (quotes, character references, encoding: HTML
 * Living Standard section 13.1.2.3).
 *
 * Memory	`url' and `value' are scratch, kept from link to link;
 *		webspell_free() gives them back.
 */

#ifndef TESTS_WEBSPELL_H
#define TESTS_WEBSPELL_H

#include "tests/web.h"
#include "tests/webbuf.h"

struct webspell {
	const struct web *web;
	struct web_rng *rng;
	const char *host; /* of the base URL of the page */
	const char *path; /* of the base URL, with its query */
	int latin1;       /* 1: the page is ISO 8859-1, else UTF-8 */
	int ascii;        /* 1: for a header line: ASCII, no white space */
	struct webbuf url, value;
};

void webspell_free(struct webspell *s);

/* Append a URL reference that leads from the base to http://HOST/PATH. */
void webspell_url(struct webspell *s, struct webbuf *out, const char *host,
    const char *path);

/* Append it as an attribute's value, quotes included where it has any. */
void webspell_value(struct webspell *s, struct webbuf *out, const char *host,
    const char *path);

/* Append the tag that starts a link. */
void webspell_anchor(struct webspell *s, struct webbuf *out, const char *host,
    const char *path);

#endif
