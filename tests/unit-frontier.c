/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * The frontier in virtual time: hours of crawling in moments, watched by
 * tests/frontsim.c for what must never happen.
 */

#include "config.h"

#include <string.h>

#include "snapshot/limits.h"
#include "tests/frontsim.h"
#include "tests/tap.h"

#define HOUR (3600 * 1000)

static int
all_allowed(void *ctx, const void *rules, size_t len, const char *path,
    size_t path_len)
{
	(void)ctx;
	(void)path;
	(void)path_len;
	return len != 1 || *(const char *)rules != 'D';
}

static int
url_is(const struct frontier_job *j, const char *url)
{
	return j->url.len == strlen(url) &&
	    memcmp(j->url.s, url, j->url.len) == 0;
}

/* One host's way, call by call. */
static void
way(struct tap *t)
{
	static const char url[] = "https://u:p@a.example:8443/x/y?z";
	struct frontier_opts o;
	struct frontier *f;
	struct frontier_url u;
	struct frontier_job j;
	struct frontier_robots r = { 0 };
	struct frontier_addr a = frontsim_addr(7);

	frontsim_opts(&o);
	o.allowed = all_allowed;
	tap_ok(t, frontier_new(&f, &o) == 0, "a frontier");
	tap_ok(t,
	    frontier_next(f, 0, &j) == 0 && frontier_wait(f, 0) == -1 &&
		frontier_empty(f),
	    "that is empty");
	frontsim_url(&u, url, 42, 1);
	u.depth = 5;
	tap_ok(t, frontier_push(f, &u, 0) == 0 && frontier_wait(f, 0) == 0,
	    "push");
	tap_ok(t,
	    frontier_next(f, 0, &j) == 1 && j.kind == FRONTIER_RESOLVE &&
		url_is(&j, "https://a.example:8443/") && j.parts.port == 8443,
	    "first its address");
	tap_ok(t, frontier_next(f, 0, &j) == 0, "nothing beside that");
	tap_ok(t, frontier_robots(f, j.id, &r, 0) == FAULT_ARG,
	    "a report of another kind is refused");
	tap_ok(t, frontier_resolved(f, j.id, &a, 1, 600000, 5) == 0,
	    "resolved");
	tap_ok(t, frontier_resolved(f, j.id, &a, 1, 600000, 5) == FAULT_ARG,
	    "a report that comes twice is refused");
	tap_ok(t,
	    frontier_next(f, 5, &j) == 1 && j.kind == FRONTIER_ROBOTS &&
		url_is(&j, "https://a.example:8443/robots.txt") &&
		memcmp(&j.addr, &a, sizeof a) == 0,
	    "then its robots.txt");
	r.delay = 3000;
	r.ttl = -1;
	tap_ok(t, frontier_robots(f, j.id, &r, 20) == 0, "rules");
	tap_ok(t, frontier_next(f, 20, &j) == 0 && frontier_wait(f, 20) > 0,
	    "robots.txt was a request too");
	tap_ok(t,
	    frontier_next(f, 3004, &j) == 0 && frontier_wait(f, 3004) == 1,
	    "and set the delay");
	tap_ok(t,
	    frontier_next(f, 3005, &j) == 1 && j.kind == FRONTIER_PAGE &&
		url_is(&j, url) && j.ordinal == 42 && j.depth == 5 &&
		j.lane == 1,
	    "then the page, byte for byte");
	tap_ok(t,
	    j.parts.host == 12 && j.parts.host_end == 21 &&
		j.parts.path == 26 && j.parts.query == 30 &&
		j.parts.end == j.url.len && j.parts.https,
	    "and its parts");
	tap_ok(t, !frontier_empty(f), "not empty while it flies");
	tap_ok(t, frontier_done(f, j.id, FRONTIER_OK, -1, 3100) == 1,
	    "finished");
	tap_ok(t, frontier_empty(f) && frontier_wait(f, 3100) == -1,
	    "and empty again");
	frontier_free(f);
}

