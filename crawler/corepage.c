/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * corepage.c - what workers bring back
 *
 * A page comes in two steps.  When its request is over, the frontier learns
 * how it went, and either has the URL in a queue again or lets go of the
 * host.  When the page as a whole is there (its archive frame is durable by
 * then), it waits in line; its links are taken in as far as there is room in
 * the journal, then its done record follows them, and only then does the
 * frontier forget the URL.
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "crawler/coredoor.h"
#include "crawler/corelinks.h"
#include "crawler/corepage.h"
#include "crawler/robots.h"

/* bytes of a done or failed record beside its URL */
#define DONE_ROOM (ARCHIVE_NAME + 200)

/* ms that an address is believed: the resolver knows better and is asked */
#define ADDR_MS (300 * 1000)

static void
wait_in_line(struct core *c, uint32_t i)
{
	c->slot[i].next = 0;
	if (c->last == 0)
		c->first = i + 1;
	else
		c->slot[c->last - 1].next = i + 1;
	c->last = i + 1;
}

/* ---- the request is over ---- */

static enum frontier_outcome
outcome_of(const struct worker_page *p)
{
	if (p->error != FETCH_OK) {
		if (!fetch_error_passing(p->error))
			return FRONTIER_REFUSED;
		/* It did answer, though not to the end. */
		return p->status != 0 ? FRONTIER_ERROR : FRONTIER_FAILED;
	}
	if (p->status == 429 || (p->status >= 502 && p->status <= 504))
		return FRONTIER_BUSY;
	return p->status >= 500 ? FRONTIER_ERROR : FRONTIER_OK;
}

/*
 * When the request of `p' reached its host, for the delay to count from: not
 * before it left, nor after the answer began.  In between we can't know, so it
 * is the latter: a busy moment here, on the way or there must not bring two
 * requests closer together, and a host that is slow to answer is asked less
 * often.  But it costs no more than the delay, or a second, once again.
 */
static int64_t
start_of(const struct core *c, const struct worker_page *p, int64_t now)
{
	int64_t at = (p->start_us + 999) / 1000;
	uint32_t late = c->o.frontier.delay < 1000 ? 1000 : c->o.frontier.delay;

	if (p->first_ms < late)
		late = p->first_ms;
	at += p->sent_ms > late ? p->sent_ms : late;
	return at > now ? now : at; /* the wall clock may have been set */
}

/*
 * It was not asked for, or in vain and through no fault of its own: it comes
 * again without a try being counted; the delay from the vain one holds.
 */
static int
unasked(struct core *c, struct coreflight *f, const struct worker_page *p,
    int64_t now)
{
	int rc = 0;

	if (p->error == FETCH_STALE)
		rc = frontier_started(c->frontier, f->id, start_of(c, p, now));
	return rc < 0 ? rc : frontier_undone(c->frontier, f->id, now);
}

/* Tell the frontier how the fetch of a page went. */
static int
report(struct core *c, struct coreflight *f, const struct worker_page *p,
    int64_t now)
{
	enum frontier_outcome how = outcome_of(p);
	int rc;

	if (p->error == FETCH_STOPPED || p->error == FETCH_STALE) {
		rc = unasked(c, f, p, now);
		if (rc == 0) {
			f->over = COREFATE_REPORTED;
			c->open_pages--;
		}
		return core_pause(c, COREPAUSE_FRONTIER, rc, now);
	}
	rc = frontier_started(c->frontier, f->id, start_of(c, p, now));
	if (rc == 0)
		rc = frontier_fetched(c->frontier, f->id, how,
		    p->retry_after_ms, now);
	if (rc == 0) {
		f->over = COREFATE_AGAIN;
		c->open_pages--;
	} else if (rc > 0)
		f->over = how == FRONTIER_OK ? COREFATE_DONE : COREFATE_FAILED;
	return core_pause(c, COREPAUSE_FRONTIER, rc < 0 ? rc : 0, now);
}

int
corepage_fetched(struct core *c, uint32_t i, const struct worker_page *p,
    int64_t now)
{
	struct coreflight *f = &c->slot[i];

	if (f->kind == FRONTIER_RESOLVE)
		return 0;
	c->flight--;
	return f->kind == FRONTIER_PAGE ? report(c, f, p, now) : 0;
}

