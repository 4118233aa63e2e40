/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webpages.h - the numbered hosts and their numbered pages
 *
 * Beside its pages a host has "/private/", which robots.txt forbids, "/i/"
 * with what pages embed, "/go/" with redirects to pages, and "/nofollow/"
 * and "/never/", to which no proper link leads: all of them answer, so that
 * a crawler that asks is seen in the log.
 */

#ifndef TESTS_WEBPAGES_H
#define TESTS_WEBPAGES_H

#include "tests/webanswer.h"

/* Answer for host `h', whose name is `host'. */
void webpages_get(struct webanswer *a, const char *host, uint32_t h,
    const char *path);

/* May `path' be fetched from host `h'?  1 or 0. */
int webpages_allows(const struct web *w, uint32_t h, const char *path);

#endif
