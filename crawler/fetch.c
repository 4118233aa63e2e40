/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fetch.c - the engine: queue, budget, deadlines
 *
 * A job waits until a transfer and memory are free, is handed to libcurl, and
 * ends in fetch_collect() or in the sweep of the deadlines.  The active list
 * is in the order of starting, so its first is the oldest: the one that the
 * budget never stops.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crawler/addrguard.h"
#include "crawler/fetchint.h"
#include "crawler/xferresult.h"

#define SWEEP_MS 250
#define IDLE_MAX 64 /* handles kept beyond those in use */

/* ---- the budget ---- */

int
fetch_book(struct fetch *f, struct xfer *x, size_t size)
{
	size_t more = size > x->held ? size - x->held : 0;

	if (more > 0 && f->stat.held + more > f->o.budget &&
	    x != TAILQ_FIRST(&f->active))
		return 0;
	f->stat.held += more;
	x->held += more;
	return 1;
}

/* ---- beginning and ending ---- */

static void
retire(struct fetch *f, struct xfer *x)
{
	xfer_reset(x);
	if (f->stat.active > IDLE_MAX + f->stat.waiting &&
	    !TAILQ_EMPTY(&f->idle)) {
		xfer_free(x);
		return;
	}
	TAILQ_INSERT_HEAD(&f->idle, x, list);
}

/* Take the host's addresses out of libcurl's table with the next transfer. */
static void
forget_host(struct fetch *f, const struct xfer *x)
{
	const struct xfer *other;
	struct curl_slist *l;
	struct buf b;

	if (f->proxy != NULL || x->literal || x->ips == 0)
		return;
	TAILQ_FOREACH (other, &f->active, list)
		if (other->key == x->key)
			return; /* it will do so when it ends */
	buf_init(&b, LIMIT_LINE);
	if (buf_fmt(&b, "-%s:%u", x->url + x->host, (unsigned int)x->port) ==
		0 &&
	    buf_add(&b, "", 1) == 0) {
		l = curl_slist_append(f->removal, b.s);
		if (l != NULL)
			f->removal = l;
	}
	buf_free(&b);
}

/* `x' is over and no longer libcurl's: tell, and take it back. */
static void
end(struct fetch *f, struct xfer *x, CURLcode code)
{
	struct fetch_result r;

	xferresult_fill(x, code, &r);
	TAILQ_REMOVE(&f->active, x, list);
	f->stat.active--;
	f->stat.finished++;
	f->stat.held -= x->held;
	f->stat.reused += (uint64_t)r.reused;
	x->held = 0;
	forget_host(f, x);
	f->done(f->ctx, &r);
	retire(f, x);
}

static void
set_sweep(struct fetch *f, int64_t due)
{
	f->sweep.due = f->sweep_due = due;
}

/*
 * An address that stands in the URL is checked whatever it stands for: under
 * a proxy there is nothing else to check, and `--connect-to' for any host
 * must not make every private address on the web one of ours.
 */
static int
literal_refused(const struct fetch *f, struct xfer *x)
{
	struct ip ip;

	if (f->o.guard == NULL || !x->literal)
		return 0;
	(void)ip_parse(&ip, x->url + x->host, x->host_len);
	if (addrguard_ok(f->o.guard, x->url + x->host, x->host_len, &ip))
		return 0;
	x->refused_ip = ip;
	return 1;
}

/* Hand `x' to libcurl.  What goes wrong here is told by the next sweep. */
static void
begin(struct fetch *f, struct xfer *x)
{
	int rc;

	TAILQ_REMOVE(&f->waiting, x, list);
	f->stat.waiting--;
	TAILQ_INSERT_TAIL(&f->active, x, list);
	f->stat.active++;
	f->stat.started++;
	x->held = XFER_FIRST;
	f->stat.held += x->held;
	x->start_us = xfer_wall_us();
	x->start = x->begun = x->mark = loop_now(f->loop);
	if (literal_refused(f, x)) {
		x->ended = FETCH_GUARD;
	} else {
		rc = xfer_ready(x, f->removal);
		f->removal = NULL;
		if (rc < 0 ||
		    curl_multi_add_handle(f->multi, x->easy) != CURLM_OK)
			x->ended = FETCH_INTERNAL;
	}
	if (x->ended != FETCH_OK)
		set_sweep(f, loop_now(f->loop));
	else if (f->sweep.due < 0)
		set_sweep(f, loop_now(f->loop) + SWEEP_MS);
}

