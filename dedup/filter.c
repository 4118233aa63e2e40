/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filter.c - layers, growth, and the exact start of a filter without a size
 *
 * Layer i of a filter that was made for n keys holds n 4^i keys at a rate of
 * p (i = 0) or p / 2^(i+1); together at most p + p/4 + p/8 + ... = 1.5 p.  One
 * that sizes itself gives p / 2^(i+1) to all, together at most p.
 *
 * The exact start is a table in memory that doubles.  Its keys lie in hash
 * order, so doubling reads and writes in sequence and gives back the old
 * pages behind it: the peak is the new table, not both.
 *
 * Readers beside the owner see `layers' grow by a release store after the
 * new layer is ready; a layer is neither moved nor unmapped before the end.
 * Only the exact start replaces its table, so it is not for them, and
 * `steady' says so.
 */

#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "dedup/exact.h"
#include "dedup/filter.h"
#include "dedup/filterfile.h"
#include "dedup/layer.h"
#include "snapshot/limits.h"

#define START_SLOTS  4096 /* of the first exact table: 64 KiB */
#define LAYER_FACTOR 4    /* a layer's capacity over the one before */

struct filter {
	struct filter_spec spec;
	struct urlkey_hasher hasher;
	const struct layer_kind *kind; /* of the layers, now */
	unsigned int flags;            /* enum filter_flag */
	int tables;        /* 1 while it is one exact table that doubles */
	int clean;         /* as the file was when it was opened */
	atomic_int steady; /* readers may look on */
	atomic_uint layers;
	struct layer layer[LIMIT_LAYERS];
	struct filterfile *file; /* NULL in memory */
};

static unsigned int
layers(const struct filter *f)
{
	return atomic_load_explicit(&f->layers, memory_order_acquire);
}

static void
publish(struct filter *f, unsigned int n)
{
	atomic_store_explicit(&f->layers, n, memory_order_release);
}

/* The rate that layer `i' is given. */
static double
layer_rate(const struct filter *f, unsigned int i)
{
	double p = f->spec.fp_rate;

	if (i == 0 && f->spec.capacity > 0)
		return p;
	while (i-- > 0)
		p /= 2;
	p /= 2;
	return p > LIMIT_RATE ? p : LIMIT_RATE;
}

/* Shape `l' for `capacity' keys. */
static int
plan(struct layer *l, const struct filter *f, uint64_t capacity, double rate)
{
	memset(l, 0, sizeof *l);
	l->capacity = capacity;
	l->rate = rate;
	return rate_plan(&l->shape, f->spec.kind, capacity, rate);
}

/* An exact table of so many slots. */
static int
table_new(struct layer *l, uint64_t slots)
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
	int rc = table_new(&t.layer, 2 * f->layer[0].shape.size);

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

	rc = plan(&t.layer, f, count * LAYER_FACTOR, layer_rate(f, 0));
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

/* A further layer, in the file if the filter is in one. */
static int
grow(struct filter *f)
{
	unsigned int n = layers(f);
	struct layer *l = &f->layer[n];
	int rc;

	if (f->tables)
		return grow_table(f);
	if (f->flags & FILTER_NO_GROW || n == LIMIT_LAYERS)
		return FAULT_FULL;
	rc = plan(l, f, l[-1].capacity * LAYER_FACTOR, layer_rate(f, n));
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
	publish(f, n + 1);
	return 0;
}

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
		rc = table_new(&n->layer[0], START_SLOTS);
	} else {
		rc = plan(&n->layer[0], n, spec->capacity, spec->fp_rate);
		if (rc == 0)
			rc = layer_new(&n->layer[0]);
	}
	if (rc < 0)
		goto out;
	atomic_store(&n->steady, !n->tables && n->kind->readers);
	publish(n, 1);
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
		rc = plan(&n->layer[0], n, spec->capacity, spec->fp_rate);
	if (rc == 0)
		rc = filterfile_create(&n->file, path, &n->spec, &n->layer[0],
		    flags);
	if (rc < 0)
		goto out;
	atomic_store(&n->steady, n->kind->readers);
	publish(n, 1);
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
	if (!n->clean)
		recount(n, h->layers);
	atomic_store(&n->steady, n->kind->readers);
	publish(n, h->layers);
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
	if (f->file != NULL)
		rc = filterfile_finish(f->file, f->layer, layers(f));
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

#define NO_LAYER LIMIT_LAYERS /* the number of none */

/* Look in all layers, newest first, but number `but' is only fetched. */
static void
probe_batch(const struct filter *f, const struct urlkey *key, size_t n,
    uint8_t *seen, unsigned int but)
{
	unsigned int i, end = layers(f);

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
	unsigned int i, newest = layers(f) - 1;
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
		rc = grow(f);
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

static uint64_t
total(const struct filter *f)
{
	unsigned int i, n = layers(f);
	uint64_t sum = 0;

	for (i = 0; i < n; i++)
		sum += f->layer[i].count;
	return sum;
}

long
filter_add(struct filter *f, const struct urlkey *key, size_t n)
{
	int shared = f->file != NULL && !(f->flags & FILTER_PRIVATE);
	uint64_t before = total(f);
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
		filterfile_count(f->file, f->layer, layers(f));
	return rc < 0 ? rc : (long)(total(f) - before);
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
		for (i = layers(f); i-- > 0;)
			f->kind->fetch(&f->layer[i], key, m);
		for (i = layers(f); i-- > 0;)
			f->kind->remove(&f->layer[i], key, m, gone);
		for (j = 0; j < m; j++)
			sum += gone[j];
	}
	if (shared && f->file->marked)
		filterfile_count(f->file, f->layer, layers(f));
	return sum;
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
	const struct layer *l = &f->layer[layers(f) - 1];

	return f->flags & FILTER_NO_GROW && !f->tables &&
	    l->count > l->capacity;
}

int
filter_sync(struct filter *f)
{
	if (f->file == NULL)
		return 0;
	return filterfile_sync(f->file, f->layer, layers(f));
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
	unsigned int i, n = layers(f);
	const struct layer *l = f->layer;
	struct layer_sample s;
	double ones = 0, all = 0, none = 1;

	memset(st, 0, sizeof *st);
	for (i = 0; i < n; i++, l++) {
		f->kind->sample(l, &s);
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
	st->count = total(f);
	st->room = l->count < l->capacity ? l->capacity - l->count : 0;
	st->k = l->shape.k;
	st->layers = n;
	st->format = FILTERHEAD_FORMAT;
	st->clean = f->clean;
	st->exact_start = f->tables && f->spec.kind != FILTER_EXACT;
	st->fill = ones / all;
	st->estimated = 1 - none;
}

int
filter_verify(const struct filter *f, uint64_t *where)
{
	*where = 0;
	if (f->file == NULL)
		return FAULT_ARG;
	if (!f->clean || f->file->marked)
		return 1;
	return filterfile_verify(f->file, f->layer, layers(f), where);
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
