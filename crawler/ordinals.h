/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * ordinals.h - a set of ordinals, a bit for each that there could be
 *
 * Memory	An eighth of a byte for each up to the greatest; nothing while
 *		the set is empty.
 */

#ifndef CRAWLER_ORDINALS_H
#define CRAWLER_ORDINALS_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"
#include "snapshot/record.h"

/* All zero is the empty set. */
struct ordinals {
	uint64_t *word;
	size_t words;
};

/* Put `i' in (`on') or take it out.  FAULT_DAMAGED if none can be so great,
   FAULT_NOMEM. */
must_check int ordinals_put(struct ordinals *o, uint64_t i, int on);

/* All that a folded record says are done.  The same faults. */
must_check int ordinals_fold(struct ordinals *o, const struct record *r);

int ordinals_has(const struct ordinals *o, uint64_t i);

void ordinals_free(struct ordinals *o);

#endif
