/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * frontierend.c - how jobs end
 */

#include "config.h"

#include <string.h>

#include "frontier/outcome.h"
#include "frontier/sched.h"

/* What job `slot' was in flight for: its host and address are free again. */
static void
land(struct frontier *f, uint32_t slot)
{
	const struct job *j = job_at(&f->jobs, slot);
	struct host *h = host_at(&f->hosts, j->host);

	if (j->over)
		return;
	if (j->kind == FRONTIER_ROBOTS || j->kind == FRONTIER_PAGE)
		h->flight--;
	if (j->kind == FRONTIER_RESOLVE)
		h->flags &= (uint16_t)~HOST_RESOLVING;
	if (j->kind != FRONTIER_DROP)
		addr_at(&f->addrs, j->addr)->flight--;
	job_over(&f->jobs, slot);
}

/* Take `slot' out of its host's list. */
static void
unlink_job(struct frontier *f, uint32_t slot)
{
	const struct job *j = job_at(&f->jobs, slot);
	uint32_t *at = &host_at(&f->hosts, j->host)->job;

	while (*at != slot)
		at = &job_at(&f->jobs, *at)->next;
	*at = j->next;
}

void
core_end(struct frontier *f, uint32_t slot)
{
	const struct job *j = job_at(&f->jobs, slot);

	unlink_job(f, slot);
	land(f, slot);
	if (j->kind == FRONTIER_ROBOTS)
		host_at(&f->hosts, j->whose)->flags &= (uint16_t)~HOST_ASKING;
	job_end(&f->jobs, slot);
}

uint32_t
core_hops(struct frontier *f, const struct host *h, uint32_t *slot)
{
	const struct job *j;
	uint32_t n = 0;

	*slot = 0;
	for (uint32_t at = h->job; at != 0; at = j->next) {
		j = job_at(&f->jobs, at);
		if (j->over != JOB_WAITS)
			continue;
		*slot = at; /* the newest stands first */
		n++;
	}
	return n;
}

/* The slot of job `id', which has to be of kind `kind' (0: of any). */
static int
slot_of(struct frontier *f, uint32_t id, enum frontier_kind kind, int64_t now,
    uint32_t *slot)
{
	core_clock(f, now);
	*slot = job_slot(&f->jobs, id);
	if (*slot == 0 || (kind != 0 && job_at(&f->jobs, *slot)->kind != kind))
		return FAULT_ARG;
	return store_reserve(f->store);
}

/* Free the slot and let host and address go on. */
static void
finish(struct frontier *f, uint32_t slot)
{
	const struct job *j = job_at(&f->jobs, slot);
	uint32_t host = j->host, whose = j->whose, addr = j->addr;
	int over = j->over;

	core_end(f, slot);
	/* In this order: the host may be the last that needs the address.
	   One that is over has let go of it, and its number may be another
	   address's by now. */
	if (!over)
		sched_addr(f, addr);
	sched_host(f, host);
	if (whose != host)
		sched_host(f, whose);
}

int
frontier_resolved(struct frontier *f, uint32_t id,
    const struct frontier_addr *addr, size_t n, int64_t ttl, int64_t now)
{
	uint32_t slot;
	struct host *h;
	int64_t until;
	int rc = slot_of(f, id, FRONTIER_RESOLVE, now, &slot);

	if (rc < 0)
		return rc;
	h = host_at(&f->hosts, job_at(&f->jobs, slot)->host);
	if (n == 0) {
		outcome_unresolved(f, h);
	} else {
		if (sched_move(f, h, addr) < 0)
			return FAULT_NOMEM;
		if (ttl < LIMIT_ADDR_TTL_LEAST_MS)
			ttl = LIMIT_ADDR_TTL_LEAST_MS;
		if (ttl > LIMIT_ADDR_TTL_MS)
			ttl = LIMIT_ADDR_TTL_MS;
		until = (f->now + ttl) / 1000;
		h->addr_until =
		    until > UINT32_MAX ? UINT32_MAX : (uint32_t)until;
		h->tries = 0;
	}
	finish(f, slot);
	return 0;
}

int
frontier_robots(struct frontier *f, uint32_t id,
    const struct frontier_robots *r, int64_t now)
{
	uint32_t slot;
	int rc = slot_of(f, id, FRONTIER_ROBOTS, now, &slot);

	if (rc < 0)
		return rc;
	if (r->len > LIMIT_ROBOTS_FLAT)
		return FAULT_TOOBIG;
	rc = outcome_robots(f, slot, r);
	if (rc == 0)
		finish(f, slot);
	return rc;
}

