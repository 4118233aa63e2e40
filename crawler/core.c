/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "crawler/coredoor.h"
#include "crawler/corepage.h"
#include "crawler/coresnap.h"

#define SLOTS_FIRST  256
#define WAITING_MOST 1024 /* pages in line: no more jobs beyond them */

void
core_tell(const struct core *c, enum core_note what, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	if (c->ops.note == NULL)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	c->ops.note(c->ops.ctx, what, text);
}

/* ---- slots ---- */

static int
slots_grow(struct core *c)
{
	uint32_t n = c->slots == 0 ? SLOTS_FIRST : c->slots * 2, i;
	struct coreflight *slot;

	slot = realloc(c->slot, n * sizeof *slot);
	if (slot == NULL)
		return FAULT_NOMEM;
	memset(slot + c->slots, 0, (n - c->slots) * sizeof *slot);
	for (i = n; i-- > c->slots;) {
		slot[i].next = c->free;
		c->free = i + 1;
	}
	c->slot = slot;
	c->slots = n;
	return 0;
}

void
core_slot_free(struct core *c, uint32_t i)
{
	struct coreflight *f = &c->slot[i];

	worker_page_free(f->page);
	memset(f, 0, sizeof *f);
	f->next = c->free;
	c->free = i + 1;
	c->used--;
}

/* ---- jobs ---- */

/* The frontier gives up on a URL: its record, and that is all. */
static int
drop(struct core *c, const struct frontier_job *j, int64_t now)
{
	const char *why = frontier_reason_str(j->reason);
	struct record r = { 0 };
	int rc;

	r.type = RECORD_DROPPED;
	r.ordinal = j->ordinal;
	r.url.s = j->url.s;
	r.url.len = j->url.len;
	r.word.s = why;
	r.word.len = strlen(why);
	rc = coredoor_record(c, &r, now);
	if (rc < 0)
		return rc;
	c->count.dropped++;
	core_tell(c, CORE_NOTE_DROPPED, "%.*s: %s", (int)j->url.len, j->url.s,
	    why);
	rc = frontier_done(c->frontier, j->id, FRONTIER_OK, -1, now);
	return rc < 0 ? rc : 0;
}

static enum worker_kind
kind_of(const struct frontier_job *j)
{
	if (j->kind == FRONTIER_RESOLVE)
		return WORKER_RESOLVE;
	if (j->kind == FRONTIER_ROBOTS)
		return WORKER_ROBOTS;
	return j->depth & COREWORD_MAP ? WORKER_SITEMAP : WORKER_PAGE;
}

static unsigned int
flags_of(const struct core *c, const struct frontier_job *j)
{
	unsigned int flags = 0;

	if ((j->depth & COREWORD_DEPTH) >= c->o.depth)
		flags |= WORKER_NO_LINKS;
	if (c->o.embeds)
		flags |= WORKER_EMBEDS;
	if (c->o.forms)
		flags |= WORKER_FORMS;
	if (c->o.nofollow)
		flags |= WORKER_NOFOLLOW;
	return flags;
}

/* Put what the frontier gave in flight. */
static void
launch(struct core *c, const struct frontier_job *j, struct core_job *out)
{
	uint32_t i = c->free - 1;
	struct coreflight *f = &c->slot[i];

	c->free = f->next;
	c->used++;
	memset(f, 0, sizeof *f);
	f->kind = (uint8_t)j->kind;
	f->id = j->id;
	f->ordinal = j->kind == FRONTIER_PAGE ? j->ordinal : j->host;
	f->word = j->depth;
	f->tries = j->tries;
	f->hops = j->hops;
	if (j->kind != FRONTIER_RESOLVE)
		c->flight++;
	if (j->kind == FRONTIER_PAGE)
		c->open_pages++;
	memset(out, 0, sizeof *out);
	out->job.kind = kind_of(j);
	out->job.flags = flags_of(c, j);
	out->job.url = j->url.s;
	out->job.url_len = j->url.len;
	out->job.tag[0] = i;
	out->job.tag[1] = f->ordinal;
	out->host = j->host;
}

