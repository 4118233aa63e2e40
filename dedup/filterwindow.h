/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filterwindow.h - going through a filter from front to back, in windows
 *
 * A file that is larger than memory is read ahead of who goes through it,
 * written behind, and then dropped from memory, so that the disk is busy with
 * long transfers and no page fault waits for it.  All layers are gone through
 * side by side: keys that lie near each other in one do in all.
 *
 * Threads	The filter's owner.
 */

#ifndef DEDUP_FILTERWINDOW_H
#define DEDUP_FILTERWINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "dedup/filter.h"
#include "dedup/filterdirect.h"

struct filterwindow {
	struct filter *filter;
	struct filterdirect *direct; /* or NULL: through the page cache */
	unsigned int bits;           /* log2 of the windows */
	uint64_t at;                 /* number of the next one */
	uint64_t last;  /* the greatest high half of a key in this one */
	uint64_t total; /* keys in the filter when it began */
	int dense;      /* most pages will be touched, in the page cache */
};

/* Before `keys' keys are asked for or added in the order of their place. */
void filterwindow_start(struct filterwindow *w, struct filter *f, size_t keys);

/* The next window is to come: 1, or 0 after the last, or FAULT_SYS. */
must_check int filterwindow_next(struct filterwindow *w);

/* All of it was gone through, or a fault ends it.  FAULT_SYS. */
must_check int filterwindow_end(struct filterwindow *w);

#endif
