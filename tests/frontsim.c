/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/frontsim.h"
#include "snapshot/limits.h"

/* The end of a job. */
struct frontsim_event {
	int64_t at;
	uint64_t seq; /* among those of one ms, first come first */
	struct frontier_job job;
	struct frontsim_answer answer;
};

struct frontsim_addr {
	int64_t next; /* us: by the model, no start before */
	uint32_t flight;
};

static void *
need(size_t n, size_t size)
{
	void *p = calloc(n == 0 ? 1 : n, size);

	if (p == NULL) {
		fputs("Bail out! no memory\n", stdout);
		exit(EXIT_FAILURE);
	}
	return p;
}

void
frontsim_opts(struct frontier_opts *o)
{
	memset(o, 0, sizeof *o);
	o->delay = 1000;
	o->ip_delay = -1;
	o->per_host = 1;
	o->retries = 3;
	o->dirfd = -1;
}

void
frontsim_init(struct frontsim *s, const struct frontier_opts *opts,
    uint32_t hosts, uint32_t addrs, uint64_t ordinals)
{
	memset(s, 0, sizeof *s);
	s->opts = *opts;
	s->room = 256;
	s->rng = 88172645463325252U;
	s->hosts = hosts + 1;
	s->host = need(s->hosts, sizeof *s->host);
	for (uint32_t i = 0; i < s->hosts; i++) {
		s->host[i].start = -1;
		s->host[i].delay = opts->delay;
	}
	s->addrs = addrs;
	s->addr = need(addrs, sizeof *s->addr);
	s->ordinals = ordinals;
	s->out = need(ordinals, 1);
	if (frontier_new(&s->f, opts) < 0) {
		fputs("Bail out! no frontier\n", stdout);
		exit(EXIT_FAILURE);
	}
}

void
frontsim_free(struct frontsim *s)
{
	frontier_free(s->f);
	free(s->host);
	free(s->addr);
	free(s->event);
	free(s->out);
}

uint64_t
frontsim_random(struct frontsim *s)
{
	s->rng ^= s->rng >> 12;
	s->rng ^= s->rng << 25;
	s->rng ^= s->rng >> 27;
	return s->rng * 2685821657736338717U;
}

struct frontier_addr
frontsim_addr(uint32_t n)
{
	struct frontier_addr a;

	memset(&a, 0, sizeof a);
	a.b[10] = a.b[11] = 0xff;
	a.b[12] = (uint8_t)(n >> 24);
	a.b[13] = (uint8_t)(n >> 16);
	a.b[14] = (uint8_t)(n >> 8);
	a.b[15] = (uint8_t)n;
	return a;
}

static uint32_t
addr_number(const struct frontier_addr *a)
{
	return (uint32_t)a->b[12] << 24 | (uint32_t)a->b[13] << 16 |
	    (uint32_t)a->b[14] << 8 | a->b[15];
}

void
frontsim_url(struct frontier_url *u, const char *url, uint64_t ordinal,
    unsigned int lane)
{
	memset(u, 0, sizeof *u);
	u->url.s = url;
	u->url.len = strlen(url);
	u->ordinal = ordinal;
	u->lane = (uint8_t)lane;
	if (url_split(u->url, &u->parts) < 0)
		printf("# url_split: %s\n", url);
}

void
frontsim_push(struct frontsim *s, const char *url, uint64_t ordinal,
    unsigned int lane)
{
	struct frontier_url u;

	frontsim_url(&u, url, ordinal, lane);
	frontier_expect(s->f, &u, 1);
	if (frontier_push(s->f, &u, s->now) < 0)
		s->errors++;
}

static int
before(const struct frontsim_event *a, const struct frontsim_event *b)
{
	return a->at != b->at ? a->at < b->at : a->seq < b->seq;
}

static void
event_add(struct frontsim *s, const struct frontsim_event *e)
{
	uint32_t i = s->events++;

	if (s->events > s->event_room) {
		s->event_room = s->event_room == 0 ? 64 : s->event_room * 2;
		s->event = realloc(s->event, s->event_room * sizeof *s->event);
		if (s->event == NULL)
			exit(EXIT_FAILURE);
	}
	for (; i > 0 && before(e, &s->event[(i - 1) / 2]); i = (i - 1) / 2)
		s->event[i] = s->event[(i - 1) / 2];
	s->event[i] = *e;
}

