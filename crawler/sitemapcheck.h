/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * sitemapcheck.h - crawl --sitemap-check: the URLs in a sitemap
 */

#ifndef CRAWLER_SITEMAPCHECK_H
#define CRAWLER_SITEMAPCHECK_H

#include <stdio.h>

#include "snapshot/fault.h"

/*
 * Print the URLs in the sitemap `file' ("-": standard input), one a line, to
 * `out': as they stand there, but for control characters, which a URL parser
 * would drop.  0 or a fault of sitemap_parse() or slurp_file(); what was
 * found before a fault has been printed.  The caller checks `out' for errors.
 */
must_check int sitemapcheck_run(const char *file, FILE *out);

#endif
