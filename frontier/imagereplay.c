/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * imagereplay.c - from an image's moment to the journal's end
 *
 * A record before a host's own position is in the host already.  The table
 * of positions lasts until the first URL is taken.
 */

#include "config.h"

#include "frontier/core.h"
#include "frontier/image.h"
#include "frontier/outcome.h"
#include "frontier/sched.h"
#include "snapshot/limits.h"

/* Does host `id' know what happened at `pos'? */
static int
known(struct frontier *f, uint32_t id, uint64_t pos)
{
	if (id >= f->since.count)
		return 0;
	return pos < *(const uint64_t *)table_ro(&f->since, id);
}

int
image_replay_push(struct frontier *f, const struct frontier_url *u,
    uint64_t pos, int64_t now)
{
	uint32_t id;
	int rc;

	core_clock(f, now);
	rc = core_host(f, u, &id);
	if (rc < 0 || known(f, id, pos))
		return rc;
	rc = core_push(f, id, u);
	if (rc == 0 && pos >= f->since_sums)
		f->sum.pushed++;
	return rc;
}

/* All that is left in the queues of `h' is marked. */
static int
sweep(struct frontier *f, struct host *h)
{
	struct entry e;
	int rc = 0;

	for (unsigned int lane = 0; lane < FRONTIER_LANES; lane++) {
		for (;;) {
			rc = store_first(f->store, &h->queue[lane], &e);
			if (rc <= 0)
				break;
			(void)marks_unset(&f->marks, e.ordinal);
			store_shift(f->store, &h->queue[lane]);
		}
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* Count the end of a URL that happened at `pos'. */
static void
count(struct frontier *f, struct host *h, uint64_t pos, int failed,
    enum frontier_reason reason)
{
	int sums = pos >= f->since_sums;

	if (reason != FRONTIER_KEPT &&
	    (unsigned int)reason < FRONTIER_REASONS) {
		f->sum.dropped[reason] += sums;
		return;
	}
	h->pages += h->pages < UINT32_MAX;
	h->failed += failed && h->failed < UINT32_MAX;
	f->sum.finished += sums;
	f->sum.failed += sums && failed;
}

int
image_replay_done(struct frontier *f, const struct frontier_url *u,
    uint64_t pos, int failed, enum frontier_reason reason, int64_t now)
{
	struct host *h;
	int64_t next;
	uint32_t id;
	int rc;

	core_clock(f, now);
	rc = core_host(f, u, &id);
	if (rc < 0 || known(f, id, pos))
		return rc;
	h = host_at(&f->hosts, id);
	if (h->queued == 0)
		return 0; /* of a URL that was never pushed */
	rc = marks_set(&f->marks, u->ordinal);
	if (rc <= 0)
		return rc;
	count(f, h, pos, failed, reason);
	next = f->now + core_delay(f, h);
	if (reason == FRONTIER_KEPT && h->next < next)
		h->next = next; /* it was asked, who knows when */
	h->queued--;
	f->sum.queued--;
	if (h->queued > 0)
		return 0;
	rc = sweep(f, h);
	sched_host(f, id);
	return rc;
}

/*
 * Where it still stands in its queue, as one that replay has marked, it is
 * only not skipped any more.
 */
static int
again(struct frontier *f, uint32_t id, const struct frontier_url *u)
{
	struct frontier_url v = *u;
	struct host *h;

	v.revive = 1;
	if (!marks_unset(&f->marks, u->ordinal))
		return core_push(f, id, &v);
	h = host_at(&f->hosts, id);
	outcome_revive(f, h, 1);
	h->queued++;
	f->sum.queued++;
	sched_host(f, id);
	return 0;
}

int
image_replay_again(struct frontier *f, const struct frontier_url *u,
    uint64_t pos, int64_t now)
{
	uint32_t id;
	int rc;

	core_clock(f, now);
	rc = core_host(f, u, &id);
	if (rc < 0 || known(f, id, pos))
		return rc;
	rc = again(f, id, u);
	if (rc == 0 && pos >= f->since_sums)
		f->sum.pushed++;
	return rc;
}

int
frontier_again(struct frontier *f, const struct frontier_url *u, int64_t now)
{
	uint32_t id;
	int rc;

	core_clock(f, now);
	rc = core_host(f, u, &id);
	if (rc == 0)
		rc = again(f, id, u);
	f->sum.pushed += rc == 0;
	return rc;
}

void
image_settle(struct frontier *f)
{
	table_clear(&f->since);
	table_init(&f->since, f->pager, sizeof(uint64_t), LIMIT_HOSTS);
	f->since_sums = 0;
}
