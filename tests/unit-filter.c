/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * A seed is fixed, so what is measured here is the same in every run.  A
 * measured rate is compared with the layout's exact one, within five standard
 * deviations of the binomial distribution; that the exact one is within the
 * promise is checked apart and without any noise.
 */

#include "config.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>

#include "dedup/filter.h"
#include "dedup/rate.h"
#include "tests/keys.h"
#include "tests/tap.h"

#define MILLION 1000000

/* The sizes of the other tests would take minutes there. */
#if defined(__SANITIZE_THREAD__)
#define THREADS_ONLY 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define THREADS_ONLY 1
#endif
#endif
#ifndef THREADS_ONLY
#define THREADS_ONLY 0
#endif

static struct filter_spec
spec_of(enum filter_kind kind, uint64_t n, double p)
{
	struct filter_spec s = { .kind = kind,
		.capacity = n,
		.fp_rate = p,
		.seed = 42,
		.rules = 0,
		.budget = 0 };

	return s;
}

/* `got' of `n' trials of chance `p': within five standard deviations? */
static int
likely(double got, double n, double p)
{
	return fabs(got - n * p) <= 5 * sqrt(n * p * (1 - p)) + 1;
}

/* 5 deviations above: what a rate of at most p may look like. */
static int
at_most(double got, double n, double p)
{
	return got <= n * p + 5 * sqrt(n * p * (1 - p)) + 1;
}

/* user:0 ... inserted, ghost:0 ... asked. */
static void
users_and_ghosts(struct tap *t, enum filter_kind kind, double p, double excess)
{
	struct filter_spec spec = spec_of(kind, MILLION, p);
	const char *name = filter_kind_name(kind);
	struct filter_stat st;
	struct rate_shape s;
	struct filter *f = NULL;
	double rate;
	uint64_t ghosts;
	long fresh;

	if (!tap_ok(t,
		rate_plan(&s, kind, MILLION, p) == 0 &&
		    filter_new(&f, &spec, FILTER_NO_GROW) == 0,
		"%s %g: made", name, p))
		return;
	rate = rate_at(&s, MILLION);
	fresh = keys_add(f, "user", 0, MILLION);
	ghosts = keys_seen(f, "ghost", 0, MILLION);
	filter_stat(f, &st);
	tap_ok(t, keys_seen(f, "user", 0, MILLION) == MILLION,
	    "%s %g: no false negative", name, p);
	tap_ok(t, rate <= p * excess, "%s %g: the layout keeps it", name, p);
	tap_ok(t, likely((double)ghosts, MILLION, rate),
	    "%s %g: measured as computed", name, p);
	tap_ok(t,
	    st.count == (uint64_t)fresh && fresh <= MILLION &&
		at_most(MILLION - (double)fresh, MILLION, rate),
	    "%s %g: counted", name, p);
	tap_ok(t, fabs(st.estimated - rate) <= rate * 0.03, "%s %g: estimated",
	    name, p);
	tap_diag("%llu ghosts, exact %.6g, estimate %.6g, %.2f bits, k %u",
	    (unsigned long long)ghosts, rate, st.estimated,
	    (double)st.bits / MILLION, st.k);
	tap_ok(t, keys_add(f, "user", 0, 1000) == 0, "%s %g: nothing twice",
	    name, p);
	filter_abandon(f);
}

static void
all_kinds(struct tap *t)
{
	static const double p[] = { 0.1, 0.01, 0.001, 1e-4 };
	size_t i;

	for (i = 0; i < sizeof p / sizeof p[0]; i++) {
		users_and_ghosts(t, FILTER_BLOCKED, p[i], 1);
		/* k is whole: 0.74 % more at p = 0.1, 0.39 % at 0.01. */
		users_and_ghosts(t, FILTER_BLOOM, p[i], 1.008);
		users_and_ghosts(t, FILTER_COUNTING, p[i], 1.008);
		users_and_ghosts(t, FILTER_CUCKOO, p[i], 1);
		users_and_ghosts(t, FILTER_EXACT, p[i], 1);
	}
}

static void
textbook(struct tap *t)
{
	struct filter_spec spec = spec_of(FILTER_BLOOM, MILLION, 0.01);
	struct filter_stat st;
	struct filter *f = NULL;

	tap_ok(t, filter_new(&f, &spec, 0) == 0, "bloom 1 %%: made");
	filter_stat(f, &st);
	tap_ok(t, st.bits == 9585059 && st.k == 7,
	    "bloom 1 %%: 9,585,059 bits, 7 hashes");
	filter_abandon(f);
}

