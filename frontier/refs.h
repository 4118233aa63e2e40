/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * refs.h - lists of places on disk, in order
 *
 * A queue's spilled part is such a list: 8 bytes for each piece of it, and
 * four more on average for the records that hold three each.  A list is named
 * by its last record, whose `next' is the first one; 0 is an empty list.
 */

#ifndef FRONTIER_REFS_H
#define FRONTIER_REFS_H

#include <stdint.h>

#include "frontier/table.h"

struct ref {
	uint32_t file;   /* number of the file */
	uint32_t offset; /* of the frame there */
};

/* Make `t' a table for lists. */
void refs_init(struct table *t, struct pager *p);

/* Append `r' to list *l.  FAULT_NOMEM. */
must_check int refs_push(struct table *t, uint32_t *l, struct ref r);

/* The first of list `l', which is not empty. */
struct ref refs_first(struct table *t, uint32_t l);

/* Take it away. */
void refs_shift(struct table *t, uint32_t *l);

/* Where a walk over a list is. */
struct refs_walk {
	uint32_t at; /* record, 0 = at the end */
	uint32_t i;
	uint32_t last;
};

void refs_walk(struct table *t, uint32_t l, struct refs_walk *w);

/* The next one, which may be changed there; NULL at the end. */
struct ref *refs_next(struct table *t, struct refs_walk *w);

#endif
