/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filterdirect.h - the windows of a filter, past the page cache
 *
 * Four windows of each layer lie in a memory file: two are mapped over their
 * places in the layer, so that a filter's functions find them there, one is
 * read, one is written, both with O_DIRECT by threads of their own.  Reading
 * through the page cache costs several times as much, and, where memory is
 * limited, throws out what it has just read ahead.
 *
 * Two windows, since what belongs to the first may lie at the start of the
 * second: a page that both share, or steps in an exact table.
 *
 * Kill	Windows are written whole, in any order of their sectors: any
 *		mixture of old and new is a valid filter, see filter.h.
 * Threads	The filter's owner; nobody else may look meanwhile.
 * Errors	FAULT_SYS with errno; the filter's file then counts as broken
 *		and is not marked clean.
 */

#ifndef DEDUP_FILTERDIRECT_H
#define DEDUP_FILTERDIRECT_H

#include <stdint.h>

#include "dedup/filter.h"
#include "snapshot/fault.h"

struct filterdirect;

/* For 2^bits windows of `f'.  NULL: not possible here, use the page cache. */
struct filterdirect *filterdirect_new(struct filter *f, unsigned int bits);

/* Window `i' comes; all before it, in turn, were gone through. */
must_check int filterdirect_step(struct filterdirect *d, uint64_t i);

/* What was changed since the last step lies in these two windows. */
void filterdirect_changed(struct filterdirect *d);

/* The last window was gone through, or a fault ends all; frees `d'. */
must_check int filterdirect_end(struct filterdirect *d);

#endif
