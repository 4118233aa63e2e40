/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>

#include "frontier/store.h"

/* A queue's record. */
struct queue {
	struct stream front;
	uint32_t spare[4];
};

struct store {
	struct table queue;
	struct block_pool pool;
	struct stream_walk after; /* what store_first() showed */
	char text[LIMIT_URL + ENTRY_HEAD];
};

struct store *
store_new(struct pager *pager, uint64_t budget)
{
	struct store *s = malloc(sizeof *s);

	if (s == NULL)
		return NULL;
	table_init(&s->queue, pager, sizeof(struct queue), UINT32_MAX - 1);
	block_init(&s->pool, budget);
	return s;
}

void
store_free(struct store *s)
{
	if (s == NULL)
		return;
	table_clear(&s->queue);
	block_clear(&s->pool);
	free(s);
}

int
store_push(struct store *s, uint32_t *q, const struct entry *e)
{
	uint32_t id = *q;
	struct queue *r;

	if (id == 0) {
		id = table_take(&s->queue);
		if (id == 0)
			return FAULT_NOMEM;
	}
	r = table_rw(&s->queue, id);
	if (stream_push(&s->pool, &r->front, e) < 0) {
		if (*q == 0)
			table_give(&s->queue, id);
		return FAULT_NOMEM;
	}
	*q = id;
	return 0;
}

int
store_first(struct store *s, uint32_t q, struct entry *e)
{
	const struct queue *r;

	if (q == 0)
		return 0;
	r = table_ro(&s->queue, q);
	stream_walk(&r->front, &s->after);
	return stream_next(&s->pool, &s->after, e, s->text);
}

void
store_shift(struct store *s, uint32_t *q)
{
	struct queue *r = table_rw(&s->queue, *q);

	stream_shift(&s->pool, &r->front, &s->after);
	if (r->front.count == 0) {
		table_give(&s->queue, *q);
		*q = 0;
	}
}

uint64_t
store_count(struct store *s, uint32_t q)
{
	const struct queue *r;

	if (q == 0)
		return 0;
	r = table_ro(&s->queue, q);
	return r->front.count;
}

int
store_each(struct store *s, uint32_t q, store_entry_fn *fn, void *ctx)
{
	const struct queue *r;
	struct stream_walk w;
	struct entry e;
	int rc = 0;

	if (q == 0)
		return 0;
	r = table_ro(&s->queue, q);
	stream_walk(&r->front, &w);
	while (rc >= 0 && stream_next(&s->pool, &w, &e, s->text))
		rc = fn(ctx, &e);
	return rc < 0 ? rc : 0;
}

uint64_t
store_memory(const struct store *s)
{
	return block_memory(&s->pool) + sizeof *s;
}