static void
overfull(struct tap *t, enum filter_kind kind, double want)
{
	struct filter_spec spec = spec_of(kind, MILLION, 0.01);
	const char *name = filter_kind_name(kind);
	struct filter_stat st;
	struct rate_shape s;
	struct filter *f = NULL;
	uint64_t ghosts;
	double rate;

	tap_ok(t,
	    rate_plan(&s, kind, MILLION, 0.01) == 0 &&
		filter_new(&f, &spec, FILTER_NO_GROW) == 0,
	    "%s: may not grow", name);
	(void)!keys_add(f, "user", 0, MILLION);
	tap_ok(t, !filter_overfull(f), "%s: full, not more", name);
	/* Those that met a false positive were not counted: make up. */
	filter_stat(f, &st);
	(void)!keys_add(f, "user", MILLION, MILLION);
	filter_stat(f, &st);
	rate = rate_at(&s, 2 * MILLION);
	ghosts = keys_seen(f, "ghost", 0, MILLION);
	tap_ok(t, filter_overfull(f) && st.room == 0 && st.layers == 1,
	    "%s: overfull", name);
	tap_ok(t, likely((double)ghosts, MILLION, rate),
	    "%s: twice the keys, the rate that was computed", name);
	tap_ok(t, fabs(rate - want) < 0.0005, "%s: which is %.4f", name, want);
	tap_ok(t, fabs(st.estimated - rate) < rate * 0.01,
	    "%s: and shown as %.4f", name, st.estimated);
	tap_ok(t, fabs(filter_expected(f) - rate) < rate * 0.05,
	    "%s: as expected from so many bits, %.4f", name,
	    filter_expected(f));
	filter_abandon(f);
}

/* From 20,000 to a million: 1, 4, 16, 64 times, at most 1.5 p. */
static void
growth(struct tap *t, enum filter_kind kind)
{
	struct filter_spec spec = spec_of(kind, 20000, 0.01);
	const char *name = filter_kind_name(kind);
	struct filter_stat st;
	struct filter *f = NULL;
	uint64_t ghosts;

	tap_ok(t, filter_new(&f, &spec, 0) == 0, "%s: small", name);
	(void)!keys_add(f, "user", 0, MILLION);
	filter_stat(f, &st);
	tap_ok(t, keys_seen(f, "user", 0, MILLION) == MILLION,
	    "%s: grown, no false negative", name);
	ghosts = keys_seen(f, "ghost", 0, MILLION);
	tap_ok(t, st.layers == 4, "%s: %u layers", name, st.layers);
	tap_ok(t, at_most((double)ghosts, MILLION, 0.015),
	    "%s: rate within the sum", name);
	tap_ok(t, likely((double)ghosts, MILLION, st.estimated),
	    "%s: %llu ghosts, as estimated", name, (unsigned long long)ghosts);
	filter_abandon(f);
}

static void
self_sizing(struct tap *t, enum filter_kind kind)
{
	struct filter_spec spec = spec_of(kind, 0, 0.01);
	const char *name = filter_kind_name(kind);
	struct filter_stat st;
	struct filter *f = NULL;
	uint64_t ghosts;
	long fresh;

	spec.budget = 1 << 20;
	tap_ok(t, filter_new(&f, &spec, 0) == 0, "%s: of unknown size", name);
	fresh = keys_add(f, "user", 0, 20000);
	filter_stat(f, &st);
	tap_ok(t,
	    fresh == 20000 && st.count == 20000 && st.exact_start &&
		!filter_lockfree(f) && keys_seen(f, "ghost", 0, 20000) == 0,
	    "%s: starts exact", name);
	(void)!keys_add(f, "user", 20000, MILLION - 20000);
	filter_stat(f, &st);
	tap_ok(t,
	    !st.exact_start && filter_lockfree(f) == (kind != FILTER_CUCKOO) &&
		st.layers == 3,
	    "%s: turned into a filter", name);
	tap_ok(t, keys_seen(f, "user", 0, MILLION) == MILLION,
	    "%s: nothing was lost on the way", name);
	ghosts = keys_seen(f, "ghost", 0, MILLION);
	tap_ok(t, at_most((double)ghosts, MILLION, 0.01),
	    "%s: %llu ghosts, within the promise", name,
	    (unsigned long long)ghosts);
	filter_abandon(f);
}

static void
exact_grows(struct tap *t)
{
	struct filter_spec spec = spec_of(FILTER_EXACT, 0, 0.01);
	struct urlkey zero[3] = { { 0, 0 }, { 0, 7 }, { UINT64_MAX, 0 } };
	struct filter_stat st;
	struct filter *f = NULL;
	uint8_t seen[3];

	spec.budget = 1;
	tap_ok(t, filter_new(&f, &spec, 0) == 0, "exact of unknown size");
	tap_ok(t, keys_add(f, "user", 0, MILLION) == MILLION,
	    "exact counts each key");
	filter_stat(f, &st);
	tap_ok(t, st.layers == 1 && !st.exact_start && st.count == MILLION,
	    "exact stays one table");
	tap_ok(t,
	    keys_seen(f, "user", 0, MILLION) == MILLION &&
		keys_seen(f, "ghost", 0, MILLION) == 0,
	    "exact is exact");
	tap_ok(t, filter_add(f, zero, 3) == 3 && filter_add(f, zero, 3) == 0,
	    "keys whose halves are 0");
	filter_probe(f, zero, 3, seen);
	tap_ok(t, seen[0] && seen[1] && seen[2], "are found");
	filter_abandon(f);
}