static struct frontsim_event
event_take(struct frontsim *s)
{
	struct frontsim_event first = s->event[0];
	struct frontsim_event last = s->event[--s->events];
	uint32_t i = 0, c;

	for (;;) {
		c = 2 * i + 1;
		if (c >= s->events)
			break;
		if (c + 1 < s->events && before(&s->event[c + 1], &s->event[c]))
			c++;
		if (!before(&s->event[c], &last))
			break;
		s->event[i] = s->event[c];
		i = c;
	}
	s->event[i] = last;
	return first;
}

static int
is_request(const struct frontier_job *j)
{
	return j->kind == FRONTIER_PAGE || j->kind == FRONTIER_ROBOTS;
}

/* Watch a request start. */
static void
watch_start(struct frontsim *s, const struct frontier_job *j)
{
	struct frontsim_host *h = &s->host[j->host];
	struct frontsim_addr *a = &s->addr[addr_number(&j->addr)];

	if (h->start >= 0 && s->now < h->start + h->delay) {
		s->close_host++;
		printf("# host %u asked after %lld ms, not %lld\n", j->host,
		    (long long)(s->now - h->start), (long long)h->delay);
	}
	h->start = s->now;
	if (++h->flight > (s->opts.per_host == 0 ? 1 : s->opts.per_host))
		s->crowd_host++;
	if (s->gap_us > 0) {
		if (a->next > s->now * 1000 + 999)
			s->close_addr++;
		if (a->next < s->now * 1000)
			a->next = s->now * 1000;
		a->next += s->gap_us;
	}
	if (++a->flight > LIMIT_ADDR_FLIGHT)
		s->crowd_addr++;
	s->flight++;
}

static void
watch_end(struct frontsim *s, const struct frontier_job *j)
{
	s->flight--;
	s->host[j->host].flight--;
	s->addr[addr_number(&j->addr)].flight--;
}

/* `j' is over for good. */
static void
watch_out(struct frontsim *s, const struct frontier_job *j,
    enum frontier_outcome outcome)
{
	if (j->ordinal >= s->ordinals || s->out[j->ordinal]++ > 0)
		s->twice++;
	if (j->kind == FRONTIER_DROP)
		s->drops[j->reason]++;
	else
		s->pages++;
	if (s->came != NULL)
		s->came(s, j, outcome);
}

/* The host whose rules `j' asks for. */
static uint32_t
whose(const struct frontier_job *j)
{
	const char *of = memchr(j->url.s, '?', j->url.len);
	uint32_t n = 0;

	while (of != NULL && ++of < j->url.s + j->url.len)
		n = n * 10 + (uint32_t)(*of - '0');
	return n == 0 ? j->host : n;
}

/* 1 if the frontier follows a redirect of `j', which says whose it is. */
static int
redirected(struct frontsim *s, const struct frontier_job *j, const char *to)
{
	struct frontier_url u;
	char url[160];
	int rc;

	snprintf(url, sizeof url, "%s/hop?%u", to, whose(j));
	frontsim_url(&u, url, 0, 0);
	rc = frontier_redirected(s->f, j->id, &u, s->now);
	if (rc < 0)
		s->errors++;
	return rc == 1;
}

static void
report_robots(struct frontsim *s, const struct frontier_job *j,
    const struct frontsim_answer *a)
{
	struct frontier_robots r = { 0 };
	struct frontsim_host *h = &s->host[whose(j)];

	if (a->to[0] != '\0' && redirected(s, j, a->to))
		return;
	r.outcome = a->to[0] != '\0' ? FRONTIER_FAILED : a->outcome;
	r.rules = a->rules;
	r.len = a->rules == NULL ? 0 : strlen(a->rules);
	r.delay = a->delay;
	r.ttl = a->ttl;
	r.retry_after = a->retry_after;
	if (frontier_robots(s->f, j->id, &r, s->now) < 0)
		s->errors++;
	if (r.outcome == FRONTIER_OK) {
		h->delay = s->opts.delay;
		if (a->delay > h->delay)
			h->delay = a->delay > LIMIT_ROBOTS_DELAY ?
			    LIMIT_ROBOTS_DELAY :
			    a->delay;
	}
}

