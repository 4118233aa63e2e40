/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <time.h>

#include "crawler/dns.h"
#include "crawler/loop.h"
#include "tests/dnsserver.h"
#include "tests/tap.h"

static const struct dnsname names[] = {
	{ "one.test", "192.0.2.1", 1000 },
	{ "both.test", "2001:db8::1 192.0.2.2 192.0.2.3", 1000 },
	{ "six.test", "2001:db8::6", 1000 },
	{ "short.test", "192.0.2.4", 0 },
	{ "many.test",
	    "10.0.0.1 10.0.0.2 10.0.0.3 10.0.0.4 10.0.0.5 10.0.0.6 10.0.0.7 "
	    "10.0.0.8 10.0.0.9 ::1 ::2 ::3 ::4",
	    1000 },
	{ "none.test", "", 1000 },
	{ "fail.test", "fail", 0 },
	{ "drop.test", "drop", 0 },
	{ "late.test", "late", 0 },
	{ "junk.test", "junk", 0 },
	{ NULL, NULL, 0 },
};

struct got {
	int calls;
	enum dns_status status;
	int cached;
	char text[512]; /* addresses with blanks between */
};

struct bench {
	struct loop *loop;
	struct dns *dns;
};

static void
on_done(void *arg, const struct dns_answer *a)
{
	struct got *g = arg;
	char ip[IP_TEXT];
	unsigned int i;
	size_t n = 0;

	g->calls++;
	g->status = a->status;
	g->cached = a->cached;
	g->text[0] = '\0';
	for (i = 0; i < a->ips; i++)
		n += (size_t)snprintf(g->text + n, sizeof g->text - n, "%s%s",
		    i == 0 ? "" : " ", ip_text(&a->ip[i], ip));
}

static void
bench_open(struct bench *b, const struct dnsserver *s, struct dns_opts *o)
{
	char server[64];

	(void)snprintf(server, sizeof server, "127.0.0.1:%u", s->port);
	o->servers = server;
	if (loop_new(&b->loop) < 0 || dns_open(&b->dns, b->loop, o) < 0)
		exit(99);
}

static void
bench_close(struct bench *b)
{
	dns_close(b->dns);
	loop_free(b->loop);
}

static void
ask(struct bench *b, const char *name, struct got *g)
{
	if (dns_resolve(b->dns, name, strlen(name), on_done, g) < 0)
		exit(99);
}

static void
run(struct bench *b, const struct got *g, int calls)
{
	int i;

	for (i = 0; g->calls < calls && i < 400; i++)
		if (loop_turn(b->loop, 20) < 0)
			exit(99);
}

static const char *
look(struct bench *b, const char *name, struct got *g)
{
	memset(g, 0, sizeof *g);
	ask(b, name, g);
	run(b, g, 1);
	return g->text;
}

static void
pass(struct bench *b, int ms)
{
	struct timespec t0, t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t0);
	do {
		if (loop_turn(b->loop, 20) < 0)
			exit(99);
		(void)clock_gettime(CLOCK_MONOTONIC, &t);
	} while (
	    (t.tv_sec - t0.tv_sec) * 1000 + (t.tv_nsec - t0.tv_nsec) / 1000000 <
	    ms);
}

static void
answers(struct tap *t, struct dnsserver *s)
{
	struct dns_opts o = { 0 };
	struct dns_stat st;
	struct bench b;
	struct got g;
	int before;

	bench_open(&b, s, &o);
	tap_ok(t,
	    strcmp(look(&b, "one.test", &g), "192.0.2.1") == 0 &&
		g.status == DNS_OK && !g.cached,
	    "an address");
	before = atomic_load(&s->queries);
	tap_ok(t,
	    strcmp(look(&b, "one.test", &g), "192.0.2.1") == 0 && g.cached &&
		atomic_load(&s->queries) == before,
	    "the second time from the cache");
	tap_ok(t,
	    strcmp(look(&b, "both.test", &g),
		"192.0.2.2 192.0.2.3 2001:db8::1") == 0,
	    "both families, IPv4 first (%s)", g.text);
	tap_ok(t, strcmp(look(&b, "six.test", &g), "2001:db8::6") == 0,
	    "only IPv6");
	tap_ok(t,
	    strcmp(look(&b, "many.test", &g),
		"10.0.0.1 10.0.0.2 10.0.0.3 10.0.0.4 10.0.0.5 10.0.0.6 "
		"::1 ::2") == 0,
	    "eight at most, some of both");
	(void)look(&b, "nowhere.test", &g);
	tap_ok(t, g.status == DNS_NONE && g.text[0] == '\0', "no such name");
	(void)look(&b, "none.test", &g);
	tap_ok(t, g.status == DNS_NONE, "a name without addresses");
	(void)look(&b, "fail.test", &g);
	tap_ok(t, g.status == DNS_FAIL, "a server that fails (%s)",
	    dns_status_str(g.status));
	before = atomic_load(&s->queries);
	(void)look(&b, "fail.test", &g);
	(void)look(&b, "nowhere.test", &g);
	tap_ok(t, g.cached && atomic_load(&s->queries) == before,
	    "failures are kept too");
	dns_stat(b.dns, &st);
	tap_ok(t,
	    st.queries == 7 && st.hits == 3 && st.failed == 3 && st.cached == 7,
	    "figures");
	bench_close(&b);
}

