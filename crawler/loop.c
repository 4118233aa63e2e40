/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/epoll.h>

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "crawler/loop.h"
#include "snapshot/clock.h"

#define EVENTS 64 /* taken per turn; more wait for the next */

struct loop {
	int epoll;
	int64_t now;
	struct loop_timer *timer;
	struct epoll_event ev[EVENTS];
	int n;  /* events of this turn */
	int at; /* the one being handled */
};

int
loop_new(struct loop **out)
{
	struct loop *l;

	l = calloc(1, sizeof *l);
	if (l == NULL)
		return FAULT_NOMEM;
	l->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (l->epoll < 0) {
		free(l);
		return FAULT_SYS;
	}
	l->now = clock_ms();
	*out = l;
	return 0;
}

void
loop_free(struct loop *l)
{
	if (l == NULL)
		return;
	(void)close(l->epoll);
	free(l);
}

static int
control(struct loop *l, int op, struct loop_watch *w, uint32_t events)
{
	struct epoll_event ev = { .events = events, .data = { .ptr = w } };

	return epoll_ctl(l->epoll, op, w->fd, &ev) < 0 ? FAULT_SYS : 0;
}

int
loop_add(struct loop *l, struct loop_watch *w, uint32_t events)
{
	return control(l, EPOLL_CTL_ADD, w, events);
}

int
loop_mod(struct loop *l, struct loop_watch *w, uint32_t events)
{
	return control(l, EPOLL_CTL_MOD, w, events);
}

void
loop_del(struct loop *l, struct loop_watch *w)
{
	int i;

	(void)control(l, EPOLL_CTL_DEL, w, 0);
	/* what the kernel has told us of it must not be acted upon */
	for (i = l->at + 1; i < l->n; i++)
		if (l->ev[i].data.ptr == w)
			l->ev[i].data.ptr = NULL;
}

void
loop_timer_add(struct loop *l, struct loop_timer *t)
{
	t->next = l->timer;
	l->timer = t;
}

void
loop_timer_del(struct loop *l, struct loop_timer *t)
{
	struct loop_timer **at;

	for (at = &l->timer; *at != NULL; at = &(*at)->next)
		if (*at == t) {
			*at = t->next;
			return;
		}
}

int64_t
loop_now(const struct loop *l)
{
	return l->now;
}

/* How long to wait, in ms: until the nearest timer, at most `ms'. */
static int
patience(const struct loop *l, int ms)
{
	const struct loop_timer *t;
	int64_t left;

	for (t = l->timer; t != NULL; t = t->next) {
		if (t->due < 0)
			continue;
		left = t->due > l->now ? t->due - l->now : 0;
		if (ms < 0 || left < ms)
			ms = left < 3600000 ? (int)left : 3600000;
	}
	return ms;
}

static void
fire_timers(struct loop *l)
{
	struct loop_timer *t, *next;

	for (t = l->timer; t != NULL; t = next) {
		next = t->next;
		if (t->due < 0 || t->due > l->now)
			continue;
		t->due = -1;
		t->fire(t->arg);
	}
}

int
loop_turn(struct loop *l, int ms)
{
	struct loop_watch *w;

	l->now = clock_ms();
	l->n = epoll_wait(l->epoll, l->ev, EVENTS, patience(l, ms));
	if (l->n < 0 && errno != EINTR)
		return FAULT_SYS;
	l->now = clock_ms();
	for (l->at = 0; l->at < l->n; l->at++) {
		w = l->ev[l->at].data.ptr;
		if (w != NULL)
			w->ready(w->arg, w->fd, l->ev[l->at].events);
	}
	l->n = 0;
	fire_timers(l);
	return 0;
}
