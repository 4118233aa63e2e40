/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webzone.h - hosts where one kind of difficulty lives
 *
 * A zone is a feature with hosts of its own, NAME.h0.test or NAME-I.h0.test,
 * each with all the cases of that feature: what a crawl gets wrong shows by
 * the host.  The root of h0.test links to each zone's root.
 */

#ifndef TESTS_WEBZONE_H
#define TESTS_WEBZONE_H

#include "tests/webanswer.h"

struct webzone {
	const char *name;
	enum web_feature feature;
	unsigned int hosts;   /* 0: one, without a number in its name */
	unsigned int entries; /* how many of their roots h0.test links to */
	/* answer for any path but "/robots.txt" */
	void (*get)(struct webanswer *a, const char *host, unsigned int i,
	    const char *path);
	/* robots.txt; NULL: 404 */
	void (*robots)(struct webanswer *a, const char *host, unsigned int i);
	/* may `path' be fetched?  NULL: anything may */
	int (*allows)(const struct web *w, unsigned int i, const char *path);
};

/* The zone that `host' belongs to, its number there into `*i', or NULL. */
const struct webzone *webzone_find(const struct web *w, const char *host,
    unsigned int *i);

void webzone_get(const struct webzone *z, struct webanswer *a, const char *host,
    unsigned int i, const char *path);

/* The name of a zone's host `i' into `out' (WEB_HOST_MAX bytes). */
void webzone_host(const struct web *w, const struct webzone *z, unsigned int i,
    char *out);

/* Links to all zones' roots, for the page of h0.test. */
void webzone_links(struct webpage *p);

/* The number after `prefix' in `path', which must end there, or -1. */
long webzone_number(const char *path, const char *prefix);

/* The zones, by the file that they are in. */
extern const struct webzone webredirect_zones[], webmarkup_zones[],
    webmeta_zones[], webslow_zones[], webodd_zones[], webmap_zones[],
    webrobots_zones[];

#endif
