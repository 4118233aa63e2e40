/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/webconn.h"
#include "tests/webserve.h"

#define EVENTS    256
#define ADDRESSES 256

struct webserve {
	struct webconn_shared shared;
	int signals;
	int listener[ADDRESSES]; /* epoll's pointers point into it */
	unsigned int listeners;
	int deaf; /* 1: out of descriptors, not listening */
};

static void
listen_again(struct webserve *s, int on)
{
	unsigned int i;

	for (i = 0; i < s->listeners; i++)
		webconn_watch(s->shared.epoll, EPOLL_CTL_MOD, s->listener[i],
		    &s->listener[i], on ? EPOLLIN : 0);
	s->deaf = !on;
}

static void
shut(struct webserve *s, struct webconn *c)
{
	webconn_close(&s->shared, c);
	if (s->deaf)
		listen_again(s, 1);
}

static void
accept_all(struct webserve *s, int listener)
{
	int fd, i;

	for (i = 0; i < EVENTS; i++) {
		fd =
		    accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd >= 0) {
			webconn_open(&s->shared, fd);
			continue;
		}
		if (errno == EMFILE || errno == ENFILE)
			listen_again(s, 0);
		if (errno != EINTR && errno != ECONNABORTED)
			return;
	}
}

static void
fire_timers(struct webserve *s)
{
	uint64_t now = weblog_now();
	struct webtimer *t;
	struct webconn *c;

	for (;;) {
		t = webtimer_first(&s->shared.timers);
		if (t == NULL || t->due > now)
			return;
		webtimer_stop(&s->shared.timers, t);
		c = t->owner;
		if (webconn_timer(&s->shared, c) < 0)
			shut(s, c);
	}
}

/* Milliseconds until the next timer, rounded up; -1: none. */
static int
patience(const struct webserve *s)
{
	const struct webtimer *t = webtimer_first(&s->shared.timers);
	uint64_t now;

	if (t == NULL)
		return -1;
	now = weblog_now();
	return t->due <= now ? 0 : (int)((t->due - now + 999) / 1000);
}

/* One event: a listener, the signals, or a connection.  1: stop. */
static int
dispatch(struct webserve *s, const struct epoll_event *e)
{
	int *p = e->data.ptr;
	unsigned int i;

	if (p == &s->signals)
		return 1;
	for (i = 0; i < s->listeners; i++) {
		if (p == &s->listener[i]) {
			accept_all(s, *p);
			return 0;
		}
	}
	if (webconn_event(&s->shared, e->data.ptr, e->events) < 0)
		shut(s, e->data.ptr);
	return 0;
}

int
webserve_run(struct webserve *s)
{
	struct epoll_event event[EVENTS];
	int i, n;

	for (;;) {
		if (weblog_flush(&s->shared.log) != 0)
			return -1;
		n = epoll_wait(s->shared.epoll, event, EVENTS, patience(s));
		if (n < 0 && errno != EINTR)
			return -1;
		for (i = 0; i < n; i++)
			if (dispatch(s, &event[i]))
				return weblog_flush(&s->shared.log);
		fire_timers(s);
	}
}

static int
listen_at(struct webserve *s, uint32_t addr, int *port)
{
	struct sockaddr_in at;
	socklen_t len = sizeof at;
	int one = 1, *fd = &s->listener[s->listeners];

	*fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (*fd < 0)
		return -1;
	s->listeners++;
	memset(&at, 0, sizeof at);
	at.sin_family = AF_INET;
	at.sin_addr.s_addr = htonl(addr);
	at.sin_port = htons((uint16_t)*port);
	setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	if (bind(*fd, (struct sockaddr *)&at, sizeof at) != 0 ||
	    listen(*fd, 4096) != 0 ||
	    getsockname(*fd, (struct sockaddr *)&at, &len) != 0)
		return -1;
	*port = ntohs(at.sin_port);
	return webconn_watch(s->shared.epoll, EPOLL_CTL_ADD, *fd, fd, EPOLLIN);
}

int
webserve_listen(struct webserve *s, unsigned int addresses, int port)
{
	unsigned int i;

	for (i = 0; i < addresses && i < ADDRESSES; i++)
		if (listen_at(s, INADDR_LOOPBACK + i, &port) != 0)
			return -1;
	return port;
}

void
webserve_latency(struct webserve *s, unsigned int ms)
{
	s->shared.latency = ms;
}

/* As many descriptors as we may have; INT and TERM as a descriptor. */
static int
prepare(struct webserve *s)
{
	struct rlimit r;
	sigset_t set;

	if (getrlimit(RLIMIT_NOFILE, &r) == 0) {
		r.rlim_cur = r.rlim_max;
		setrlimit(RLIMIT_NOFILE, &r);
	}
	/* writev() has no MSG_NOSIGNAL: the signal stays blocked */
	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	if (sigprocmask(SIG_BLOCK, &set, NULL) != 0)
		return -1;
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	if (sigprocmask(SIG_BLOCK, &set, NULL) != 0)
		return -1;
	s->signals = signalfd(-1, &set, SFD_CLOEXEC);
	s->shared.epoll = epoll_create1(EPOLL_CLOEXEC);
	if (s->signals < 0 || s->shared.epoll < 0)
		return -1;
	return webconn_watch(s->shared.epoll, EPOLL_CTL_ADD, s->signals,
	    &s->signals, EPOLLIN);
}

struct webserve *
webserve_new(const struct web *w, int log_fd)
{
	struct webserve *s = calloc(1, sizeof *s);

	if (s == NULL)
		return NULL;
	s->shared.answer.web = w;
	s->shared.log.fd = log_fd;
	s->shared.epoll = s->signals = -1;
	if (prepare(s) == 0)
		return s;
	webserve_free(s);
	return NULL;
}

void
webserve_free(struct webserve *s)
{
	unsigned int i;

	if (s == NULL)
		return;
	webconn_shared_free(&s->shared);
	for (i = 0; i < s->listeners; i++)
		close(s->listener[i]);
	if (s->shared.epoll >= 0)
		close(s->shared.epoll);
	if (s->signals >= 0)
		close(s->signals);
	free(s);
}
