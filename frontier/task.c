/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * task.c - what a host whose turn has come is asked for
 *
 * Nothing leaves a queue before there is a slot for it: first a slot is
 * reserved that is large enough, then the URL is taken, then the slot is
 * filled.
 */

#include "config.h"

#include <string.h>

#include "frontier/blob.h"
#include "frontier/outcome.h"
#include "frontier/sched.h"
#include "frontier/task.h"

#define LANE0_SHARE 4  /* of lane 0 for one of lane 1 */
#define SKIPS       64 /* marked URLs passed over in one turn */

/* The lane that `h' is served from next; FRONTIER_LANES if all are empty. */
static unsigned int
lane_of(const struct host *h)
{
	if (h->queue[0] != 0 && (h->turn < LANE0_SHARE || h->queue[1] == 0))
		return 0;
	if (h->queue[1] != 0)
		return 1;
	return h->queue[2] != 0 ? 2 : FRONTIER_LANES;
}

/* Where the parts of the URL lie that is `origin' bytes of scheme, userinfo
   (of `info' bytes), name and port, and then a path. */
static void
parts_of(const struct host *h, size_t info, size_t origin, const char *s,
    size_t len, struct url_parts *parts)
{
	const char *query;

	parts->https = (h->flags & HOST_HTTPS) != 0;
	parts->port = h->port;
	parts->host = (uint32_t)((parts->https ? 8 : 7) + info);
	parts->host_end = parts->host + h->name_len;
	parts->path = (uint32_t)origin;
	query = memchr(s + origin, '?', len - origin);
	parts->query = (uint32_t)(query == NULL ? len : (size_t)(query - s));
	parts->end = (uint32_t)len;
}

/* Build `tail' (path and query, userinfo in front) of `h' in a slot. */
static int
build(struct frontier *f, const struct host *h, const char *tail, size_t len,
    uint32_t *slot)
{
	const char *path = memchr(tail, '/', len);
	size_t info = path == NULL ? 0 : (size_t)(path - tail), n;
	struct job *j;
	int rc;

	rc = job_reserve(&f->jobs, len + h->name_len + 16, slot);
	if (rc < 0)
		return rc;
	j = job_at(&f->jobs, *slot);
	n = host_origin(&f->hosts, h, tail, info, j->text);
	memcpy(j->text + n, tail + info, len - info);
	j->len = (uint32_t)(n + len - info);
	parts_of(h, info, n, j->text, j->len, &j->parts);
	return 0;
}

/* The request of slot `slot' starts, at address `addr'. */
static void
depart(struct frontier *f, uint32_t slot, uint32_t addr,
    struct frontier_job *out)
{
	struct job *j = job_at(&f->jobs, slot);
	struct host *h = host_at(&f->hosts, j->host);

	j->addr = addr;
	if (j->kind == FRONTIER_ROBOTS || j->kind == FRONTIER_PAGE) {
		h->flight++;
		h->next = f->now + core_delay(f, h);
		sched_start(f, addr);
	} else if (j->kind == FRONTIER_RESOLVE) {
		addr_at(&f->addrs, addr)->flight++;
	}
	out->id = job_id(&f->jobs, slot);
	out->kind = (enum frontier_kind)j->kind;
	out->reason = j->reason;
	out->host = j->host;
	out->url.s = j->text;
	out->url.len = j->len;
	out->parts = j->parts;
	out->ordinal = j->ordinal;
	out->depth = j->depth;
	out->lane = j->lane;
	out->tries = j->tries;
	out->hops = j->hops;
	out->addr = addr_at(&f->addrs, addr)->ip;
}

/* Put slot `slot' in flight as a job of host `id'. */
static void
launch(struct frontier *f, uint32_t id, uint32_t slot, enum frontier_kind kind,
    uint32_t addr, struct frontier_job *out)
{
	struct host *h = host_at(&f->hosts, id);
	struct job *j = job_at(&f->jobs, slot);

	job_start(&f->jobs, slot, kind);
	j->host = j->whose = id;
	j->hops = 0;
	j->next = h->job;
	h->job = slot;
	if (kind == FRONTIER_RESOLVE)
		h->flags |= HOST_RESOLVING;
	else if (kind == FRONTIER_ROBOTS)
		h->flags |= HOST_ASKING;
	depart(f, slot, addr, out);
}

/* A job about the host itself. */
static int
ask(struct frontier *f, uint32_t id, uint32_t addr, enum frontier_kind kind,
    struct frontier_job *out)
{
	struct host *h = host_at(&f->hosts, id);
	const char *path = kind == FRONTIER_ROBOTS ? "/robots.txt" : "/";
	uint32_t slot;
	struct job *j;
	int rc;

	rc = build(f, h, path, strlen(path), &slot);
	if (rc < 0)
		return rc;
	j = job_at(&f->jobs, slot);
	j->ordinal = 0;
	j->depth = 0;
	j->lane = 0;
	j->tries = h->tries;
	j->reason = FRONTIER_KEPT;
	launch(f, id, slot, kind, addr, out);
	return 1;
}

/* Do the host's rules let `e' be fetched? */
static int
allowed(struct frontier *f, const struct host *h, const struct entry *e)
{
	const char *path = memchr(e->text, '/', e->len);

	if (f->opts.allowed == NULL || h->rules_len == 0 || path == NULL)
		return 1;
	blob_get(&f->hosts.blob, h->rules, h->rules_len, f->rules);
	return f->opts.allowed(f->opts.ctx, f->rules, h->rules_len, path,
	    (size_t)(e->text + e->len - path));
}