static void
refused(struct tap *t)
{
	static const char *bad[] = {
		"http://a/ b",
		"http://a/\nb",
		"http://a/\tb",
	};
	struct frontier_opts o;
	struct frontier *f;
	struct frontier_url u;
	int ok = 1;

	frontsim_opts(&o);
	if (frontier_new(&f, &o) < 0)
		return;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		frontsim_url(&u, "http://a/b", 1, 1);
		u.url.s = bad[i];
		u.url.len = strlen(bad[i]);
		ok &= frontier_push(f, &u, 0) == FAULT_ARG;
	}
	frontsim_url(&u, "http://a/b", 1, 3);
	ok &= frontier_push(f, &u, 0) == FAULT_ARG;
	frontsim_url(&u, "http://a/b", 1, 1);
	u.parts.path = 9;
	ok &= frontier_push(f, &u, 0) == FAULT_ARG;
	frontsim_url(&u, "http://a/b", 1, 1);
	u.parts.host = 3;
	ok &= frontier_push(f, &u, 0) == FAULT_ARG;
	frontsim_url(&u, "http://a/b", 1, 1);
	u.parts.https = 1;
	ok &= frontier_push(f, &u, 0) == FAULT_ARG;
	frontsim_url(&u, "http://a/b", 1, 1);
	u.parts.port = 81;
	ok &= frontier_push(f, &u, 0) == FAULT_ARG;
	tap_ok(t, ok && frontier_empty(f),
	    "what url_normalise() can't have made is refused");
	frontier_free(f);
}

/* Every answer takes 100 ms. */
static void
quick(struct frontsim *s, const struct frontier_job *j,
    struct frontsim_answer *a)
{
	(void)s;
	(void)j;
	a->ms = 100;
}

/* 1000 hosts, 0.5 s apart: never closer, and never much later either. */
static void
thousand(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	char url[64];
	uint64_t n = 0, least = UINT64_MAX;

	frontsim_opts(&o);
	o.delay = 500;
	o.allowed = all_allowed;
	frontsim_init(&s, &o, 1000, 1000, 1000 * 200);
	s.gap_us = 500 * 1000 / 8;
	s.room = 1000;
	s.answer = quick;
	for (int i = 0; i < 200; i++) {
		for (int h = 0; h < 1000; h++) {
			snprintf(url, sizeof url, "http://h%d.example/%d", h,
			    i);
			frontsim_push(&s, url, n++, 1);
		}
	}
	frontsim_run(&s, 60 * 1000);
	for (uint32_t h = 1; h <= 1000; h++)
		if (s.host[h].pages < least)
			least = s.host[h].pages;
	tap_ok(t, least >= 118, "each of 1000 hosts served in each 0.5 s: %llu",
	    (unsigned long long)least);
	frontsim_run(&s, INT64_MAX);
	tap_ok(t, frontsim_faults(&s) == 0, "and never sooner");
	tap_ok(t, frontsim_missing(&s, n) == 0 && frontier_empty(s.f),
	    "200,000 URLs came out once each, in %lld s",
	    (long long)(s.now / 1000));
	frontsim_free(&s);
}

static void
one_address(struct frontsim *s, const struct frontier_job *j,
    struct frontsim_answer *a)
{
	(void)s;
	a->ms = j->kind == FRONTIER_PAGE ? 50 : 0;
	a->addr = frontsim_addr(0);
}

/* A million hosts behind one address: neither starved nor hammered. */
static void
million(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	uint32_t hosts = 1000000, served = 0;
	char url[64];

	frontsim_opts(&o);
	frontsim_init(&s, &o, hosts, 1, hosts * 2);
	s.room = 1000;
	s.answer = one_address;
	s.gap_us = 8; /* 1 s / (1,000,000 / 8), exactly */
	for (uint32_t i = 0; i < hosts * 2; i++) {
		snprintf(url, sizeof url, "http://h%u.example/%u", i % hosts,
		    i / hosts);
		frontsim_push(&s, url, i, 1);
	}
	frontsim_run(&s, 600 * 1000);
	for (uint32_t h = 1; h <= hosts; h++)
		served += s.host[h].pages > 0;
	tap_ok(t, frontsim_faults(&s) == 0,
	    "a million hosts at one address: gap and 64 in flight kept");
	/* 64 in flight for 50 ms each are 1280 pages a second. */
	tap_ok(t,
	    s.pages > 1280 * 590 && served >= s.pages &&
		served <= s.pages + LIMIT_ADDR_FLIGHT,
	    "and %llu pages of as many hosts in 600 s",
	    (unsigned long long)s.pages);
	frontsim_run(&s, INT64_MAX);
	tap_ok(t, frontsim_missing(&s, hosts * 2) == 0, "nothing is lost");
	frontsim_free(&s);
}