/* The first event's moment has come. */
static void
report(struct frontsim *s)
{
	struct frontsim_event e = event_take(s);
	const struct frontsim_answer *a = &e.answer;
	const struct frontier_job *j = &e.job;
	int rc = 0;

	if (is_request(j))
		watch_end(s, j);
	if (a->undone) {
		rc = frontier_undone(s->f, j->id, s->now);
	} else if (j->kind == FRONTIER_RESOLVE) {
		rc = frontier_resolved(s->f, j->id, &a->addr,
		    a->resolved ? 1 : 0, a->ttl, s->now);
	} else if (j->kind == FRONTIER_ROBOTS) {
		report_robots(s, j, a);
	} else {
		char url[2048]; /* the job's own goes with its end */

		snprintf(url, sizeof url, "%.*s", (int)j->url.len, j->url.s);
		e.job.url.s = url;
		rc = frontier_done(s->f, j->id, a->outcome, a->retry_after,
		    s->now);
		if (rc == 1)
			watch_out(s, j, a->outcome);
	}
	if (rc < 0)
		s->errors++;
}

/* Take all jobs that there are now. */
static void
take(struct frontsim *s)
{
	struct frontsim_event e;
	int rc;

	while (s->flight < s->room) {
		rc = frontier_next(s->f, s->now, &e.job);
		if (rc < 0)
			s->errors++;
		if (rc <= 0)
			return;
		if (e.job.kind == FRONTIER_PAGE)
			s->host[e.job.host].pages++;
		if (e.job.kind == FRONTIER_ROBOTS)
			s->host[e.job.host].robots++;
		if (e.job.kind == FRONTIER_RESOLVE)
			s->host[e.job.host].resolves++;
		if (is_request(&e.job))
			watch_start(s, &e.job);
		memset(&e.answer, 0, sizeof e.answer);
		e.answer.retry_after = -1;
		e.answer.ttl = 3600 * 1000;
		e.answer.delay = -1;
		e.answer.resolved = 1;
		e.answer.addr = frontsim_addr(e.job.host % s->addrs);
		if (s->answer != NULL)
			s->answer(s, &e.job, &e.answer);
		e.at = s->now + e.answer.ms;
		e.seq = s->rng++;
		event_add(s, &e);
	}
}

void
frontsim_run(struct frontsim *s, int64_t until)
{
	int64_t wait, next;

	for (;;) {
		while (s->events > 0 && s->event[0].at <= s->now)
			report(s);
		take(s);
		next = INT64_MAX;
		if (s->events > 0)
			next = s->event[0].at;
		wait = frontier_wait(s->f, s->now);
		if (wait >= 0 && s->flight < s->room && s->now + wait < next)
			next = s->now + wait;
		if (next == INT64_MAX || next > until)
			break;
		s->now = next;
	}
	if (until != INT64_MAX)
		s->now = until;
}

void
frontsim_stop(struct frontsim *s)
{
	for (uint32_t i = 0; i < s->events; i++)
		s->event[i].answer.undone = 1;
	while (s->events > 0)
		report(s);
}

void
frontsim_swap(struct frontsim *s, struct frontier *f)
{
	while (s->events > 0) {
		struct frontsim_event e = event_take(s);

		if (is_request(&e.job))
			watch_end(s, &e.job);
	}
	frontier_free(s->f);
	s->f = f;
}

uint64_t
frontsim_faults(const struct frontsim *s)
{
	return s->close_host + s->close_addr + s->crowd_host + s->crowd_addr +
	    s->twice + s->errors;
}

uint64_t
frontsim_missing(const struct frontsim *s, uint64_t n)
{
	uint64_t missing = 0;

	for (uint64_t i = 0; i < n; i++)
		missing += s->out[i] != 1;
	return missing;
}
