/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tests/webconn.h"

int
webconn_watch(int epoll, int op, int fd, void *ptr, uint32_t events)
{
	struct epoll_event e;

	memset(&e, 0, sizeof e);
	e.events = events;
	e.data.ptr = ptr;
	return epoll_ctl(epoll, op, fd, &e);
}

static void
want(struct webconn_shared *s, struct webconn *c, uint32_t events)
{
	if (c->want != events)
		webconn_watch(s->epoll, EPOLL_CTL_MOD, c->fd, c, events);
	c->want = events;
}

/* The answer is out: 1 to go on, 0 to hang, -1 to close. */
static int
finish(struct webconn_shared *s, struct webconn *c)
{
	struct linger hard = { 1, 0 };

	webbuf_free(&c->out);
	switch (c->end) {
	case WEBREPLY_KEEP:
		c->sending = 0;
		return 1;
	case WEBREPLY_RESET:
		setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
		return -1;
	case WEBREPLY_HANG:
		c->allowed = 0;
		want(s, c, EPOLLRDHUP);
		return 0;
	case WEBREPLY_CLOSE:
		break;
	}
	return -1;
}

/* Send what may go.  1: the answer is out, 0: more later, -1: close. */
static int
push(struct webconn_shared *s, struct webconn *c)
{
	size_t limit = c->allowed < c->out.len ? c->allowed : c->out.len;
	ssize_t n;

	while (c->sent < limit) {
		n = send(c->fd, c->out.s + c->sent, limit - c->sent,
		    MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN) {
			want(s, c, EPOLLOUT);
			return 0;
		}
		if (n < 0)
			return -1;
		c->sent += (size_t)n;
	}
	if (c->sent == c->out.len)
		return finish(s, c);
	want(s, c, EPOLLRDHUP);
	return webtimer_set(&s->timers, &c->timer,
	    weblog_now() + c->tick * UINT64_C(1000));
}

/* Keep what is left of the reply after `n' bytes, and how to send it. */
static int
keep_rest(struct webconn_shared *s, struct webconn *c, size_t n)
{
	const struct webreply *r = &s->reply;
	const struct webbuf *body = &s->answer.body;
	size_t skip = n < r->head.len ? n : r->head.len;

	webbuf_put(&c->out, r->head.s + skip, r->head.len - skip);
	if (r->split)
		webbuf_put(&c->out, body->s + (n - skip),
		    body->len - (n - skip));
	c->sent = 0;
	c->sending = 1;
	c->step = r->step;
	c->tick = r->tick;
	c->allowed = r->step == 0 ? (size_t)-1 : r->step;
	return c->out.failed ? -1 : 0;
}

/*
 * Begin to send the reply.  Most go out whole, without a copy; what is left
 * of the others is kept in `out'.
 */
static int
reply(struct webconn_shared *s, struct webconn *c)
{
	const struct webreply *r = &s->reply;
	const struct webanswer *a = &s->answer;
	unsigned int delay = s->latency + a->delay;
	struct iovec v[2];
	ssize_t k = 0;

	v[0].iov_base = r->head.s;
	v[0].iov_len = r->head.len;
	v[1].iov_base = a->body.s;
	v[1].iov_len = r->split ? a->body.len : 0;
	c->end = r->end;
	if (r->head.failed || a->body.failed || a->head.failed)
		return -1;
	if (delay == 0 && r->step == 0) {
		k = writev(c->fd, v, 2);
		if (k < 0 && errno != EAGAIN && errno != EINTR)
			return -1;
		k = k < 0 ? 0 : k;
		if ((size_t)k == v[0].iov_len + v[1].iov_len) {
			c->sending = 1;
			return finish(s, c);
		}
	}
	if (keep_rest(s, c, (size_t)k) != 0)
		return -1;
	if (delay == 0)
		return push(s, c);
	want(s, c, EPOLLRDHUP);
	return webtimer_set(&s->timers, &c->timer,
	    weblog_now() + delay * UINT64_C(1000));
}

static void
log_request(struct webconn_shared *s, const struct webconn *c, uint64_t now)
{
	const struct webanswer *a = &s->answer;
	char fate[64];
	int silent = a->fate == WEBANSWER_GONE || a->fate == WEBANSWER_STALL ||
	    a->fate == WEBANSWER_SILENT;

	snprintf(fate, sizeof fate, "%s", webanswer_fate_name(a->fate));
	if (a->retry_after > 0)
		snprintf(fate, sizeof fate, "%s,retry-after=%u",
		    webanswer_fate_name(a->fate), a->retry_after);
	weblog_add(&s->log, now, &s->request, silent ? 0 : a->status, c->number,
	    c->addr, fate);
}