/* With few hosts there the address is asked eight times a delay at most. */
static void
address_gap(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	char url[64];

	frontsim_opts(&o);
	frontsim_init(&s, &o, 32, 1, 320);
	s.answer = one_address;
	s.gap_us = 125 * 1000;
	for (unsigned int i = 0; i < 320; i++) {
		snprintf(url, sizeof url, "http://h%u.example/%u", i % 32, i);
		frontsim_push(&s, url, i, 1);
	}
	frontsim_run(&s, INT64_MAX);
	tap_ok(t,
	    frontsim_faults(&s) == 0 && s.pages == 320 && s.now >= 319 * 125 &&
		s.now < 325 * 125,
	    "32 hosts at an address share its gap of delay / 8");
	frontsim_free(&s);

	o.ip_delay = 40;
	frontsim_init(&s, &o, 100, 1, 100);
	s.answer = one_address;
	s.gap_us = 40 * 1000;
	/* One after the other: the gap outlives its hosts. */
	for (unsigned int i = 0; i < 100; i++) {
		snprintf(url, sizeof url, "http://h%u.example/", i);
		frontsim_push(&s, url, i, 1);
		frontsim_run(&s, s.now + 1);
	}
	frontsim_run(&s, INT64_MAX);
	tap_ok(t,
	    frontsim_faults(&s) == 0 && s.pages == 100 && s.now >= 99 * 40,
	    "--ip-delay is kept, by hosts that come and go");
	frontsim_free(&s);
}

static void
sloth(struct frontsim *s, const struct frontier_job *j,
    struct frontsim_answer *a)
{
	(void)s;
	a->ms = j->host == 1 && j->kind == FRONTIER_PAGE ? 30000 : 10;
}

static void
slow(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	char url[64];
	uint64_t n = 0;

	frontsim_opts(&o);
	frontsim_init(&s, &o, 3, 3, 3000);
	s.room = 2;
	s.answer = sloth;
	for (int i = 0; i < 1000; i++) {
		for (int h = 0; h < 3; h++) {
			snprintf(url, sizeof url, "http://h%d.example/%d", h,
			    i);
			frontsim_push(&s, url, n++, 1);
		}
	}
	frontsim_run(&s, 1002 * 1000);
	tap_ok(t,
	    s.host[1].pages <= 34 && s.host[2].pages == 1000 &&
		s.host[3].pages == 1000 && frontsim_faults(&s) == 0,
	    "a host of 30 s a page holds up no other");
	frontsim_free(&s);
}

struct order {
	char text[128];
	size_t n;
};

static void
note(struct frontsim *s, const struct frontier_job *j,
    enum frontier_outcome outcome)
{
	struct order *o = s->ctx;

	(void)outcome;
	if (o->n < sizeof o->text - 1)
		o->text[o->n++] = (char)('0' + j->lane);
}

static void
lanes(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	struct order order = { "", 0 };
	char url[64];

	frontsim_opts(&o);
	frontsim_init(&s, &o, 1, 1, 60);
	s.answer = quick;
	s.came = note;
	s.ctx = &order;
	for (unsigned int i = 0; i < 60; i++) {
		snprintf(url, sizeof url, "http://h.example/%u", i);
		frontsim_push(&s, url, i, i % 3);
	}
	frontsim_run(&s, INT64_MAX);
	tap_ok(t,
	    strcmp(order.text,
		"0000100001000010000100001"
		"111111111111111"
		"22222222222222222222") == 0,
	    "lanes are served 4 : 1, the third at the end");
	tap_diag("%s", order.text);
	frontsim_free(&s);
}

