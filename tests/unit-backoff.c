/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * How the frontier treats hosts that fail, ask for time, forbid, or are used
 * up; in virtual time.
 */

#include "config.h"

#include <string.h>

#include "snapshot/limits.h"
#include "tests/frontsim.h"
#include "tests/tap.h"

#define SECOND 1000
#define HOUR   (3600 * SECOND)

/* "D": nothing; "N": nothing that ends in a digit 5 to 9. */
static int
rules_allow(void *ctx, const void *rules, size_t len, const char *path,
    size_t path_len)
{
	(void)ctx;
	if (len == 1 && *(const char *)rules == 'D')
		return 0;
	return len != 1 || *(const char *)rules != 'N' ||
	    path[path_len - 1] < '5';
}

static void
push_many(struct frontsim *s, unsigned int host, unsigned int n,
    uint64_t ordinal)
{
	char url[64];

	for (unsigned int i = 0; i < n; i++) {
		snprintf(url, sizeof url, "http://h%u.example/%u", host, i);
		frontsim_push(s, url, ordinal + i, 1);
	}
}

/* The starts of all requests. */
struct starts {
	int64_t at[256];
	unsigned int n;
	int dead; /* 1: nobody answers */
	const char *rules;
	int64_t ttl;
	enum frontier_outcome robots;
};

static void
script(struct frontsim *s, const struct frontier_job *j,
    struct frontsim_answer *a)
{
	struct starts *x = s->ctx;

	if (j->kind == FRONTIER_RESOLVE)
		return;
	if (j->kind != FRONTIER_DROP && x->n < 256)
		x->at[x->n++] = s->now;
	if (j->kind == FRONTIER_ROBOTS) {
		a->outcome = x->dead ? FRONTIER_FAILED : x->robots;
		a->rules = x->rules;
		a->ttl = x->ttl;
	} else if (x->dead) {
		a->outcome = FRONTIER_FAILED;
	}
}

/* Nobody answers, ever: a few tries, then all are dropped. */
static void
dead(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	struct starts x = { .dead = 1 };
	struct frontier_stat st;
	struct frontier_url u;
	char url[] = "http://h0.example/late";

	frontsim_opts(&o);
	o.allowed = rules_allow;
	frontsim_init(&s, &o, 1, 1, 1010);
	s.answer = script;
	s.ctx = &x;
	push_many(&s, 0, 1000, 0);
	frontsim_run(&s, INT64_MAX);
	tap_ok(t,
	    frontsim_missing(&s, 1000) == 0 && s.drops[FRONTIER_DEAD] == 1000 &&
		s.now <= 10 * SECOND && frontsim_faults(&s) == 0,
	    "a dead host costs %u tries and %lld ms", x.n, (long long)s.now);
	tap_ok(t,
	    x.n == 4 && x.at[1] - x.at[0] == 1000 &&
		x.at[2] - x.at[1] == 2000 && x.at[3] - x.at[2] == 4000,
	    "twice as long between them each time");
	frontier_stat(s.f, &st);
	tap_ok(t,
	    st.dead == 1 && st.active == 0 && st.dropped[FRONTIER_DEAD] == 1000,
	    "and is counted");
	frontsim_push(&s, url, 1000, 1);
	frontsim_run(&s, INT64_MAX);
	tap_ok(t, x.n == 4 && s.drops[FRONTIER_DEAD] == 1001,
	    "what comes soon after is dropped untried");
	frontsim_run(&s, s.now + 2 * HOUR);
	frontsim_push(&s, url, 1001, 1);
	frontsim_run(&s, INT64_MAX);
	tap_ok(t, x.n == 5 && s.drops[FRONTIER_DEAD] == 1002,
	    "what comes much later costs one try");
	x.dead = 0;
	frontsim_url(&u, url, 1002, 1);
	u.revive = 1;
	tap_ok(t, frontier_push(s.f, &u, s.now) == 0, "asked to try again,");
	frontsim_run(&s, INT64_MAX);
	frontier_stat(s.f, &st);
	tap_ok(t, s.pages == 1 && st.dead == 0 && frontsim_faults(&s) == 0,
	    "it does, and the host lives");
	frontsim_free(&s);
}

/* A host that has answered gets more tries, over minutes. */
static void
outage(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	struct starts x = { .dead = 0 };

	frontsim_opts(&o);
	frontsim_init(&s, &o, 1, 1, 100);
	s.answer = script;
	s.ctx = &x;
	push_many(&s, 0, 100, 0);
	frontsim_run(&s, 10 * SECOND);
	x.dead = 1;
	frontsim_run(&s, 100 * SECOND);
	x.dead = 0;
	frontsim_run(&s, INT64_MAX);
	tap_ok(t, s.pages == 100 && frontsim_faults(&s) == 0,
	    "an outage of 90 s loses nothing");
	tap_ok(t, s.now < 300 * SECOND, "and is over soon after: %lld s",
	    (long long)s.now / SECOND);
	frontsim_free(&s);
}

