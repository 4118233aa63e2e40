/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * dns.c - the resolver's queries
 *
 * c-ares has as many as it may; further names wait in the cache.  A query that
 * outlives our deadline goes on in c-ares (which can only cancel all of them)
 * and, if it still succeeds, its answer replaces the failure.
 */

#include "config.h"

#include <sys/epoll.h>
#include <sys/queue.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <ares.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "crawler/dns.h"
#include "crawler/dnscache.h"
#include "crawler/loop.h"

#define NAME_BYTES 254 /* bytes: RFC 1035's 253 and a dot at the end */
#define V4_ROOM    (LIMIT_DNS_IPS - 2) /* keep two places for IPv6 */
#define TRY_MS     2000 /* c-ares waits so long for a server the first time */
#define TRIES      3

/* One that c-ares has. */
struct query {
	struct dns *dns;
	struct dnscache_entry *entry; /* NULL once that is gone */
};

/* A socket of c-ares. */
struct sock {
	struct loop_watch watch;
	struct sock *next;
};

struct dns {
	struct loop *loop;
	struct loop_timer timer;
	struct dns_opts o;
	ares_channel ares;
	int closing;
	int launching; /* launch() is at work */
	struct sock *sock;
	unsigned int flying;
	struct dns_stat stat; /* but for `cached' */
	struct dnscache cache;
};

const char *
dns_status_str(enum dns_status s)
{
	switch (s) {
	case DNS_OK:
		return "resolved";
	case DNS_NONE:
		return "no such name";
	case DNS_FAIL:
		return "the name server failed";
	case DNS_TIMEOUT:
		return "no answer from the name server";
	case DNS_BAD:
		break;
	}
	return "not a name";
}

/* The entry has its answer, for `keep_s' seconds. */
static void
settle(struct dns *d, struct dnscache_entry *e, enum dns_status status,
    uint32_t keep_s)
{
	if (status != DNS_OK)
		d->stat.failed++;
	dnscache_settle(&d->cache, e, status,
	    loop_now(d->loop) + (int64_t)keep_s * 1000);
}

static enum dns_status
status_of(int ares)
{
	switch (ares) {
	case ARES_SUCCESS:
		return DNS_OK;
	case ARES_ENOTFOUND:
	case ARES_ENODATA:
	case ARES_ENONAME:
		return DNS_NONE;
	case ARES_ETIMEOUT:
		return DNS_TIMEOUT;
	case ARES_EBADNAME:
	case ARES_EBADFAMILY:
	case ARES_EBADSTR:
		return DNS_BAD;
	default: /* ECONNREFUSED is also what c-ares calls a SERVFAIL */
		return DNS_FAIL;
	}
}

static uint32_t
failed_s(const struct dns *d, enum dns_status s)
{
	return s == DNS_NONE || s == DNS_BAD ? d->o.negative_s :
					       d->o.negative_s / 10 + 1;
}

/* Addresses of one family from the answer; returns the least TTL. */
static uint32_t
collect(struct dnscache_entry *e, const struct ares_addrinfo *ai, int family,
    unsigned int room, uint32_t ttl)
{
	const struct ares_addrinfo_node *n;

	for (n = ai->nodes; n != NULL && e->ips < room; n = n->ai_next) {
		if (n->ai_family != family ||
		    !ip_from(&e->ip[e->ips], n->ai_addr))
			continue;
		e->ips++;
		if (n->ai_ttl >= 0 && (uint32_t)n->ai_ttl < ttl)
			ttl = (uint32_t)n->ai_ttl;
	}
	return ttl;
}

static void
resolved(void *arg, int status, int timeouts, struct ares_addrinfo *ai)
{
	struct query *q = arg;
	struct dns *d = q->dns;
	struct dnscache_entry *e = q->entry;
	enum dns_status s = status_of(status);
	uint32_t ttl = d->o.ttl_max_s;

	(void)timeouts;
	d->flying--;
	free(q);
	if (e != NULL)
		e->query = NULL;
	/* a failure that comes after our deadline says nothing new */
	if (e != NULL && !d->closing &&
	    (e->state != DNSCACHE_SETTLED || s == DNS_OK)) {
		e->ips = 0;
		if (ai != NULL) {
			ttl = collect(e, ai, AF_INET, V4_ROOM, ttl);
			ttl = collect(e, ai, AF_INET6, LIMIT_DNS_IPS, ttl);
		}
		if (s == DNS_OK && e->ips == 0)
			s = DNS_NONE;
		if (ttl < d->o.ttl_min_s)
			ttl = d->o.ttl_min_s;
		settle(d, e, s, s == DNS_OK ? ttl : failed_s(d, s));
	}
	if (ai != NULL)
		ares_freeaddrinfo(ai);
}