/* First in, first out within a lane. */
static void
note_order(struct frontsim *s, const struct frontier_job *j,
    enum frontier_outcome outcome)
{
	uint64_t *last = s->ctx;

	(void)outcome;
	if (j->ordinal != *last + 1)
		s->errors++;
	*last = j->ordinal;
}

static void
fifo(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	uint64_t last = 0;
	static char url[70000];

	frontsim_opts(&o);
	frontsim_init(&s, &o, 1, 1, 4001);
	s.came = note_order;
	s.ctx = &last;
	for (unsigned int i = 1; i <= 4000; i++) {
		size_t n =
		    (size_t)snprintf(url, 64, "http://h.example/%u/", i / 7);

		/* Now and then one that needs blocks of its own. */
		if (i % 50 == 0) {
			memset(url + n, 'x', i * 10);
			n += i * 10;
		}
		snprintf(url + n, 32, "%u", i);
		frontsim_push(&s, url, i, 1);
	}
	frontsim_run(&s, INT64_MAX);
	tap_ok(t, frontsim_faults(&s) == 0 && last == 4000,
	    "first in, first out, with URLs of 40,000 bytes among them");
	frontsim_free(&s);
}

/* The next job of one frontier with one host at `now'; its kind or 0. */
static unsigned int
next(struct frontier *f, struct frontier_job *j, int64_t now)
{
	int rc = frontier_next(f, now, j);

	return rc == 1 ? j->kind : 0;
}

/* A page whose request is over, but not yet journaled. */
static void
two_steps(struct tap *t)
{
	struct frontier_addr a = frontsim_addr(1);
	struct frontier_job first, job;
	struct frontier_opts o;
	struct frontier_stat st;
	struct frontier_url u;
	struct frontier *f;
	int good;

	frontsim_opts(&o);
	o.delay = 10;
	if (frontier_new(&f, &o) < 0)
		return;
	for (unsigned int i = 0; i < 2; i++) {
		frontsim_url(&u, i == 0 ? "http://h/0" : "http://h/1", i, 1);
		good = frontier_push(f, &u, 0) == 0;
	}
	good &= next(f, &job, 0) == FRONTIER_RESOLVE &&
	    frontier_resolved(f, job.id, &a, 1, 3600000, 0) == 0 &&
	    next(f, &first, 0) == FRONTIER_PAGE;
	tap_ok(t, good && frontier_release(f, first.id, 0) == FAULT_ARG,
	    "what is in flight can't be released");
	good = frontier_started(f, first.id, 7) == 0 &&
	    frontier_fetched(f, first.id, FRONTIER_OK, -1, 8) == 1 &&
	    next(f, &job, 16) == 0 && next(f, &job, 17) == FRONTIER_PAGE;
	tap_ok(t, good,
	    "a page that is fetched frees its host, whose delay counts "
	    "from the request's start");
	frontier_stat(f, &st);
	tap_ok(t,
	    st.flight[FRONTIER_PAGE] == 1 && st.finished == 0 &&
		frontier_done(f, first.id, FRONTIER_OK, -1, 18) == FAULT_ARG &&
		frontier_done(f, job.id, FRONTIER_OK, -1, 18) == 1 &&
		!frontier_empty(f),
	    "but it is not finished");
	good = frontier_release(f, first.id, 19) == 0 &&
	    frontier_release(f, first.id, 19) == FAULT_ARG;
	frontier_stat(f, &st);
	tap_ok(t, good && st.finished == 2 && frontier_empty(f),
	    "until it is released");
	frontier_free(f);
}

int
main(void)
{
	struct tap t = { 0, 0 };

	way(&t);
	refused(&t);
	thousand(&t);
	million(&t);
	address_gap(&t);
	slow(&t);
	lanes(&t);
	fifo(&t);
	two_steps(&t);
	return tap_done(&t);
}
