/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "dedup/share.h"
#include "snapshot/clock.h"

/* Open file description locks belong to our descriptor as flock(2)'s do. */
#ifndef F_OFD_SETLK
#define F_OFD_SETLK F_SETLK
#define F_OFD_GETLK F_GETLK
#endif

#define FIRST ((off_t)1 << 62) /* bytes: behind the end of any file */

enum place {
	PLACE_TURN,
	PLACE_NEXT,
	PLACE_MEMBER,
};

/* us: the first pause between two tries, and the longest */
#define PAUSE_FIRST 20
#define PAUSE       500

static struct flock
lock_of(enum place at, short type)
{
	struct flock l;

	memset(&l, 0, sizeof l);
	l.l_type = type;
	l.l_whence = SEEK_SET;
	l.l_start = FIRST + (off_t)at;
	l.l_len = 1;
	return l;
}

/* 1 if the lock is ours now, 0 if not now, or FAULT_SYS. */
static int
try(const struct share *s, enum place at, short type)
{
	struct flock l = lock_of(at, type);

	if (fcntl(s->fd, F_OFD_SETLK, &l) == 0)
		return 1;
	return errno == EAGAIN || errno == EACCES ? 0 : FAULT_SYS;
}

static uint64_t
turns(const struct share *s)
{
	return s->turns == NULL ?
	    0 :
	    atomic_load_explicit(s->turns, memory_order_relaxed);
}

/* What one who waits has seen. */
struct wait {
	int ms;
	uint64_t turns;
	int64_t since; /* ms: when that many were taken; below 0: not known */
};

/* The lock at `at', or FAULT_LOCKED once nobody had a turn for w->ms. */
static int
wait_for(const struct share *s, enum place at, struct wait *w)
{
	struct timespec pause = { 0, PAUSE_FIRST * 1000 };
	uint64_t now;
	int rc;

	for (;;) {
		rc = try(s, at, F_WRLCK);
		if (rc != 0)
			return rc < 0 ? rc : 0;
		if (w->ms == 0)
			return FAULT_LOCKED;
		now = turns(s);
		if (w->since < 0 || now != w->turns)
			w->since = clock_ms();
		else if (w->ms > 0 && clock_ms() - w->since >= w->ms)
			return FAULT_LOCKED;
		w->turns = now;
		(void)nanosleep(&pause, NULL);
		if (pause.tv_nsec < PAUSE * 1000)
			pause.tv_nsec *= 2;
	}
}

int
share_take(struct share *s, int ms)
{
	struct wait w = { ms, turns(s), -1 };
	int rc;

	if (s->tired && s->tired_at == w.turns && ms > 0)
		w.ms = 0;
	rc = wait_for(s, PLACE_NEXT, &w);
	if (rc == 0) {
		rc = wait_for(s, PLACE_TURN, &w);
		(void)try(s, PLACE_NEXT, F_UNLCK);
	}
	s->tired = rc == FAULT_LOCKED;
	s->tired_at = turns(s);
	s->held = rc == 0;
	if (s->held && s->turns != NULL)
		atomic_fetch_add(s->turns, 1);
	return rc;
}

void
share_give(struct share *s)
{
	if (s->held)
		(void)try(s, PLACE_TURN, F_UNLCK);
	s->held = 0;
}

int
share_join(const struct share *s)
{
	int rc = try(s, PLACE_MEMBER, F_RDLCK);

	return rc > 0 ? 0 : rc == 0 ? FAULT_LOCKED : rc;
}

int
share_alone(const struct share *s)
{
	struct flock l = lock_of(PLACE_MEMBER, F_WRLCK);

	/* if it can't be known, there may be others */
	return fcntl(s->fd, F_OFD_GETLK, &l) == 0 && l.l_type == F_UNLCK;
}
