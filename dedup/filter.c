/* SPDX-License-Identifier: BSD-2-Clause */

/* filter.c - making, opening and closing a filter, and what it is now */

#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dedup/filtergrow.h"
#include "dedup/filtershare.h"

static struct filter *
filter_alloc(unsigned int flags)
{
	struct filter *f = calloc(1, sizeof *f);

	if (f == NULL)
		return NULL;
	f->flags = flags;
	f->clean = 1;
	return f;
}

/* Take over a spec.  FAULT_ARG if nothing can be made of it. */
static int
set_spec(struct filter *f, const struct filter_spec *spec)
{
	if (!(spec->fp_rate >= LIMIT_RATE && spec->fp_rate < 1))
		return FAULT_ARG;
	f->spec = *spec;
	f->kind = layer_kind(spec->kind);
	if (f->kind == NULL)
		return FAULT_ARG;
	if (f->spec.budget == 0)
		f->spec.budget = LIMIT_EXACT_START;
	urlkey_init(&f->hasher, spec->seed);
	return 0;
}

int
filter_new(struct filter **f, const struct filter_spec *spec,
    unsigned int flags)
{
	struct filter *n = filter_alloc(flags & FILTER_NO_GROW);
	int rc;

	if (n == NULL)
		return FAULT_NOMEM;
	rc = set_spec(n, spec);
	if (rc < 0)
		goto out;
	if (spec->capacity == 0) {
		n->tables = 1;
		n->kind = layer_kind(FILTER_EXACT);
		rc = filtergrow_table(&n->layer[0], FILTERGROW_START);
	} else {
		rc = filtergrow_plan(&n->layer[0], n, spec->capacity,
		    spec->fp_rate);
		if (rc == 0)
			rc = layer_new(&n->layer[0]);
	}
	if (rc < 0)
		goto out;
	atomic_store(&n->steady, !n->tables && n->kind->readers);
	filter_publish(n, 1);
	*f = n;
	n = NULL;
out:
	filter_abandon(n);
	return rc;
}

int
filter_create(struct filter **f, const char *path,
    const struct filter_spec *spec, unsigned int flags)
{
	struct filter *n;
	int rc, saved;

	if (spec->capacity == 0 || flags & (FILTER_PRIVATE | FILTER_LOOK))
		return FAULT_ARG;
	n = filter_alloc(flags);
	if (n == NULL)
		return FAULT_NOMEM;
	rc = set_spec(n, spec);
	if (rc == 0)
		rc = filtergrow_plan(&n->layer[0], n, spec->capacity,
		    spec->fp_rate);
	if (rc == 0)
		rc = filterfile_create(&n->file, path, &n->spec, &n->layer[0],
		    flags);
	if (rc < 0)
		goto out;
	atomic_store(&n->steady, n->kind->readers);
	filter_publish(n, 1);
	filter_leave(n);
	*f = n;
	n = NULL;
out:
	saved = errno;
	filter_abandon(n);
	errno = saved;
	return rc;
}

/*
 * The counts of a file that was not closed.  Those that survived a kill are
 * right to a batch; what comes from a crashed system or another program may
 * be anything, and then the bits themselves say how many keys there are; so
 * they do after a crash, where counts and bits are of different moments.
 */
static void
recount(struct filter *f, unsigned int n)
{
	int crashed = f->file->other_boot && !f->kind->grow_only;
	uint64_t count, ones, off;
	struct layer *l;
	unsigned int i;

	for (i = 0; i < n; i++) {
		l = &f->layer[i];
		layer_recount(l, f->kind);
		if (crashed || !filterfile_counted(f->file, i, &count, &ones))
			continue;
		off = count > l->count ? count - l->count : l->count - count;
		if (off > l->count / 16 + 1024 || ones > rate_bits(&l->shape))
			continue;
		l->count = count;
		l->ones = ones;
	}
}

/* What a crash of the system left.  Looking changes nothing. */
static int
mend(struct filter *f, unsigned int n)
{
	unsigned int i;
	int rc;

	if (f->kind->mend == NULL || f->flags & FILTER_LOOK)
		return 0;
	if (!(f->flags & FILTER_PRIVATE)) {
		rc = filterfile_mark(f->file);
		if (rc < 0)
			return rc;
	}
	for (i = 0; i < n; i++)
		f->kind->mend(&f->layer[i]);
	return 0;
}

/* The first of those that share a file says how much it holds. */
static int
share_counts(struct filter *f, unsigned int n)
{
	if (f->file->others)
		return filterfile_refresh(f->file, f->layer, &n);
	filterfile_count(f->file, f->layer, n);
	return 0;
}

int
filter_open(struct filter **f, const char *path, unsigned int flags)
{
	struct filter *n = filter_alloc(flags);
	const struct filterhead *h;
	int rc, saved;

	if (n == NULL)
		return FAULT_NOMEM;
	rc = filterfile_open(&n->file, path, n->layer, flags);
	if (rc < 0)
		goto out;
	h = &n->file->head;
	rc = set_spec(n, &h->spec);
	if (rc < 0)
		goto out;
	n->clean = h->clean;
	if (!n->clean && flags & FILTER_REPAIR && n->file->other_boot)
		rc = mend(n, h->layers);
	if (rc < 0)
		goto out;
	if (!n->clean && !n->file->others)
		recount(n, h->layers);
	if (flags & FILTER_SHARED)
		rc = share_counts(n, h->layers);
	if (rc < 0)
		goto out;
	atomic_store(&n->steady, n->kind->readers);
	filter_publish(n, h->layers);
	filter_leave(n);
	*f = n;
	n = NULL;
out:
	saved = errno;
	filter_abandon(n);
	errno = saved;
	return rc;
}

