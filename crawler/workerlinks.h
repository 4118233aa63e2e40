/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * workerlinks.h - a page's links as they are handed to the core
 *
 * Gathered in scratch memory that is kept from page to page, then laid out in
 * one allocation that belongs to the page: the array first, the text behind
 * it, each link split and hashed.
 *
 * Memory	At most the ceilings given to workerlinks_begin(); past them
 *		links are left out and workerlinks_full() says so.
 * Threads	One thread per list.
 * Errors	FAULT_NOMEM.
 */

#ifndef CRAWLER_WORKERLINKS_H
#define CRAWLER_WORKERLINKS_H

#include <stddef.h>

#include "crawler/buf.h"
#include "crawler/worker.h"

struct workerlinks_one {
	uint32_t at, len; /* in `text' */
	uint32_t flags;
	enum worker_link_kind kind;
};

struct workerlinks {
	struct workerlinks_one *one;
	size_t count, room, max;
	struct buf text;
	int full;
};

void workerlinks_init(struct workerlinks *l);
void workerlinks_free(struct workerlinks *l);

/* Forget the links; the next page has at most `max'. */
void workerlinks_begin(struct workerlinks *l, size_t max);

/* Add a normalised URL. */
must_check int workerlinks_add(struct workerlinks *l,
    enum worker_link_kind kind, uint32_t flags, const char *url, size_t len);

/*
 * Lay all out for `page'; `*mem' is the allocation, `*bytes' its size (NULL
 * and 0 if there are none).  Nothing is changed on a fault.
 */
must_check int workerlinks_end(struct workerlinks *l,
    const struct urlkey_hasher *h, struct worker_page *page, void **mem,
    size_t *bytes);

#endif
