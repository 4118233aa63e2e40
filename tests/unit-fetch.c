/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <curl/curl.h>

#include "crawler/addrguard.h"
#include "crawler/fetch.h"
#include "crawler/httphead.h"
#include "crawler/loop.h"
#include "tests/faultserver.h"
#include "tests/fetchbench.h"
#include "tests/tap.h"

struct want {
	const char *path;
	enum fetch_error error;
	int status;
	const char *body;
	enum warc_cut cut;
};

/* A path, and what must come of it. */
static void
table(struct tap *t, struct faultserver *s)
{
	static const struct want row[] = {
		{ "/ok", FETCH_OK, 200, "hello", WARC_WHOLE },
		{ "/chunked", FETCH_OK, 200, "hello world", WARC_WHOLE },
		{ "/early", FETCH_OK, 200, "ok", WARC_WHOLE },
		{ "/empty", FETCH_OK, 204, "", WARC_WHOLE },
		{ "/busy", FETCH_OK, 503, "", WARC_WHOLE },
		{ "/moved", FETCH_OK, 301, "", WARC_WHOLE },
		{ "/none", FETCH_OK, 404, "no\n", WARC_WHOLE },
		{ "/toend", FETCH_OK, 200, "until the end", WARC_WHOLE },
		{ "/reset", FETCH_RESET, 0, "", WARC_WHOLE },
		{ "/close", FETCH_RESET, 0, "", WARC_WHOLE },
		{ "/halfhead", FETCH_RESET, 0, "", WARC_WHOLE },
		{ "/short", FETCH_SHORT, 200, "part", WARC_DISCONNECT },
		{ "/badchunk", FETCH_SHORT, 200, "hello", WARC_DISCONNECT },
		{ "/garbage", FETCH_PROTOCOL, 0, "", WARC_WHOLE },
		{ "/longhead", FETCH_HEAD, 0, "", WARC_WHOLE },
		{ "/longline", FETCH_HEAD, 0, "", WARC_WHOLE },
		{ "/hang", FETCH_TIMEOUT_FIRST, 0, "", WARC_WHOLE },
		{ "/stall", FETCH_TIMEOUT_STALL, 200, "part", WARC_TIME },
		{ "/driphead", FETCH_TIMEOUT_STALL, 0, "", WARC_WHOLE },
	};
	struct fetch_opts o;
	struct fetchbench b;
	size_t i;

	fetchbench_opts(&o);
	fetchbench_open(&b, &o);
	for (i = 0; i < sizeof row / sizeof row[0]; i++) {
		const struct want *w = &row[i];
		struct fetchbench_got *g = fetchbench_one(&b, s, w->path);

		if (!tap_ok(t,
			g->r.error == w->error && g->r.status == w->status &&
			    g->r.body_len == strlen(w->body) &&
			    memcmp(g->body, w->body, g->r.body_len) == 0 &&
			    g->r.cut == w->cut &&
			    (w->error == FETCH_OK) == (g->r.why[0] == '\0'),
			"%s", w->path))
			tap_diag("error %s (%s), status %d, body %zu, cut %d",
			    fetch_error_name(g->r.error), g->r.why, g->r.status,
			    g->r.body_len, (int)g->r.cut);
	}
	fetchbench_close(&b);
}

static void
details(struct tap *t, struct faultserver *s)
{
	struct fetch_stat st;
	struct fetch_opts o;
	struct fetchbench b;
	struct fetchbench_got *g;
	char ip[IP_TEXT];
	const char *v;
	size_t from = 0, n;

	fetchbench_opts(&o);
	fetchbench_open(&b, &o);
	g = fetchbench_one(&b, s, "/early");
	tap_ok(t,
	    strstr(g->head, "103") == NULL &&
		strstr(g->head, "X-Real: 1\r\n\r\n") != NULL &&
		httphead_status(g->head, g->r.head_len) == 200,
	    "the head of an interim response is not kept");
	tap_ok(t,
	    strcmp(ip_text(&g->r.ip, ip), "127.0.0.1") == 0 &&
		g->r.port == s->port && !g->r.reused && g->r.ms < 1000 &&
		g->r.start_us > INT64_C(1700000000000000),
	    "address, port and times");
	g = fetchbench_one(&b, s, "/busy");
	tap_ok(t, g->r.reused, "the connection is used again");
	tap_ok(t, httphead_retry_after(g->head, g->r.head_len, 0) == 7000,
	    "Retry-After in seconds");
	g = fetchbench_one(&b, s, "/moved");
	tap_ok(t,
	    httphead_field(g->head, g->r.head_len, "location", &from, &v, &n) &&
		n == 3 && memcmp(v, "/ok", 3) == 0,
	    "Location is there and was not followed");
	g = fetchbench_one(&b, s, "/chunked");
	tap_ok(t, strstr(g->head, "X-Trailer") == NULL,
	    "trailers are no part of the head");
	fetch_stat(b.fetch, &st);
	tap_ok(t,
	    st.connections == 1 && st.reused == 3 && st.started == 4 &&
		st.finished == 4 && st.active == 0 && st.held == 0,
	    "figures");
	fetchbench_close(&b);
}

