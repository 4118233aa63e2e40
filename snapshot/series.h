/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * series.h - the numbered files of a folder: 0000000001.zst, 0000000002.zst
 *
 * Numbers start at 1 and have ten digits, so that a shell's glob gives them
 * in order.  Holes are allowed.  Names of any other form (also ".tmp" ones)
 * are not part of the series.
 *
 * Memory	None: a folder is read anew for each question.
 */

#ifndef SNAPSHOT_SERIES_H
#define SNAPSHOT_SERIES_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"

#define SERIES_NAME 24 /* bytes for a name or temporary name, with the NUL */
#define SERIES_MAX  UINT64_C(9999999999)

/* Write the name of file number `n' (1 to SERIES_MAX) to `name'. */
void series_name(char name[SERIES_NAME], uint64_t n);

/* The same with ".tmp" behind it: being written, not yet part of it. */
void series_tmp(char name[SERIES_NAME], uint64_t n);

/* The number that `name' stands for, or 0 if it is none of the series. */
uint64_t series_number(const char *name);

/*
 * Find the least number above `after'.  1 and `*n', 0 if there is none,
 * FAULT_SYS.  One look where there is no hole, else the folder is read.
 */
must_check int series_next(int dirfd, uint64_t after, uint64_t *n);

/* Find the greatest number below `before': as series_next(). */
must_check int series_prev(int dirfd, uint64_t before, uint64_t *n);

/* Remove every temporary file of the series, left by a crash. */
must_check int series_clean(int dirfd);

#endif