static void
without_server(struct tap *t, struct dnsserver *s)
{
	static const struct {
		const char *name;
		enum dns_status status;
		const char *text;
	} row[] = {
		{ "127.0.0.1", DNS_OK, "127.0.0.1" },
		{ "2001:db8::1", DNS_OK, "2001:db8::1" },
		{ "localhost", DNS_OK, "127.0.0.1 ::1" },
		{ "a.LOCALHOST.", DNS_OK, "127.0.0.1 ::1" },
		{ "x.onion", DNS_NONE, "" },
		{ "", DNS_BAD, "" },
	};
	struct dns_opts o = { 0 };
	char name[400];
	struct bench b;
	struct got g;
	size_t i;
	int before = atomic_load(&s->queries);

	bench_open(&b, s, &o);
	for (i = 0; i < sizeof row / sizeof row[0]; i++) {
		memset(&g, 0, sizeof g);
		ask(&b, row[i].name, &g);
		tap_ok(t,
		    g.calls == 1 && g.status == row[i].status &&
			strcmp(g.text, row[i].text) == 0,
		    "'%s' needs no server", row[i].name);
	}
	memset(name, 'a', sizeof name);
	name[300] = '\0';
	memset(&g, 0, sizeof g);
	ask(&b, name, &g);
	tap_ok(t, g.status == DNS_BAD, "too long a name");
	(void)look(&b, "a..b", &g);
	tap_ok(t, g.status != DNS_OK, "an empty label");
	tap_ok(t, atomic_load(&s->queries) == before, "and none was asked");
	bench_close(&b);
	o.family = 6;
	bench_open(&b, s, &o);
	memset(&g, 0, sizeof g);
	ask(&b, "127.0.0.1", &g);
	tap_ok(t, g.status == DNS_NONE, "-6 has no use for IPv4");
	ask(&b, "localhost", &g);
	tap_ok(t, strcmp(g.text, "::1") == 0, "-6: localhost");
	tap_ok(t, strcmp(look(&b, "both.test", &g), "2001:db8::1") == 0,
	    "-6: only that is asked for");
	bench_close(&b);
	o.servers = "nonsense";
	if (loop_new(&b.loop) < 0)
		exit(99);
	tap_ok(t, dns_open(&b.dns, b.loop, &o) == FAULT_ARG,
	    "a server list that is none");
	loop_free(b.loop);
}

static void
time_passes(struct tap *t, struct dnsserver *s)
{
	struct dns_opts o = { 0 };
	struct bench b;
	struct got g;
	int before;

	o.ttl_min_s = 1;
	o.ttl_max_s = 2;
	o.negative_s = 1;
	o.timeout_ms = 300;
	bench_open(&b, s, &o);
	(void)look(&b, "short.test", &g);
	(void)look(&b, "one.test", &g);
	(void)look(&b, "nowhere.test", &g);
	before = atomic_load(&s->queries);
	pass(&b, 1100);
	(void)look(&b, "one.test", &g);
	tap_ok(t, g.cached, "a long TTL is kept on");
	(void)look(&b, "short.test", &g);
	tap_ok(t,
	    !g.cached && g.status == DNS_OK &&
		atomic_load(&s->queries) == before + 2,
	    "a short one for the least time");
	(void)look(&b, "nowhere.test", &g);
	tap_ok(t, !g.cached && g.status == DNS_NONE,
	    "a missing name is asked for again");
	pass(&b, 1000);
	(void)look(&b, "one.test", &g);
	tap_ok(t, !g.cached, "a long one at most so long");
	(void)look(&b, "drop.test", &g);
	tap_ok(t, g.status == DNS_TIMEOUT, "no answer: the deadline");
	(void)look(&b, "late.test", &g);
	tap_ok(t, g.status == DNS_TIMEOUT, "too late an answer");
	bench_close(&b);
}

static void
many(struct tap *t, struct dnsserver *s)
{
	struct dns_opts o = { 0 };
	struct dns_stat st;
	struct bench b;
	struct got g, k;
	char name[64];
	int i;

	o.in_flight = 3;
	bench_open(&b, s, &o);
	memset(&g, 0, sizeof g);
	for (i = 0; i < 50; i++)
		ask(&b, "one.test", &g);
	run(&b, &g, 50);
	dns_stat(b.dns, &st);
	tap_ok(t, g.calls == 50 && st.queries == 1,
	    "fifty requests for one name are one query");
	memset(&g, 0, sizeof g);
	for (i = 0; i < 200; i++) {
		(void)snprintf(name, sizeof name, "n%d.test", i);
		ask(&b, name, &g);
	}
	dns_stat(b.dns, &st);
	tap_ok(t, st.queries == 4, "three in flight, no more");
	run(&b, &g, 200);
	tap_ok(t, g.calls == 200, "two hundred names through that");
	memset(&k, 0, sizeof k);
	ask(&b, "drop.test", &k);
	if (loop_turn(b.loop, 0) < 0)
		exit(99);
	bench_close(&b);
	tap_ok(t, k.calls == 0, "closing calls nobody back");
}

static void
nonsense(struct tap *t, struct dnsserver *s)
{
	struct dns_opts o = { 0 };
	struct bench b;
	struct got g;

	o.timeout_ms = 1000;
	bench_open(&b, s, &o);
	(void)look(&b, "junk.test", &g);
	tap_ok(t, g.calls == 1 && g.status != DNS_OK, "junk is no answer");
	(void)look(&b, "one.test", &g);
	tap_ok(t, g.status == DNS_OK, "and the next name works");
	bench_close(&b);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	struct dnsserver s;

	dnsserver_start(&s, names);
	answers(&t, &s);
	without_server(&t, &s);
	time_passes(&t, &s);
	many(&t, &s);
	nonsense(&t, &s);
	dnsserver_stop(&s);
	return tap_done(&t);
}
