/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * pipelineint.h - a pipeline from inside, for pipeline.c and pipelinebulk.c
 */

#ifndef DEDUP_PIPELINEINT_H
#define DEDUP_PIPELINEINT_H

#include <pthread.h>
#include <stdatomic.h>

#include "dedup/bulk.h"
#include "dedup/gate.h"
#include "dedup/pipeline.h"
#include "dedup/turn.h"

struct pipeline {
	struct pipeline_options o;
	struct input *input;
	struct gate *gate;

	pthread_mutex_t reading; /* input, next_seq */
	uint64_t next_seq;
	struct turn gate_turn;       /* admit */
	struct turn write;           /* the outputs */
	pthread_mutex_t remembering; /* gate, and the filter's changes */
	int inside;                  /* other processes wait: see do_shared() */

	struct admit admit;

	struct bulk *bulk;    /* the filter exceeds memory, or NULL */
	struct batch *sorted; /* a round on its way out of it */
	int64_t quiet;        /* ms: when input ran dry, or 0 */

	pthread_mutex_t ending; /* result, worker */
	struct pipeline_result result;
	pthread_t worker[LIMIT_THREADS]; /* that are at work */
	unsigned int workers;
	_Atomic int stop;
};

/* End now: what is on its way is dropped, and comes again another time. */
void pipeline_give_up(struct pipeline *s, enum pipeline_end end, int fault,
    unsigned int file);

/* The turn to write for one round.  0, or -1 after pipeline_give_up(). */
int pipeline_write(struct pipeline *s, struct batch *b,
    const struct admit_count *count);

#endif
