/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * robots.h - what a site asks of robots (RFC 9309)
 */

#ifndef CRAWLER_ROBOTS_H
#define CRAWLER_ROBOTS_H

#include <stddef.h>

/*
 * Bytes of the product token that `agent' (a whole User-Agent string) starts
 * with: letters, "_" and "-" (RFC 9309 section 2.2.1).
 */
size_t robots_token(const char *agent, size_t len);

#endif
