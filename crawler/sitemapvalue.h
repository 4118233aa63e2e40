/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * sitemapvalue.h - dates and priorities in sitemaps and feeds
 */

#ifndef CRAWLER_SITEMAPVALUE_H
#define CRAWLER_SITEMAPVALUE_H

#include <stdint.h>

/*
 * Seconds since 1970 of a date in W3C format (a profile of ISO 8601: a year,
 * month or day alone, or with a time and zone; without a zone it is UTC) or,
 * for RSS, RFC 822's.  -1 if it is neither, or before 1970.
 */
int64_t sitemapvalue_date(const char *s);

/* "0.5" as 500; -1 for what is no number from 0 to 1. */
int sitemapvalue_priority(const char *s);

#endif
