/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webphantom.h - markup that is no link, and markup that is broken
 *
 * By the HTML Living Standard's parsing rules (section 13.2) for a user
 * agent without scripting.  The same pieces stand on ordinary pages and, one
 * a page, in the zones "phantoms" and "markup".
 */

#ifndef TESTS_WEBPHANTOM_H
#define TESTS_WEBPHANTOM_H

#include "tests/webpage.h"
#include "tests/webzone.h"

/* Something with the `k'th way (of any number) not to be a link. */
void webphantom_put(struct webpage *p, const char *host, unsigned int k);

/* Broken markup that hides no link behind it. */
void webphantom_break(struct webpage *p, unsigned int k);

#endif
