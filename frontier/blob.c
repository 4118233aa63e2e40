/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "frontier/blob.h"

#define PIECE 252 /* bytes in a record */

struct piece {
	uint32_t next; /* 0 = last */
	char s[PIECE];
};

_Static_assert(sizeof(struct piece) == 256, "a piece is a table record");

void
blob_init(struct table *t, struct pager *p)
{
	table_init(t, p, sizeof(struct piece), UINT32_MAX - 1);
}

int
blob_put(struct table *t, const void *s, size_t len, uint32_t *id)
{
	uint32_t chain = 0, one;
	struct piece *p;
	size_t n;

	/* From the end, so that each piece knows the next. */
	while (len > 0) {
		one = table_take(t);
		if (one == 0) {
			blob_free(t, chain);
			return FAULT_NOMEM;
		}
		n = len % PIECE == 0 ? PIECE : len % PIECE;
		len -= n;
		p = table_rw(t, one);
		memcpy(p->s, (const char *)s + len, n);
		p->next = chain;
		chain = one;
	}
	*id = chain;
	return 0;
}

void
blob_get(struct table *t, uint32_t id, size_t len, void *to)
{
	char *at = to;

	while (len > 0) {
		const struct piece *p = table_ro(t, id);
		size_t n = len < PIECE ? len : PIECE;

		memcpy(at, p->s, n);
		at += n;
		len -= n;
		id = p->next;
	}
}

int
blob_same(struct table *t, uint32_t id, const void *s, size_t len)
{
	const char *at = s;

	while (len > 0) {
		const struct piece *p = table_ro(t, id);
		size_t n = len < PIECE ? len : PIECE;

		if (memcmp(at, p->s, n) != 0)
			return 0;
		at += n;
		len -= n;
		id = p->next;
	}
	return 1;
}

void
blob_free(struct table *t, uint32_t id)
{
	uint32_t next;

	for (; id != 0; id = next) {
		next = ((const struct piece *)table_ro(t, id))->next;
		table_give(t, id);
	}
}
