/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * sitemapxml.h - sitemaps and feeds in XML, pushed in piece by piece
 *
 * libxml2's SAX parser, without a tree.  It is held to linear work: a start
 * tag that is not complete after LIMIT_SITEMAP_TAG bytes ends the parse, and
 * so does a file whose tags have too many attributes (it compares each with
 * all the others of its tag).
 */

#ifndef CRAWLER_SITEMAPXML_H
#define CRAWLER_SITEMAPXML_H

#include "crawler/sitemap.h"

struct sitemapxml;

/* NULL if there is no memory. */
struct sitemapxml *sitemapxml_new(sitemap_fn *fn, void *arg);

/* `x' may be NULL. */
void sitemapxml_free(struct sitemapxml *x);

/* The next `len' bytes of the document.  0 or a fault, after which it ends. */
must_check int sitemapxml_feed(struct sitemapxml *x, const char *s, size_t len);

/*
 * No more will come.  An entry whose location is complete though the document
 * ends within it is still given, then the fault that it is.
 */
must_check int sitemapxml_end(struct sitemapxml *x);

#endif
