/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * srcset.h - the image candidates of a srcset attribute
 *
 * "Parse a srcset attribute", HTML Standard section 4.8.4.3.10, as an
 * iterator: nothing is copied.
 */

#ifndef CRAWLER_SRCSET_H
#define CRAWLER_SRCSET_H

#include <stddef.h>

/* What is left to read. */
struct srcset {
	const char *next;
	const char *end;
};

struct srcset_candidate {
	const char *url; /* as it stands in the attribute */
	size_t len;
	int valid; /* 0: a browser would drop it for its descriptors */
};

/* Start on `len' bytes at `s', which stay the caller's. */
void srcset_start(struct srcset *it, const char *s, size_t len);

/* 1 and the next candidate, or 0. */
int srcset_next(struct srcset *it, struct srcset_candidate *c);

#endif