/* When to look again: c-ares' own timeouts, or our nearest deadline. */
static void
set_timer(struct dns *d)
{
	struct timeval tv, *next;
	int64_t due = -1;

	next = ares_timeout(d->ares, NULL, &tv);
	if (next != NULL)
		due = loop_now(d->loop) + (int64_t)next->tv_sec * 1000 +
		    next->tv_usec / 1000 + 1;
	if (!TAILQ_EMPTY(&d->cache.busy) &&
	    (due < 0 || TAILQ_FIRST(&d->cache.busy)->until < due))
		due = TAILQ_FIRST(&d->cache.busy)->until;
	d->timer.due = due;
}

/*
 * Hand what waits to c-ares, as far as that is allowed.  Answers that come at
 * once may ask for further names: those are taken up here, not deeper down.
 */
static void
launch(struct dns *d)
{
	struct ares_addrinfo_hints hints;
	struct dnscache_entry *e;
	struct query *q;

	if (d->launching)
		return;
	d->launching = 1;
	memset(&hints, 0, sizeof hints);
	hints.ai_family = d->o.family == 4 ? AF_INET :
	    d->o.family == 6               ? AF_INET6 :
					     AF_UNSPEC;
	hints.ai_socktype = SOCK_STREAM;
	hints.ai_flags = ARES_AI_NOSORT;
	while (d->flying < d->o.in_flight && !TAILQ_EMPTY(&d->cache.pending)) {
		e = TAILQ_FIRST(&d->cache.pending);
		q = malloc(sizeof *q);
		if (q == NULL) {
			settle(d, e, DNS_FAIL, failed_s(d, DNS_FAIL));
			continue;
		}
		q->dns = d;
		dnscache_fly(&d->cache, e, &q->entry);
		d->flying++;
		d->stat.queries++;
		/* may call back before it returns */
		ares_getaddrinfo(d->ares, e->name, NULL, &hints, resolved, q);
	}
	d->launching = 0;
	set_timer(d);
}