/* The request as we archive it is the request that the server got. */
/* A connection that was kept and is closed without an answer. */
static void
stale(struct tap *t, struct faultserver *s)
{
	static const enum fetch_error want[] = { FETCH_STALE, FETCH_RESET,
		FETCH_STALE, FETCH_RESET };
	struct fetch_opts o;
	struct fetchbench b;
	size_t i;
	int before, bad = 0;

	fetchbench_opts(&o);
	fetchbench_open(&b, &o);
	for (i = 0; i < sizeof want / sizeof want[0]; i++) {
		if (fetchbench_one(&b, s, "/ok")->r.error != FETCH_OK)
			bad++;
		before = atomic_load(&s->requests);
		if (fetchbench_one(&b, s, "/close")->r.error != want[i])
			bad++;
		if (atomic_load(&s->requests) != before + 1)
			bad++;
	}
	tap_ok(t, bad == 0,
	    "stale: not asked again behind our back, and not for ever");
	before = atomic_load(&s->requests);
	tap_ok(t,
	    fetchbench_one(&b, s, "/close")->r.error == FETCH_RESET &&
		atomic_load(&s->requests) == before + 1,
	    "stale: a new connection is not");
	fetchbench_close(&b);
}

static void
requests(struct tap *t, struct faultserver *s)
{
	static const char *const extra[] = { "X-One: 1", "Accept:", "X-Empty;",
		"accept-encoding: gzip" };
	static const char *const bad[] = { "Host: x", "no colon",
		"X: a\r\nY: b" };
	struct fetch_opts o;
	struct fetchbench b;
	struct fetch *f;
	struct fetchbench_got *g;
	char url[128];
	size_t i;
	int ok;

	fetchbench_opts(&o);
	fetchbench_open(&b, &o);
	g = fetchbench_one(&b, s, "/echo?a=b&c|d");
	if (!tap_ok(t,
		g->r.status == 200 && g->r.request_len == g->r.body_len &&
		    memcmp(g->request, g->body, g->r.body_len) == 0,
		"request: as sent"))
		tap_diag("%s / %s", g->request, g->body);
	(void)snprintf(url, sizeof url, "http://me:p%%41ss@127.0.0.1:%u/echo",
	    s->port);
	fetchbench_start(&b, 1, url, NULL, 0, 0);
	fetchbench_run(&b, 2);
	g = &b.got[1];
	tap_ok(t,
	    strstr(g->body, "Authorization: Basic ") != NULL &&
		strcmp(g->request, g->body) == 0,
	    "request: with a password");
	g = fetchbench_one(&b, s, "/echo");
	tap_ok(t,
	    strstr(g->body, "Authorization") == NULL &&
		strcmp(g->request, g->body) == 0,
	    "request: and the next without");
	fetchbench_close(&b);

	o.extra = extra;
	o.n_extra = 4;
	fetchbench_open(&b, &o);
	g = fetchbench_one(&b, s, "/echo");
	if (!tap_ok(t,
		strcmp(g->request, g->body) == 0 &&
		    strstr(g->body, "X-One: 1\r\n") != NULL &&
		    strstr(g->body, "X-Empty:\r\n") != NULL &&
		    strstr(g->body, "Accept:") == NULL &&
		    strstr(g->body, "accept-encoding: gzip\r\n") != NULL,
		"request: -H adds, empties, removes, replaces"))
		tap_diag("%s / %s", g->request, g->body);
	fetchbench_close(&b);
	if (loop_new(&b.loop) < 0)
		exit(99);
	for (ok = 0, i = 0; i < 3; i++) {
		o.extra = &bad[i];
		o.n_extra = 1;
		ok += fetch_open(&f, b.loop, &o, fetchbench_done, &b) ==
		    FAULT_ARG;
	}
	tap_ok(t, ok == 3, "request: what is no field is refused");
	loop_free(b.loop);
}

