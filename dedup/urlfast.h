/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlfast.h - is it in normal form already?
 *
 * Most URLs that a crawl meets are.  One pass over the bytes finds that out
 * for the plain ones and gives up on anything it would have to think about;
 * giving up costs time and nothing else.
 *
 * There are several makes of it for several processors, with one result.
 */

#ifndef DEDUP_URLFAST_H
#define DEDUP_URLFAST_H

#include <stddef.h>

/*
 * The length of the normal form of the `len' bytes at `s' if it is certainly
 * a start of them (all of them but a fragment), else 0.  With `fragment' not
 * 0 fragments are kept.  Reads nothing past `len'.
 */
typedef size_t urlfast_fn(const char *s, size_t len, unsigned int fragment);

/* "portable", "avx2", "avx512", "neon"; NULL behind the last. */
const char *urlfast_name(unsigned int i);

/*
 * The make called `name', or NULL if this machine can't run it.  The best
 * that it can for `name' NULL.
 */
urlfast_fn *urlfast_pick(const char *name);

#endif