static void
on_ready(void *arg, int fd, uint32_t events)
{
	struct dns *d = arg;
	int r = (events & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0;
	int w = (events & EPOLLOUT) != 0;

	ares_process_fd(d->ares, r ? fd : ARES_SOCKET_BAD,
	    w ? fd : ARES_SOCKET_BAD);
	launch(d);
}

static void
on_timer(void *arg)
{
	struct dns *d = arg;
	struct dnscache_entry *e;

	ares_process_fd(d->ares, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
	for (;;) {
		e = TAILQ_FIRST(&d->cache.busy);
		if (e == NULL || e->until > loop_now(d->loop))
			break;
		settle(d, e, DNS_TIMEOUT, failed_s(d, DNS_TIMEOUT));
	}
	launch(d);
}

/* c-ares tells what it wants of a socket; neither: it is being closed. */
static void
on_socket(void *arg, ares_socket_t fd, int readable, int writable)
{
	uint32_t ev = (readable ? EPOLLIN : 0U) | (writable ? EPOLLOUT : 0U);
	struct dns *d = arg;
	struct sock **at = &d->sock, *s;

	while (*at != NULL && (*at)->watch.fd != fd)
		at = &(*at)->next;
	s = *at;
	if (s != NULL && ev != 0) {
		(void)!loop_mod(d->loop, &s->watch, ev);
	} else if (s != NULL) {
		loop_del(d->loop, &s->watch);
		*at = s->next;
		free(s);
	} else if (ev != 0) {
		s = calloc(1, sizeof *s);
		if (s == NULL) /* then the query runs into its timeout */
			return;
		s->watch.ready = on_ready;
		s->watch.arg = d;
		s->watch.fd = fd;
		s->next = d->sock;
		d->sock = s;
		(void)!loop_add(d->loop, &s->watch, ev);
	}
}

static void
defaults(struct dns_opts *o)
{
	if (o->in_flight == 0)
		o->in_flight = LIMIT_DNS_FLIGHT;
	if (o->timeout_ms == 0)
		o->timeout_ms = 10000;
	if (o->ttl_min_s == 0)
		o->ttl_min_s = 60;
	if (o->ttl_max_s == 0)
		o->ttl_max_s = 6 * 3600;
	if (o->negative_s == 0)
		o->negative_s = 300;
}

static int
open_channel(struct dns *d, const char *servers)
{
	struct ares_options o;
	int mask = ARES_OPT_FLAGS | ARES_OPT_SOCK_STATE_CB |
	    ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES;
	int rc;

	memset(&o, 0, sizeof o);
	/* a page's names are whole: no search domains of ours */
	o.flags = ARES_FLAG_NOSEARCH;
	o.sock_state_cb = on_socket;
	o.sock_state_cb_data = d;
	o.timeout = TRY_MS;
	o.tries = TRIES;
	rc = ares_init_options(&d->ares, &o, mask);
	if (rc != ARES_SUCCESS) {
		d->ares = NULL;
		return rc == ARES_ENOMEM ? FAULT_NOMEM : FAULT_SYS;
	}
	if (servers != NULL &&
	    ares_set_servers_ports_csv(d->ares, servers) != ARES_SUCCESS)
		return FAULT_ARG;
	return 0;
}

int
dns_open(struct dns **out, struct loop *l, const struct dns_opts *o)
{
	struct dns *d;
	int rc;

	d = calloc(1, sizeof *d);
	if (d == NULL)
		return FAULT_NOMEM;
	d->loop = l;
	d->o = *o;
	defaults(&d->o);
	dnscache_init(&d->cache);
	d->timer.fire = on_timer;
	d->timer.arg = d;
	d->timer.due = -1;
	loop_timer_add(l, &d->timer);
	rc = open_channel(d, o->servers);
	if (rc < 0) {
		dns_close(d);
		return rc;
	}
	*out = d;
	return 0;
}

void
dns_close(struct dns *d)
{
	struct sock *s;

	if (d == NULL)
		return;
	d->closing = 1;
	if (d->ares != NULL)
		ares_destroy(d->ares); /* calls resolved() for each query */
	while (d->sock != NULL) {
		s = d->sock;
		d->sock = s->next;
		loop_del(d->loop, &s->watch);
		free(s);
	}
	loop_timer_del(d->loop, &d->timer);
	dnscache_free(&d->cache);
	free(d);
}

/* "localhost" and what ends in ".localhost", with or without a last dot. */
static int
ends_in(const char *name, size_t len, const char *last)
{
	size_t n = strlen(last);

	if (len > 0 && name[len - 1] == '.')
		len--;
	return len >= n && strncasecmp(name + len - n, last, n) == 0 &&
	    (len == n || name[len - n - 1] == '.');
}

/* Answers that need no server.  1 if it was one, and `ip' is filled. */
static int
known(const struct dns *d, const char *name, size_t len, struct ip *ip,
    struct dns_answer *a)
{
	memset(a, 0, sizeof *a);
	a->ip = ip;
	a->cached = 1;
	if (ip_parse(ip, name, len)) {
		a->ips = 1;
		if (d->o.family != 0 && d->o.family != ip->family)
			a->status = DNS_NONE;
	} else if (ends_in(name, len, "localhost")) {
		if (d->o.family != 6)
			a->ips +=
			    (unsigned int)ip_parse(&ip[a->ips], "127.0.0.1", 9);
		if (d->o.family != 4)
			a->ips += (unsigned int)ip_parse(&ip[a->ips], "::1", 3);
	} else if (ends_in(name, len, "onion")) {
		a->status = DNS_NONE; /* RFC 7686 */
	} else if (len == 0 || len > NAME_BYTES ||
	    memchr(name, '\0', len) != NULL) {
		a->status = DNS_BAD;
	} else {
		return 0;
	}
	if (a->status != DNS_OK)
		a->ips = 0;
	return 1;
}

int
dns_resolve(struct dns *d, const char *host, size_t len,
    void (*done)(void *arg, const struct dns_answer *a), void *arg)
{
	struct ip ip[LIMIT_DNS_IPS];
	struct dns_answer a;
	struct dnscache_entry *e;
	struct dnscache_waiter *w;
	int64_t now = loop_now(d->loop);

	if (known(d, host, len, ip, &a)) {
		done(arg, &a);
		return 0;
	}
	e = dnscache_find(&d->cache, host, len, now);
	if (e != NULL && e->state == DNSCACHE_SETTLED) {
		d->stat.hits++;
		dnscache_answer(e, 1, &a);
		memcpy(ip, e->ip, sizeof ip);
		a.ip = ip;
		done(arg, &a);
		return 0;
	}
	w = malloc(sizeof *w);
	if (w == NULL)
		return FAULT_NOMEM;
	if (e == NULL)
		e = dnscache_enter(&d->cache, host, len, now + d->o.timeout_ms);
	if (e == NULL) {
		free(w);
		return FAULT_NOMEM;
	}
	w->done = done;
	w->arg = arg;
	dnscache_wait(e, w);
	launch(d);
	return 0;
}

void
dns_stat(const struct dns *d, struct dns_stat *st)
{
	*st = d->stat;
	st->cached = d->cache.names;
}
