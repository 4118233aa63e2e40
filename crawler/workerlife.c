/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * workerlife.c - making a worker's parts, and ending them
 */

#include "config.h"

#include <sys/epoll.h>
#include <sys/resource.h>

#include <stdlib.h>

#include "crawler/workerint.h"
#include "crawler/workerpage.h"

static void
on_retry(void *arg)
{
	worker_unstick(arg);
}

/*
 * Idle connections are kept as far as descriptors go: half of them, shared
 * by the workers, are left to connections.
 */
static unsigned int
idle(const struct worker_pool *p, unsigned int active)
{
	unsigned int most = 3 * active;
	struct rlimit r;
	rlim_t share;

	if (getrlimit(RLIMIT_NOFILE, &r) < 0 || r.rlim_cur == RLIM_INFINITY)
		return most;
	share = r.rlim_cur / 2 / p->workers;
	if (share >= (rlim_t)active + most)
		return most;
	return share > (rlim_t)active + 1 ? (unsigned int)(share - active) : 1;
}

int
worker_open(struct worker *w)
{
	const struct worker_conf *c = &w->pool->conf;
	struct archive_opts ao = c->archive;
	struct fetch_opts fo = c->fetch;
	unsigned int n = w->pool->workers;
	int rc;

	ao.worker = w->number;
	fo.max_active = (fo.max_active + n - 1) / n;
	if (fo.max_idle == 0)
		fo.max_idle = idle(w->pool, fo.max_active);
	fo.budget /= n;
	w->wake.ready = worker_wake;
	w->wake.arg = w;
	w->retry.fire = on_retry;
	w->retry.arg = w;
	w->retry.due = -1;
	rc = loop_new(&w->loop);
	if (rc == 0) {
		loop_timer_add(w->loop, &w->retry);
		rc = loop_add(w->loop, &w->wake, EPOLLIN);
	}
	if (rc == 0)
		rc = dns_open(&w->dns, w->loop, &c->dns);
	if (rc == 0)
		rc = fetch_open(&w->fetch, w->loop, &fo, worker_fetched, w);
	if (rc == 0)
		rc = workerpage_new(&w->reader, c);
	if (rc == 0)
		rc = archive_open(&w->archive, &ao);
	return rc;
}

int
worker_close(struct worker *w)
{
	struct lookup *l;
	struct task *t;
	int rc;

	if (w->loop != NULL) {
		fetch_close(w->fetch);
		dns_close(w->dns);
		loop_timer_del(w->loop, &w->retry);
		loop_free(w->loop);
	}
	while (!LIST_EMPTY(&w->lookups)) {
		l = LIST_FIRST(&w->lookups);
		LIST_REMOVE(l, list);
		free(l);
	}
	workerpage_free(w->reader);
	rc = archive_close(w->archive);
	worker_forget(w);
	TAILQ_CONCAT(&w->flying, &w->inbox, list);
	TAILQ_CONCAT(&w->flying, &w->dropped, list);
	TAILQ_CONCAT(&w->flying, &w->unsynced, list);
	while (!TAILQ_EMPTY(&w->flying)) {
		t = TAILQ_FIRST(&w->flying);
		TAILQ_REMOVE(&w->flying, t, list);
		worker_drop(t);
	}
	return rc;
}
