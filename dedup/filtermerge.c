/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filtermerge.c - one filter for the keys of several
 *
 * Filters of the same parameters and seed have layers of the same shapes, and
 * each of their keys the same bits: OR of layer i and layer i is the filter
 * of both.  An exact table is emptied into the other one.  Counters and
 * fingerprints can't be merged so: nobody knows which keys stand in both.
 */

#include "config.h"

#include <math.h>

#include "dedup/exact.h"
#include "dedup/filtergrow.h"

#define WORDS (LAYER_MIB / 8) /* of a MiB */

/* Of the number of keys, where a sample of the bits tells it. */
#define SAMPLE_ERROR 1e-3

int
filter_can_merge(unsigned int kind)
{
	const struct layer_kind *k = layer_kind(kind);

	return k != NULL && (k->grow_only || kind == FILTER_EXACT);
}

/* OR the words of `from' into those of `to'. */
static void
or_layer(struct layer *to, const struct layer *from)
{
	uint64_t i, j, end = to->bytes / 8, a, b;
	int changed;

	for (i = 0; i < end; i = j) {
		changed = 0;
		for (j = i; j < end && j < i + WORDS; j++) {
			a = layer_load(to->word + j);
			b = layer_load(from->word + j);
			if ((a | b) == a)
				continue;
			layer_store(to->word + j, a | b);
			changed = 1;
		}
		if (changed)
			layer_touch(to, i * 8);
	}
}

static int
or_all(struct filter *f, const struct filter *from)
{
	unsigned int i, n = filter_layers(from);
	struct layer *to;
	int rc = 0;

	while (filter_layers(f) < n && rc == 0)
		rc = filtergrow_more(f);
	for (i = 0; i < n && rc == 0; i++) {
		to = &f->layer[i];
		if (to->shape.layout != from->layer[i].shape.layout ||
		    to->shape.size != from->layer[i].shape.size ||
		    to->shape.k != from->layer[i].shape.k)
			return FAULT_MISMATCH;
		or_layer(to, &from->layer[i]);
	}
	return rc;
}

static int
take(void *arg, const struct urlkey *key, size_t n)
{
	long rc = filter_add(arg, key, n);

	return rc < 0 ? (int)rc : 0;
}

/* exact_drain() changes nothing unless it is asked to. */
static int
add_all(struct filter *f, const struct filter *from)
{
	struct layer l;
	unsigned int i;
	int rc = 0;

	for (i = 0; i < filter_layers(from) && rc == 0; i++) {
		l = from->layer[i];
		rc = exact_drain(&l, 0, take, f);
	}
	return rc;
}

int
filter_merge(struct filter *f, const struct filter *from)
{
	const struct filter_spec *a = &f->spec, *b = &from->spec;

	if (!filter_can_merge(a->kind))
		return FAULT_ARG;
	if (a->kind != b->kind || a->capacity != b->capacity ||
	    a->fp_rate != b->fp_rate || a->seed != b->seed ||
	    a->rules != b->rules)
		return FAULT_MISMATCH;
	return a->kind == FILTER_EXACT ? add_all(f, from) : or_all(f, from);
}

int
filter_merged(struct filter *f, double *rate, double *promised)
{
	unsigned int i, n = filter_layers(f);
	double keys, none = 1, surely = 1, p;
	struct layer *l;

	*promised = 0;
	for (i = 0; i < n; i++) {
		l = &f->layer[i];
		layer_recount(l, f->kind);
		keys = (double)l->count;
		/* k is whole, so a classic layer may lie above it when full */
		p = rate_at(&l->shape, (double)l->capacity);
		*promised += p > l->rate ? p : l->rate;
		none *= 1 - rate_at(&l->shape, keys);
		keys -= keys * SAMPLE_ERROR + 2 * sqrt(keys);
		surely *= 1 - rate_at(&l->shape, keys);
	}
	*rate = 1 - none;
	return 1 - surely <= *promised;
}
