/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * coreseen.h - the seen set at start, and what the journal's records add to
 * one; private to the core
 */

#ifndef CRAWLER_CORESEEN_H
#define CRAWLER_CORESEEN_H

#include "crawler/coreint.h"

/* Open DIR/seen, or make it from the journal, and the gate before it. */
must_check int coreseen_open(struct core *c, unsigned int given,
    struct core_error *err);

/* Keys on their way into `filter', some at a time; `n' is 0 at first. */
struct coreseen_keys {
	struct filter *filter;
	size_t n;
	struct urlkey key[GATE_BATCH];
};

/* Add the key of an admitted URL, at the latest by coreseen_flush().  0, or a
   fault of filter_add(). */
must_check int coreseen_put(struct coreseen_keys *k, const struct record *rec);
must_check int coreseen_flush(struct coreseen_keys *k);

#endif