static void
limits(struct tap *t, struct faultserver *s)
{
	struct fetch_opts o;
	struct fetchbench b;
	struct fetchbench_got *g;
	char url[128];

	fetchbench_opts(&o);
	fetchbench_open(&b, &o);
	(void)snprintf(url, sizeof url, "http://127.0.0.1:%u/big?40000000",
	    s->port);
	fetchbench_start(&b, 0, url, NULL, 0, 100000);
	fetchbench_run(&b, 1);
	g = &b.got[0];
	tap_ok(t,
	    g->r.error == FETCH_OK && g->r.cut == WARC_LENGTH &&
		g->r.body_len == 100000 && g->r.wire_bytes < 400000,
	    "40 MB are cut at the limit, and not fetched");
	(void)snprintf(url, sizeof url, "http://127.0.0.1:%u/big?100000",
	    s->port);
	fetchbench_start(&b, 1, url, NULL, 0, 100000);
	fetchbench_run(&b, 2);
	tap_ok(t, b.got[1].r.cut == WARC_WHOLE && b.got[1].r.body_len == 100000,
	    "as long as the limit is whole");
	fetchbench_start(&b, 2, "http://127.0.0.1:1/", NULL, 0, 0);
	fetchbench_run(&b, 3);
	tap_ok(t,
	    b.got[2].r.error == FETCH_CONNECT &&
		strchr(b.got[2].r.why, '\n') == NULL,
	    "nobody listens");
	fetchbench_close(&b);

	o.whole_ms = 700;
	o.stall_rate = 10;
	fetchbench_open(&b, &o);
	g = fetchbench_one(&b, s, "/drip");
	tap_ok(t,
	    g->r.error == FETCH_TIMEOUT && g->r.cut == WARC_TIME &&
		g->r.body_len > 5 && g->r.ms >= 700 && g->r.ms < 3000,
	    "the whole has a deadline; what came is kept");
	fetchbench_close(&b);
}

/*
 * Four transfers with slow second halves and a budget for one: all end
 * whole, the budget holds but for the oldest, and pauses cost nobody a
 * deadline.
 */
static void
budget(struct tap *t, struct faultserver *s)
{
	struct fetch_stat st;
	struct fetch_opts o;
	struct fetchbench b;
	char url[128];
	size_t most = 0;
	int i, good = 1, paused = 0, waited = 0;

	fetchbench_opts(&o);
	o.budget = 300000;
	o.timeout_ms = 5000;
	o.whole_ms = 20000;
	fetchbench_open(&b, &o);
	(void)snprintf(url, sizeof url, "http://127.0.0.1:%u/gate", s->port);
	for (i = 0; i < 12; i++)
		fetchbench_start(&b, i, url, NULL, 0, 500000);
	for (i = 0; b.done < 12 && i < 20000; i++) {
		if (loop_turn(b.loop, 10) < 0)
			exit(99);
		fetch_stat(b.fetch, &st);
		most = st.held > most ? st.held : most;
		paused += st.paused > 0;
		waited += st.waiting > 0;
	}
	for (i = 0; i < 12; i++)
		good = good && b.got[i].r.error == FETCH_OK &&
		    b.got[i].r.body_len == 400000 &&
		    b.got[i].body[399999] == 'g';
	tap_ok(t, b.done == 12 && good, "all bodies arrive whole");
	tap_ok(t, most <= 300000 + 500000,
	    "held at most the budget and one body (%zu)", most);
	tap_ok(t, paused > 0 && waited > 0, "some paused, some waited");
	fetchbench_close(&b);
}

