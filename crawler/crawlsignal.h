/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlsignal.h - signals as flags and a descriptor, by a thread of its own
 *
 * INT, TERM, HUP, USR1, TSTP and CONT are blocked and waited for, so no
 * handler touches shared state.  The first INT or TERM asks for a good end; the
 * second ends the process at once, by the thread itself, whatever the owner
 * hangs in.
 */

#ifndef CRAWLER_CRAWLSIGNAL_H
#define CRAWLER_CRAWLSIGNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "snapshot/fault.h"

struct crawlsignal {
	pthread_t thread;
	int fd;           /* readable when there is something new */
	int exit_status;  /* of the second INT or TERM */
	_Atomic int stop; /* the signal of the first, or 0 */
	_Atomic int show; /* USR1 came */
	_Atomic int load; /* HUP came */
	_Atomic int hold; /* 1: TSTP came last, -1: CONT did */
	_Atomic int end;
};

/* Start before any other thread.  FAULT_SYS. */
must_check int crawlsignal_start(struct crawlsignal *s, int exit_status);

void crawlsignal_end(struct crawlsignal *s);

/* Take the descriptor's readiness back. */
void crawlsignal_clear(struct crawlsignal *s);

#endif