int
corepage_done(struct core *c, uint32_t i, struct worker_page *p, int64_t now)
{
	(void)now;
	c->slot[i].page = p;
	wait_in_line(c, i);
	return 0;
}

/* ---- the end of a page ---- */

static const struct worker_link *
redirect_of(const struct worker_page *p)
{
	if (p->links > 0 && p->link[0].kind == WORKER_LINK_REDIRECT)
		return &p->link[0];
	return NULL;
}

/* "http-503", or as a word why the fetch or a redirect led nowhere; "" for a
   good end. */
static const char *
error_of(const struct worker_page *p, char *out, size_t size)
{
	if (p->error != FETCH_OK)
		return fetch_error_name(p->error);
	if (p->status >= 300 && p->status < 400 && redirect_of(p) == NULL)
		return p->scheme > 0 ? "redirect-scheme" :
		    p->invalid > 0   ? "redirect-url" :
				       "redirect-missing";
	out[0] = '\0';
	if (p->status >= 400)
		snprintf(out, size, "http-%d", p->status);
	return out;
}

/* Write the done or failed record, for which there is room. */
static int
write_end(struct core *c, const struct coreflight *f,
    const struct worker_page *p, const char *error, int64_t now)
{
	struct record r = { 0 };
	const char *word = error;
	int rc;

	r.type = f->over == COREFATE_FAILED ? RECORD_FAILED : RECORD_DONE;
	r.ordinal = f->ordinal;
	r.url.s = p->url;
	r.url.len = p->url_len;
	r.status = (uint32_t)p->status;
	r.attempts = f->tries + 1U;
	if (r.type == RECORD_DONE) {
		word = redirect_of(p) != NULL ? "redirect" :
		    f->word & COREWORD_MAP    ? "sitemap" :
		    error[0] != '\0'          ? "error" :
						"page";
		r.text.s = p->at.file;
		r.text.len = strlen(p->at.file);
		r.offset = p->at.offset;
		r.length = p->at.length;
		r.attempts = 0;
	}
	r.word.s = word;
	r.word.len = strlen(word);
	rc = coredoor_record(c, &r, now);
	return rc < 0 ? rc : 0;
}

/* A seed is well if a page stands at the end of where it leads, or something
   that was known.  1 if `f' is one that is. */
static int
seed_is_well(const struct core *c, const struct coreflight *f,
    const struct worker_page *p, uint64_t admitted)
{
	if (!(f->word & COREWORD_SEED) || f->over != COREFATE_DONE)
		return 0;
	if (redirect_of(p) != NULL)
		return admitted == c->count.admitted;
	return p->status >= 200 && p->status < 300;
}

/* The first of them is noted, for the exit status of a later run. */
static int
note_seed(struct core *c, const struct worker_page *p, uint64_t ordinal,
    int64_t now)
{
	static const char fact[] = CORE_FACT_SEED;
	struct record r = { 0 };
	int rc;

	if (c->count.seeds_ok++ > 0)
		return 0;
	r.type = RECORD_HOST;
	r.ordinal = ordinal;
	r.url.s = p->url;
	r.url.len = p->url_len;
	r.word.s = fact;
	r.word.len = sizeof fact - 1;
	rc = coredoor_record(c, &r, now);
	return rc < 0 ? rc : 0;
}

static void
count_page(struct core *c, const struct coreflight *f,
    const struct worker_page *p)
{
	if (f->over == COREFATE_FAILED)
		c->count.failed++;
	else
		c->count.done++;
	core_count_status(&c->count, (unsigned int)p->status);
	c->count.bytes += p->bytes;
	c->run_bytes += p->bytes;
	c->run_pages++;
	c->count.refused[CORE_NOT_A_URL] += p->invalid;
	c->count.refused[CORE_OTHER_SCHEME] += p->scheme;
	c->count.refused[CORE_NOFOLLOW] += p->nofollow;
}

