/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * rel.h - link types: what a rel attribute or parameter says
 *
 * HTML Standard section 4.6.7, as far as it matters to a crawler.
 */

#ifndef CRAWLER_REL_H
#define CRAWLER_REL_H

#include <stddef.h>
#include <stdint.h>

/*
 * The set of enum link_flag for a blank-separated list of link types:
 * canonical, alternate, next, prev and nofollow are themselves; stylesheet,
 * icon, preload, manifest and their like are LINK_EMBED ("alternate
 * stylesheet" is no more than that).  A link element or header without any
 * but nofollow names nothing that a crawler follows.
 */
uint32_t rel_flags(const char *s, size_t len);

#endif
