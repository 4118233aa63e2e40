/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * linescan.h - where lines end
 *
 * A call of memchr() per line costs as much as looking at a line of 80 bytes
 * twice.  So a buffer is scanned in one go, with vectors where there are any;
 * all makes give the same.
 */

#ifndef DEDUP_LINESCAN_H
#define DEDUP_LINESCAN_H

#include <stddef.h>
#include <stdint.h>

/* Entries that a scan may write beyond those it was asked for. */
#define LINESCAN_SLACK 64

/*
 * Write the offsets just behind the first `max' bytes `end' of s[from..len)
 * to `at', which has room for max + LINESCAN_SLACK; their number.
 */
typedef size_t linescan_fn(const char *s, size_t from, size_t len, char end,
    uint32_t *at, size_t max);

/* "portable", "avx2", "avx512"; NULL behind the last. */
const char *linescan_name(unsigned int i);

/*
 * The make called `name', or NULL if this machine can't run it.  The best
 * that it can for `name' NULL.
 */
linescan_fn *linescan_pick(const char *name);

#endif
