/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * worker.c - the core's side: jobs in, messages out
 */

#include "config.h"

#include <sys/eventfd.h>

#include <errno.h>
#include <libxml/parser.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "crawler/workerint.h"
#include "snapshot/limits.h"

void
worker_signal(int fd)
{
	static const uint64_t one = 1;

	/* it can only fail where it is readable already */
	(void)!write(fd, &one, sizeof one);
}

void
worker_tell(struct worker_pool *p, struct notes *l)
{
	int signal;

	if (STAILQ_EMPTY(l))
		return;
	(void)pthread_mutex_lock(&p->out_lock);
	STAILQ_CONCAT(&p->out, l);
	signal = !p->signalled;
	p->signalled = 1;
	(void)pthread_mutex_unlock(&p->out_lock);
	if (signal)
		worker_signal(p->fd);
}

/* ---- tasks ---- */

static struct task *
task_new(const struct worker_job *j, unsigned int worker)
{
	struct task *t;

	t = calloc(1, sizeof *t + j->url_len);
	if (t == NULL)
		return NULL;
	memcpy(t->url, j->url, j->url_len);
	t->page.kind = j->kind;
	t->page.worker = worker;
	memcpy(t->page.tag, j->tag, sizeof t->page.tag);
	t->page.retry_after_ms = -1;
	t->page.url = t->url;
	t->page.url_len = j->url_len;
	t->flags = j->flags;
	t->fetched.task = t->done.task = t;
	t->fetched.kind = WORKER_FETCHED;
	t->done.kind = WORKER_DONE;
	return t;
}

void
worker_drop(struct task *t)
{
	free(t->page.robots);
	free(t->mem);
	free(t);
}

void
worker_page_free(struct worker_page *page)
{
	if (page != NULL) /* the first member of its task */
		worker_drop((struct task *)(void *)page);
}

/* ---- life ---- */

static int
init_worker(struct worker_pool *p, unsigned int i)
{
	struct worker *w = &p->worker[i];

	w->pool = p;
	w->number = i;
	TAILQ_INIT(&w->flying);
	TAILQ_INIT(&w->inbox);
	TAILQ_INIT(&w->dropped);
	TAILQ_INIT(&w->unsynced);
	STAILQ_INIT(&w->stuck);
	LIST_INIT(&w->lookups);
	if (pthread_mutex_init(&w->lock, NULL) != 0)
		return FAULT_NOMEM;
	p->workers = i + 1; /* so many have a lock */
	w->wake.fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	return w->wake.fd < 0 ? FAULT_SYS : 0;
}

/* The pool without its threads; on a fault it is free()d. */
static int
new_pool(struct worker_pool **out, const struct worker_conf *c)
{
	struct worker_pool *p;
	pthread_condattr_t attr;
	int rc;

	p = calloc(1, sizeof *p);
	if (p == NULL)
		return FAULT_NOMEM;
	p->worker = calloc(c->workers, sizeof *p->worker);
	p->fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (p->worker == NULL || p->fd < 0) {
		rc = p->fd < 0 ? FAULT_SYS : FAULT_NOMEM;
		if (p->fd >= 0)
			(void)close(p->fd);
		free(p->worker);
		free(p);
		return rc;
	}
	p->conf = *c;
	p->archiving = c->archive.kind != ARCHIVE_NONE;
	STAILQ_INIT(&p->out);
	(void)pthread_mutex_init(&p->out_lock, NULL);
	(void)pthread_mutex_init(&p->sync_lock, NULL);
	(void)pthread_condattr_init(&attr);
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	(void)pthread_cond_init(&p->sync_cond, &attr);
	(void)pthread_condattr_destroy(&attr);
	*out = p;
	return 0;
}

