/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlnames.h - the names that the rules look for
 *
 * All comparisons ignore case.  A list is short on purpose: a name stands in
 * it if it never chooses what a page shows.
 */

#ifndef DEDUP_URLNAMES_H
#define DEDUP_URLNAMES_H

/* Is the query parameter `s' (name, or name and "=value") for tracking? */
int urlnames_tracking(const char *s, const char *end);

/* Does it, or the path parameter, hold a session? */
int urlnames_session(const char *s, const char *end);

/* Is this path segment a file that a server shows for its folder? */
int urlnames_index(const char *s, const char *end);

#endif