/* ROBOTS job `slot' goes on at host `host', as soon as that may be asked. */
static void
move_job(struct frontier *f, uint32_t slot, uint32_t host,
    const struct frontier_url *to)
{
	struct job *j = job_at(&f->jobs, slot);
	struct host *h = host_at(&f->hosts, host);
	uint32_t from = j->host, addr = j->addr;

	unlink_job(f, slot);
	land(f, slot);
	memcpy(j->text, to->url.s, to->url.len);
	j->len = (uint32_t)to->url.len;
	j->parts = to->parts;
	j->host = host;
	j->hops++;
	j->next = h->job;
	h->job = slot;
	h->flags |= HOST_HOPS;
	job_wait(&f->jobs, slot);
	sched_addr(f, addr);
	sched_host(f, from);
	core_wake(f, host);
}

int
frontier_redirected(struct frontier *f, uint32_t id,
    const struct frontier_url *to, int64_t now)
{
	uint32_t slot, host, first;
	struct host *h;
	int rc = slot_of(f, id, FRONTIER_ROBOTS, now, &slot);

	if (rc == 0)
		rc = core_host(f, to, &host);
	if (rc == 0)
		rc = job_room(job_at(&f->jobs, slot), to->url.len);
	if (rc < 0)
		return rc == FAULT_FULL ? 0 : rc;
	h = host_at(&f->hosts, host);
	if (h->flags & HOST_DRAIN && h->next <= f->now)
		outcome_revive(f, h, 0);
	if (h->flags & HOST_DRAIN)
		return 0;
	if (f->jobs.hops >= LIMIT_HOPS ||
	    core_hops(f, h, &first) >= LIMIT_HOPS_HOST) {
		outcome_later(f, slot); /* from the start */
		finish(f, slot);
	} else {
		move_job(f, slot, host, to);
	}
	return 1;
}

/* Queue the URL of PAGE or DROP `j' again. */
static int
requeue(struct frontier *f, const struct job *j, unsigned int lane)
{
	struct url_span url = { j->text, j->len };
	struct entry e;

	e.ordinal = j->ordinal;
	e.depth = j->depth;
	e.tries = j->tries;
	core_entry(f, url, &j->parts, &e);
	return core_queue(f, j->host, lane, &e);
}

int
frontier_fetched(struct frontier *f, uint32_t id, enum frontier_outcome outcome,
    int64_t retry_after, int64_t now)
{
	uint32_t slot, host, addr;
	unsigned int lane;
	struct job *j;
	struct host *h;
	int over, rc = slot_of(f, id, FRONTIER_PAGE, now, &slot);

	if (rc < 0)
		return rc;
	j = job_at(&f->jobs, slot);
	if (j->over)
		return FAULT_ARG;
	host = j->host;
	addr = j->addr;
	h = host_at(&f->hosts, host);
	over = outcome_page(f, h, j, outcome, retry_after, &lane);
	if (!over) {
		rc = requeue(f, j, lane);
		if (rc < 0)
			return rc;
		h->pages--;
		finish(f, slot);
		return 0;
	}
	land(f, slot);
	sched_addr(f, addr);
	sched_host(f, host);
	return 1;
}

int
frontier_release(struct frontier *f, uint32_t id, int64_t now)
{
	uint32_t slot;
	int rc = slot_of(f, id, FRONTIER_PAGE, now, &slot);

	if (rc < 0)
		return rc;
	if (!job_at(&f->jobs, slot)->over)
		return FAULT_ARG;
	f->sum.finished++;
	finish(f, slot);
	return 0;
}

int
frontier_done(struct frontier *f, uint32_t id, enum frontier_outcome outcome,
    int64_t retry_after, int64_t now)
{
	uint32_t slot;
	struct job *j;
	int rc = slot_of(f, id, 0, now, &slot);

	if (rc < 0)
		return rc;
	j = job_at(&f->jobs, slot);
	if (j->kind == FRONTIER_DROP) {
		f->sum.dropped[j->reason]++;
		finish(f, slot);
		return 1;
	}
	rc = frontier_fetched(f, id, outcome, retry_after, now);
	if (rc <= 0)
		return rc;
	rc = frontier_release(f, id, now);
	return rc < 0 ? rc : 1;
}

int
frontier_started(struct frontier *f, uint32_t id, int64_t at)
{
	uint32_t slot = job_slot(&f->jobs, id);
	struct job *j;
	struct host *h;

	if (slot == 0)
		return FAULT_ARG;
	j = job_at(&f->jobs, slot);
	h = host_at(&f->hosts, j->host);
	at += core_delay(f, h);
	if (at > h->next)
		h->next = at;
	return 0;
}

int
frontier_undone(struct frontier *f, uint32_t id, int64_t now)
{
	uint32_t slot;
	struct job *j;
	int rc = slot_of(f, id, 0, now, &slot);

	if (rc < 0)
		return rc;
	j = job_at(&f->jobs, slot);
	if (j->kind == FRONTIER_PAGE || j->kind == FRONTIER_DROP) {
		rc = requeue(f, j, 0);
		if (rc < 0)
			return rc;
		if (j->kind == FRONTIER_PAGE)
			host_at(&f->hosts, j->host)->pages--;
	}
	finish(f, slot);
	return 0;
}