int
filter_close(struct filter *f)
{
	int rc = 0, saved;

	if (f == NULL)
		return 0;
	if (f->file != NULL && filtershare_last(f))
		rc = filterfile_finish(f->file, f->layer, filter_layers(f));
	saved = errno;
	filter_abandon(f);
	errno = saved;
	return rc;
}

int
filter_close_as(struct filter *f, const char *path, int replace)
{
	int rc, saved;

	rc = filterfile_finish(f->file, f->layer, filter_layers(f));
	if (rc == 0)
		rc = filterfile_name(f->file, path, replace);
	saved = errno;
	filter_abandon(f);
	errno = saved;
	return rc;
}

void
filter_abandon(struct filter *f)
{
	unsigned int i;

	if (f == NULL)
		return;
	for (i = 0; i < LIMIT_LAYERS; i++)
		layer_free(&f->layer[i]);
	filterfile_free(f->file);
	free(f);
}

const struct urlkey_hasher *
filter_hasher(const struct filter *f)
{
	return &f->hasher;
}

int
filter_lockfree(const struct filter *f)
{
	return atomic_load_explicit(&f->steady, memory_order_acquire);
}

uint64_t
filter_on_disk(const struct filter *f)
{
	unsigned int i, n = f->file != NULL ? filter_layers(f) : 0;
	uint64_t sum = 0;

	for (i = 0; i < n; i++)
		sum += f->layer[i].bytes;
	return sum;
}

const struct filter_spec *
filter_spec(const struct filter *f)
{
	return &f->spec;
}

int
filter_can_delete(unsigned int kind)
{
	const struct layer_kind *k = layer_kind(kind);

	return k != NULL && k->remove != NULL;
}

int
filter_overfull(const struct filter *f)
{
	const struct layer *l = &f->layer[filter_layers(f) - 1];

	return f->flags & FILTER_NO_GROW && !f->tables &&
	    l->count > l->capacity;
}

int
filter_sync(struct filter *f)
{
	if (f->file == NULL)
		return 0;
	return filterfile_sync(f->file, f->layer, filter_layers(f));
}

/* Slots or counters in use, or bits set, out of how many. */
static double
units(const struct rate_shape *s)
{
	if (s->layout == RATE_CUCKOO)
		return (double)s->size * RATE_WAYS;
	if (s->layout == RATE_COUNTERS || s->layout == RATE_KEYS)
		return (double)s->size;
	return (double)rate_bits(s);
}

void
filter_stat(const struct filter *f, struct filter_stat *st)
{
	unsigned int i, n = filter_layers(f);
	const struct layer *l = f->layer;
	struct layer_sample s;
	double ones = 0, all = 0, none = 1;

	memset(st, 0, sizeof *st);
	for (i = 0; i < n; i++, l++) {
		layer_scattered(l, f->file != NULL);
		f->kind->sample(l, &s);
		layer_scattered(l, 0);
		none *= 1 - s.rate;
		ones += (double)l->ones;
		all += units(&l->shape);
		st->bits += rate_bits(&l->shape);
		st->bytes += l->bytes;
	}
	l--;
	if (f->file != NULL && !(f->flags & FILTER_PRIVATE))
		st->bytes = filterhead_end(&f->file->head.layer[n - 1]);
	st->spec = f->spec;
	st->count = filter_total(f);
	st->room = l->count < l->capacity ? l->capacity - l->count : 0;
	st->k = l->shape.k;
	st->layers = n;
	st->format = FILTERHEAD_FORMAT;
	st->clean = f->clean;
	st->exact_start = f->tables && f->spec.kind != FILTER_EXACT;
	st->fill = ones / all;
	st->estimated = 1 - none;
}

double
filter_expected(const struct filter *f)
{
	const struct layer *l = f->layer;
	unsigned int i, n = filter_layers(f);
	double none = 1, keys;

	/* Not the count: a key that met a false positive is not in it. */
	for (i = 0; i < n; i++, l++) {
		keys = rate_keys(&l->shape, (double)l->ones / units(&l->shape));
		none *= 1 - rate_at(&l->shape, keys);
	}
	return 1 - none;
}

int
filter_verify(const struct filter *f, uint64_t *where)
{
	*where = 0;
	if (f->file == NULL)
		return FAULT_ARG;
	if (!f->clean || f->file->marked)
		return 1;
	return filterfile_verify(f->file, filter_layers(f), where);
}

const char *
filter_kind_name(unsigned int kind)
{
	const struct layer_kind *k = layer_kind(kind);

	return k == NULL ? NULL : k->name;
}

unsigned int
filter_kind(const char *name)
{
	unsigned int i;
	const char *have;

	for (i = FILTER_BLOCKED; i <= FILTER_EXACT; i++) {
		have = filter_kind_name(i);
		if (have != NULL && strcmp(have, name) == 0)
			return i;
	}
	return 0;
}
