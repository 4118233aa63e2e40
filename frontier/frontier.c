/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "frontier/image.h"
#include "frontier/outcome.h"
#include "frontier/sched.h"
#include "frontier/task.h"

/* Waiters looked at for each host that is asked: more than that makes new
   ones, and few enough for the next one to be brought near meanwhile. */
#define TURNS 8
#define STEPS 256 /* hosts asked in one call */

#define EXPECTED 64 /* URLs that frontier_expect() looks at */

/* Take what can be changed later from `o'. */
void
frontier_tune(struct frontier *f, const struct frontier_opts *o)
{
	struct frontier_opts *to = &f->opts;

	to->delay = o->delay < LIMIT_DELAY_MS ? o->delay : LIMIT_DELAY_MS;
	to->ip_delay =
	    o->ip_delay < LIMIT_DELAY_MS ? o->ip_delay : LIMIT_DELAY_MS;
	to->per_host = o->per_host == 0 ? 1 : o->per_host;
	if (to->per_host > LIMIT_ADDR_FLIGHT)
		to->per_host = LIMIT_ADDR_FLIGHT;
	to->retries = o->retries < LIMIT_RETRIES ? o->retries : LIMIT_RETRIES;
	to->host_pages = o->host_pages;
}

/* Where the number of queue `o' is kept. */
static uint32_t *
queue_of(void *ctx, struct chunk_owner o)
{
	struct frontier *f = ctx;

	if (o.host == 0 || o.host > host_count(&f->hosts))
		return NULL;
	return &host_at(&f->hosts, o.host)->queue[o.lane];
}

static size_t
origin_of(void *ctx, uint32_t host, char *to)
{
	struct frontier *f = ctx;

	return host_origin(&f->hosts, host_at(&f->hosts, host), "", 0, to);
}

int
frontier_new(struct frontier **out, const struct frontier_opts *opts)
{
	struct frontier *f = calloc(1, sizeof *f);
	struct store_hosts hosts = { queue_of, origin_of, f };
	uint64_t half = opts->readonly ? 0 : (opts->memory + 1) / 2;
	int rc = FAULT_NOMEM;

	*out = NULL;
	if (f == NULL)
		return FAULT_NOMEM;
	f->opts = *opts;
	frontier_tune(f, opts);
	job_init(&f->jobs);
	wheel_init(&f->wheel, 0);
	f->pager = table_pager(half, opts->readonly ? -1 : opts->dirfd);
	if (f->pager == NULL || table_reserve(f->pager) < 0)
		goto out;
	if (opts->dirfd >= 0) {
		rc = spill_new(&f->spill, opts->dirfd, opts->memory / 8,
		    opts->readonly, opts->keep);
		if (rc < 0)
			goto out;
		rc = FAULT_NOMEM;
	}
	table_init(&f->since, f->pager, sizeof(uint64_t), LIMIT_HOSTS);
	f->store = store_new(f->pager, half, f->spill, &hosts);
	f->text = malloc(CORE_TEXT);
	if (f->store == NULL || f->text == NULL ||
	    host_init(&f->hosts, f->pager, opts->seed) < 0 ||
	    addr_init(&f->addrs, f->pager, opts->seed) < 0 ||
	    marks_init(&f->marks, f->pager) < 0)
		goto out;
	*out = f;
	return 0;
out:
	frontier_free(f);
	return rc;
}

int
frontier_fresh(struct frontier *f)
{
	return f->spill == NULL ? 0 : spill_fresh(f->spill);
}

void
frontier_free(struct frontier *f)
{
	if (f == NULL)
		return;
	if (f->pager != NULL) {
		store_free(f->store);
		host_clear(&f->hosts);
		addr_clear(&f->addrs);
		marks_clear(&f->marks);
		table_clear(&f->since);
	}
	free(f->image.buf);
	spill_free(f->spill);
	job_clear(&f->jobs);
	table_pager_free(f->pager);
	free(f->text);
	free(f->rules);
	free(f);
}