static void
show(struct core *c, const struct coreflight *f, const struct worker_page *p,
    const char *error)
{
	const struct worker_link *to = redirect_of(p);
	struct core_page page;

	if (c->ops.page == NULL)
		return;
	memset(&page, 0, sizeof page);
	page.page = p;
	page.ordinal = f->ordinal;
	page.depth = f->word & COREWORD_DEPTH;
	page.failed = f->over == COREFATE_FAILED;
	page.tries = f->tries;
	page.error = error;
	if (to != NULL) {
		page.redirect.s = to->url;
		page.redirect.len = to->len;
	}
	c->ops.page(c->ops.ctx, &page);
}

/* Links are missing, for lack of memory: the URL goes back to its queue. */
static int
not_run(struct core *c, struct coreflight *f, int64_t now)
{
	int rc = 0;

	if (f->over != COREFATE_REPORTED) {
		rc = frontier_undone(c->frontier, f->id, now);
		c->open_pages--;
	}
	return rc < 0 ? rc : 1;
}

/* 1 if the page is done with, 0 if it has to wait. */
static int
end_page(struct core *c, struct coreflight *f, struct worker_page *p,
    int64_t now)
{
	uint64_t admitted = c->count.admitted;
	const char *error;
	char word[16];
	int rc;

	if (f->over == COREFATE_NONE) {
		rc = report(c, f, p, now);
		if (rc < 0 || f->over == COREFATE_NONE)
			return rc;
	}
	if (p->fault == FAULT_NOMEM && f->over != COREFATE_AGAIN)
		return not_run(c, f, now);
	error = error_of(p, word, sizeof word);
	if (f->over == COREFATE_AGAIN)
		core_tell(c, CORE_NOTE_RETRY, "%.*s: %s%s%s", (int)p->url_len,
		    p->url, error, p->why[0] == '\0' ? "" : ": ", p->why);
	if (f->over == COREFATE_AGAIN || f->over == COREFATE_REPORTED)
		return 1;
	if (p->status < 400) {
		rc = corelinks_take(c, f, p, now);
		if (rc <= 0)
			return rc;
	}
	if (journal_room(c->journal) < 2 * (p->url_len + DONE_ROOM))
		return 0;
	rc = 0;
	if (seed_is_well(c, f, p, admitted))
		rc = note_seed(c, p, f->ordinal, now);
	if (rc == 0)
		rc = write_end(c, f, p, error, now);
	if (rc == 0)
		rc = frontier_release(c->frontier, f->id, now);
	if (rc < 0)
		return rc;
	c->open_pages--;
	count_page(c, f, p);
	show(c, f, p, error);
	return 1;
}

/* ---- robots.txt and addresses ---- */

static int
tell_robots(struct core *c, struct coreflight *f, struct worker_page *p,
    int64_t now)
{
	struct frontier_robots r;
	struct robots view;
	int rc;

	memset(&r, 0, sizeof r);
	r.delay = r.ttl = -1;
	r.retry_after = p->retry_after_ms;
	r.outcome = FRONTIER_OK;
	if (p->robots_class == WORKER_ROBOTS_UNREACHABLE) {
		r.outcome = outcome_of(p);
		if (r.outcome == FRONTIER_OK)
			r.outcome = FRONTIER_FAILED;
		/* it answered, and sent us where we must not go */
		if (r.outcome == FRONTIER_REFUSED && f->hops > 0)
			r.outcome = FRONTIER_ERROR;
	} else if (p->robots != NULL &&
	    robots_view(&view, p->robots, p->robots_len) == 0) {
		r.rules = p->robots;
		r.len = p->robots_len;
		r.delay = view.delay_ms;
	}
	rc = frontier_started(c->frontier, f->id, start_of(c, p, now));
	if (rc == 0)
		rc = frontier_robots(c->frontier, f->id, &r, now);
	if (rc == 0) {
		f->over = COREFATE_REPORTED;
		c->count.robots++;
		core_tell(c, CORE_NOTE_ROBOTS, "%.*s: %d %s", (int)p->url_len,
		    p->url, p->status, p->why);
	}
	return core_pause(c, COREPAUSE_FRONTIER, rc, now);
}

/*
 * robots.txt is elsewhere (RFC 9309 section 2.3.1.2): the frontier has it
 * asked for there, when the host that it is at may be asked, for the host
 * that was asked first.  1 if so.
 */