static unsigned int
before(void *arg, const char *host, const char *path)
{
	struct webconn_shared *s = arg;

	return webcount_add(&s->count, host, path);
}

/* Answer the request that was just parsed.  As push(). */
static int
answer(struct webconn_shared *s, struct webconn *c)
{
	const struct webhttp *r = &s->request;
	struct webanswer *a = &s->answer;
	uint64_t now = weblog_now();
	int head = strcmp(r->method, "HEAD") == 0;
	int known = head || strcmp(r->method, "GET") == 0;

	a->before = before;
	a->arg = s;
	a->codings = r->codings;
	webanswer_get(a, r->host, r->target);
	if (!known) {
		webbuf_clear(&a->head);
		webbuf_clear(&a->body);
		webanswer_plain(a, 405);
		a->fate = WEBANSWER_OK;
	}
	log_request(s, c, now);
	webreply_make(&s->reply, a, r->keep && !r->has_body && known, !head);
	return reply(s, c);
}

/* Use up whole heads at `data'.  The bytes used, or -1: close. */
static long
use_heads(struct webconn_shared *s, struct webconn *c, const char *data,
    size_t len)
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
		if (answer(s, c) < 0)
			return -1;
	}
	return (long)used;
}

/* Answer what `in' holds already.  0, or -1: close. */
static int
resume(struct webconn_shared *s, struct webconn *c)
{
	long used = 0;

	if (c->in.len > 0)
		used = use_heads(s, c, c->in.s, c->in.len);
	if (used < 0)
		return -1;
	if (used > 0) {
		memmove(c->in.s, c->in.s + used, c->in.len - (size_t)used);
		c->in.len -= (size_t)used;
	}
	if (c->in.len == 0)
		webbuf_free(&c->in);
	if (!c->sending)
		want(s, c, EPOLLIN);
	return 0;
}

static int
receive(struct webconn_shared *s, struct webconn *c)
{
	ssize_t n = recv(c->fd, s->buf, sizeof s->buf, 0);
	long used = 0;

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -1;
	if (n == 0)
		return -1;
	if (c->in.len == 0)
		used = use_heads(s, c, s->buf, (size_t)n);
	if (used < 0)
		return -1;
	webbuf_put(&c->in, s->buf + used, (size_t)(n - used));
	if (c->in.failed)
		return -1;
	return c->sending ? 0 : resume(s, c);
}

/* After sending: on to the next request, if the answer is out. */
static int
go_on(struct webconn_shared *s, struct webconn *c)
{
	int rc = push(s, c);

	return rc > 0 ? resume(s, c) : rc;
}

int
webconn_event(struct webconn_shared *s, struct webconn *c, uint32_t events)
{
	if (events & EPOLLERR)
		return -1;
	if (c->sending && events & EPOLLOUT)
		return go_on(s, c);
	if (!c->sending && events & EPOLLIN)
		return receive(s, c);
	return events & (EPOLLHUP | EPOLLRDHUP) ? -1 : 0;
}

int
webconn_timer(struct webconn_shared *s, struct webconn *c)
{
	if (c->sent > 0)
		c->allowed += c->step;
	return go_on(s, c);
}

int
webconn_open(struct webconn_shared *s, int fd)
{
	struct sockaddr_in at;
	socklen_t len = sizeof at;
	struct webconn *c = calloc(1, sizeof *c);
	int one = 1;

	if (c == NULL || getsockname(fd, (struct sockaddr *)&at, &len) != 0 ||
	    webconn_watch(s->epoll, EPOLL_CTL_ADD, fd, c, EPOLLIN) != 0) {
		free(c);
		close(fd);
		return -1;
	}
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	c->fd = fd;
	c->want = EPOLLIN;
	c->number = ++s->opened;
	c->addr = ntohl(at.sin_addr.s_addr);
	c->timer.owner = c;
	c->next = s->all;
	if (s->all != NULL)
		s->all->prev = c;
	s->all = c;
	return 0;
}

void
webconn_close(struct webconn_shared *s, struct webconn *c)
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
}

void
webconn_shared_free(struct webconn_shared *s)
{
	while (s->all != NULL)
		webconn_close(s, s->all);
	webtimer_free(&s->timers);
	webcount_free(&s->count);
	webanswer_free(&s->answer);
	webbuf_free(&s->reply.head);
	webbuf_free(&s->log.buf);
}
