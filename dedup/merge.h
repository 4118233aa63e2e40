/* SPDX-License-Identifier: BSD-2-Clause */

/* merge.h - one filter file from several, for urlseen --merge */

#ifndef DEDUP_MERGE_H
#define DEDUP_MERGE_H

#include <stddef.h>

#include "dedup/options.h"
#include "snapshot/fault.h"

/*
 * Merge the filters o->names[] into o->filter, which is one of them if it is
 * there.  The result is made beside it and takes its name once it is whole
 * and keeps its promise, so a fault leaves everything as it was.  0, or a
 * fault with one line in `err'.
 */
must_check int merge_files(const struct options *o, char *err, size_t size);

#endif
