/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * sitemaptext.h - sitemaps that are a URL a line
 */

#ifndef CRAWLER_SITEMAPTEXT_H
#define CRAWLER_SITEMAPTEXT_H

#include "crawler/sitemap.h"
#include "snapshot/limits.h"

struct sitemaptext {
	sitemap_fn *fn;
	void *arg;
	size_t len; /* bytes of the line so far */
	int over;   /* it is longer than LIMIT_LINE, so it is no URL */
	int found;  /* there was a URL */
	char line[LIMIT_LINE];
};

/* Take white space, as Unicode has it, from both ends of `*s'. */
void sitemaptext_trim(const char **s, size_t *len);

/* Does it begin as an http or https URL? */
int sitemaptext_is_http(const char *s, size_t len);

/* The next `len' bytes; lines that are no absolute URL are passed over. */
must_check int sitemaptext_feed(struct sitemaptext *t, const char *s,
    size_t len);

/* No more will come.  FAULT_MAGIC if there was no URL at all. */
must_check int sitemaptext_end(struct sitemaptext *t);

#endif
