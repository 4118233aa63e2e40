/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webrobots.h - each host's robots.txt, and what it means
 *
 * No parser and no matcher: the meaning is written down beside the text, by
 * hand from RFC 9309, so that the truth can't share a mistake with one.
 */

#ifndef TESTS_WEBROBOTS_H
#define TESTS_WEBROBOTS_H

#include "tests/web.h"
#include "tests/webbuf.h"

/* Append the robots.txt of host `h'.  Its status: 200 or 404. */
int webrobots_get(const struct web *w, uint32_t h, struct webbuf *out);

/* May the web's agent fetch `path' from host `h'?  1 or 0. */
int webrobots_allows(const struct web *w, uint32_t h, const char *path);

#endif