/* What becomes of `e'. */
static enum frontier_reason
verdict(struct frontier *f, const struct host *h, const struct entry *e)
{
	if (h->flags & HOST_DRAIN)
		return h->reason;
	if (f->opts.host_pages > 0 && h->pages >= f->opts.host_pages)
		return FRONTIER_BUDGET;
	return allowed(f, h, e) ? FRONTIER_KEPT : FRONTIER_DISALLOWED;
}

static int
wanted(struct frontier *f, const struct job *j)
{
	struct url_span url = { j->text, j->len };

	return f->opts.wanted == NULL || f->opts.wanted(f->opts.ctx, url);
}

/* The next URL of the host, as a PAGE or a DROP. */
static int
serve(struct frontier *f, uint32_t id, uint32_t addr, struct frontier_job *out)
{
	struct host *h = host_at(&f->hosts, id);
	enum frontier_reason why;
	unsigned int lane;
	struct entry e;
	uint32_t slot;
	struct job *j;
	int rc, skips = 0;

	for (;;) {
		lane = lane_of(h);
		if (lane == FRONTIER_LANES) {
			/* An image may have counted wrong. */
			f->sum.queued -= h->queued;
			h->queued = 0;
			return 0;
		}
		rc = store_first(f->store, &h->queue[lane], &e);
		if (rc < 0)
			return rc;
		if (rc == 0)
			continue;
		if (!marks_unset(&f->marks, e.ordinal))
			break;
		store_shift(f->store, &h->queue[lane]);
		if (++skips == SKIPS)
			return 0;
	}
	why = verdict(f, h, &e);
	rc = build(f, h, e.text, e.len, &slot);
	if (rc < 0)
		return rc;
	j = job_at(&f->jobs, slot);
	if (why == FRONTIER_KEPT && !wanted(f, j))
		why = FRONTIER_EXCLUDED;
	j->ordinal = e.ordinal;
	j->depth = e.depth;
	j->lane = (uint8_t)lane;
	j->tries = (uint8_t)e.tries;
	j->reason = (uint8_t)why;
	store_shift(f->store, &h->queue[lane]);
	h->queued--;
	f->sum.queued--;
	if (lane == 0 && h->turn < LANE0_SHARE)
		h->turn++;
	else if (lane == 1)
		h->turn = 0;
	if (why == FRONTIER_KEPT)
		h->pages++;
	launch(f, id, slot,
	    why == FRONTIER_KEPT ? FRONTIER_PAGE : FRONTIER_DROP,
	    why == FRONTIER_KEPT ? addr : ADDR_DRAIN, out);
	return 1;
}

/* The first of the redirects that wait at `h', which is one less then. */
static uint32_t
take_hop(struct frontier *f, struct host *h)
{
	uint32_t slot;

	if (core_hops(f, h, &slot) <= 1)
		h->flags &= (uint16_t)~HOST_HOPS;
	h->flags |= HOST_HOPPED;
	return slot;
}

/* `h' is given up: for those whose robots.txt leads here it is as if it had
   not answered. */
static int
fail_hop(struct frontier *f, struct host *h)
{
	struct frontier_robots r = { 0 };
	uint32_t slot = take_hop(f, h), whose;
	int rc;

	if (slot == 0)
		return 0;
	r.outcome = FRONTIER_FAILED;
	r.retry_after = -1;
	whose = job_at(&f->jobs, slot)->whose;
	rc = outcome_robots(f, slot, &r);
	core_end(f, slot);
	sched_host(f, whose);
	return rc;
}

/* Is it the turn of the redirects that wait at `h'?  Every other one is, if
   it has something to do for itself. */
static int
hop_next(const struct host *h)
{
	return h->flags & HOST_HOPS &&
	    (h->flags & HOST_ASKING || (h->flags & HOST_HOPPED) == 0 ||
		h->queued == 0);
}

int
task_give(struct frontier *f, uint32_t id, uint32_t addr,
    struct frontier_job *job)
{
	struct host *h = host_at(&f->hosts, id);
	uint32_t slot;

	if (h->flags & HOST_DRAIN && h->flags & HOST_HOPS)
		return fail_hop(f, h);
	if (h->flags & HOST_DRAIN)
		return serve(f, id, addr, job);
	/* What was so when the host was put into its queue may have changed
	   while it waited there. */
	if (h->next > f->now || sched_place(f, h) != addr)
		return 0;
	if (addr == ADDR_RESOLVER)
		return ask(f, id, addr, FRONTIER_RESOLVE, job);
	if (hop_next(h)) {
		slot = take_hop(f, h);
		if (slot == 0)
			return 0;
		job_again(&f->jobs, slot);
		depart(f, slot, addr, job);
		return 1;
	}
	h->flags &= (uint16_t)~HOST_HOPPED;
	if (f->opts.allowed != NULL &&
	    ((h->flags & HOST_RULES) == 0 ||
		(int64_t)h->robots_until * 1000 <= f->now))
		return ask(f, id, addr, FRONTIER_ROBOTS, job);
	return serve(f, id, addr, job);
}
