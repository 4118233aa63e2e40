/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fetchbench.h - an HTTP engine for tests, and what came of each fetch
 */

#ifndef TESTS_FETCHBENCH_H
#define TESTS_FETCHBENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crawler/fetch.h"
#include "crawler/loop.h"
#include "tests/faultserver.h"

/* What a finished fetch left; the bytes are ours. */
struct fetchbench_got {
	struct fetch_result r;
	char *head, *body, *request;
	int order;
};

struct fetchbench {
	struct loop *loop;
	struct fetch *fetch;
	struct fetchbench_got got[512];
	int done;
};

static inline char *
fetchbench_copy(const char *s, size_t len)
{
	char *p = calloc(1, len + 1);

	if (p == NULL)
		exit(99);
	if (len > 0)
		memcpy(p, s, len);
	return p;
}

static inline void
fetchbench_done(void *ctx, const struct fetch_result *r)
{
	struct fetchbench *b = ctx;
	struct fetchbench_got *g = &b->got[(intptr_t)r->arg];

	free(g->head);
	free(g->body);
	free(g->request);
	g->r = *r;
	g->head = fetchbench_copy(r->head, r->head_len);
	g->body = fetchbench_copy(r->body, r->body_len);
	g->request = fetchbench_copy(r->request, r->request_len);
	g->order = b->done++;
}

static inline void
fetchbench_opts(struct fetch_opts *o)
{
	memset(o, 0, sizeof *o);
	o->agent = "test/1.0";
	o->max_active = 100;
	o->budget = 64 * 1024 * 1024;
	o->timeout_ms = 600;
	o->whole_ms = 5000;
	o->stall_rate = 1000;
	o->stall_ms = 500;
}

static inline void
fetchbench_open(struct fetchbench *b, const struct fetch_opts *o)
{
	memset(b, 0, sizeof *b);
	if (loop_new(&b->loop) < 0 ||
	    fetch_open(&b->fetch, b->loop, o, fetchbench_done, b) < 0)
		exit(99);
}

static inline void
fetchbench_close(struct fetchbench *b)
{
	size_t i;

	fetch_close(b->fetch);
	loop_free(b->loop);
	for (i = 0; i < sizeof b->got / sizeof b->got[0]; i++) {
		free(b->got[i].head);
		free(b->got[i].body);
		free(b->got[i].request);
	}
}

static inline void
fetchbench_start(struct fetchbench *b, int slot, const char *url,
    const char *ip, uint16_t to_port, size_t max_body)
{
	struct fetch_job j;
	struct ip at;
	const char *host = strstr(url, "://") + 3, *end;

	memset(&j, 0, sizeof j);
	j.url = url;
	j.url_len = strlen(url);
	if (strchr(host, '@') != NULL)
		host = strchr(host, '@') + 1;
	j.host = host;
	end = host + strcspn(host, ":/");
	j.host_len = (size_t)(end - host);
	j.port = *end == ':' ? (uint16_t)strtoul(end + 1, NULL, 10) : 80;
	j.to_port = to_port;
	if (ip != NULL && ip_parse(&at, ip, strlen(ip))) {
		j.ip = &at;
		j.ips = 1;
	}
	j.max_body = max_body == 0 ? 1024 * 1024 : max_body;
	j.arg = (void *)(intptr_t)slot;
	if (fetch_start(b->fetch, &j) < 0)
		exit(99);
}

static inline void
fetchbench_run(struct fetchbench *b, int until)
{
	struct timespec t0, t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t0);
	while (b->done < until) {
		if (loop_turn(b->loop, 100) < 0)
			exit(99);
		(void)clock_gettime(CLOCK_MONOTONIC, &t);
		if (t.tv_sec - t0.tv_sec > 20)
			break;
	}
}

/* One fetch of `path' from the server, its result. */
static inline struct fetchbench_got *
fetchbench_one(struct fetchbench *b, const struct faultserver *s,
    const char *path)
{
	char url[256];
	int slot = b->done;

	(void)snprintf(url, sizeof url, "http://127.0.0.1:%u%s", s->port, path);
	fetchbench_start(b, slot, url, NULL, 0, 0);
	fetchbench_run(b, slot + 1);
	return &b->got[slot];
}

#endif