/* Signals are the core's business: the threads take none. */
static int
start_threads(struct worker_pool *p)
{
	sigset_t all, old;
	unsigned int i;
	int rc = 0;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &old);
	for (i = 0; i < p->workers && rc == 0; i++) {
		rc = pthread_create(&p->worker[i].thread, NULL, worker_main,
		    &p->worker[i]);
		p->worker[i].running = rc == 0;
		errno = rc;
		rc = rc == 0 ? 0 : FAULT_SYS;
	}
	if (rc == 0 && p->archiving)
		rc = worker_sync_start(p);
	(void)pthread_sigmask(SIG_SETMASK, &old, NULL);
	return rc;
}

int
worker_pool_open(struct worker_pool **out, const struct worker_conf *c)
{
	struct worker_pool *p;
	unsigned int i;
	int rc, err;

	if (c->workers == 0 || c->workers > LIMIT_WORKERS ||
	    c->hasher == NULL || c->fetch.agent == NULL)
		return FAULT_ARG;
	xmlInitParser(); /* before there are several threads */
	rc = new_pool(&p, c);
	if (rc < 0)
		return rc;
	for (i = 0; i < c->workers && rc == 0; i++)
		rc = init_worker(p, i);
	for (i = 0; i < c->workers && rc == 0; i++)
		rc = worker_open(&p->worker[i]);
	if (rc == 0)
		rc = start_threads(p);
	if (rc < 0) {
		err = errno;
		(void)!worker_pool_close(p);
		errno = err;
		return rc;
	}
	*out = p;
	return 0;
}

static void
stop_threads(struct worker_pool *p)
{
	struct worker *w;
	unsigned int i;

	for (i = 0; i < p->workers; i++) {
		w = &p->worker[i];
		(void)pthread_mutex_lock(&w->lock);
		w->stop = 1;
		(void)pthread_mutex_unlock(&w->lock);
		worker_signal(w->wake.fd);
	}
	for (i = 0; i < p->workers; i++)
		if (p->worker[i].running)
			(void)pthread_join(p->worker[i].thread, NULL);
	worker_sync_stop(p);
}

int
worker_pool_close(struct worker_pool *p)
{
	struct worker *w;
	struct note *n;
	unsigned int i;
	int rc = 0;

	if (p == NULL)
		return 0;
	stop_threads(p);
	/* a FETCHED stands before its DONE, so nothing points at what goes */
	while (!STAILQ_EMPTY(&p->out)) {
		n = STAILQ_FIRST(&p->out);
		STAILQ_REMOVE_HEAD(&p->out, next);
		if (n->kind == WORKER_DONE)
			worker_drop(n->task);
	}
	for (i = 0; i < p->workers; i++) {
		w = &p->worker[i];
		if (worker_close(w) < 0)
			rc = FAULT_SYS;
		if (w->wake.fd >= 0)
			(void)close(w->wake.fd);
		(void)pthread_mutex_destroy(&w->lock);
	}
	(void)close(p->fd);
	(void)pthread_mutex_destroy(&p->out_lock);
	(void)pthread_mutex_destroy(&p->sync_lock);
	(void)pthread_cond_destroy(&p->sync_cond);
	free(p->worker);
	free(p);
	return rc;
}

/* ---- jobs ---- */

int
worker_pool_fd(const struct worker_pool *p)
{
	return p->fd;
}

static int
trouble(struct worker *w)
{
	int err = atomic_load(&w->put_error);

	return err != 0 ? err : atomic_load(&w->sync_error);
}

size_t
worker_room(struct worker_pool *p, unsigned int w)
{
	if (w >= p->workers || trouble(&p->worker[w]) != 0)
		return 0;
	return LIMIT_WORKER_PAGES - p->worker[w].jobs;
}

