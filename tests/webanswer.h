/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webanswer.h - what this web says to a request
 *
 * One router for the server and for the truth.  The server asks for the
 * bytes; the truth asks with `walk' set and is told the links instead.
 */

#ifndef TESTS_WEBANSWER_H
#define TESTS_WEBANSWER_H

#include "tests/web.h"
#include "tests/webbuf.h"
#include "tests/webpage.h"

struct webanswer {
	/* the caller's */
	const struct web *web;
	void (*walk)(void *arg, const struct webpage_edge *e); /* or NULL */
	void *arg;
	/* the answer */
	int status;
	const char *type;   /* Content-Type; "" for none */
	struct webbuf head; /* further header lines, with CRLF */
	struct webbuf body; /* as sent; empty on a walk */
};

/* Answer a GET for http://HOST/PATH, over what the last answer left. */
void webanswer_get(struct webanswer *a, const char *host, const char *path);

void webanswer_free(struct webanswer *a);

#endif
