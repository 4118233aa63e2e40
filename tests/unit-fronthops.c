/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Where robots.txt redirects to, in virtual time: each hop is a request with
 * its host's delay before it, and frontsim watches that it is.
 */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include "snapshot/limits.h"
#include "tests/frontsim.h"
#include "tests/tap.h"

#define SECOND 1000

struct web {
	unsigned int hops; /* each robots.txt leads so far */
	const char *to;    /* NULL: to where it is itself */
	int dead;          /* "to" has no address */
	unsigned int asked;
};

static int
allow(void *ctx, const void *rules, size_t len, const char *path, size_t n)
{
	(void)ctx;
	(void)path;
	(void)n;
	return len != 1 || *(const char *)rules != 'D';
}

/* The host `to' has the number 1 if it is known from the beginning. */
static void
script(struct frontsim *s, const struct frontier_job *j,
    struct frontsim_answer *a)
{
	struct web *w = s->ctx;
	int there = w->to != NULL && j->parts.path == strlen(w->to) &&
	    memcmp(j->url.s, w->to, j->parts.path) == 0;

	a->ms = 20;
	if (j->kind == FRONTIER_RESOLVE && there && w->dead)
		a->resolved = 0;
	if (j->kind != FRONTIER_ROBOTS)
		return;
	w->asked++;
	a->rules = "A";
	if (j->hops == w->hops || (there && j->hops == 0))
		return;
	if (w->to != NULL)
		snprintf(a->to, sizeof a->to, "%s", w->to);
	else
		snprintf(a->to, sizeof a->to, "%.*s", (int)j->parts.path,
		    j->url.s);
}

static void
begin(struct frontsim *s, struct web *w, unsigned int hosts)
{
	struct frontier_opts o;

	frontsim_opts(&o);
	o.allowed = allow;
	o.ip_delay = 0;
	frontsim_init(s, &o, hosts, 7, 10000);
	s->answer = script;
	s->ctx = w;
	s->room = 1000;
}

/* Chains at one host. */
static void
chain(struct tap *t)
{
	struct frontsim s;

	for (unsigned int n = 1; n <= LIMIT_ROBOTS_HOPS; n++) {
		struct web w = { .hops = n };

		begin(&s, &w, 1);
		frontsim_push(&s, "http://h.test/a", 0, 1);
		frontsim_push(&s, "http://h.test/b", 1, 1);
		frontsim_run(&s, INT64_MAX);
		tap_ok(t,
		    s.pages == 2 && w.asked == n + 1 &&
			s.now == (n + 2) * SECOND + 20 + 20 &&
			frontsim_faults(&s) == 0 && frontier_empty(s.f),
		    "%u redirects: %lld ms", n, (long long)s.now);
		frontsim_free(&s);
	}
}

/* More hosts than may wait have their rules at one that has pages, too. */
static void
many(struct tap *t)
{
	enum {
		HOSTS = LIMIT_HOPS_HOST + 200,
		PAGES = 100
	};
	struct web w = { .hops = 1, .to = "http://all.test" };
	struct frontsim s;
	int64_t pages_over = 0;
	char url[64];
	unsigned int i;

	begin(&s, &w, HOSTS + 1);
	for (i = 0; i < PAGES; i++) {
		snprintf(url, sizeof url, "http://all.test/%u", i);
		frontsim_push(&s, url, i, 1);
	}
	for (i = 0; i < HOSTS; i++) {
		snprintf(url, sizeof url, "http://h%u.test/", i);
		frontsim_push(&s, url, PAGES + i, 1);
	}
	while (s.host[1].pages < PAGES && s.now < INT64_C(10000) * SECOND) {
		frontsim_run(&s, s.now + SECOND);
		pages_over = s.now;
	}
	frontsim_run(&s, INT64_MAX);
	tap_ok(t, pages_over < (2 * PAGES + 10) * SECOND,
	    "redirects leave a host every other turn (%lld s)",
	    (long long)pages_over / SECOND);
	tap_ok(t,
	    frontsim_missing(&s, PAGES + HOSTS) == 0 &&
		s.pages == PAGES + HOSTS && frontsim_faults(&s) == 0 &&
		frontier_empty(s.f),
	    "however many there are, each has its turn (%lld s)",
	    (long long)s.now / SECOND);
	tap_ok(t, w.asked > 2 * HOSTS + 1 && w.asked < 8 * HOSTS,
	    "those without room ask again (%u)", w.asked);
	frontsim_free(&s);
}

/* What leads to a host without an address ends as one that is dead. */
static void
dead(struct tap *t)
{
	struct web w = { .hops = 1, .to = "http://gone.test", .dead = 1 };
	struct frontier_stat st;
	struct frontsim s;

	begin(&s, &w, 4);
	frontsim_push(&s, "http://a.test/", 0, 1);
	frontsim_push(&s, "http://b.test/", 1, 1);
	frontsim_run(&s, INT64_MAX);
	frontier_stat(s.f, &st);
	tap_ok(t,
	    s.drops[FRONTIER_DEAD] == 2 && s.pages == 0 &&
		frontsim_faults(&s) == 0 && frontier_empty(s.f) &&
		st.flight[FRONTIER_ROBOTS] == 0 && s.now < 60 * SECOND,
	    "a host whose rules are nowhere is given up after %lld s",
	    (long long)s.now / SECOND);
	frontsim_free(&s);
}

/* A crawl that stops while a redirect waits begins with robots.txt again. */
static void
stopped(struct tap *t)
{
	struct web w = { .hops = 3 };
	struct frontier_job j;
	struct frontier_url u;
	struct frontsim s;

	begin(&s, &w, 2);
	frontsim_push(&s, "http://h.test/a", 0, 1);
	frontsim_run(&s, 1500);
	tap_ok(t, w.asked == 2 && frontier_next(s.f, 1500, &j) == 0,
	    "a redirect waits");
	frontsim_run(&s, 2030);
	frontsim_stop(&s);
	frontsim_run(&s, INT64_MAX);
	tap_ok(t,
	    w.asked == 3 + 4 && s.pages == 1 && frontsim_faults(&s) == 0 &&
		frontier_empty(s.f),
	    "what is given back comes from the start (%u)", w.asked);
	frontsim_push(&s, "http://i.test/a", 1, 1);
	while (frontier_next(s.f, s.now, &j) == 1 && j.kind != FRONTIER_ROBOTS)
		if (frontier_resolved(s.f, j.id, &j.addr, 1, 600000, s.now) < 0)
			break;
	frontsim_url(&u, "http://i.test/x", 0, 0);
	tap_ok(t,
	    frontier_redirected(s.f, j.id, &u, s.now) == 1 &&
		frontier_redirected(s.f, j.id, &u, s.now) == FAULT_ARG &&
		frontier_undone(s.f, j.id, s.now) == FAULT_ARG,
	    "a report that comes twice is refused");
	frontsim_free(&s);
}

int
main(void)
{
	struct tap t = { 0, 0 };

	chain(&t);
	many(&t);
	dead(&t);
	stopped(&t);
	return tap_done(&t);
}
