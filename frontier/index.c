/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * index.c - from a hash to record numbers, in a table
 *
 * With n buckets, level <= n < 2 level, an entry lives in bucket
 * hash mod 2 level if there is one of that number yet, else in
 * hash mod level.  When there are more than FILL entries to a bucket, bucket
 * n - level is split into itself and the new bucket n.
 */

#include "config.h"

#include "frontier/index.h"
#include "snapshot/limits.h"

#define SLOTS 7 /* entries a bucket */
#define FILL  5 /* entries a bucket on average, when it splits */

struct slot {
	uint32_t hash;
	uint32_t id;
};

struct bucket {
	uint32_t next; /* in the overflow table, 0 = none */
	uint32_t n;
	struct slot slot[SLOTS];
};

_Static_assert(sizeof(struct bucket) == 64, "a bucket is a cache line");

int
index_init(struct index *x, struct pager *p)
{
	table_init(&x->bucket, p, sizeof(struct bucket), LIMIT_HOSTS);
	table_init(&x->over, p, sizeof(struct bucket), LIMIT_HOSTS);
	x->level = 1;
	x->buckets = 1;
	x->count = 0;
	if (table_take(&x->bucket) == 0)
		return FAULT_NOMEM;
	return 0;
}

void
index_clear(struct index *x)
{
	table_clear(&x->bucket);
	table_clear(&x->over);
}

static uint32_t
bucket_of(const struct index *x, uint32_t hash)
{
	uint32_t b = hash & (2 * x->level - 1);

	return b < x->buckets ? b : hash & (x->level - 1);
}

uint32_t
index_find(struct index *x, uint32_t hash, index_same_fn *same, void *ctx)
{
	const struct bucket *b;

	b = table_ro(&x->bucket, bucket_of(x, hash) + 1);
	for (;;) {
		for (uint32_t i = 0; i < b->n; i++)
			if (b->slot[i].hash == hash && same(ctx, b->slot[i].id))
				return b->slot[i].id;
		if (b->next == 0)
			return 0;
		b = table_ro(&x->over, b->next);
	}
}

void
index_ahead(const struct index *x, uint32_t hash)
{
	table_ahead(&x->bucket, bucket_of(x, hash) + 1);
}

uint32_t
index_guess(const struct index *x, uint32_t hash)
{
	const struct bucket *b;

	b = table_peek(&x->bucket, bucket_of(x, hash) + 1);
	for (uint32_t i = 0; b != NULL && i < b->n; i++)
		if (b->slot[i].hash == hash)
			return b->slot[i].id;
	return 0;
}

/* Put `s' into bucket number `b'; spare overflow records come from `spare',
   a chain, before new ones are taken. */
static int
put(struct index *x, uint32_t b, struct slot s, uint32_t *spare)
{
	struct bucket *head = table_rw(&x->bucket, b + 1), *at = head;
	uint32_t id;

	while (at->n == SLOTS && at->next != 0)
		at = table_rw(&x->over, at->next);
	if (at->n < SLOTS) {
		at->slot[at->n++] = s;
		return 0;
	}
	id = *spare;
	if (id != 0) {
		at = table_rw(&x->over, id);
		*spare = at->next;
	} else {
		id = table_take(&x->over);
		if (id == 0)
			return FAULT_NOMEM;
		at = table_rw(&x->over, id);
	}
	at->n = 1;
	at->slot[0] = s;
	at->next = head->next;
	head->next = id;
	return 0;
}

/* Put all that is in `from' where it belongs now, and keep its records for
   that in `spare'. */
static void
deal(struct index *x, struct bucket *from, uint32_t *spare)
{
	struct bucket b = *from;
	uint32_t id = b.next;

	from->n = 0;
	from->next = 0;
	for (;;) {
		/* As many records as held the entries hold them again, and
		   at most one more: that one was set aside. */
		for (uint32_t i = 0; i < b.n; i++)
			(void)put(x, bucket_of(x, b.slot[i].hash), b.slot[i],
			    spare);
		if (id == 0)
			return;
		b = *(struct bucket *)table_rw(&x->over, id);
		((struct bucket *)table_rw(&x->over, id))->next = *spare;
		*spare = id;
		id = b.next;
	}
}

/* One bucket more.  Without memory the index only gets slower. */
static void
split(struct index *x)
{
	uint32_t spare, next, old = x->buckets - x->level;

	spare = table_take(&x->over);
	if (spare == 0)
		return;
	if (table_take(&x->bucket) == 0) {
		table_give(&x->over, spare);
		return;
	}
	x->buckets++;
	deal(x, table_rw(&x->bucket, old + 1), &spare);
	if (x->buckets == 2 * x->level)
		x->level *= 2;
	for (; spare != 0; spare = next) {
		next = ((struct bucket *)table_rw(&x->over, spare))->next;
		table_give(&x->over, spare);
	}
}

int
index_add(struct index *x, uint32_t hash, uint32_t id)
{
	struct slot s = { hash, id };
	uint32_t spare = 0;

	if (put(x, bucket_of(x, hash), s, &spare) < 0)
		return FAULT_NOMEM;
	x->count++;
	if (x->count / FILL > x->buckets && x->buckets < LIMIT_HOSTS)
		split(x);
	return 0;
}

void
index_remove(struct index *x, uint32_t hash, uint32_t id)
{
	struct bucket *b = table_rw(&x->bucket, bucket_of(x, hash) + 1);
	struct bucket *before = NULL;
	uint32_t at = 0;

	for (;;) {
		for (uint32_t i = 0; i < b->n; i++) {
			if (b->slot[i].id != id || b->slot[i].hash != hash)
				continue;
			b->slot[i] = b->slot[--b->n];
			x->count--;
			if (b->n == 0 && before != NULL) {
				before->next = b->next;
				table_give(&x->over, at);
			}
			return;
		}
		if (b->next == 0)
			return;
		before = b;
		at = b->next;
		b = table_rw(&x->over, at);
	}
}
