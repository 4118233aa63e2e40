/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webtruth.h - the exact set of URLs that a right crawl fetches
 *
 * A walk over the web by the router that also serves it, from the seeds'
 * roots, with the scope and the robots rules applied.
 */

#ifndef TESTS_WEBTRUTH_H
#define TESTS_WEBTRUTH_H

#include <stdio.h>

#include "tests/web.h"

enum webtruth_scope {
	WEBTRUTH_HOST,
	WEBTRUTH_DOMAIN,
	WEBTRUTH_ANY
};

enum webtruth_print {
	WEBTRUTH_FETCH,     /* to be fetched, robots.txt files apart */
	WEBTRUTH_ROBOTS,    /* the robots.txt files to be asked for */
	WEBTRUTH_FORBIDDEN, /* met, and not to be fetched */
	WEBTRUTH_MAYBE,     /* may be fetched: beyond some limit or other */
	WEBTRUTH_TRAPS,     /* what begins like these may be fetched, too */
	WEBTRUTH_DELAYS,    /* hosts, a tab, and their Crawl-delay in ms */
	WEBTRUTH_SEEDS,     /* the seeds themselves */
};

struct webtruth {
	enum webtruth_scope scope;
	uint32_t seeds;      /* the roots of the first hosts are the seeds */
	int embeds;          /* 1: images and the like are fetched too */
	int ignore_nofollow; /* 1: nofollow links are followed */
	int ignore_robots;   /* 1: robots.txt is not looked at */
	int no_sitemaps;     /* 1: nor are sitemaps */
	int reasons;         /* 1: a tab and the reason after each URL */
};

/*
 * Print a set to `out', a URL a line in the order of strcmp().  0, or -1 if
 * memory ran out; errors of `out' are the caller's to look for.
 */
int webtruth_print(const struct web *w, const struct webtruth *t,
    enum webtruth_print what, FILE *out);

#endif
