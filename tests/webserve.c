/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webserve.c - sockets, connections and moments
 *
 * A connection is in one of two states: it reads a head, or it sends an
 * answer (perhaps after a delay).  Bytes that arrive while it sends stay in
 * the socket, or in `in' if they were read with the head before them, so
 * pipelined requests are answered in order.
 */

#include "config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/webanswer.h"
#include "tests/webserve.h"
#include "tests/webtimer.h"

#define READ_MAX  (64 * 1024)
#define EVENTS    256
#define ADDRESSES 256

struct conn {
	int fd;
	int sending;          /* 1: `out' holds an answer to be sent */
	int close;            /* 1: and then the connection ends */
	uint32_t want;        /* what epoll is asked for */
	unsigned long number; /* for the log */
	uint32_t addr;        /* our address, host order */
	struct webbuf in;     /* what was read and not yet used */
	struct webbuf out;
	size_t sent; /* bytes of `out' that are on their way */
	struct webtimer timer;
	struct conn *next, *prev;
};

struct webserve {
	const struct web *web;
	struct weblog log;
	int epoll, signals;
	int listener[ADDRESSES];
	unsigned int listeners;
	int deaf; /* 1: out of descriptors, not listening */
	unsigned int latency;
	unsigned long conns;
	struct conn *all;
	struct webtimer_heap timers;
	struct webanswer answer;
	struct webbuf head;
	struct webhttp request;
	char buf[READ_MAX];
};

/* Events of what is no connection: epoll's data.ptr points at these. */
static int
watch(struct webserve *s, int fd, void *ptr, uint32_t events, int op)
{
	struct epoll_event e;

	memset(&e, 0, sizeof e);
	e.events = events;
	e.data.ptr = ptr;
	return epoll_ctl(s->epoll, op, fd, &e);
}

static void
listen_again(struct webserve *s, int on)
{
	unsigned int i;

	for (i = 0; i < s->listeners; i++)
		watch(s, s->listener[i], &s->listener[i], on ? EPOLLIN : 0,
		    EPOLL_CTL_MOD);
	s->deaf = !on;
}

static void
conn_close(struct webserve *s, struct conn *c)
{
	webtimer_stop(&s->timers, &c->timer);
	close(c->fd);
	webbuf_free(&c->in);
	webbuf_free(&c->out);
	if (c->prev != NULL)
		c->prev->next = c->next;
	else
		s->all = c->next;
	if (c->next != NULL)
		c->next->prev = c->prev;
	free(c);
	if (s->deaf)
		listen_again(s, 1);
}

static void
conn_want(struct webserve *s, struct conn *c, uint32_t events)
{
	if (c->want != events)
		watch(s, c->fd, c, events, EPOLL_CTL_MOD);
	c->want = events;
}

/* The bytes of `in' after the first `n' stay. */
static void
consume(struct webbuf *in, size_t n)
{
	if (n < in->len)
		memmove(in->s, in->s + n, in->len - n);
	in->len -= n;
	if (in->len == 0)
		webbuf_free(in);
}

/* Send what `out' holds.  1: all of it went, 0: later, -1: it is over. */
static int
conn_push(struct webserve *s, struct conn *c)
{
	ssize_t n;

	while (c->sent < c->out.len) {
		n = send(c->fd, c->out.s + c->sent, c->out.len - c->sent,
		    MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) {
			conn_want(s, c, EPOLLOUT);
			return 0;
		}
		if (n < 0)
			return -1;
		c->sent += (size_t)n;
	}
	webbuf_free(&c->out);
	c->sent = 0;
	c->sending = 0;
	return c->close ? -1 : 1;
}

static void
put_head(struct webserve *s, int keep)
{
	struct webanswer *a = &s->answer;

	webbuf_clear(&s->head);
	webbuf_fmt(&s->head, "HTTP/1.1 %d X\r\nContent-Length: %zu\r\n",
	    a->status, a->body.len);
	if (a->type[0] != '\0')
		webbuf_fmt(&s->head, "Content-Type: %s\r\n", a->type);
	webbuf_put(&s->head, a->head.s, a->head.len);
	webbuf_fmt(&s->head, "Connection: %s\r\n\r\n",
	    keep ? "keep-alive" : "close");
}

