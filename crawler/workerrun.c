/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * workerrun.c - a worker's thread: from a job to a page
 *
 * One loop carries the inbox's eventfd, c-ares and libcurl.  A job is taken
 * from the inbox, its host looked up, its URL fetched; when the response is
 * there, the core is told that the host is free, and then the page is read
 * and stored.
 */

#include "config.h"

#include <sys/epoll.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "crawler/route.h"
#include "crawler/workerint.h"
#include "crawler/workerpage.h"
#include "snapshot/limits.h"

static int64_t
wall_us(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

/* ---- the end of a task ---- */

void
worker_publish(struct worker *w)
{
	struct fetch_stat f;
	struct dns_stat d;

	fetch_stat(w->fetch, &f);
	dns_stat(w->dns, &d);
	(void)pthread_mutex_lock(&w->lock);
	w->fetch_stat = f;
	w->dns_stat = d;
	(void)pthread_mutex_unlock(&w->lock);
}

/* The host may be asked again. */
static void
tell_fetched(struct worker *w, struct task *t)
{
	struct notes l = STAILQ_HEAD_INITIALIZER(l);

	t->told = 1;
	worker_publish(w);
	STAILQ_INSERT_TAIL(&l, &t->fetched, next);
	worker_tell(w->pool, &l);
}

static void
capture_of(struct warc_capture *c, const struct task *t,
    const struct fetch_result *r)
{
	memset(c, 0, sizeof *c);
	c->url = t->page.url;
	c->url_len = t->page.url_len;
	c->start_us = r->start_us;
	c->ip = r->ip;
	c->http2 = r->http2;
	c->request = r->request;
	c->request_len = r->request_len;
	c->head = r->head;
	c->head_len = r->head_len;
	c->body = r->body;
	c->body_len = r->body_len;
	c->cut = r->cut;
	c->error = r->error == FETCH_OK ? NULL : r->why;
}

/*
 * Is this a capture of the web?  What we stopped and what we had no memory
 * for says nothing about the page.
 */
static int
worth_storing(const struct fetch_result *r)
{
	return r->error != FETCH_STOPPED && r->error != FETCH_INTERNAL &&
	    r->error != FETCH_STALE;
}

/* Everything that can be asked was asked: `r' is what came of it. */
static void
finish(struct worker *w, struct task *t, const struct fetch_result *r)
{
	struct warc_capture c;

	workerpage_head(t, r);
	if (w->pool->archiving && t->page.kind != WORKER_RESOLVE)
		tell_fetched(w, t);
	workerpage_read(w->reader, t, r);
	if (!worth_storing(r) || t->page.kind == WORKER_RESOLVE) {
		worker_store(w, t, NULL, NULL, 1);
		return;
	}
	capture_of(&c, t, r);
	worker_store(w, t, &c, &t->page.at, 1);
}

/* There is no response, for this reason. */
static void
fail(struct worker *w, struct task *t, enum fetch_error error, const char *why)
{
	struct fetch_result r;

	memset(&r, 0, sizeof r);
	r.error = error;
	r.start_us = wall_us();
	(void)snprintf(r.why, sizeof r.why, "%s",
	    why == NULL ? fetch_error_str(error) : why);
	finish(w, t, &r);
}

void
worker_fetched(void *ctx, const struct fetch_result *r)
{
	finish(ctx, r->arg, r);
}

/* ---- the beginning of a task ---- */

static void
resolved(struct worker *w, struct task *t, const struct ip *ip,
    unsigned int ips)
{
	struct fetch_result r;

	memset(&r, 0, sizeof r);
	r.start_us = wall_us();
	t->page.ips = ips;
	if (ips > 0) {
		memcpy(t->page.addr, ip, ips * sizeof *ip);
		r.ip = ip[0];
	}
	finish(w, t, &r);
}

/* The addresses are known (none under a proxy): fetch. */
static void
go(struct worker *w, struct task *t, const struct route_to *to,
    const struct ip *ip, unsigned int ips)
{
	struct url_span url = { t->page.url, t->page.url_len };
	struct url_parts parts;
	struct fetch_job j;

	if (ips > LIMIT_DNS_IPS)
		ips = LIMIT_DNS_IPS;
	if (t->page.kind == WORKER_RESOLVE) {
		resolved(w, t, ip, ips);
		return;
	}
	if (url_split(url, &parts) < 0) {
		fail(w, t, FETCH_URL, NULL);
		return;
	}
	memset(&j, 0, sizeof j);
	j.url = url.s;
	j.url_len = url.len;
	j.host = url.s + parts.host;
	j.host_len = parts.host_end - parts.host;
	if (j.host_len > 2 && j.host[0] == '[') {
		j.host++;
		j.host_len -= 2;
	}
	j.port = parts.port;
	j.to_port = to->port;
	j.ip = ip;
	j.ips = ips;
	j.named = to->named;
	j.max_body = workerpage_max(&w->pool->conf, t->page.kind);
	j.arg = t;
	if (fetch_start(w->fetch, &j) < 0)
		fail(w, t, FETCH_INTERNAL, NULL);
}

static void
on_answer(void *arg, const struct dns_answer *a)
{
	struct lookup *l = arg;
	struct worker *w = l->w;
	struct task *t = l->task;
	struct route_to to;

	memset(&to, 0, sizeof to);
	to.port = l->to_port;
	to.named = l->named;
	LIST_REMOVE(l, list);
	free(l);
	if (t == NULL)
		return;
	switch (a->status) {
	case DNS_OK:
		go(w, t, &to, a->ip, a->ips);
		break;
	case DNS_FAIL:
	case DNS_TIMEOUT:
		fail(w, t, FETCH_NAME_LATER, dns_status_str(a->status));
		break;
	case DNS_NONE:
	case DNS_BAD:
		fail(w, t, FETCH_NAME, dns_status_str(a->status));
		break;
	}
}

static void
look_up(struct worker *w, struct task *t, const struct route_to *to)
{
	struct lookup *l;

	l = calloc(1, sizeof *l);
	if (l == NULL) {
		fail(w, t, FETCH_INTERNAL, NULL);
		return;
	}
	l->w = w;
	l->task = t;
	l->to_port = to->port;
	l->named = to->named;
	LIST_INSERT_HEAD(&w->lookups, l, list);
	if (dns_resolve(w->dns, to->host, to->host_len, on_answer, l) < 0) {
		LIST_REMOVE(l, list);
		free(l);
		fail(w, t, FETCH_INTERNAL, NULL);
	}
}

/* Where is what `t' asks for? */
static void
start(struct worker *w, struct task *t)
{
	const struct worker_conf *c = &w->pool->conf;
	struct url_span url = { t->page.url, t->page.url_len };
	struct url_parts parts;
	struct route_to to;
	const char *host;
	size_t len;

	if (url_split(url, &parts) < 0) {
		fail(w, t, FETCH_URL, NULL);
		return;
	}
	host = url.s + parts.host;
	len = parts.host_end - parts.host;
	if (len > 2 && host[0] == '[') {
		host++;
		len -= 2;
	}
	route_find(c->route, host, len, parts.port, &to);
	if (c->fetch.proxy != NULL)
		go(w, t, &to, NULL, 0);
	else if (to.ips > 0)
		go(w, t, &to, to.ip, to.ips);
	else
		look_up(w, t, &to);
}

static void
begin(struct worker *w, struct task *t)
{
	TAILQ_INSERT_TAIL(&w->flying, t, list);
	start(w, t);
}

/* ---- the inbox ---- */

/* End all that is under way. */
static void
abandon(struct worker *w)
{
	struct lookup *l;
	struct task *t;

	LIST_FOREACH(l, &w->lookups, list)
	{
		t = l->task;
		l->task = NULL;
		if (t != NULL)
			fail(w, t, FETCH_STOPPED, NULL);
	}
	fetch_stop(w->fetch);
}

void
worker_wake(void *arg, int fd, uint32_t events)
{
	struct tasks drop = TAILQ_HEAD_INITIALIZER(drop);
	struct tasks todo = TAILQ_HEAD_INITIALIZER(todo);
	struct worker *w = arg;
	struct task *t;
	uint64_t n;
	int stop;

	(void)events;
	(void)!read(fd, &n, sizeof n);
	(void)pthread_mutex_lock(&w->lock);
	TAILQ_CONCAT(&drop, &w->dropped, list);
	TAILQ_CONCAT(&todo, &w->inbox, list);
	stop = w->abandon;
	w->abandon = 0;
	w->ending = w->stop;
	(void)pthread_mutex_unlock(&w->lock);
	if (w->ending) {
		/* put them where worker_pool_close() looks */
		TAILQ_CONCAT(&w->flying, &drop, list);
		TAILQ_CONCAT(&w->flying, &todo, list);
		return;
	}
	if (stop)
		abandon(w);
	while (!TAILQ_EMPTY(&drop)) {
		t = TAILQ_FIRST(&drop);
		TAILQ_REMOVE(&drop, t, list);
		TAILQ_INSERT_TAIL(&w->flying, t, list);
		fail(w, t, FETCH_STOPPED, NULL);
	}
	while (!TAILQ_EMPTY(&todo)) {
		t = TAILQ_FIRST(&todo);
		TAILQ_REMOVE(&todo, t, list);
		begin(w, t);
	}
	if (atomic_load(&w->waits))
		worker_unstick(w);
	if (atomic_load(&w->bytes) <= LIMIT_WORKER_BYTES / 2)
		worker_hold(w, HOLD_PAGES, 0);
}

void *
worker_main(void *arg)
{
	struct worker *w = arg;

	while (!w->ending) {
		if (loop_turn(w->loop, -1) < 0)
			abort(); /* epoll_wait() can only fail by our fault */
		worker_publish(w);
	}
	return NULL;
}
