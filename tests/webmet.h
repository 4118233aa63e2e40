/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webmet.h - the URLs that a walk has met, each once
 *
 * Generated pages are kept as two numbers and a bit, others as text.
 *
 * Errors	Sticky: `failed' is set once memory runs out.
 */

#ifndef TESTS_WEBMET_H
#define TESTS_WEBMET_H

#include <stddef.h>
#include <stdint.h>

#include "tests/web.h"

/* What is to be done with a URL; a later one in this list wins. */
enum webmet_set {
	WEBMET_FORBIDDEN,
	WEBMET_TRAP,
	WEBMET_MAYBE,
	WEBMET_FETCH,
	WEBMET_ROBOTS,
};

/* A URL that was met: a generated page, or, if `host', any other. */
struct webmet {
	char *host, *path; /* one block, path within */
	uint32_t h, n;
	const char *reason; /* why it must not be fetched, or NULL */
	enum webmet_set set;
};

struct webmets {
	const struct web *web;
	struct webmet *met;
	size_t count, room;
	unsigned char *page; /* a bit per generated page */
	size_t *slot;        /* index + 1 into `met' by hash, 0: empty */
	size_t slots;        /* a power of two, or 0 */
	int failed;
};

/* An empty set of URLs of `w'. */
void webmets_init(struct webmets *m, const struct web *w);
void webmets_free(struct webmets *m);

/*
 * A new entry for a page, or NULL if it was met before (or memory is out).
 * Pointers to entries are good until the next is added.
 */
struct webmet *webmets_page(struct webmets *m, uint32_t h, uint32_t n);

/* The entry of another URL, or NULL. */
struct webmet *webmets_find(struct webmets *m, const char *host,
    const char *path);

/* A new entry for one that webmets_find() does not find. */
struct webmet *webmets_add(struct webmets *m, const char *host,
    const char *path);

/* Room for one more element of `size' bytes in an array of `n'. */
void *webmets_grown(struct webmets *m, void *old, size_t n, size_t *room,
    size_t size);

#endif