void
core_entry(struct frontier *f, struct url_span url,
    const struct url_parts *parts, struct entry *e)
{
	size_t scheme = parts->https ? 8 : 7, info = parts->host - scheme;
	size_t tail = url.len - parts->path;

	e->len = (uint32_t)(info + tail);
	if (info == 0) {
		e->text = url.s + parts->path;
		return;
	}
	memcpy(f->text, url.s + scheme, info);
	memcpy(f->text + info, url.s + parts->path, tail);
	e->text = f->text;
}

int
core_rules(struct frontier *f, struct host *h, const void *rules, size_t len)
{
	void *room;

	if (len > f->rules_room) {
		room = realloc(f->rules, len);
		if (room == NULL)
			return FAULT_NOMEM;
		f->rules = room;
		f->rules_room = len;
	}
	return host_rules(&f->hosts, h, rules, len);
}

void
core_wake(struct frontier *f, uint32_t id)
{
	struct host *h = host_at(&f->hosts, id);

	if ((h->flags & HOST_ACTIVE) == 0) {
		h->flags |= HOST_ACTIVE;
		f->sum.active++;
	}
	sched_host(f, id);
}

int
core_queue(struct frontier *f, uint32_t id, unsigned int lane,
    const struct entry *e)
{
	struct host *h = host_at(&f->hosts, id);
	struct chunk_owner o = { id, lane };
	int rc;

	if (h->queued == UINT32_MAX)
		return FAULT_FULL;
	rc = store_push(f->store, o, &h->queue[lane], e);
	if (rc < 0)
		return rc;
	h->queued++;
	f->sum.queued++;
	core_wake(f, id);
	return 0;
}

/* Could url_normalise() and url_split() have made this? */
static int
sane(const struct frontier_url *u)
{
	const struct url_parts *p = &u->parts;
	size_t scheme = p->https ? 8 : 7;
	int explicit = p->path != p->host_end;

	if (u->url.len > LIMIT_URL || p->host < scheme ||
	    p->host_end <= p->host || p->path < p->host_end ||
	    p->path >= u->url.len || u->url.s[p->path] != '/' ||
	    u->lane >= FRONTIER_LANES ||
	    explicit == (p->port == (p->https ? 443 : 80)) ||
	    memcmp(u->url.s, p->https ? "https://" : "http://", scheme) != 0)
		return 0;
	if (p->host > scheme &&
	    (u->url.s[p->host - 1] != '@' ||
		memchr(u->url.s + scheme, '/', p->host - scheme) != NULL))
		return 0;
	/* Queues on disk are lines of words. */
	for (size_t i = scheme; i < u->url.len; i++)
		if (u->url.s[i] <= ' ' || u->url.s[i] > '~')
			return 0;
	return 1;
}

static struct host_key
key_of(const struct frontier_url *u)
{
	struct host_key k;

	k.name = u->url.s + u->parts.host;
	k.len = u->parts.host_end - u->parts.host;
	k.port = u->parts.port;
	k.https = u->parts.https;
	return k;
}

int
core_host(struct frontier *f, const struct frontier_url *u, uint32_t *id)
{
	struct host_key k;
	int rc;

	if (!sane(u))
		return FAULT_ARG;
	k = key_of(u);
	rc = store_reserve(f->store);
	return rc < 0 ? rc : host_make(&f->hosts, &k, id);
}

int
core_push(struct frontier *f, uint32_t id, const struct frontier_url *u)
{
	struct host *h = host_at(&f->hosts, id);
	struct entry e;
	int rc;

	if (h->flags & HOST_DRAIN && (u->revive || h->next <= f->now))
		outcome_revive(f, h, u->revive);
	e.ordinal = u->ordinal;
	e.depth = u->depth;
	e.tries = 0;
	core_entry(f, u->url, &u->parts, &e);
	rc = core_queue(f, id, u->lane, &e);
	if (rc == 0 && u->lane == FRONTIER_LANES - 1)
		h->deferred += h->deferred < UINT32_MAX;
	return rc;
}

int
frontier_push(struct frontier *f, const struct frontier_url *u, int64_t now)
{
	uint32_t id;
	int rc;

	core_clock(f, now);
	rc = core_host(f, u, &id);
	if (rc == 0)
		rc = core_push(f, id, u);
	if (rc == 0)
		f->sum.pushed++;
	return rc;
}