/* 1 if one more job may be taken from the frontier. */
static int
may_ask(const struct core *c)
{
	if (c->stopped || c->held || c->paused != 0 ||
	    c->flight >= c->o.connections)
		return 0;
	/* A drop is journaled at once. */
	if (journal_room(c->journal) < LIMIT_RECORD || c->used > LIMIT_JOBS / 2)
		return 0;
	return c->o.pages == 0 ||
	    c->count.done + c->count.failed + c->open_pages < c->o.pages;
}

/* No job, for `rc': 0 if that may pass. */
static int
frontier_failed(struct core *c, int rc, int64_t now)
{
	if (rc == FAULT_DAMAGED || rc == FAULT_TRUNCATED) {
		coresnap_forsake(c);
		core_tell(c, CORE_NOTE_QUEUES, "%s", c->o.dir);
	}
	return core_pause(c, COREPAUSE_FRONTIER, rc, now);
}

long
core_jobs(struct core *c, int64_t now, struct core_job *job, size_t max)
{
	struct frontier_job j;
	size_t n = 0;
	int rc;

	if (c->used > c->flight + WAITING_MOST)
		return 0;
	while (n < max && may_ask(c)) {
		if (c->free == 0 && slots_grow(c) < 0)
			break;
		rc = frontier_next(c->frontier, now, &j);
		if (rc == FAULT_FULL)
			break;
		if (rc < 0)
			rc = frontier_failed(c, rc, now);
		if (rc < 0)
			return rc;
		if (rc == 0)
			break;
		if (j.kind == FRONTIER_DROP)
			rc = drop(c, &j, now);
		else
			launch(c, &j, &job[n++]);
		if (rc < 0)
			return rc;
	}
	return (long)n;
}

int
core_undone(struct core *c, const struct core_job *job, int64_t now)
{
	uint32_t i = (uint32_t)job->job.tag[0];
	struct coreflight *f = &c->slot[i];
	int rc = frontier_undone(c->frontier, f->id, now);

	if (rc < 0)
		return rc;
	if (f->kind != FRONTIER_RESOLVE)
		c->flight--;
	if (f->kind == FRONTIER_PAGE)
		c->open_pages--;
	core_slot_free(c, i);
	return 0;
}

int
core_take(struct core *c, const struct worker_msg *m, size_t n, int64_t now)
{
	uint32_t slot;
	size_t i;
	int rc = 0;

	for (i = 0; i < n && rc == 0; i++) {
		slot = (uint32_t)m[i].page->tag[0];
		if (m[i].kind == WORKER_FETCHED)
			rc = corepage_fetched(c, slot, m[i].page, now);
		else
			rc = corepage_done(c, slot, m[i].page, now);
	}
	return rc;
}

/* ---- turns ---- */

/* What is durable by now may be remembered. */
static int
remember(struct core *c, int64_t now)
{
	uint64_t durable = journal_durable(c->journal);
	int rc;

	if (durable == c->safe)
		return 0;
	rc = gate_safe(c->gate, durable);
	if (rc == 0)
		c->safe = durable;
	return core_pause(c, COREPAUSE_SEEN, rc, now);
}

int
core_turn(struct core *c, int64_t now)
{
	int rc;

	core_try_again(c, now);
	rc = journal_poll(c->journal, now);
	rc = core_pause(c, COREPAUSE_JOURNAL, rc, now);
	if (rc == 0)
		rc = remember(c, now);
	if (rc == 0 && (c->paused & COREPAUSE_FRONTIER) == 0)
		rc = corepage_work(c, now);
	if (rc == 0) {
		coregrow_step(c);
		coresnap_step(c, now);
	}
	return rc;
}

