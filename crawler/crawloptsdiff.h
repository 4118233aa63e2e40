/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawloptsdiff.h - which options say something else than before
 *
 * For the user who changes one and must be told that it has no effect: in
 * crawl.conf while the crawl runs, or on a crawl that has nothing left to do.
 */

#ifndef CRAWLER_CRAWLOPTSDIFF_H
#define CRAWLER_CRAWLOPTSDIFF_H

#include <stddef.h>

#include "crawler/crawlopts.h"

enum crawloptsdiff {
	CRAWLOPTSDIFF_START,  /* what a running crawl does not take up */
	CRAWLOPTSDIFF_FOLLOW, /* what decides which links are followed */
};

#define CRAWLOPTSDIFF_TEXT 512 /* bytes that hold all names */

/*
 * The names of those options of a kind in which `a' and `b' differ, with
 * ", " between them; "" if there is none.  Both came from crawlopts_load() or
 * crawlopts_made().
 */
void crawloptsdiff_names(const struct crawlopts *a, const struct crawlopts *b,
    enum crawloptsdiff kind, char *out, size_t size);

#endif
