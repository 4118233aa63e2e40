/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * interrupt.h - INT, TERM and HUP as a call in a thread of its own
 *
 * The signals are blocked and waited for, so no handler touches shared state.
 * After the first one `call' is made again every LIMIT_STOP_MS until
 * interrupt_end(), since a signal that is to interrupt a system call can come
 * a moment too early for it.
 */

#ifndef DEDUP_INTERRUPT_H
#define DEDUP_INTERRUPT_H

#include <pthread.h>
#include <stdatomic.h>

#include "snapshot/fault.h"

#define INTERRUPT_KICK SIGUSR1 /* does nothing but interrupt a system call */

struct interrupt {
	void (*call)(void *arg);
	void *arg;
	pthread_t thread;
	_Atomic int got; /* the signal, or 0 */
	_Atomic int end;
};

/* Start before any other thread, which inherit what is blocked. */
must_check int interrupt_start(struct interrupt *in, void (*call)(void *arg),
    void *arg);

/* Stop waiting.  The signal that came, or 0. */
int interrupt_end(struct interrupt *in);

/* End this process by `sig' as if nobody had caught it. */
void interrupt_die(int sig);

#endif