/* Let paused transfers go on, the oldest first, as far as there is room. */
static void
unpause(struct fetch *f)
{
	struct xfer *x, *next;
	CURLcode code;
	int64_t lost;

	if (f->stat.paused == 0)
		return;
	f->stat.paused = 0;
	for (x = TAILQ_FIRST(&f->active); x != NULL; x = next) {
		next = TAILQ_NEXT(x, list);
		if (x->paused < 0)
			continue;
		if (f->held ||
		    (x != TAILQ_FIRST(&f->active) &&
			f->stat.held + x->held > f->o.budget)) {
			f->stat.paused++;
			continue;
		}
		lost = loop_now(f->loop) - x->paused;
		x->start += lost;
		x->mark += lost;
		x->paused = -1;
		/* what was held back is delivered from within this call */
		code = curl_easy_pause(x->easy, CURLPAUSE_CONT);
		if (code != CURLE_OK) {
			(void)curl_multi_remove_handle(f->multi, x->easy);
			end(f, x, code);
		}
	}
}

static void
admit(struct fetch *f)
{
	while (!f->held && !TAILQ_EMPTY(&f->waiting) &&
	    f->stat.active < f->o.max_active &&
	    (f->stat.active == 0 || f->stat.held + XFER_FIRST <= f->o.budget))
		begin(f, TAILQ_FIRST(&f->waiting));
}

/* End `x' for a reason of ours. */
static void
abort_xfer(struct fetch *f, struct xfer *x, enum fetch_error why)
{
	(void)curl_multi_remove_handle(f->multi, x->easy);
	x->ended = why;
	end(f, x, CURLE_OK);
}

/* Which deadline has `x' passed?  FETCH_OK: none. */
static enum fetch_error
overdue(const struct fetch *f, struct xfer *x, int64_t now)
{
	const struct fetch_opts *o = &f->o;
	int64_t least;

	if (x->ended != FETCH_OK || x->paused >= 0)
		return x->ended;
	if (now - x->start >= o->whole_ms)
		return FETCH_TIMEOUT;
	if (x->first < 0 && now - x->start < o->timeout_ms)
		return FETCH_OK;
	if (x->first < 0)
		return xfer_ready_us(x) > 0 ? FETCH_TIMEOUT_FIRST :
					      FETCH_TIMEOUT_CONNECT;
	if (now - x->mark < o->stall_ms)
		return FETCH_OK;
	least = (int64_t)o->stall_rate * (now - x->mark) / 1000;
	if (x->bytes - x->mark_bytes < least)
		return FETCH_TIMEOUT_STALL;
	x->mark = now;
	x->mark_bytes = x->bytes;
	return FETCH_OK;
}

/*
 * Nothing could come in (or be taken) since `since': what was due meanwhile is
 * due again after as long.
 */
static void
shift(struct fetch *f, int64_t since, int64_t now)
{
	struct xfer *x;
	int64_t lost;

	TAILQ_FOREACH (x, &f->active, list) {
		lost = (x->paused < 0 ? now : x->paused) -
		    (x->begun > since ? x->begun : since);
		if (lost <= 0) /* it had paused before: unpause() counts */
			continue;
		x->start += lost;
		x->mark += lost;
	}
}

static void
on_sweep(void *arg)
{
	struct fetch *f = arg;
	int64_t now = loop_now(f->loop);
	struct xfer *x, *next;
	enum fetch_error why;

	fetch_collect(f); /* what is there is not late */
	/* our own thread was busy, perhaps with a page of 1000 ms */
	if (!f->held && now - f->sweep_due > SWEEP_MS)
		shift(f, f->sweep_due, now);
	for (x = TAILQ_FIRST(&f->active); x != NULL && !f->held; x = next) {
		next = TAILQ_NEXT(x, list);
		why = overdue(f, x, now);
		if (why != FETCH_OK)
			abort_xfer(f, x, why);
	}
	if (!TAILQ_EMPTY(&f->active) || !TAILQ_EMPTY(&f->waiting))
		set_sweep(f, now + SWEEP_MS);
	fetch_collect(f);
}

/* Take what is finished, then use the room. */
void
fetch_collect(struct fetch *f)
{
	struct xfer *x;
	CURLMsg *m;
	char *p;
	int left;

	if (f->settling || f->held)
		return;
	f->settling = 1;
	while (!f->held) {
		m = curl_multi_info_read(f->multi, &left);
		if (m == NULL)
			break;
		if (m->msg != CURLMSG_DONE)
			continue;
		(void)curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &p);
		x = (struct xfer *)(void *)p;
		CURLcode code = m->data.result;

		(void)curl_multi_remove_handle(f->multi, x->easy);
		end(f, x, code);
	}
	unpause(f);
	admit(f);
	f->settling = 0;
}

/* ---- life ---- */

