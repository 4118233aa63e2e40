/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include "dedup/turn.h"

/* looks before a thread sleeps: a turn is often over in microseconds */
#define TURN_SPIN 2000

void
turn_init(struct turn *t)
{
	atomic_init(&t->now, 0);
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->change, NULL);
}

void
turn_destroy(struct turn *t)
{
	pthread_mutex_destroy(&t->lock);
	pthread_cond_destroy(&t->change);
}

static void
relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

void
turn_lock(pthread_mutex_t *m)
{
	unsigned int i;

	for (i = 0; i < TURN_SPIN; i++) {
		if (pthread_mutex_trylock(m) == 0)
			return;
		relax();
	}
	pthread_mutex_lock(m);
}

int
turn_wait(struct turn *t, uint64_t seq)
{
	uint64_t now = atomic_load(&t->now);
	unsigned int i;

	for (i = 0; i < TURN_SPIN && now != seq && now != TURN_CLOSED; i++) {
		relax();
		now = atomic_load(&t->now);
	}
	if (now != seq && now != TURN_CLOSED) {
		pthread_mutex_lock(&t->lock);
		for (;;) {
			now = atomic_load(&t->now);
			if (now == seq || now == TURN_CLOSED)
				break;
			pthread_cond_wait(&t->change, &t->lock);
		}
		pthread_mutex_unlock(&t->lock);
	}
	return now == seq;
}

void
turn_pass(struct turn *t, uint64_t seq)
{
	pthread_mutex_lock(&t->lock);
	if (atomic_load(&t->now) == seq)
		atomic_store(&t->now, seq + 1);
	pthread_cond_broadcast(&t->change);
	pthread_mutex_unlock(&t->lock);
}

void
turn_close(struct turn *t)
{
	pthread_mutex_lock(&t->lock);
	atomic_store(&t->now, TURN_CLOSED);
	pthread_cond_broadcast(&t->change);
	pthread_mutex_unlock(&t->lock);
}