static int
follow(struct core *c, struct coreflight *f, struct worker_page *p, int64_t now)
{
	const struct worker_link *to = redirect_of(p);
	struct frontier_url u = { .lane = 0 };
	int rc;

	if (to == NULL || p->error != FETCH_OK)
		return 0;
	if (f->hops == LIMIT_ROBOTS_HOPS) {
		(void)snprintf(p->why, sizeof p->why, "too many redirects");
		return 0;
	}
	u.url.s = to->url;
	u.url.len = to->len;
	u.parts = to->parts;
	rc = frontier_started(c->frontier, f->id, start_of(c, p, now));
	if (rc == 0)
		rc = frontier_redirected(c->frontier, f->id, &u, now);
	if (rc > 0)
		core_tell(c, CORE_NOTE_ROBOTS, "%.*s: %d %.*s", (int)p->url_len,
		    p->url, p->status, (int)to->len, to->url);
	if (rc == 0) { /* nobody answers there */
		p->robots_class = WORKER_ROBOTS_UNREACHABLE;
		(void)snprintf(p->why, sizeof p->why,
		    "the host it is at was given up");
	}
	return rc;
}

static int
end_robots(struct core *c, struct coreflight *f, struct worker_page *p,
    int64_t now)
{
	int rc;

	if (f->over == COREFATE_NONE &&
	    (p->error == FETCH_STOPPED || p->error == FETCH_STALE ||
		p->fault == FAULT_NOMEM)) {
		rc = unasked(c, f, p, now);
		return rc < 0 ? rc : 1;
	}
	if (f->over == COREFATE_NONE) {
		rc = follow(c, f, p, now);
		if (rc < 0)
			return core_pause(c, COREPAUSE_FRONTIER, rc, now);
		if (rc > 0)
			return 1;
		rc = tell_robots(c, f, p, now);
		if (rc < 0 || f->over == COREFATE_NONE)
			return rc;
	}
	/* sitemaps; where a redirect leads is no page */
	return redirect_of(p) != NULL ? 1 : corelinks_take(c, f, p, now);
}

static void
address(const struct ip *ip, struct frontier_addr *a)
{
	memset(a, 0, sizeof *a);
	if (ip->family == 4) {
		a->b[10] = a->b[11] = 0xff;
		memcpy(a->b + 12, ip->b, 4);
	} else {
		memcpy(a->b, ip->b, sizeof a->b);
	}
}

static int
end_resolve(struct core *c, struct coreflight *f, struct worker_page *p,
    int64_t now)
{
	struct frontier_addr a[LIMIT_DNS_IPS];
	unsigned int i;
	int rc;

	if (p->error == FETCH_STOPPED) {
		rc = frontier_undone(c->frontier, f->id, now);
		return rc < 0 ? rc : 1;
	}
	for (i = 0; i < p->ips; i++)
		address(&p->addr[i], &a[i]);
	if (i == 0 && p->error == FETCH_OK) {
		/* Names are the proxy's: each host is an address. */
		memset(a, 0, sizeof a[0]);
		memcpy(a[0].b + 4, &f->ordinal, sizeof f->ordinal);
		a[0].b[0] = 0xff;
		i = 1;
	}
	rc = frontier_resolved(c->frontier, f->id, a, i, i == 0 ? -1 : ADDR_MS,
	    now);
	if (rc == FAULT_NOMEM || rc == FAULT_SYS)
		return core_pause(c, COREPAUSE_FRONTIER, rc, now);
	return rc < 0 ? rc : 1;
}

int
corepage_work(struct core *c, int64_t now)
{
	struct coreflight *f;
	uint32_t i;
	int rc;

	while (c->first != 0) {
		i = c->first - 1;
		f = &c->slot[i];
		if (f->kind == FRONTIER_PAGE)
			rc = end_page(c, f, f->page, now);
		else if (f->kind == FRONTIER_ROBOTS)
			rc = end_robots(c, f, f->page, now);
		else
			rc = end_resolve(c, f, f->page, now);
		if (rc <= 0)
			return rc;
		c->first = f->next;
		if (c->first == 0)
			c->last = 0;
		core_slot_free(c, i);
	}
	return 0;
}
