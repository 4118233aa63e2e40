/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * warcpages.h - pages that are alike, as those of one site are, for tests of
 * an archive with a dictionary
 */

#ifndef TESTS_WARCPAGES_H
#define TESTS_WARCPAGES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crawler/archive.h"
#include "tests/warcbox.h"

#define WARCPAGES        600  /* enough for several files */
#define WARCPAGES_MOST   3000 /* bytes: no page is longer */
#define WARCPAGES_ROTATE (64 * 1024)

/*
 * Page number `n' into `out': some 2 KiB, of which a tenth is in no other
 * page.  Its length; it begins with its number in eight digits.
 */
static inline size_t
warcpages_make(unsigned int n, char out[WARCPAGES_MOST])
{
	static const char *const word[] = { "archive", "record", "frame",
		"crawl", "politeness", "journal", "snapshot", "durable",
		"queue", "robots", "sitemap", "filter", "digest", "revisit",
		"window", "checksum" };
	uint32_t x = n * 2654435761U + 1;
	size_t len;
	int i;

	len = (size_t)snprintf(out, WARCPAGES_MOST,
	    "%08u<!DOCTYPE html><html lang=en><head><meta charset=utf-8>"
	    "<title>Page %u of the manual</title><link rel=stylesheet "
	    "href=/style.css></head><body class=manual><nav><ul>",
	    n, n);
	for (i = 0; i < 12; i++)
		len += (size_t)snprintf(out + len, WARCPAGES_MOST - len,
		    "<li class=navigation-entry><a href=\"/manual/%s/\">"
		    "Chapter on the %s</a></li>\n",
		    word[i], word[i]);
	for (i = 0; i < 60; i++) {
		x = x * 1664525 + 1013904223;
		len += (size_t)snprintf(out + len, WARCPAGES_MOST - len, "%s ",
		    word[x >> 28]);
	}
	for (i = 0; i < 24; i++) {
		x = x * 1664525 + 1013904223;
		len += (size_t)snprintf(out + len, WARCPAGES_MOST - len, "%08x",
		    (unsigned int)x);
	}
	len += (size_t)snprintf(out + len, WARCPAGES_MOST - len,
	    "<footer>All rights reserved, some given away</footer></html>");
	return len;
}

/* An archive that has a dictionary from its second file on. */
static inline struct archive *
warcpages_archive(const struct warcbox *b, enum archive_kind kind,
    unsigned int records)
{
	struct archive_opts o;
	struct archive *a = NULL;

	memset(&o, 0, sizeof o);
	o.dirfd = b->fd;
	o.kind = kind;
	o.rotate = WARCPAGES_ROTATE;
	o.records = records;
	if (archive_open(&a, &o) < 0)
		exit(99);
	return a;
}

static inline int
warcpages_put(struct archive *a, unsigned int n, struct archive_at *at)
{
	char body[WARCPAGES_MOST], url[64];
	struct warc_capture c;
	size_t len = warcpages_make(n, body);

	(void)snprintf(url, sizeof url, "http://e.com/%u", n);
	warcbox_capture(&c, url, body, len);
	return archive_put(a, &c, at);
}

/* Pages `from' to `to', synced by tens. */
static inline void
warcpages_fill(struct archive *a, unsigned int from, unsigned int to,
    struct archive_at *at)
{
	unsigned int i;

	for (i = from; i < to; i++)
		if (warcpages_put(a, i, &at[i]) < 0 ||
		    (i % 10 == 9 && archive_sync(a) < 0))
			exit(99);
}

#endif
