/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Random webs: hosts that share addresses, fail, forbid, forget their names
 * and link to each other.  Whatever happens, each URL that is pushed comes
 * out once, and nobody is asked too soon or too much.
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "snapshot/limits.h"
#include "tests/frontsim.h"
#include "tests/tap.h"

#define HOSTS 40
#define ADDRS 7
#define URLS  4000

struct web {
	uint64_t pushed;
	uint64_t most;
	unsigned int trouble; /* of 100 requests */
	int watch;            /* hosts' delays are known to the model */
};

static int
some_allowed(void *ctx, const void *rules, size_t len, const char *path,
    size_t path_len)
{
	(void)ctx;
	return len == 0 || path_len == 0 ||
	    path[path_len - 1] != *(const char *)rules;
}

static void
push_random(struct frontsim *s, int links)
{
	struct web *w = s->ctx;
	char url[128];
	uint64_t x = frontsim_random(s);
	unsigned int host = (unsigned int)(x % HOSTS);

	if (w->pushed == w->most)
		return;
	/* Few hosts have most of the URLs. */
	host = host * host / HOSTS;
	snprintf(url, sizeof url, "http%s://%sh%u.example%s/%s%llu",
	    x >> 8 & 1 ? "s" : "", (x >> 9 & 15) == 0 ? "me@" : "", host,
	    (x >> 13 & 15) == 0 ? ":8080" : "", x >> 17 & 1 ? "dir/" : "",
	    (unsigned long long)w->pushed);
	frontsim_push(s, url, w->pushed++,
	    links ? (unsigned int)(x >> 20 & 31) == 0 : 1);
}

static void
trouble(struct frontsim *s, const struct frontier_job *j,
    struct frontsim_answer *a)
{
	struct web *w = s->ctx;
	static const char *const rules[] = { NULL, "7", "3" };
	uint64_t x = frontsim_random(s);
	int bad = x % 100 < w->trouble;

	x >>= 8;
	a->ms = (int64_t)(x % 3 == 0 ? x / 3 % 5000 : x % 100);
	x >>= 16;
	a->undone = bad && x % 7 == 0;
	x >>= 3;
	a->addr = frontsim_addr((uint32_t)(j->host % ADDRS));
	if (j->kind == FRONTIER_RESOLVE) {
		a->resolved = !bad;
		a->ttl = (int64_t)(x % 1000) * 1000;
		return;
	}
	a->outcome = bad ? (enum frontier_outcome)(x % 4 + 1) : FRONTIER_OK;
	if (bad && x % 3 == 0)
		a->retry_after = (int64_t)(x >> 8 & 0xffff);
	if (j->kind == FRONTIER_ROBOTS) {
		if (a->outcome == FRONTIER_REFUSED)
			a->outcome = FRONTIER_FAILED;
		a->rules = rules[x >> 24 & 1 ? 0 : j->host % 3];
		a->ttl = (int64_t)(x >> 25 & 0x3fffff);
		a->delay = x >> 50 & 1 ? 5000 : -1;
		if (x % 5 < 2 && j->hops < LIMIT_ROBOTS_HOPS)
			snprintf(a->to, sizeof a->to, "http%s://h%u.example",
			    x >> 23 & 1 ? "s" : "",
			    (unsigned int)((x >> 15 & 0xff) % HOSTS));
	}
}

static void
links(struct frontsim *s, const struct frontier_job *j,
    enum frontier_outcome outcome)
{
	uint64_t n = frontsim_random(s) % 4;

	if (j->kind != FRONTIER_PAGE || outcome != FRONTIER_OK)
		return;
	while (n-- > 0)
		push_random(s, 1);
}

static void
web(struct tap *t, uint64_t seed, unsigned int bad)
{
	struct frontier_opts o;
	struct frontsim s;
	struct web w = { .most = URLS, .trouble = bad };
	struct frontier_stat st;

	frontsim_opts(&o);
	o.per_host = (unsigned int)(seed % 3);
	o.delay = (uint32_t)(seed % 4 * 700);
	o.ip_delay = (int64_t)(seed % 5) * 50;
	o.allowed = some_allowed;
	o.host_pages = seed % 6 == 5 ? 100 : 0;
	frontsim_init(&s, &o, HOSTS * 4, ADDRS, URLS);
	s.ctx = &w;
	s.answer = trouble;
	s.came = links;
	s.gap_us = o.ip_delay * 1000;
	s.rng ^= seed * 0x9e3779b97f4a7c15U;
	s.room = 1 + (unsigned int)(seed % 50);
	for (int i = 0; i < 100; i++)
		push_random(&s, 0);
	for (int i = 0; i < 20; i++) {
		frontsim_run(&s, s.now + 60000);
		for (int k = 0; k < 100; k++)
			push_random(&s, 0);
	}
	frontsim_run(&s, INT64_MAX);
	frontier_stat(s.f, &st);
	tap_ok(t,
	    frontsim_faults(&s) == 0 && frontsim_missing(&s, w.pushed) == 0 &&
		frontier_empty(s.f) && st.queued == 0 &&
		st.addresses <= ADDRS && st.active == 0 &&
		st.pushed == w.pushed,
	    "web %llu, %u%% trouble: %llu URLs, %llu pages",
	    (unsigned long long)seed, bad, (unsigned long long)w.pushed,
	    (unsigned long long)s.pages);
	if (frontsim_faults(&s) > 0)
		tap_diag("close %llu %llu crowd %llu %llu twice %llu "
			 "errors %llu",
		    (unsigned long long)s.close_host,
		    (unsigned long long)s.close_addr,
		    (unsigned long long)s.crowd_host,
		    (unsigned long long)s.crowd_addr,
		    (unsigned long long)s.twice, (unsigned long long)s.errors);
	frontsim_free(&s);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	const char *longer = getenv("LONG");
	uint64_t n = longer != NULL && *longer != '\0' ? 2000 : 60;

	for (uint64_t seed = 1; seed <= n; seed++)
		web(&t, seed, (unsigned int)(seed * 7 % 60));
	return tap_done(&t);
}