static void
guard(struct tap *t, struct faultserver *s)
{
	struct addrguard *g = NULL;
	struct fetch_opts o;
	struct fetchbench b;
	char url[128];
	int before;

	if (addrguard_new(&g) < 0)
		exit(99);
	fetchbench_opts(&o);
	o.guard = g;
	fetchbench_open(&b, &o);
	before = atomic_load(&s->accepted);
	(void)fetchbench_one(&b, s, "/ok");
	tap_ok(t,
	    b.got[0].r.error == FETCH_GUARD &&
		strstr(b.got[0].r.why, "loopback") != NULL,
	    "loopback is refused: %s", b.got[0].r.why);
	(void)snprintf(url, sizeof url, "http://evil.test:%u/ok", s->port);
	fetchbench_start(&b, 1, url, "127.0.0.1", 0, 0);
	fetchbench_run(&b, 2);
	tap_ok(t, b.got[1].r.error == FETCH_GUARD, "under a name too");
	fetchbench_start(&b, 2, "http://evil.test/ok", "::ffff:127.0.0.1",
	    s->port, 0);
	fetchbench_run(&b, 3);
	tap_ok(t, b.got[2].r.error == FETCH_GUARD, "and mapped into IPv6");
	tap_ok(t, atomic_load(&s->accepted) == before,
	    "and no connection was made");
	if (addrguard_allow_host(g, "good.test", 9) < 0)
		exit(99);
	fetchbench_start(&b, 3, "http://good.test/ok", "127.0.0.1", s->port, 0);
	fetchbench_run(&b, 4);
	tap_ok(t,
	    b.got[3].r.error == FETCH_OK &&
		strncmp(b.got[3].request,
		    "GET /ok HTTP/1.1\r\nHost: good.test\r\n", 35) == 0,
	    "a host that the user named, sent to another port");
	fetchbench_start(&b, 4, "http://evil.test/ok", "127.0.0.1", s->port, 0);
	fetchbench_run(&b, 5);
	tap_ok(t, b.got[4].r.error == FETCH_GUARD,
	    "which lets no other host through");
	addrguard_allow_all(g);
	fetchbench_start(&b, 5, "http://192.0.2.1:81/ok", "127.0.0.1", s->port,
	    0);
	fetchbench_run(&b, 6);
	tap_ok(t, b.got[5].r.error == FETCH_OK,
	    "a literal address sent elsewhere by the user");
	fetchbench_close(&b);
	addrguard_free(g);
}

/* Many hosts at one server, far more than may be active. */
static void
many(struct tap *t, struct faultserver *s)
{
	static struct fetchbench b;
	struct fetch_stat st;
	struct fetch_opts o;
	char url[128];
	unsigned int most = 0;
	int i, good = 1;

	fetchbench_opts(&o);
	o.max_active = 20;
	o.timeout_ms = 10000;
	fetchbench_open(&b, &o);
	for (i = 0; i < 500; i++) {
		(void)snprintf(url, sizeof url, "http://h%d.test/ok", i % 125);
		fetchbench_start(&b, i, url, "127.0.0.1", s->port, 0);
	}
	while (b.done < 500) {
		if (loop_turn(b.loop, 1000) < 0)
			exit(99);
		fetch_stat(b.fetch, &st);
		most = st.active > most ? st.active : most;
	}
	for (i = 0; i < 500; i++)
		good = good && b.got[i].r.error == FETCH_OK;
	tap_ok(t, good, "500 fetches from 125 hosts");
	tap_ok(t, most == 20, "20 at a time");
	for (i = 500; i < 510; i++)
		fetchbench_start(&b, i, "http://h1.test/hang", "127.0.0.1",
		    s->port, 0);
	b.done = 0;
	if (loop_turn(b.loop, 100) < 0)
		exit(99);
	fetch_stop(b.fetch);
	for (good = 1, i = 500; i < 510; i++)
		good = good && b.got[i].r.error == FETCH_STOPPED;
	tap_ok(t, good && b.done == 10, "all stopped at once");
	fetchbench_close(&b);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	struct faultserver s;

	if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0)
		return 99;
	faultserver_start(&s);
	table(&t, &s);
	details(&t, &s);
	requests(&t, &s);
	stale(&t, &s);
	limits(&t, &s);
	budget(&t, &s);
	guard(&t, &s);
	many(&t, &s);
	faultserver_stop(&s);
	curl_global_cleanup();
	return tap_done(&t);
}
