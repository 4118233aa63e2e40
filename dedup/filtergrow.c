/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filtergrow.c - layers of four times the size, and tables of twice
 *
 * Layer i of a filter that was made for n keys holds n 4^i keys at a rate of
 * p (i = 0) or p / 2^(i+1); together at most p + p/4 + p/8 + ... = 1.5 p.  One
 * that sizes itself gives p / 2^(i+1) to all, together at most p.
 *
 * The exact start is a table in memory that doubles.  Its keys lie in hash
 * order, so doubling reads and writes in sequence and gives back the old
 * pages behind it: the peak is the new table, not both.
 */

#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dedup/exact.h"
#include "dedup/filtergrow.h"

#define LAYER_FACTOR 4 /* a layer's capacity over the one before */

double
filtergrow_rate(const struct filter *f, unsigned int i)
{
	double p = f->spec.fp_rate;

	if (i == 0 && f->spec.capacity > 0)
		return p;
	while (i-- > 0)
		p /= 2;
	p /= 2;
	return p > LIMIT_RATE ? p : LIMIT_RATE;
}

int
filtergrow_plan(struct layer *l, const struct filter *f, uint64_t capacity,
    double rate)
{
	memset(l, 0, sizeof *l);
	l->capacity = capacity;
	l->rate = rate;
	return rate_plan(&l->shape, f->spec.kind, capacity, rate);
}

int
filtergrow_table(struct layer *l, uint64_t slots)
{
	memset(l, 0, sizeof *l);
	l->shape.layout = RATE_KEYS;
	l->shape.k = 128;
	l->shape.size = slots;
	l->capacity = slots / 8 * 7;
	l->rate = LIMIT_RATE;
	if (rate_check(&l->shape, FILTER_EXACT) < 0)
		return FAULT_FULL;
	return layer_new(l);
}

/* What exact_drain() moves keys into. */
struct target {
	const struct layer_kind *kind;
	struct layer layer;
};

static int
take(void *arg, const struct urlkey *key, size_t n)
{
	static const uint8_t unseen[LIMIT_KEYS];
	struct target *t = arg;
	size_t m;

	for (; n > 0; key += m, n -= m) {
		m = n < t->kind->batch ? n : t->kind->batch;
		t->kind->fetch(&t->layer, key, m);
		if (t->kind->add(&t->layer, key, m, unseen, UINT64_MAX) < m)
			return FAULT_FULL;
	}
	return 0;
}

/* Twice the table.  It has room, so no key can be left over. */
static int
double_table(struct filter *f)
{
	struct target t = { .kind = f->kind };
	int rc = filtergrow_table(&t.layer, 2 * f->layer[0].shape.size);

	if (rc < 0)
		return rc;
	rc = exact_drain(&f->layer[0], 1, take, &t);
	if (rc < 0)
		abort();
	layer_free(&f->layer[0]);
	f->layer[0] = t.layer;
	return 0;
}

/* Turn the table into a filter of four times the keys that it holds. */
static int
convert(struct filter *f)
{
	struct target t = { .kind = layer_kind(f->spec.kind) };
	uint64_t count = f->layer[0].count;
	int rc;

	rc = filtergrow_plan(&t.layer, f, count * LAYER_FACTOR,
	    filtergrow_rate(f, 0));
	if (rc == 0)
		rc = layer_new(&t.layer);
	if (rc < 0)
		return rc;
	rc = exact_drain(&f->layer[0], 0, take, &t);
	if (rc < 0) {
		layer_free(&t.layer);
		return rc;
	}
	/* A few may have met a false positive; they count as before. */
	t.layer.count = count;
	layer_free(&f->layer[0]);
	f->layer[0] = t.layer;
	f->kind = t.kind;
	f->tables = 0;
	atomic_store_explicit(&f->steady, f->kind->readers,
	    memory_order_release);
	return 0;
}

static int
grow_table(struct filter *f)
{
	uint64_t bytes = f->layer[0].bytes;

	if (f->spec.kind == FILTER_EXACT || bytes * 3 <= f->spec.budget)
		return double_table(f);
	return convert(f);
}

int
filtergrow_more(struct filter *f)
{
	unsigned int n = filter_layers(f);
	struct layer *l = &f->layer[n];
	int rc;

	if (f->tables)
		return grow_table(f);
	if (f->flags & FILTER_NO_GROW || n == LIMIT_LAYERS)
		return FAULT_FULL;
	rc = filtergrow_plan(l, f, l[-1].capacity * LAYER_FACTOR,
	    filtergrow_rate(f, n));
	if (rc < 0)
		return rc;
	if (f->file != NULL && !(f->flags & FILTER_PRIVATE))
		rc = filterfile_grow(f->file, f->layer, n, l);
	else
		rc = layer_new(l);
	if (rc < 0) {
		int saved = errno;

		layer_free(l);
		errno = saved;
		return rc;
	}
	filter_publish(f, n + 1);
	return 0;
}
