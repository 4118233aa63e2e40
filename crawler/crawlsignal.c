/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/eventfd.h>

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <unistd.h>

#include "crawler/crawlsignal.h"

static const int ours[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGTSTP,
	SIGCONT };

#define OURS (sizeof ours / sizeof ours[0])

/* Those of our signals that our parent does not ignore (nohup). */
static void
awaited(sigset_t *set)
{
	struct sigaction old;
	size_t i;

	sigemptyset(set);
	for (i = 0; i < OURS; i++)
		if (ours[i] == SIGUSR1 || sigaction(ours[i], NULL, &old) != 0 ||
		    old.sa_handler != SIG_IGN)
			sigaddset(set, ours[i]);
}

static void
wake(struct crawlsignal *s)
{
	const uint64_t one = 1;
	ssize_t n = write(s->fd, &one, sizeof one);

	(void)n; /* full is as good as written */
}

static void *
await(void *arg)
{
	struct crawlsignal *s = arg;
	sigset_t set;
	int sig;

	awaited(&set);
	while (!atomic_load(&s->end)) {
		sig = sigwaitinfo(&set, NULL);
		if (sig == SIGINT || sig == SIGTERM) {
			if (atomic_exchange(&s->stop, sig) != 0)
				_exit(s->exit_status);
		} else if (sig == SIGUSR1) {
			atomic_store(&s->show, 1);
		} else if (sig == SIGHUP) {
			atomic_store(&s->load, 1);
		} else if (sig == SIGTSTP) {
			atomic_store(&s->hold, 1);
		} else if (sig == SIGCONT) {
			atomic_store(&s->hold, -1);
		}
		if (sig > 0)
			wake(s);
	}
	return NULL;
}

int
crawlsignal_start(struct crawlsignal *s, int exit_status)
{
	sigset_t set;

	s->exit_status = exit_status;
	atomic_init(&s->stop, 0);
	atomic_init(&s->show, 0);
	atomic_init(&s->load, 0);
	atomic_init(&s->hold, 0);
	atomic_init(&s->end, 0);
	s->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (s->fd < 0)
		return FAULT_SYS;
	awaited(&set);
	errno = pthread_sigmask(SIG_BLOCK, &set, NULL);
	if (errno == 0)
		errno = pthread_create(&s->thread, NULL, await, s);
	if (errno == 0)
		return 0;
	close(s->fd);
	return FAULT_SYS;
}

void
crawlsignal_end(struct crawlsignal *s)
{
	atomic_store(&s->end, 1);
	pthread_kill(s->thread, SIGUSR1);
	pthread_join(s->thread, NULL);
	close(s->fd);
}

void
crawlsignal_clear(struct crawlsignal *s)
{
	uint64_t n;
	ssize_t got = read(s->fd, &n, sizeof n);

	(void)got;
}