/*
 * Begin to send head and body.  Most answers go out whole, without a copy;
 * what is left of the others is kept in `out'.
 */
static int
conn_reply(struct webserve *s, struct conn *c, int body)
{
	struct webanswer *a = &s->answer;
	struct iovec v[2];
	size_t skip, n = 0;
	ssize_t k;

	v[0].iov_base = s->head.s;
	v[0].iov_len = s->head.len;
	v[1].iov_base = a->body.s;
	v[1].iov_len = body ? a->body.len : 0;
	if (s->head.failed || a->body.failed || a->head.failed)
		return -1;
	if (s->latency == 0) {
		k = writev(c->fd, v, 2);
		if (k < 0 && errno != EAGAIN && errno != EINTR)
			return -1;
		n = k < 0 ? 0 : (size_t)k;
		if (n == v[0].iov_len + v[1].iov_len)
			return c->close ? -1 : 1;
	}
	skip = n < v[0].iov_len ? n : v[0].iov_len;
	webbuf_put(&c->out, s->head.s + skip, v[0].iov_len - skip);
	webbuf_put(&c->out, a->body.s + (n - skip), v[1].iov_len - (n - skip));
	if (c->out.failed)
		return -1;
	c->sending = 1;
	if (s->latency == 0)
		return conn_push(s, c);
	conn_want(s, c, 0);
	return webtimer_set(&s->timers, &c->timer,
	    weblog_now() + s->latency * UINT64_C(1000));
}

/* Answer the request that was just parsed.  As conn_push(). */
static int
conn_answer(struct webserve *s, struct conn *c)
{
	struct webhttp *r = &s->request;
	struct webanswer *a = &s->answer;
	uint64_t now = weblog_now();
	int head = strcmp(r->method, "HEAD") == 0;

	c->close = !r->keep || r->has_body;
	if (head || strcmp(r->method, "GET") == 0)
		webanswer_get(a, r->host, r->target);
	else {
		webbuf_clear(&a->head);
		webbuf_clear(&a->body);
		a->status = 405;
		a->type = "";
		c->close = 1;
	}
	weblog_add(&s->log, now, r, a->status, c->number, c->addr, "ok");
	put_head(s, !c->close);
	return conn_reply(s, c, !head);
}

/* Use up whole heads at `data'.  The bytes used, or -1 if it is over. */
static long
conn_heads(struct webserve *s, struct conn *c, const char *data, size_t len)
{
	size_t used = 0;
	long n;

	while (used < len && !c->sending) {
		n = webhttp_parse(&s->request, data + used, len - used);
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		used += (size_t)n;
		if (conn_answer(s, c) < 0)
			return -1;
	}
	return (long)used;
}

/* Answer what `in' holds already.  0, or -1 if it is over. */
static int
conn_resume(struct webserve *s, struct conn *c)
{
	long used;

	if (c->in.len > 0) {
		used = conn_heads(s, c, c->in.s, c->in.len);
		if (used < 0)
			return -1;
		consume(&c->in, (size_t)used);
	}
	if (!c->sending)
		conn_want(s, c, EPOLLIN);
	return 0;
}

/* Read once and answer.  0, or -1 if it is over. */
static int
conn_read(struct webserve *s, struct conn *c)
{
	ssize_t n = recv(c->fd, s->buf, sizeof s->buf, 0);
	long used;

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	if (n == 0)
		return -1;
	if (c->in.len > 0) {
		webbuf_put(&c->in, s->buf, (size_t)n);
		return conn_resume(s, c);
	}
	used = conn_heads(s, c, s->buf, (size_t)n);
	if (used < 0)
		return -1;
	webbuf_put(&c->in, s->buf + used, (size_t)(n - used));
	return c->in.failed ? -1 : 0;
}

