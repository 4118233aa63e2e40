/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * sitemap.h - the URLs in a sitemap (sitemaps.org protocol 0.9)
 *
 * Takes what the protocol allows: XML url sets and indexes of sitemaps, RSS
 * (1.0, 2.0), Atom, and text with a URL a line; each of them also gzipped.
 * Which it is, the bytes say, not the media type.  The XML namespace is not
 * checked: many sites get it wrong.  A <sitemap> or <url> with bare text for
 * its <loc> is understood.
 *
 * Nothing outside of the file is ever read: a DTD's internal subset or an
 * entity is a fault, an external one is not looked at, XInclude is off.
 *
 * The URLs come as they stand in the file, white space around them removed;
 * whoever takes them resolves, normalises and judges them like any link.  In
 * particular we don't hold them to the sitemap's own host or folder.
 *
 * Memory	Some 200 KiB and libxml2's own state, whatever the file.
 * Errors	FAULT_MAGIC: no sitemap of any kind.  FAULT_DAMAGED,
 *		FAULT_TRUNCATED, FAULT_FULL (more than LIMIT_SITEMAP_URLS),
 *		FAULT_TOOBIG (another limit): the URLs before that were given.
 *		FAULT_NOMEM, and what the callback returned below zero.
 */

#ifndef CRAWLER_SITEMAP_H
#define CRAWLER_SITEMAP_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"

enum sitemap_kind {
	SITEMAP_URL, /* a page */
	SITEMAP_MAP, /* another sitemap */
};

struct sitemap_entry {
	const char *loc; /* UTF-8, not NUL-terminated, good for the call */
	size_t len;      /* bytes, 1 to LIMIT_LINE */
	int64_t lastmod; /* seconds since 1970, -1 if not given */
	int priority;    /* thousandths, 0 to 1000, -1 if not given */
	enum sitemap_kind kind;
};

/* Takes an entry; below zero ends the parse. */
typedef int sitemap_fn(void *arg, const struct sitemap_entry *e);

/* Hand every entry in the `len' bytes at `body' to `fn'.  0 or a fault. */
must_check int sitemap_parse(const void *body, size_t len, sitemap_fn *fn,
    void *arg);

#endif