static int
copy_opts(struct fetch *f, const struct fetch_opts *o)
{
	f->o = *o;
	if (o->agent == NULL || o->timeout_ms == 0 || o->max_active == 0)
		return FAULT_ARG;
	if (f->o.whole_ms == 0)
		f->o.whole_ms = o->timeout_ms * 10;
	if (f->o.max_idle == 0)
		f->o.max_idle = 3 * o->max_active;
	if (f->o.stall_ms == 0)
		f->o.stall_ms = o->timeout_ms;
	/* a rate that we keep down ourselves is no stall */
	if (o->limit_rate != 0 && o->limit_rate / 2 < f->o.stall_rate)
		f->o.stall_rate = (uint32_t)(o->limit_rate / 2);
	f->proxy = o->proxy == NULL ? NULL : strdup(o->proxy);
	f->cacert = o->cacert == NULL ? NULL : strdup(o->cacert);
	if ((o->proxy != NULL && f->proxy == NULL) ||
	    (o->cacert != NULL && f->cacert == NULL))
		return FAULT_NOMEM;
	return request_new(&f->request, o->agent, o->extra, o->n_extra);
}

int
fetch_open(struct fetch **out, struct loop *l, const struct fetch_opts *o,
    void (*done)(void *ctx, const struct fetch_result *r), void *ctx)
{
	struct fetch *f;
	int rc;

	f = calloc(1, sizeof *f);
	if (f == NULL)
		return FAULT_NOMEM;
	f->loop = l;
	f->done = done;
	f->ctx = ctx;
	TAILQ_INIT(&f->active);
	TAILQ_INIT(&f->waiting);
	TAILQ_INIT(&f->idle);
	buf_init(&f->text, LIMIT_URL + 2 * LIMIT_HEAD);
	f->sweep.fire = on_sweep;
	f->curl.arg = f->sweep.arg = f;
	f->curl.due = f->sweep.due = -1;
	loop_timer_add(l, &f->curl);
	loop_timer_add(l, &f->sweep);
	rc = copy_opts(f, o);
	if (rc == 0)
		rc = fetch_multi_open(f);
	if (rc < 0) {
		fetch_close(f);
		return rc;
	}
	*out = f;
	return 0;
}

static void
free_xfers(struct fetch *f, struct xfers *list, int in_multi)
{
	struct xfer *x;

	while (!TAILQ_EMPTY(list)) {
		x = TAILQ_FIRST(list);
		TAILQ_REMOVE(list, x, list);
		if (in_multi)
			(void)curl_multi_remove_handle(f->multi, x->easy);
		xfer_free(x);
	}
}

void
fetch_close(struct fetch *f)
{
	if (f == NULL)
		return;
	free_xfers(f, &f->active, 1);
	free_xfers(f, &f->waiting, 0);
	free_xfers(f, &f->idle, 0);
	fetch_multi_close(f);
	loop_timer_del(f->loop, &f->curl);
	loop_timer_del(f->loop, &f->sweep);
	curl_slist_free_all(f->removal);
	request_free(f->request);
	buf_free(&f->text);
	free(f->proxy);
	free(f->cacert);
	free(f);
}

int
fetch_start(struct fetch *f, const struct fetch_job *j)
{
	struct xfer *x = TAILQ_FIRST(&f->idle);
	int rc = 0;

	if (x != NULL)
		TAILQ_REMOVE(&f->idle, x, list);
	else
		rc = xfer_new(&x, f);
	if (rc == 0)
		rc = xfer_load(x, j);
	if (rc < 0) {
		if (x != NULL)
			xfer_free(x);
		return rc;
	}
	TAILQ_INSERT_TAIL(&f->waiting, x, list);
	f->stat.waiting++;
	if (!f->settling)
		admit(f);
	return 0;
}

void
fetch_stop(struct fetch *f)
{
	struct xfer *x;

	f->settling = 1;
	while (!TAILQ_EMPTY(&f->active))
		abort_xfer(f, TAILQ_FIRST(&f->active), FETCH_STOPPED);
	while (!TAILQ_EMPTY(&f->waiting)) {
		x = TAILQ_FIRST(&f->waiting);
		TAILQ_REMOVE(&f->waiting, x, list);
		f->stat.waiting--;
		TAILQ_INSERT_TAIL(&f->active, x, list);
		f->stat.active++;
		x->begun = loop_now(f->loop);
		x->start_us = xfer_wall_us();
		x->ended = FETCH_STOPPED;
		end(f, x, CURLE_OK);
	}
	f->settling = 0;
}

void
fetch_hold(struct fetch *f, int on)
{
	int64_t now = loop_now(f->loop);

	if (f->held == on)
		return;
	f->held = on;
	if (on) {
		f->held_since = now;
		return;
	}
	shift(f, f->held_since, now);
	set_sweep(f, now); /* which collects */
}

void
fetch_stat(const struct fetch *f, struct fetch_stat *st)
{
	*st = f->stat;
}
