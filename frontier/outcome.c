/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include "frontier/outcome.h"

/* ms to wait after `n' failures in a row: twice as long each time. */
static int64_t
backoff(unsigned int n, int64_t most)
{
	int64_t wait = LIMIT_BACKOFF_FIRST_MS;

	while (n-- > 1 && wait < most)
		wait *= 2;
	return wait < most ? wait : most;
}

/* No request to `h' for `wait' ms. */
static void
hold(struct frontier *f, struct host *h, int64_t wait)
{
	if (h->next < f->now + wait)
		h->next = f->now + wait;
}

/* As the server asked. */
static void
obey(struct frontier *f, struct host *h, int64_t retry_after)
{
	if (retry_after > LIMIT_RETRY_AFTER_MS)
		retry_after = LIMIT_RETRY_AFTER_MS;
	if (retry_after > 0)
		hold(f, h, retry_after);
}

static void
give_up(struct frontier *f, struct host *h, enum frontier_reason reason)
{
	if ((h->flags & HOST_DRAIN) == 0)
		f->sum.dead++;
	h->flags |= HOST_DRAIN;
	h->reason = (uint8_t)reason;
	h->next = f->now + LIMIT_DEAD_MS;
}

void
outcome_revive(struct frontier *f, struct host *h, int all)
{
	if ((h->flags & HOST_DRAIN) == 0)
		return;
	h->flags &= (uint16_t)~HOST_DRAIN;
	f->sum.dead--;
	h->reason = FRONTIER_KEPT;
	h->next = f->now + core_delay(f, h);
	h->busy = 0;
	/* One more failure ends it again, unless it has all its credit. */
	h->failures = all ? 0 : UINT8_MAX - 1;
	h->tries = all ? 0 : UINT8_MAX - 1;
}

static void
more(uint8_t *n)
{
	if (*n < UINT8_MAX)
		++*n;
}

/* No answer: the times before `h' is given up. */
static unsigned int
credit(const struct frontier *f, const struct host *h)
{
	unsigned int n = f->opts.retries + 1;

	if (h->flags & HOST_ANSWERED && n < LIMIT_HOST_FAILURES)
		n = LIMIT_HOST_FAILURES;
	return n;
}

static void
answered(struct host *h)
{
	h->flags |= HOST_ANSWERED;
	h->failures = 0;
}

static void
unanswered(struct frontier *f, struct host *h)
{
	more(&h->failures);
	if (h->failures >= credit(f, h))
		give_up(f, h, FRONTIER_DEAD);
	else
		hold(f, h, backoff(h->failures, LIMIT_BACKOFF_MS));
}

static void
busy(struct frontier *f, struct host *h)
{
	answered(h);
	more(&h->busy);
	if (h->busy >= LIMIT_HOST_BUSY)
		give_up(f, h, FRONTIER_DEAD);
	else
		hold(f, h, backoff(h->busy, LIMIT_BUSY_MS));
}

int
outcome_page(struct frontier *f, struct host *h, struct job *j,
    enum frontier_outcome outcome, int64_t retry_after, unsigned int *lane)
{
	*lane = 0;
	switch (outcome) {
	case FRONTIER_OK:
		answered(h);
		h->busy = 0;
		obey(f, h, retry_after);
		return 1;
	case FRONTIER_REFUSED:
		h->failed++;
		f->sum.failed++;
		return 1;
	case FRONTIER_ERROR:
		answered(h);
		*lane = 1; /* later, when what was wrong may have passed */
		break;
	case FRONTIER_BUSY:
		busy(f, h);
		break;
	case FRONTIER_FAILED:
		unanswered(f, h);
		break;
	}
	obey(f, h, retry_after);
	if (j->tries < f->opts.retries && (h->flags & HOST_DRAIN) == 0) {
		j->tries++;
		f->sum.retried++;
		return 0;
	}
	h->failed++;
	f->sum.failed++;
	return 1;
}

/* A time in the record, in s; `ms' from now. */
static uint32_t
until(const struct frontier *f, int64_t ms)
{
	int64_t s = (f->now + ms) / 1000;

	return s > UINT32_MAX ? UINT32_MAX : (uint32_t)s;
}

void
outcome_later(struct frontier *f, uint32_t slot)
{
	hold(f, host_at(&f->hosts, job_at(&f->jobs, slot)->whose),
	    LIMIT_HOPS_MS);
}

int
outcome_robots(struct frontier *f, uint32_t slot,
    const struct frontier_robots *r)
{
	const struct job *j = job_at(&f->jobs, slot);
	struct host *h = host_at(&f->hosts, j->whose);
	int64_t ttl = LIMIT_ROBOTS_TTL_MS, delay = r->delay;
	uint32_t was;

	if (r->outcome == FRONTIER_OK || r->outcome == FRONTIER_REFUSED) {
		if (core_rules(f, h, r->rules, r->len) < 0)
			return FAULT_NOMEM;
		if (r->ttl >= 0 && r->ttl < ttl)
			ttl = r->ttl;
		/* At least a little, or the host does nothing else. */
		h->robots_until = until(f, ttl < 60000 ? 60000 : ttl);
		if (delay > LIMIT_ROBOTS_DELAY)
			delay = LIMIT_ROBOTS_DELAY;
		was = core_delay(f, h);
		h->delay = delay > 0 ? (uint32_t)delay : 0;
		/* It counts from the last request, whatever that was for. */
		if (core_delay(f, h) > was)
			h->next += core_delay(f, h) - was;
		h->flags |= HOST_RULES;
		h->tries = 0;
		h->busy = 0;
		answered(h);
		return 0;
	}
	obey(f, h, r->retry_after);
	if (j->host != j->whose) /* and it was that one who said so */
		obey(f, host_at(&f->hosts, j->host), r->retry_after);
	if (h->flags & HOST_RULES) {
		/* Known rules may be used on while there are no newer ones
		   (RFC 9309 section 2.4). */
		h->robots_until = until(f, LIMIT_ROBOTS_STALE_MS);
		return 0;
	}
	if (r->outcome == FRONTIER_FAILED) {
		unanswered(f, h);
		return 0;
	}
	answered(h);
	more(&h->tries);
	if (h->tries >= f->opts.retries + 1 + LIMIT_ROBOTS_TRIES)
		give_up(f, h, FRONTIER_NO_ROBOTS);
	else
		hold(f, h, backoff(h->tries, LIMIT_BACKOFF_MS));
	return 0;
}

void
outcome_unresolved(struct frontier *f, struct host *h)
{
	if (h->addr != 0) {
		/* Better an old address than none (RFC 8767). */
		h->addr_until = until(f, LIMIT_ADDR_STALE_MS);
		return;
	}
	more(&h->tries);
	if (h->tries > f->opts.retries)
		give_up(f, h, FRONTIER_NO_ADDRESS);
	else
		hold(f, h, backoff(h->tries, LIMIT_BACKOFF_MS));
}
