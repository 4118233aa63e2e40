/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * robotstag.h - what a page says to robots: meta robots and X-Robots-Tag
 *
 * There is no standard; these are the directives that the HTML 4.01
 * recommendation (appendix B.4.1) has and search engines document.  Only
 * those that a crawler acts upon are told apart.
 */

#ifndef CRAWLER_ROBOTSTAG_H
#define CRAWLER_ROBOTSTAG_H

#include <stddef.h>

enum robotstag {
	ROBOTSTAG_NOINDEX = 1 << 0,
	ROBOTSTAG_NOFOLLOW = 1 << 1,
};

/*
 * The directives in the content of a meta element whose name is "robots" or
 * our agent: a set of enum robotstag ("none" is both).
 */
unsigned int robotstag_content(const char *s, size_t len);

/*
 * The same of the value of an X-Robots-Tag header, as far as it speaks to
 * everyone or to the agent with the product token `agent' (`agent_len' 0:
 * none).  "name: directives" speaks to that agent alone.
 */
unsigned int robotstag_header(const char *s, size_t len, const char *agent,
    size_t agent_len);

#endif