void
frontier_expect(const struct frontier *f, const struct frontier_url *u,
    size_t n)
{
	const struct host *h;
	struct host_key k;
	uint32_t hash[EXPECTED], id[EXPECTED];

	/* Each step for all, so that their fetches overlap. */
	for (size_t i = 0; i < n && i < EXPECTED; i++) {
		k = key_of(&u[i]);
		hash[i] = host_hash(&f->hosts, &k);
		index_ahead(&f->hosts.index, hash[i]);
	}
	for (size_t i = 0; i < n && i < EXPECTED; i++) {
		id[i] = index_guess(&f->hosts.index, hash[i]);
		if (id[i] != 0)
			table_ahead(&f->hosts.t, id[i]);
	}
	for (size_t step = 0; step < 2; step++) {
		for (size_t i = 0; i < n && i < EXPECTED; i++) {
			h = id[i] == 0 ? NULL : table_peek(&f->hosts.t, id[i]);
			if (h == NULL || u[i].lane >= FRONTIER_LANES)
				continue;
			if (step == 0)
				store_ahead(f->store, h->queue[u[i].lane]);
			else
				store_ahead_last(f->store, h->queue[u[i].lane]);
		}
	}
}

void
frontier_refused(struct frontier *f, const struct frontier_url *u)
{
	struct host_key k;
	struct host *h;
	uint32_t id;

	if (!sane(u) || table_reserve(f->pager) < 0)
		return;
	k = key_of(u);
	id = host_find(&f->hosts, &k);
	if (id == 0)
		return;
	h = host_at(&f->hosts, id);
	h->refused += h->refused < UINT32_MAX;
}

int
frontier_next(struct frontier *f, int64_t now, struct frontier_job *job)
{
	uint32_t id, addr;
	int rc;

	core_clock(f, now);
	if (f->since.count > 1)
		image_settle(f);
	for (unsigned int i = 0; i < STEPS; i++) {
		rc = store_reserve(f->store);
		if (rc < 0)
			return rc;
		sched_turn(f, TURNS);
		id = sched_take(f, &addr);
		if (id == 0) {
			if (f->firing == 0)
				return 0;
			continue;
		}
		rc = task_give(f, id, addr, job);
		sched_addr(f, addr);
		sched_host(f, id);
		if (rc != 0)
			return rc;
	}
	return 0;
}

int64_t
frontier_wait(const struct frontier *f, int64_t now)
{
	int64_t next;

	if (f->sum.active == 0)
		return -1;
	if (f->ready != 0 || f->firing != 0)
		return 0;
	next = wheel_next(&f->wheel);
	if (next < 0)
		return -1;
	return next > now ? next - now : 0;
}

int
frontier_empty(const struct frontier *f)
{
	return f->sum.active == 0;
}

void
frontier_stat(const struct frontier *f, struct frontier_stat *st)
{
	*st = f->sum;
	st->hosts = host_count(&f->hosts);
	st->addresses = f->addrs.index.count;
	memcpy(st->flight, f->jobs.flight, sizeof st->flight);
	st->spilled = store_spilled(f->store);
	st->disk = f->spill == NULL ? 0 : spill_disk(f->spill);
	st->memory = table_memory(f->pager) + store_memory(f->store) +
	    job_memory(&f->jobs) + sizeof *f + CORE_TEXT + f->rules_room;
}

const char *
frontier_reason_str(enum frontier_reason reason)
{
	switch (reason) {
	case FRONTIER_KEPT:
		return "kept";
	case FRONTIER_DISALLOWED:
		return "robots";
	case FRONTIER_BUDGET:
		return "host-pages";
	case FRONTIER_DEAD:
		return "host-dead";
	case FRONTIER_NO_ADDRESS:
		return "no-address";
	case FRONTIER_NO_ROBOTS:
		return "no-robots";
	case FRONTIER_EXCLUDED:
		return "excluded";
	}
	return "unknown";
}
