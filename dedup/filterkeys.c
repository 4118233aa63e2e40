/* SPDX-License-Identifier: BSD-2-Clause */

/* filterkeys.c - looking keys up, adding and deleting them */

#include "config.h"

#include <string.h>

#include "dedup/filtergrow.h"

#define NO_LAYER LIMIT_LAYERS /* the number of none */

/* Look in all layers, newest first, but number `but' is only fetched. */
static void
probe_batch(const struct filter *f, const struct urlkey *key, size_t n,
    uint8_t *seen, unsigned int but)
{
	unsigned int i, end = filter_layers(f);

	memset(seen, 0, n);
	for (i = end; i-- > 0;)
		f->kind->fetch(&f->layer[i], key, n);
	for (i = end; i-- > 0;)
		if (i != but)
			f->kind->probe(&f->layer[i], key, n, seen);
}

void
filter_probe(const struct filter *f, const struct urlkey *key, size_t n,
    uint8_t *seen)
{
	size_t m;

	for (; n > 0; key += m, seen += m, n -= m) {
		m = n < f->kind->batch ? n : f->kind->batch;
		probe_batch(f, key, m, seen, NO_LAYER);
	}
}

void
filter_fetch(const struct filter *f, const struct urlkey *key, size_t n)
{
	unsigned int i;

	for (i = filter_layers(f); i-- > 0;)
		f->kind->fetch(&f->layer[i], key, n);
}

void
filter_look(const struct filter *f, const struct urlkey *key, size_t n,
    uint8_t *seen)
{
	unsigned int i;

	for (i = filter_layers(f); i-- > 0;)
		f->kind->probe(&f->layer[i], key, n, seen);
}

unsigned int
filter_step(const struct filter *f)
{
	return (unsigned int)f->kind->batch;
}

/* How many keys the newest layer may come to hold. */
static uint64_t
most(const struct filter *f, const struct layer *l)
{
	if (f->flags & FILTER_NO_GROW && !f->tables && !f->kind->fixed)
		return UINT64_MAX;
	return l->capacity;
}

/*
 * The layer that the next keys go to: the newest, or, once that is full, an
 * older one that has room because keys were deleted from it.
 */
static unsigned int
open_layer(const struct filter *f)
{
	unsigned int i, newest = filter_layers(f) - 1;
	const struct layer *l = &f->layer[newest];

	if (f->kind->remove == NULL || l->count < l->capacity)
		return newest;
	for (i = newest; i-- > 0;) {
		l = &f->layer[i];
		if (l->count < l->capacity - l->capacity / 8)
			return i;
	}
	return newest;
}

static int
add_batch(struct filter *f, const struct urlkey *key, size_t n)
{
	uint8_t seen[LIMIT_KEYS];
	size_t done = 0, m;
	struct layer *l;
	unsigned int i;
	int rc;

	for (;;) {
		i = open_layer(f);
		probe_batch(f, key + done, n - done, seen, i);
		l = &f->layer[i];
		m = f->kind->add(l, key + done, n - done, seen, most(f, l));
		done += m;
		if (done == n)
			return 0;
		if (m > 0 && open_layer(f) != i)
			continue;
		rc = filtergrow_more(f);
		if (rc < 0)
			return rc;
	}
}

/*
 * Before the first change of the file: 1 if all keys are there, or none for
 * `what' 1, so that nothing will change; 0 if it may, and the file says so.
 */
static int
mark(struct filter *f, const struct urlkey *key, size_t n, int what)
{
	uint8_t seen[LIMIT_KEYS];

	filter_probe(f, key, n, seen);
	if (memchr(seen, what, n) == NULL)
		return 1;
	return filterfile_mark(f->file);
}

long
filter_add(struct filter *f, const struct urlkey *key, size_t n)
{
	int shared = f->file != NULL && !(f->flags & FILTER_PRIVATE);
	uint64_t before = filter_total(f);
	int rc = 0;
	size_t m;

	if (f->flags & FILTER_LOOK)
		return FAULT_ARG;
	for (; n > 0 && rc >= 0; key += m, n -= m) {
		m = n < f->kind->batch ? n : f->kind->batch;
		if (shared && !f->file->marked) {
			rc = mark(f, key, m, 0);
			if (rc != 0)
				continue;
		}
		rc = add_batch(f, key, m);
	}
	if (shared && f->file->marked)
		filterfile_count(f->file, f->layer, filter_layers(f));
	return rc < 0 ? rc : (long)(filter_total(f) - before);
}

long
filter_delete(struct filter *f, const struct urlkey *key, size_t n,
    uint8_t *gone)
{
	int shared = f->file != NULL && !(f->flags & FILTER_PRIVATE);
	unsigned int i;
	long sum = 0;
	size_t m, j;
	int rc = 0;

	if (f->flags & FILTER_LOOK || f->kind->remove == NULL)
		return FAULT_ARG;
	memset(gone, 0, n);
	for (; n > 0; key += m, gone += m, n -= m) {
		m = n < f->kind->batch ? n : f->kind->batch;
		if (shared && !f->file->marked) {
			rc = mark(f, key, m, 1);
			if (rc < 0)
				return rc;
			if (rc > 0)
				continue;
		}
		for (i = filter_layers(f); i-- > 0;)
			f->kind->fetch(&f->layer[i], key, m);
		for (i = filter_layers(f); i-- > 0;)
			f->kind->remove(&f->layer[i], key, m, gone);
		for (j = 0; j < m; j++)
			sum += gone[j];
	}
	if (shared && f->file->marked)
		filterfile_count(f->file, f->layer, filter_layers(f));
	return sum;
}