int
worker_submit(struct worker_pool *p, unsigned int number,
    const struct worker_job *j, size_t n)
{
	struct tasks l = TAILQ_HEAD_INITIALIZER(l);
	struct worker *w;
	struct task *t;
	size_t i;

	if (n > worker_room(p, number))
		return FAULT_FULL;
	if (n == 0)
		return 0;
	for (i = 0; i < n; i++) {
		t = task_new(&j[i], number);
		if (t == NULL)
			break;
		TAILQ_INSERT_TAIL(&l, t, list);
	}
	if (i < n) {
		while (!TAILQ_EMPTY(&l)) {
			t = TAILQ_FIRST(&l);
			TAILQ_REMOVE(&l, t, list);
			worker_drop(t);
		}
		return FAULT_NOMEM;
	}
	w = &p->worker[number];
	w->jobs += n;
	(void)pthread_mutex_lock(&w->lock);
	TAILQ_CONCAT(&w->inbox, &l, list);
	(void)pthread_mutex_unlock(&w->lock);
	worker_signal(w->wake.fd);
	return 0;
}

void
worker_abandon(struct worker_pool *p)
{
	struct worker *w;
	unsigned int i;

	for (i = 0; i < p->workers; i++) {
		w = &p->worker[i];
		(void)pthread_mutex_lock(&w->lock);
		TAILQ_CONCAT(&w->dropped, &w->inbox, list);
		w->abandon = 1;
		(void)pthread_mutex_unlock(&w->lock);
		worker_signal(w->wake.fd);
	}
}

/* ---- messages ---- */

/* The core takes this page: what it holds is no longer the worker's. */
static void
collected(struct worker_pool *p, const struct task *t)
{
	struct worker *w = &p->worker[t->page.worker];
	size_t left = atomic_fetch_sub(&w->bytes, t->bytes) - t->bytes;

	w->jobs--;
	if (left <= LIMIT_WORKER_BYTES / 2 && atomic_exchange(&w->over, 0))
		worker_signal(w->wake.fd);
}

size_t
worker_collect(struct worker_pool *p, struct worker_msg *m, size_t max)
{
	struct note *note;
	uint64_t gone;
	size_t n, i;

	(void)pthread_mutex_lock(&p->out_lock);
	for (n = 0; n < max; n++) {
		note = STAILQ_FIRST(&p->out);
		if (note == NULL)
			break;
		STAILQ_REMOVE_HEAD(&p->out, next);
		m[n].kind = note->kind;
		m[n].page = &note->task->page;
	}
	/* also when it was: a signal may come after its notes have gone */
	if (STAILQ_EMPTY(&p->out)) {
		p->signalled = 0;
		(void)!read(p->fd, &gone, sizeof gone);
	}
	(void)pthread_mutex_unlock(&p->out_lock);
	for (i = 0; i < n; i++)
		if (m[i].kind == WORKER_DONE)
			collected(p, (struct task *)(void *)m[i].page);
	return n;
}

int
worker_trouble(struct worker_pool *p)
{
	unsigned int i;
	int err;

	for (i = 0; i < p->workers; i++) {
		err = trouble(&p->worker[i]);
		if (err != 0)
			return err;
	}
	return 0;
}

/* ---- figures ---- */

static void
add_fetch(struct fetch_stat *a, const struct fetch_stat *b)
{
	a->started += b->started;
	a->finished += b->finished;
	a->connections += b->connections;
	a->reused += b->reused;
	a->active += b->active;
	a->waiting += b->waiting;
	a->paused += b->paused;
	a->held += b->held;
}

static void
add_dns(struct dns_stat *a, const struct dns_stat *b)
{
	a->queries += b->queries;
	a->hits += b->hits;
	a->failed += b->failed;
	a->cached += b->cached;
}

void
worker_stat(struct worker_pool *p, struct worker_stat *st)
{
	struct worker *w;
	unsigned int i;

	memset(st, 0, sizeof *st);
	for (i = 0; i < p->workers; i++) {
		w = &p->worker[i];
		(void)pthread_mutex_lock(&w->lock);
		add_fetch(&st->fetch, &w->fetch_stat);
		add_dns(&st->dns, &w->dns_stat);
		(void)pthread_mutex_unlock(&w->lock);
		st->archive_bytes += archive_bytes(w->archive);
	}
	(void)pthread_mutex_lock(&p->sync_lock);
	st->syncs = p->syncs;
	(void)pthread_mutex_unlock(&p->sync_lock);
}