/* A table that may not grow says so before anything is lost. */
static void
full(struct tap *t, enum filter_kind kind, uint64_t n, double p)
{
	struct filter_spec spec = spec_of(kind, n, p);
	const char *name = filter_kind_name(kind);
	struct filter *f = NULL;
	uint64_t had, i = 0;
	long rc = 0;

	tap_ok(t,
	    filter_new(&f, &spec, FILTER_NO_GROW) == 0 &&
		keys_add(f, "user", 0, n) >= 0,
	    "%s of %llu takes what it was made for", name,
	    (unsigned long long)n);
	/* those that met a false positive took no room */
	for (i = n; i < 2 * n && rc >= 0; i++)
		rc = keys_add(f, "user", i, 1);
	had = i - (rc < 0);
	tap_ok(t, rc == FAULT_FULL && had <= n + n / 4,
	    "%s: and is full then, with %llu", name, (unsigned long long)had);
	tap_ok(t, keys_seen(f, "user", 0, had) == had, "%s: nothing lost",
	    name);
	filter_abandon(f);
}

static void
bad_specs(struct tap *t)
{
	struct filter_spec spec = spec_of(FILTER_BLOCKED, 100, 0.01);
	struct filter *f = NULL;
	int bad = 0;

	spec.fp_rate = 0;
	bad += filter_new(&f, &spec, 0) == FAULT_ARG;
	spec.fp_rate = 1;
	bad += filter_new(&f, &spec, 0) == FAULT_ARG;
	spec.fp_rate = NAN;
	bad += filter_new(&f, &spec, 0) == FAULT_ARG;
	spec.fp_rate = 0.01;
	spec.kind = (enum filter_kind)99;
	bad += filter_new(&f, &spec, 0) == FAULT_ARG;
	spec.kind = FILTER_BLOCKED;
	spec.capacity = UINT64_MAX;
	bad += filter_new(&f, &spec, 0) == FAULT_TOOBIG;
	tap_ok(t, bad == 5 && f == NULL, "specs out of range");
	tap_ok(t,
	    filter_kind("blocked") == FILTER_BLOCKED &&
		filter_kind("nothing") == 0 && filter_kind_name(0) == NULL,
	    "names of kinds");
}

struct looker {
	const struct filter *f;
	atomic_int stop;
	int lost;
};

/* Once one of the first keys is called seen, it stays seen. */
static void *
look(void *arg)
{
	struct looker *l = arg;
	uint64_t before = 0, now;

	while (!atomic_load(&l->stop)) {
		now = keys_seen(l->f, "user", 0, 2000);
		l->lost += now < before;
		before = now;
	}
	return NULL;
}

static void
reader_beside_owner(struct tap *t, enum filter_kind kind)
{
	struct filter_spec spec = spec_of(kind, 1000, 0.01);
	struct looker l = { .lost = 0 };
	struct filter *f = NULL;
	pthread_t th;

	tap_ok(t, filter_new(&f, &spec, 0) == 0 && filter_lockfree(f),
	    "%s: readers allowed", filter_kind_name(kind));
	l.f = f;
	if (pthread_create(&th, NULL, look, &l) != 0)
		return;
	(void)!keys_add(f, "user", 0, 100000);
	atomic_store(&l.stop, 1);
	(void)pthread_join(th, NULL);
	tap_ok(t, l.lost == 0 && keys_seen(f, "user", 0, 100000) == 100000,
	    "%s: what was seen stays seen", filter_kind_name(kind));
	filter_abandon(f);
}

static void
alone(struct tap *t)
{
	all_kinds(t);
	textbook(t);
	overfull(t, FILTER_BLOOM, 0.1574);
	overfull(t, FILTER_BLOCKED, 0.163);
	overfull(t, FILTER_COUNTING, 0.1574);
	growth(t, FILTER_BLOCKED);
	growth(t, FILTER_BLOOM);
	growth(t, FILTER_COUNTING);
	growth(t, FILTER_CUCKOO);
	growth(t, FILTER_EXACT);
	self_sizing(t, FILTER_BLOCKED);
	self_sizing(t, FILTER_BLOOM);
	self_sizing(t, FILTER_COUNTING);
	self_sizing(t, FILTER_CUCKOO);
	exact_grows(t);
	full(t, FILTER_EXACT, 1000, 0.01);
	full(t, FILTER_CUCKOO, 1, 0.01);
	full(t, FILTER_CUCKOO, 1000, 1e-6);
	full(t, FILTER_CUCKOO, MILLION, 0.1);
	bad_specs(t);
}

int
main(void)
{
	struct tap t = { 0, 0 };

	if (!THREADS_ONLY)
		alone(&t);
	reader_beside_owner(&t, FILTER_BLOCKED);
	reader_beside_owner(&t, FILTER_BLOOM);
	reader_beside_owner(&t, FILTER_COUNTING);
	reader_beside_owner(&t, FILTER_EXACT);
	return tap_done(&t);
}
