/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/eventfd.h>

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "snapshot/file.h"
#include "snapshot/helper.h"

struct helper {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t work; /* a job, or the end */
	pthread_cond_t idle; /* the job has ended */
	void (*run)(void *); /* NULL while idle */
	void *arg;
	int quit;
	int event; /* eventfd(2), written when a job has ended */
};

static void *
loop(void *p)
{
	struct helper *h = p;
	const uint64_t one = 1;

	(void)pthread_mutex_lock(&h->lock);
	for (;;) {
		while (h->run == NULL && !h->quit)
			(void)pthread_cond_wait(&h->work, &h->lock);
		if (h->run == NULL)
			break;
		(void)pthread_mutex_unlock(&h->lock);
		h->run(h->arg);
		(void)pthread_mutex_lock(&h->lock);
		h->run = NULL;
		(void)pthread_cond_signal(&h->idle);
		/* fails only if 2^64 - 2 signals are waiting */
		if (write(h->event, &one, sizeof one) < 0)
			continue;
	}
	(void)pthread_mutex_unlock(&h->lock);
	return NULL;
}

/* Locks, and conditions on the clock that helper_wait() goes by. */
static int
prepare(struct helper *h)
{
	pthread_condattr_t attr;
	int rc;

	h->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (h->event < 0)
		return errno;
	rc = pthread_condattr_init(&attr);
	if (rc != 0)
		return rc;
	rc = pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	if (rc == 0)
		rc = pthread_mutex_init(&h->lock, NULL);
	if (rc == 0)
		rc = pthread_cond_init(&h->work, &attr);
	if (rc == 0)
		rc = pthread_cond_init(&h->idle, &attr);
	(void)pthread_condattr_destroy(&attr);
	return rc;
}

/* Signals are for the owner's threads. */
static int
start(struct helper *h)
{
	sigset_t all, old;
	int rc;

	(void)sigfillset(&all);
	rc = pthread_sigmask(SIG_SETMASK, &all, &old);
	if (rc != 0)
		return rc;
	rc = pthread_create(&h->thread, NULL, loop, h);
	(void)pthread_sigmask(SIG_SETMASK, &old, NULL);
	return rc;
}

int
helper_new(struct helper **to)
{
	struct helper *h;
	int rc;

	*to = NULL;
	h = calloc(1, sizeof *h);
	if (h == NULL)
		return FAULT_NOMEM;
	rc = prepare(h);
	if (rc == 0)
		rc = start(h);
	if (rc != 0) {
		/* on Linux neither locks nor conditions hold anything */
		file_close(h->event);
		free(h);
		errno = rc;
		return FAULT_SYS;
	}
	*to = h;
	return 0;
}

void
helper_free(struct helper *h)
{
	if (h == NULL)
		return;
	(void)pthread_mutex_lock(&h->lock);
	h->quit = 1;
	(void)pthread_cond_signal(&h->work);
	(void)pthread_mutex_unlock(&h->lock);
	(void)pthread_join(h->thread, NULL);
	(void)pthread_cond_destroy(&h->idle);
	(void)pthread_cond_destroy(&h->work);
	(void)pthread_mutex_destroy(&h->lock);
	file_close(h->event);
	free(h);
}

void
helper_give(struct helper *h, void (*run)(void *), void *arg)
{
	(void)pthread_mutex_lock(&h->lock);
	assert(h->run == NULL && !h->quit);
	h->run = run;
	h->arg = arg;
	(void)pthread_cond_signal(&h->work);
	(void)pthread_mutex_unlock(&h->lock);
}

/* Under the lock and idle: take the signal back. */
static void
hush(struct helper *h)
{
	uint64_t n;

	if (read(h->event, &n, sizeof n) < 0)
		return; /* there was none */
}

int
helper_busy(struct helper *h)
{
	int busy;

	(void)pthread_mutex_lock(&h->lock);
	busy = h->run != NULL;
	if (!busy)
		hush(h);
	(void)pthread_mutex_unlock(&h->lock);
	return busy;
}

int
helper_wait(struct helper *h, unsigned int timeout)
{
	struct timespec until;
	int rc = 0;

	(void)clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += timeout / 1000;
	until.tv_nsec += (long)(timeout % 1000) * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	(void)pthread_mutex_lock(&h->lock);
	while (h->run != NULL && rc == 0)
		rc = pthread_cond_timedwait(&h->idle, &h->lock, &until);
	if (h->run == NULL)
		hush(h);
	else
		errno = rc;
	rc = h->run == NULL ? 0 : FAULT_SYS;
	(void)pthread_mutex_unlock(&h->lock);
	return rc;
}

int
helper_fd(const struct helper *h)
{
	return h->event;
}
