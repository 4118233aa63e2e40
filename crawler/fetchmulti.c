/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fetchmulti.c - libcurl's multi handle on the worker's loop
 */

#include "config.h"

#include <sys/epoll.h>

#include <stdlib.h>

#include "crawler/fetchint.h"

static void
on_ready(void *arg, int fd, uint32_t events)
{
	struct fetch *f = arg;
	int mask = 0, running;

	if (events & EPOLLIN)
		mask |= CURL_CSELECT_IN;
	if (events & EPOLLOUT)
		mask |= CURL_CSELECT_OUT;
	if (events & (EPOLLERR | EPOLLHUP))
		mask |= CURL_CSELECT_ERR;
	(void)curl_multi_socket_action(f->multi, fd, mask, &running);
	fetch_collect(f);
}

static void
on_timeout(void *arg)
{
	struct fetch *f = arg;
	int running;

	(void)curl_multi_socket_action(f->multi, CURL_SOCKET_TIMEOUT, 0,
	    &running);
	fetch_collect(f);
}

static int
on_timer(CURLM *multi, long ms, void *arg)
{
	struct fetch *f = arg;

	(void)multi;
	f->curl.due = ms < 0 ? -1 : loop_now(f->loop) + ms;
	return 0;
}

static struct fetch_sock *
sock_new(struct fetch *f, curl_socket_t fd)
{
	struct fetch_sock *s = f->sock;

	if (s != NULL)
		f->sock = s->next;
	else
		s = calloc(1, sizeof *s);
	if (s == NULL)
		return NULL;
	s->watch.ready = on_ready;
	s->watch.arg = f;
	s->watch.fd = fd;
	return s;
}

/* libcurl tells which events of a socket it wants. */
static int
on_watch(CURL *easy, curl_socket_t fd, int what, void *arg, void *at)
{
	uint32_t ev = (what & CURL_POLL_IN ? EPOLLIN : 0U) |
	    (what & CURL_POLL_OUT ? EPOLLOUT : 0U);
	struct fetch_sock *s = at;
	struct fetch *f = arg;

	(void)easy;
	if (what == CURL_POLL_REMOVE) {
		if (s != NULL) {
			loop_del(f->loop, &s->watch);
			s->next = f->sock;
			f->sock = s;
		}
		return 0;
	}
	if (s != NULL)
		return loop_mod(f->loop, &s->watch, ev) < 0 ? -1 : 0;
	s = sock_new(f, fd);
	if (s == NULL)
		return -1;
	(void)curl_multi_assign(f->multi, fd, s);
	return loop_add(f->loop, &s->watch, ev) < 0 ? -1 : 0;
}

/*
 * CURLMOPT_MAXCONNECTS counts connections in use too.  Were it max_active, a
 * busy engine would close nearly each connection after one use: the next
 * transfer is for another host, and whatever idles is in its way.
 */
int
fetch_multi_open(struct fetch *f)
{
	CURLM *m = curl_multi_init();

	f->multi = m;
	f->curl.fire = on_timeout;
	if (m == NULL ||
	    curl_multi_setopt(m, CURLMOPT_SOCKETFUNCTION, on_watch) !=
		CURLM_OK ||
	    curl_multi_setopt(m, CURLMOPT_SOCKETDATA, f) != CURLM_OK ||
	    curl_multi_setopt(m, CURLMOPT_TIMERFUNCTION, on_timer) !=
		CURLM_OK ||
	    curl_multi_setopt(m, CURLMOPT_TIMERDATA, f) != CURLM_OK ||
	    curl_multi_setopt(m, CURLMOPT_MAXCONNECTS,
		(long)f->o.max_active + (long)f->o.max_idle) != CURLM_OK)
		return FAULT_NOMEM;
	return 0;
}

void
fetch_multi_close(struct fetch *f)
{
	struct fetch_sock *s;

	if (f->multi != NULL)
		(void)curl_multi_cleanup(f->multi);
	while (f->sock != NULL) {
		s = f->sock;
		f->sock = s->next;
		free(s);
	}
}
