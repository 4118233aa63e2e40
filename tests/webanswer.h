/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webanswer.h - what this web says to a request
 *
 * One router for the server and for the truth.  The server asks for the
 * bytes; the truth asks with `walk' set and is told the links instead.  What
 * fails at first answers on a walk as it does in the end.
 */

#ifndef TESTS_WEBANSWER_H
#define TESTS_WEBANSWER_H

#include "tests/web.h"
#include "tests/webbuf.h"
#include "tests/webpage.h"

/* How an answer travels, and what is done to it on its way. */
enum webanswer_fate {
	WEBANSWER_OK,      /* Content-Length and all of it */
	WEBANSWER_CHUNKED, /* Transfer-Encoding: chunked */
	WEBANSWER_OLD,     /* HTTP/1.0: the connection's end is the body's */
	WEBANSWER_LESS,    /* Content-Length leaves out the last bytes */
	WEBANSWER_SHORT,   /* the connection ends in mid-body */
	WEBANSWER_RESET,   /* ... by a reset */
	WEBANSWER_GONE,    /* ... before the answer */
	WEBANSWER_DRIP,    /* a byte each second */
	WEBANSWER_PIECES,  /* ten pieces, 50 ms apart */
	WEBANSWER_STALL,   /* half a head, and then nothing */
	WEBANSWER_SILENT,  /* nothing at all */
	WEBANSWER_FATES
};

struct webanswer {
	/* the caller's */
	const struct web *web;
	void (*walk)(void *arg, const struct webpage_edge *e); /* or NULL */
	/* how often this URL was asked for before; NULL: often enough */
	unsigned int (*before)(void *arg, const char *host, const char *path);
	void *arg;
	unsigned int codings; /* what the client takes: webhttp.h */
	/* the answer */
	int status;
	const char *type;   /* Content-Type; "" for none */
	struct webbuf head; /* further header lines, with CRLF */
	struct webbuf body; /* as sent; empty on a walk */
	enum webanswer_fate fate;
	unsigned int delay;       /* ms before the first byte */
	unsigned int retry_after; /* ms that it asks for; 0: it does not */
};

/* Answer a GET for http://HOST/PATH, over what the last answer left. */
void webanswer_get(struct webanswer *a, const char *host, const char *path);

void webanswer_free(struct webanswer *a);

/* "ok", "chunked", ...; those that leave no whole answer begin with "cut". */
const char *webanswer_fate_name(enum webanswer_fate f);

/* The parts that answers are made of. */

/* A status with a body that has no links. */
void webanswer_plain(struct webanswer *a, int status);

/* Begin an HTML page with status 200 and a head; and end it. */
void webanswer_open(struct webanswer *a, struct webpage *p, const char *host,
    const char *path);
void webanswer_shut(struct webanswer *a, struct webpage *p);

/* A page that only links to itself. */
void webanswer_leaf(struct webanswer *a, const char *host, const char *path);

/*
 * A redirect to http://HOST/PATH, which the header spells as `location', or
 * absolute if that is NULL.
 */
void webanswer_redirect(struct webanswer *a, int status, const char *host,
    const char *path, const char *location);

/* How often it was asked for before; on a walk as often as it takes. */
unsigned int webanswer_before(struct webanswer *a, const char *host,
    const char *path);

/* Ask to come back in `seconds', as a number or as a date. */
void webanswer_retry_after(struct webanswer *a, unsigned int seconds,
    int as_date);

#endif
