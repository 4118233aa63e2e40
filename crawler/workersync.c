/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * workersync.c - the thread that makes archives durable
 *
 * It sleeps until a page waits, lets the least time since its last round go
 * by so that more pages share the cost of a sync, then takes each worker's
 * pages, syncs its archive and hands the pages on.  A page is put into
 * `unsynced' after archive_put() has returned, so the sync covers it.
 */

#include "config.h"

#include <errno.h>
#include <time.h>

#include "crawler/workerint.h"
#include "snapshot/clock.h"
#include "snapshot/limits.h"

/*
 * The least time between two rounds, ms.  The core learns a page's links when
 * the page is durable, so this is what each link from the seed costs while
 * there is little to fetch.  On a slow disk it is GAP_SHARE times as long as a
 * round took, so that syncs are a small part of the disk's time.
 */
#define GAP_LEAST 8
#define GAP_MOST  50
#define GAP_SHARE 10

/* Wait for `p->sync_cond' until `due' at most.  Call with the lock held. */
static void
wait_until(struct worker_pool *p, int64_t due)
{
	struct timespec ts;

	ts.tv_sec = (time_t)(due / 1000);
	ts.tv_nsec = (long)(due % 1000) * 1000000;
	(void)pthread_cond_timedwait(&p->sync_cond, &p->sync_lock, &ts);
}

/* Sync one worker's archive.  The number of pages handed on, or a fault. */
static int
sync_one(struct worker_pool *p, struct worker *w)
{
	struct tasks l = TAILQ_HEAD_INITIALIZER(l);
	struct notes out = STAILQ_HEAD_INITIALIZER(out);
	struct task *t;
	size_t n = 0;
	int rc;

	(void)pthread_mutex_lock(&p->sync_lock);
	TAILQ_CONCAT(&l, &w->unsynced, list);
	(void)pthread_mutex_unlock(&p->sync_lock);
	/* an archive can be full of the hops of tasks that are not complete */
	if (TAILQ_EMPTY(&l) && !atomic_load(&w->waits))
		return 0;
	rc = archive_sync(w->archive);
	atomic_store(&w->sync_error,
	    rc == 0             ? 0 :
		rc != FAULT_SYS ? ENOMEM :
		errno == 0      ? EIO :
				  errno);
	if (rc < 0) {
		(void)pthread_mutex_lock(&p->sync_lock);
		TAILQ_CONCAT(&l, &w->unsynced, list);
		TAILQ_CONCAT(&w->unsynced, &l, list);
		(void)pthread_mutex_unlock(&p->sync_lock);
		return rc;
	}
	TAILQ_FOREACH (t, &l, list) {
		STAILQ_INSERT_TAIL(&out, &t->done, next);
		n++;
	}
	worker_tell(p, &out);
	(void)pthread_mutex_lock(&p->sync_lock);
	p->to_sync -= n;
	p->syncs++;
	(void)pthread_mutex_unlock(&p->sync_lock);
	if (atomic_load(&w->waits))
		worker_signal(w->wake.fd);
	return 0;
}

static void *
sync_main(void *arg)
{
	struct worker_pool *p = arg;
	int64_t due = 0, from, gap;
	unsigned int i;
	int stop, failed;

	for (;;) {
		(void)pthread_mutex_lock(&p->sync_lock);
		while (!p->sync_stop && p->to_sync == 0 && !p->sync_kick)
			(void)pthread_cond_wait(&p->sync_cond, &p->sync_lock);
		while (!p->sync_stop && clock_ms() < due)
			wait_until(p, due);
		stop = p->sync_stop;
		p->sync_kick = 0;
		(void)pthread_mutex_unlock(&p->sync_lock);
		if (stop)
			return NULL;
		from = clock_ms();
		for (i = 0, failed = 0; i < p->workers; i++)
			failed |= sync_one(p, &p->worker[i]) < 0;
		due = clock_ms();
		gap = (due - from) * GAP_SHARE;
		if (gap < GAP_LEAST)
			gap = GAP_LEAST;
		if (gap > GAP_MOST)
			gap = GAP_MOST;
		due += failed ? LIMIT_ARCHIVE_RETRY_MS : gap;
	}
}

int
worker_sync_start(struct worker_pool *p)
{
	p->syncing = pthread_create(&p->syncer, NULL, sync_main, p) == 0;
	return p->syncing ? 0 : FAULT_SYS;
}

void
worker_sync_stop(struct worker_pool *p)
{
	if (!p->syncing)
		return;
	(void)pthread_mutex_lock(&p->sync_lock);
	p->sync_stop = 1;
	(void)pthread_cond_signal(&p->sync_cond);
	(void)pthread_mutex_unlock(&p->sync_lock);
	(void)pthread_join(p->syncer, NULL);
	p->syncing = 0;
}

void
worker_sync_add(struct worker *w, struct task *t)
{
	struct worker_pool *p = w->pool;

	(void)pthread_mutex_lock(&p->sync_lock);
	TAILQ_INSERT_TAIL(&w->unsynced, t, list);
	if (p->to_sync++ == 0)
		(void)pthread_cond_signal(&p->sync_cond);
	(void)pthread_mutex_unlock(&p->sync_lock);
}

void
worker_sync_kick(struct worker_pool *p)
{
	(void)pthread_mutex_lock(&p->sync_lock);
	p->sync_kick = 1;
	(void)pthread_cond_signal(&p->sync_cond);
	(void)pthread_mutex_unlock(&p->sync_lock);
}
