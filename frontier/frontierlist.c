/* SPDX-License-Identifier: BSD-2-Clause */

/* frontierlist.c - show what is in a frontier, a piece at a time */

#include "config.h"

#include <string.h>

#include "frontier/core.h"
#include "snapshot/limits.h"

/* Fill `out' from host `id'; its origin is built in f->text. */
static void
describe(struct frontier *f, uint32_t id, int64_t now,
    struct frontier_host *out)
{
	struct host *h = host_at(&f->hosts, id);

	memset(out, 0, sizeof *out);
	out->id = id;
	out->origin.s = f->text;
	out->origin.len = host_origin(&f->hosts, h, "", 0, f->text);
	out->queued = h->queued;
	out->pages = h->pages;
	out->failed = h->failed;
	out->refused = h->refused;
	out->deferred = h->deferred;
	out->delay = core_delay(f, h);
	out->next = h->next > now ? h->next - now : 0;
	out->flight = h->flight;
	out->failures = h->failures;
	out->dead = (h->flags & HOST_DRAIN) != 0;
	out->robots = (h->flags & HOST_RULES) != 0;
	if (h->addr == 0)
		return;
	out->has_addr = 1;
	out->addr = addr_at(&f->addrs, h->addr)->ip;
}

int
frontier_hosts(struct frontier *f, uint64_t *cursor, size_t max, int64_t now,
    frontier_host_fn *fn, void *ctx)
{
	struct frontier_host one;
	int rc;

	for (; max > 0 && *cursor < host_count(&f->hosts); max--) {
		rc = table_reserve(f->pager);
		if (rc < 0)
			return rc;
		*cursor += 1;
		describe(f, (uint32_t)*cursor, now, &one);
		rc = fn(ctx, &one);
		if (rc < 0)
			return rc;
	}
	return *cursor < host_count(&f->hosts);
}

/* What the URLs of one lane of one host are shown by. */
struct show {
	struct frontier *f;
	const struct host *host;
	unsigned int lane;
	frontier_url_fn *fn;
	void *ctx;
};

/* One that is queued. */
static int
show_entry(void *ctx, const struct entry *e)
{
	struct show *s = ctx;
	const char *slash = memchr(e->text, '/', e->len);
	size_t info = slash == NULL ? 0 : (size_t)(slash - e->text), n;
	struct frontier_url u = { .lane = (uint8_t)s->lane };
	char *text = s->f->text;

	if (marks_has(&s->f->marks, e->ordinal))
		return 0;
	n = host_origin(&s->f->hosts, s->host, e->text, info, text);
	memcpy(text + n, e->text + info, e->len - info);
	u.url.s = text;
	u.url.len = n + e->len - info;
	u.ordinal = e->ordinal;
	u.depth = e->depth;
	if (url_split(u.url, &u.parts) < 0)
		return FAULT_DAMAGED;
	return s->fn(s->ctx, &u);
}

/* Those that are in flight. */
static int
show_flight(struct show *s)
{
	const struct job *j;
	struct frontier_url u = { .lane = 0 };
	int rc = 0;

	for (uint32_t at = s->host->job; rc >= 0 && at != 0; at = j->next) {
		j = job_at(&s->f->jobs, at);
		if (j->kind != FRONTIER_PAGE && j->kind != FRONTIER_DROP)
			continue;
		u.url.s = j->text;
		u.url.len = j->len;
		u.parts = j->parts;
		u.ordinal = j->ordinal;
		u.depth = j->depth;
		u.lane = j->lane;
		rc = s->fn(s->ctx, &u);
	}
	return rc;
}

/*
 * A cursor: the host that was shown last, and of the next one, if it was
 * begun, the lane + 1 and the piece to go on with.
 */
#define CURSOR_HOST (UINT64_C(1) << 34)
#define CURSOR_LANE (UINT64_C(1) << 32)

/* The URLs of one host, from *at on: 1: there are more, 0: that was all. */
static int
show_host(struct show *s, uint64_t *at, size_t *max)
{
	uint32_t piece = (uint32_t)*at;
	int rc = 0;

	if (*at == 0)
		rc = show_flight(s);
	s->lane = *at == 0 ? 0 : (unsigned int)(*at / CURSOR_LANE) - 1;
	while (rc >= 0 && s->lane < FRONTIER_LANES) {
		rc = store_show(s->f->store, s->host->queue[s->lane], &piece,
		    max, show_entry, s);
		if (rc != 0)
			break;
		s->lane++;
		piece = 0;
	}
	*at = (s->lane + 1) * CURSOR_LANE | piece;
	return rc;
}

int
frontier_pending(struct frontier *f, uint64_t *cursor, size_t max,
    frontier_url_fn *fn, void *ctx)
{
	struct show s = { .f = f, .fn = fn, .ctx = ctx };
	uint64_t id = *cursor / CURSOR_HOST, at = *cursor % CURSOR_HOST;
	int rc = 0;

	while (max > 0 && id < host_count(&f->hosts)) {
		rc = table_reserve(f->pager);
		if (rc < 0)
			return rc;
		max--;
		s.host = host_at(&f->hosts, (uint32_t)id + 1);
		rc = show_host(&s, &at, &max);
		if (rc < 0)
			return rc;
		if (rc == 0) {
			id++;
			at = 0;
		}
	}
	*cursor = id * CURSOR_HOST | at;
	return id < host_count(&f->hosts);
}
