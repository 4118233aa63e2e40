/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include "frontier/marks.h"

#define WORDS 30
#define BITS  (WORDS * 64)

/* The ordinals from `at' * BITS on. */
struct piece {
	uint32_t spare; /* overwritten when the record is given back */
	uint32_t count; /* bits set; 0: the record is free */
	uint64_t at;
	uint64_t bits[WORDS];
};

_Static_assert(sizeof(struct piece) == 256, "a piece is a table record");

int
marks_init(struct marks *m, struct pager *p)
{
	table_init(&m->t, p, sizeof(struct piece), UINT32_MAX - 1);
	m->count = 0;
	return index_init(&m->index, p);
}

void
marks_clear(struct marks *m)
{
	table_clear(&m->t);
	index_clear(&m->index);
	m->count = 0;
}

static uint32_t
hash_of(uint64_t at)
{
	return (uint32_t)(at * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

struct match {
	struct marks *m;
	uint64_t at;
};

static int
same(void *ctx, uint32_t id)
{
	struct match *k = ctx;

	return ((const struct piece *)table_ro(&k->m->t, id))->at == k->at;
}

static uint32_t
find(struct marks *m, uint64_t at)
{
	struct match k = { m, at };

	return index_find(&m->index, hash_of(at), same, &k);
}

int
marks_set(struct marks *m, uint64_t ordinal)
{
	uint64_t at = ordinal / BITS, bit = UINT64_C(1) << ordinal % 64;
	uint32_t id = find(m, at);
	struct piece *p;
	uint64_t *word;

	if (id == 0) {
		id = table_take(&m->t);
		if (id == 0)
			return FAULT_NOMEM;
		if (index_add(&m->index, hash_of(at), id) < 0) {
			table_give(&m->t, id);
			return FAULT_NOMEM;
		}
	}
	p = table_rw(&m->t, id);
	p->at = at;
	word = &p->bits[ordinal % BITS / 64];
	if (*word & bit)
		return 0;
	*word |= bit;
	p->count++;
	m->count++;
	return 1;
}

int
marks_has(struct marks *m, uint64_t ordinal)
{
	const struct piece *p;
	uint32_t id;

	if (m->count == 0)
		return 0;
	id = find(m, ordinal / BITS);
	if (id == 0)
		return 0;
	p = table_ro(&m->t, id);
	return p->bits[ordinal % BITS / 64] >> ordinal % 64 & 1;
}

int
marks_unset(struct marks *m, uint64_t ordinal)
{
	uint64_t at = ordinal / BITS, bit = UINT64_C(1) << ordinal % 64;
	uint32_t id;
	struct piece *p;
	uint64_t *word;

	if (m->count == 0)
		return 0;
	id = find(m, at);
	if (id == 0)
		return 0;
	p = table_rw(&m->t, id);
	word = &p->bits[ordinal % BITS / 64];
	if ((*word & bit) == 0)
		return 0;
	*word &= ~bit;
	m->count--;
	if (--p->count == 0) {
		index_remove(&m->index, hash_of(at), id);
		table_give(&m->t, id);
	}
	return 1;
}

uint32_t
marks_records(const struct marks *m)
{
	return m->t.count - 1;
}

int
marks_each(struct marks *m, uint32_t r, marks_fn *fn, void *ctx)
{
	const struct piece *p = table_ro(&m->t, r);
	uint64_t ordinal;
	int rc = 0;

	if (p->count == 0)
		return 0;
	for (unsigned int i = 0; i < BITS && rc >= 0; i++) {
		ordinal = p->at * BITS + i;
		if (p->bits[i / 64] >> i % 64 & 1)
			rc = fn(ctx, ordinal);
	}
	return rc < 0 ? rc : 0;
}