static void
busy_then_fine(struct frontsim *s, const struct frontier_job *j,
    struct frontsim_answer *a)
{
	struct starts *x = s->ctx;

	if (j->kind != FRONTIER_PAGE)
		return;
	if (x->n < 256)
		x->at[x->n++] = s->now;
	if (x->n == 3) {
		a->outcome = FRONTIER_BUSY;
		a->retry_after = 77 * SECOND;
	} else if (x->n > 5 && x->n < 9) {
		a->outcome = FRONTIER_BUSY;
	}
}

static void
retry_after(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	struct starts x = { .n = 0 };

	frontsim_opts(&o);
	frontsim_init(&s, &o, 1, 1, 20);
	s.answer = busy_then_fine;
	s.ctx = &x;
	push_many(&s, 0, 20, 0);
	frontsim_run(&s, INT64_MAX);
	tap_ok(t, x.at[3] - x.at[2] == 77 * SECOND, "Retry-After is obeyed");
	tap_ok(t,
	    x.at[6] - x.at[5] == 1000 && x.at[7] - x.at[6] == 2000 &&
		x.at[8] - x.at[7] == 4000 && x.at[9] - x.at[8] == 1000,
	    "429 and 503 double the wait, an answer ends that");
	tap_ok(t,
	    s.pages == 20 && frontsim_faults(&s) == 0 &&
		frontsim_missing(&s, 20) == 0,
	    "and each URL came out once");
	frontsim_free(&s);
}

static void
broken(struct frontsim *s, const struct frontier_job *j,
    struct frontsim_answer *a)
{
	struct starts *x = s->ctx;

	if (j->kind != FRONTIER_PAGE)
		return;
	x->n++;
	a->outcome = j->ordinal % 2 ? FRONTIER_ERROR : FRONTIER_OK;
}

static void
retries(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	struct starts x = { .n = 0 };
	struct frontier_stat st;

	frontsim_opts(&o);
	o.retries = 2;
	frontsim_init(&s, &o, 1, 1, 100);
	s.answer = broken;
	s.ctx = &x;
	push_many(&s, 0, 100, 0);
	frontsim_run(&s, INT64_MAX);
	frontier_stat(s.f, &st);
	tap_ok(t,
	    x.n == 200 && st.failed == 50 && st.retried == 100 &&
		st.finished == 100 && frontsim_missing(&s, 100) == 0,
	    "a broken page is tried 1 + retries times");
	tap_ok(t, s.now == 199 * SECOND, "and holds nothing back");
	frontsim_free(&s);
}

static void
robots(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	struct starts x = { .rules = "N", .ttl = -1 };

	frontsim_opts(&o);
	o.allowed = rules_allow;
	o.delay = 10 * SECOND;
	frontsim_init(&s, &o, 1, 1, 20000);
	s.answer = script;
	s.ctx = &x;
	push_many(&s, 0, 20000, 0);
	frontsim_run(&s, 5 * SECOND);
	tap_ok(t, s.host[1].robots == 1, "robots.txt comes first");
	frontsim_run(&s, 23 * HOUR);
	tap_ok(t,
	    s.host[1].robots == 1 && s.drops[FRONTIER_DISALLOWED] > 0 &&
		s.pages > 4000,
	    "rules hold for 23 hours");
	x.rules = "D";
	frontsim_run(&s, 25 * HOUR);
	tap_ok(t,
	    s.host[1].robots == 2 && frontier_empty(s.f) &&
		frontsim_missing(&s, 20000) == 0,
	    "after 24 they are asked for again, and what they forbid by then "
	    "is dropped");
	tap_ok(t, frontsim_faults(&s) == 0, "with all delays kept");
	frontsim_free(&s);
}