void
core_stop(struct core *c)
{
	c->stopped = 1;
}

void
core_snap(struct core *c)
{
	c->snap.wanted = 1;
}

void
core_hold(struct core *c, int on)
{
	c->held = on;
}

size_t
core_busy(const struct core *c)
{
	return c->used;
}

enum core_state
core_state(const struct core *c)
{
	if (c->used == 0 && frontier_empty(c->frontier))
		return CORE_COMPLETE;
	if (c->o.pages > 0 && c->count.done + c->count.failed >= c->o.pages)
		return CORE_BOUND;
	return CORE_RUNNING;
}

/* The sooner of two waits, where -1 is never. */
static int64_t
sooner(int64_t a, int64_t b)
{
	if (a < 0 || b < 0)
		return a < 0 ? b : a;
	return a < b ? a : b;
}

int64_t
core_wait(const struct core *c, int64_t now)
{
	int64_t at = journal_deadline(c->journal), wait;

	at = sooner(at, c->snap.next);
	if (c->told)
		at = sooner(at, c->retry);
	wait = at < 0 ? -1 : at > now ? at - now : 0;
	wait = sooner(wait, coresnap_wait(c));
	if (may_ask(c))
		wait = sooner(wait, frontier_wait(c->frontier, now));
	return wait;
}

size_t
core_fds(const struct core *c, struct pollfd *fd)
{
	size_t n = 0;

	fd[n].fd = journal_fd(c->journal);
	fd[n++].events = POLLIN;
	if (c->snap.file != NULL) {
		fd[n].fd = snapfile_fd(c->snap.file);
		fd[n++].events = POLLIN;
	}
	if (c->snap.helper != NULL) {
		fd[n].fd = helper_fd(c->snap.helper);
		fd[n++].events = POLLIN;
	}
	return n;
}

/* ---- what there is to know ---- */

const struct urlkey_hasher *
core_hasher(const struct core *c)
{
	return &c->hasher;
}

int
core_dir_fd(const struct core *c)
{
	return statedir_fd(c->state);
}

int
core_archive_fd(const struct core *c)
{
	return c->archive_dir;
}

int
core_hosts_some(struct core *c, uint64_t *cursor, size_t max, int64_t now,
    frontier_host_fn *fn, void *ctx)
{
	return frontier_hosts(c->frontier, cursor, max, now, fn, ctx);
}

int
core_hosts(struct core *c, int64_t now, frontier_host_fn *fn, void *ctx)
{
	uint64_t cursor = 0;
	int rc;

	do
		rc = frontier_hosts(c->frontier, &cursor, 256, now, fn, ctx);
	while (rc > 0);
	return rc;
}

void
core_stat(const struct core *c, struct core_stat *st)
{
	memset(st, 0, sizeof *st);
	st->count = c->count;
	frontier_stat(c->frontier, &st->frontier);
	filter_stat(c->seen, &st->seen);
	st->run_pages = c->run_pages;
	st->run_bytes = c->run_bytes;
	st->flight = c->flight;
	st->journal_seq = journal_next(c->journal);
	st->snapshot = c->snap.number;
	st->snapshot_at = c->snap.time;
	st->started = c->started;
	st->paused = c->paused != 0 ? c->pause_err : 0;
	st->resumed = c->resumed;
}

const char *
core_refusal_str(enum core_refusal r)
{
	switch (r) {
	case CORE_SEEN_BEFORE:
		return "seen";
	case CORE_TOO_DEEP:
		return "depth";
	case CORE_TOO_MANY_HOPS:
		return "hops";
	case CORE_NOT_A_URL:
		return "invalid";
	case CORE_OTHER_SCHEME:
		return "scheme";
	case CORE_NOFOLLOW:
		return "nofollow";
	case CORE_NO_SITEMAPS:
		return "sitemaps";
	case CORE_REFUSALS:
		break;
	}
	return "unknown";
}
