/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlmodes.h - what crawl does beside crawling; for the program only
 *
 * Each returns the program's exit status and has said what went wrong.
 */

#ifndef CRAWLER_CRAWLMODES_H
#define CRAWLER_CRAWLMODES_H

#include "crawler/crawlopts.h"

int crawlmodes_extract(const struct crawlopts *o);
int crawlmodes_robots(const struct crawlopts *o);
int crawlmodes_sitemap(const struct crawlopts *o);

/* These look at the state directory `dir', also of a crawl that runs. */
int crawlmodes_status(const struct crawlopts *o, const char *dir);
int crawlmodes_export(const struct crawlopts *o, const char *dir);
int crawlmodes_verify(const struct crawlopts *o, const char *dir);

#endif
