/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "dedup/interrupt.h"
#include "snapshot/limits.h"

static void
awaited(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
}

static void
nothing(int sig)
{
	(void)sig;
}

static void *
await(void *arg)
{
	const struct timespec pause = { 0, LIMIT_STOP_MS * 1000000L };
	struct interrupt *in = arg;
	sigset_t set;
	int sig;

	awaited(&set);
	sigaddset(&set, INTERRUPT_KICK); /* interrupt_end() sends it */
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	while (!atomic_load(&in->end)) {
		sig = atomic_load(&in->got) == 0 ?
		    sigwaitinfo(&set, NULL) :
		    sigtimedwait(&set, NULL, &pause);
		if (sig > 0 && sig != INTERRUPT_KICK)
			atomic_store(&in->got, sig);
		if (atomic_load(&in->got) != 0)
			in->call(in->arg);
	}
	return NULL;
}

/* A signal that our parent ignores (nohup) stays ignored. */
static void
leave_ignored(sigset_t *set)
{
	static const int all[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction old;
	size_t i;

	for (i = 0; i < sizeof all / sizeof all[0]; i++)
		if (sigaction(all[i], NULL, &old) == 0 &&
		    old.sa_handler == SIG_IGN)
			sigdelset(set, all[i]);
}

int
interrupt_start(struct interrupt *in, void (*call)(void *arg), void *arg)
{
	struct sigaction kick;
	sigset_t set;

	in->call = call;
	in->arg = arg;
	atomic_init(&in->got, 0);
	atomic_init(&in->end, 0);
	memset(&kick, 0, sizeof kick);
	kick.sa_handler = nothing; /* and no SA_RESTART */
	sigaction(INTERRUPT_KICK, &kick, NULL);
	awaited(&set);
	leave_ignored(&set);
	errno = pthread_sigmask(SIG_BLOCK, &set, NULL);
	if (errno == 0)
		errno = pthread_create(&in->thread, NULL, await, in);
	return errno == 0 ? 0 : FAULT_SYS;
}

int
interrupt_end(struct interrupt *in)
{
	atomic_store(&in->end, 1);
	pthread_kill(in->thread, INTERRUPT_KICK);
	pthread_join(in->thread, NULL);
	return atomic_load(&in->got);
}

void
interrupt_die(int sig)
{
	struct sigaction plain;
	sigset_t set;

	memset(&plain, 0, sizeof plain);
	plain.sa_handler = SIG_DFL;
	sigaction(sig, &plain, NULL);
	sigemptyset(&set);
	sigaddset(&set, sig);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
}
