/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * membuf.h - what is written to memory, and read back, perhaps not to its end
 *
 * For all that saves by a function that takes bytes and loads by one that
 * gives them: `ctx' is a struct membuf, { .b = NULL } an empty one.  `len' may
 * be made less to cut it, `at' is where the next read begins.
 */

#ifndef TESTS_MEMBUF_H
#define TESTS_MEMBUF_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot/fault.h"

struct membuf {
	char *b; /* from malloc() */
	size_t len, room, at;
	size_t most; /* bytes that it may come to; 0: any number */
};

/* FAULT_FULL beyond `most'. */
static inline int
membuf_put(void *ctx, const void *p, size_t n)
{
	struct membuf *m = ctx;

	if (m->most > 0 && m->len + n > m->most)
		return FAULT_FULL;
	if (m->len + n > m->room) {
		m->room = (m->len + n) * 2;
		m->b = realloc(m->b, m->room);
		if (m->b == NULL)
			abort();
	}
	memcpy(m->b + m->len, p, n);
	m->len += n;
	return 0;
}

/* FAULT_TRUNCATED if there are no `n' bytes more. */
static inline int
membuf_get(void *ctx, void *p, size_t n)
{
	struct membuf *m = ctx;

	if (n > m->len - m->at)
		return FAULT_TRUNCATED;
	memcpy(p, m->b + m->at, n);
	m->at += n;
	return 0;
}

#endif