static void
robots_unreachable(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	struct starts x = { .robots = FRONTIER_BUSY, .ttl = -1 };

	frontsim_opts(&o);
	o.allowed = rules_allow;
	frontsim_init(&s, &o, 1, 1, 10);
	s.answer = script;
	s.ctx = &x;
	push_many(&s, 0, 10, 0);
	frontsim_run(&s, 5 * SECOND);
	tap_ok(t, s.host[1].pages == 0 && x.n > 1,
	    "no page while robots.txt is 5xx, but further tries");
	x.robots = FRONTIER_OK;
	frontsim_run(&s, INT64_MAX);
	tap_ok(t, s.pages == 10, "once it answers the pages follow");
	frontsim_free(&s);

	x.robots = FRONTIER_ERROR;
	x.n = 0;
	frontsim_init(&s, &o, 1, 1, 10);
	s.answer = script;
	s.ctx = &x;
	push_many(&s, 0, 10, 0);
	frontsim_run(&s, INT64_MAX);
	tap_ok(t,
	    s.host[1].pages == 0 && s.drops[FRONTIER_NO_ROBOTS] == 10 &&
		x.n == o.retries + 1 + LIMIT_ROBOTS_TRIES,
	    "if it never does, all are dropped after %u tries in %lld s", x.n,
	    (long long)s.now / SECOND);
	frontsim_free(&s);

	/* A refresh that fails leaves the old rules in force. */
	x = (struct starts){ .rules = "N", .ttl = -1 };
	o.delay = 60 * SECOND;
	frontsim_init(&s, &o, 1, 1, 10000);
	s.answer = script;
	s.ctx = &x;
	push_many(&s, 0, 10000, 0);
	frontsim_run(&s, HOUR);
	x.robots = FRONTIER_BUSY;
	frontsim_run(&s, 30 * HOUR - 60 * SECOND);
	tap_ok(t, s.host[1].robots == 7 && s.pages > 29 * 59,
	    "a failed refresh is tried each hour, with the old rules");
	frontsim_free(&s);
}

static void
nameless(struct frontsim *s, const struct frontier_job *j,
    struct frontsim_answer *a)
{
	struct starts *x = s->ctx;

	if (j->kind != FRONTIER_RESOLVE)
		return;
	x->at[x->n++] = s->now;
	a->resolved = 0;
	a->ms = 20;
}

static void
no_address(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	struct starts x = { .n = 0 };

	frontsim_opts(&o);
	frontsim_init(&s, &o, 1, 1, 10);
	s.answer = nameless;
	s.ctx = &x;
	push_many(&s, 0, 10, 0);
	frontsim_run(&s, INT64_MAX);
	tap_ok(t,
	    x.n == 4 && s.drops[FRONTIER_NO_ADDRESS] == 10 &&
		frontsim_missing(&s, 10) == 0,
	    "a name that never resolves: 4 tries, then all are dropped");
	frontsim_free(&s);
}

static void
short_ttl(struct frontsim *s, const struct frontier_job *j,
    struct frontsim_answer *a)
{
	(void)s;
	if (j->kind == FRONTIER_RESOLVE)
		a->ttl = 120 * SECOND;
}

static void
ttl(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;

	frontsim_opts(&o);
	frontsim_init(&s, &o, 1, 1, 600);
	s.answer = short_ttl;
	push_many(&s, 0, 600, 0);
	frontsim_run(&s, INT64_MAX);
	tap_ok(t,
	    s.pages == 600 && s.host[1].resolves == 5 &&
		frontsim_faults(&s) == 0,
	    "an address is believed for its TTL");
	frontsim_free(&s);
}

static void
budget(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	struct starts x = { .n = 0 };

	frontsim_opts(&o);
	o.host_pages = 30;
	frontsim_init(&s, &o, 2, 2, 200);
	s.answer = broken;
	s.ctx = &x;
	push_many(&s, 0, 100, 0);
	push_many(&s, 1, 20, 100);
	frontsim_run(&s, INT64_MAX);
	tap_ok(t,
	    s.pages == 50 && s.drops[FRONTIER_BUDGET] == 70 &&
		frontsim_missing(&s, 120) == 0,
	    "--host-pages: 30 pages of 100, 20 of 20, retries not counted");
	frontsim_free(&s);
}

static void
lasting(struct frontsim *s, const struct frontier_job *j,
    struct frontsim_answer *a)
{
	(void)s;
	a->ms = j->kind == FRONTIER_PAGE ? 2500 : 0;
}

static void
per_host(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;

	frontsim_opts(&o);
	o.per_host = 3;
	frontsim_init(&s, &o, 1, 1, 100);
	s.answer = lasting;
	push_many(&s, 0, 100, 0);
	frontsim_run(&s, INT64_MAX);
	tap_ok(t,
	    s.pages == 100 && frontsim_faults(&s) == 0 &&
		s.now == 99 * SECOND + 2500,
	    "three in flight at a host, starts a delay apart");
	frontsim_free(&s);
}

static void
no_delay(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;

	frontsim_opts(&o);
	o.delay = 0;
	o.per_host = 4;
	frontsim_init(&s, &o, 1, 1, 400);
	s.answer = lasting;
	push_many(&s, 0, 400, 0);
	frontsim_run(&s, INT64_MAX);
	tap_ok(t,
	    s.pages == 400 && frontsim_faults(&s) == 0 && s.now == 100 * 2500,
	    "without a delay the ceiling rules");
	frontsim_free(&s);
}

int
main(void)
{
	struct tap t = { 0, 0 };

	dead(&t);
	outage(&t);
	retry_after(&t);
	retries(&t);
	robots(&t);
	robots_unreachable(&t);
	no_address(&t);
	ttl(&t);
	budget(&t);
	per_host(&t);
	no_delay(&t);
	return tap_done(&t);
}