static void
conn_event(struct webserve *s, struct conn *c, uint32_t events)
{
	int rc = 0;

	if (events & (EPOLLERR | EPOLLHUP))
		rc = -1;
	else if (events & EPOLLOUT) {
		rc = conn_push(s, c);
		if (rc > 0)
			rc = conn_resume(s, c);
	} else if (events & EPOLLIN)
		rc = conn_read(s, c);
	if (rc < 0)
		conn_close(s, c);
}

static void
conn_open(struct webserve *s, int fd)
{
	struct sockaddr_in at;
	socklen_t len = sizeof at;
	struct conn *c = calloc(1, sizeof *c);
	int one = 1;

	if (c == NULL || getsockname(fd, (struct sockaddr *)&at, &len) != 0 ||
	    watch(s, fd, c, EPOLLIN, EPOLL_CTL_ADD) != 0) {
		free(c);
		close(fd);
		return;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	c->fd = fd;
	c->want = EPOLLIN;
	c->number = ++s->conns;
	c->addr = ntohl(at.sin_addr.s_addr);
	c->timer.owner = c;
	c->next = s->all;
	if (s->all != NULL)
		s->all->prev = c;
	s->all = c;
}

static void
accept_all(struct webserve *s, int listener)
{
	int fd, i;

	for (i = 0; i < EVENTS; i++) {
		fd =
		    accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd >= 0) {
			conn_open(s, fd);
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
	struct conn *c;
	int rc;

	for (;;) {
		t = webtimer_first(&s->timers);
		if (t == NULL || t->due > now)
			return;
		webtimer_stop(&s->timers, t);
		c = t->owner;
		rc = conn_push(s, c);
		if (rc > 0)
			rc = conn_resume(s, c);
		if (rc < 0)
			conn_close(s, c);
	}
}

/* Milliseconds until the next timer, rounded up; -1: none. */
static int
patience(const struct webserve *s)
{
	const struct webtimer *t = webtimer_first(&s->timers);
	uint64_t now;

	if (t == NULL)
		return -1;
	now = weblog_now();
	return t->due <= now ? 0 : (int)((t->due - now + 999) / 1000);
}

int
webserve_run(struct webserve *s)
{
	struct epoll_event event[EVENTS];
	int i, n;
	int *l;

	for (;;) {
		if (weblog_flush(&s->log) != 0)
			return -1;
		n = epoll_wait(s->epoll, event, EVENTS, patience(s));
		if (n < 0 && errno != EINTR)
			return -1;
		for (i = 0; i < n; i++) {
			l = event[i].data.ptr;
			if (l == &s->signals)
				return weblog_flush(&s->log);
			if (l >= s->listener && l < s->listener + ADDRESSES)
				accept_all(s, *l);
			else
				conn_event(s, event[i].data.ptr,
				    event[i].events);
		}
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
	return watch(s, *fd, fd, EPOLLIN, EPOLL_CTL_ADD);
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
	s->latency = ms;
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
	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	if (sigprocmask(SIG_BLOCK, &set, NULL) != 0)
		return -1;
	s->signals = signalfd(-1, &set, SFD_CLOEXEC);
	s->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (s->signals < 0 || s->epoll < 0)
		return -1;
	return watch(s, s->signals, &s->signals, EPOLLIN, EPOLL_CTL_ADD);
}

struct webserve *
webserve_new(const struct web *w, int log_fd)
{
	struct webserve *s = calloc(1, sizeof *s);

	if (s == NULL)
		return NULL;
	s->web = w;
	s->answer.web = w;
	s->log.fd = log_fd;
	s->epoll = s->signals = -1;
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
	s->deaf = 0;
	while (s->all != NULL)
		conn_close(s, s->all);
	for (i = 0; i < s->listeners; i++)
		close(s->listener[i]);
	if (s->epoll >= 0)
		close(s->epoll);
	if (s->signals >= 0)
		close(s->signals);
	webtimer_free(&s->timers);
	webanswer_free(&s->answer);
	webbuf_free(&s->head);
	webbuf_free(&s->log.buf);
	free(s);
}
