/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * links.h - a page's links, each once
 *
 * A list in the order of first occurrence, with a hash set over it.  What is
 * named twice stays one link: it is nofollow or an embed only if each
 * occurrence is, and has every other flag that one of them has.  The element
 * and attribute are those of the first occurrence that decides how it is
 * followed, so a page that both embeds and links to an image has a link.
 *
 * Memory	Grows by doubling up to LIMIT_PAGE_LINKS links and
 *		LIMIT_PAGE_LINK_BYTES bytes; links_clear() keeps up to
 *		LIMIT_PAGE_KEEP of either, so that a worker allocates nothing
 *		for the pages that are like those before.
 * Threads	One thread per list.
 * Errors	FAULT_FULL at a ceiling, FAULT_NOMEM; the list stays as it was.
 */

#ifndef CRAWLER_LINKS_H
#define CRAWLER_LINKS_H

#include <stddef.h>
#include <stdint.h>

#include "dedup/urlkey.h"
#include "snapshot/fault.h"

enum link_flag {
	LINK_NOFOLLOW = 1 << 0,  /* rel=nofollow */
	LINK_EMBED = 1 << 1,     /* part of how the page looks or works */
	LINK_FRAME = 1 << 2,     /* frame, iframe */
	LINK_CANONICAL = 1 << 3, /* rel=canonical */
	LINK_ALTERNATE = 1 << 4,
	LINK_NEXT = 1 << 5,
	LINK_PREV = 1 << 6,
	LINK_REFRESH = 1 << 7, /* meta refresh, Refresh header */
	LINK_HEADER = 1 << 8,  /* from the response's header, not its body */
};

/* One link; text by offset, because the list's memory moves as it grows. */
struct link_entry {
	struct urlkey key;
	size_t at; /* first byte of the text in `bytes' */
	size_t len;
	const char *element; /* static strings */
	const char *attribute;
	uint32_t flags; /* a set of enum link_flag */
	uint32_t from;  /* the caller's */
};

struct links {
	struct link_entry *entry;
	size_t count;
	size_t room;
	uint32_t *slot; /* index + 1 of an entry, 0 if empty */
	size_t mask;    /* slots - 1; at least twice as many as entries */
	char *bytes;
	size_t used;
	size_t size;
	struct urlkey_hasher hasher;
};

/* An empty list; `seed' should be a secret, for hostile pages' sake. */
void links_init(struct links *l, uint64_t seed);

/* Give the memory back. */
void links_free(struct links *l);

/* Forget the links. */
void links_clear(struct links *l);

/*
 * Room for a text of `len' bytes, to be written there and then given to
 * links_add().  NULL and a fault if there is none.
 */
char *links_text(struct links *l, size_t len, int *fault);

/*
 * Add the `len' bytes that now stand where links_text() said, with what `e'
 * says of them (element, attribute, flags, from).  1 if the text is new, 0
 * if it was there and `e' was merged into it.  The same text with another
 * `kind' is another text, as what a relative URL is relative to can differ.
 */
must_check int links_add(struct links *l, size_t len, unsigned int kind,
    const struct link_entry *e);

#endif
