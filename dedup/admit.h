/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * admit.h - lines of a batch in their turn: which of them pass the gate
 *
 * Here every line is counted, gets its number, and, if its key is new, waits
 * in the gate with the offset of the output at which it ends.
 *
 * Threads	One at a time, in the order of the input.
 */

#ifndef DEDUP_ADMIT_H
#define DEDUP_ADMIT_H

#include <stdint.h>

#include "dedup/batch.h"
#include "dedup/gate.h"

struct admit_count {
	uint64_t lines;
	uint64_t new;  /* came for the first time; or were taken out */
	uint64_t seen; /* came again; or were not there */
	uint64_t invalid;
	uint64_t bytes;       /* of input */
	uint64_t bytes_total; /* of all input; 0 = unknown */
};

/* Where and why the first invalid line was. */
struct admit_invalid {
	unsigned int file; /* index into the names */
	uint64_t line;     /* from 1 */
	int fault;
};

struct admit {
	struct gate *gate;
	const struct batch_rules *rules;
	int fail_invalid; /* stop at the first invalid line */
	int alone;        /* no other thread has the gate in between */
	int final;        /* seen[] is the answer: the gate is not asked */
	struct admit_count count;
	uint64_t line;   /* lines of the file so far */
	uint64_t offset; /* output bytes of all lines admitted so far */
	struct admit_invalid first;
};

/*
 * Let through what is new of a round whose lines have been looked up, and say
 * in prints[] what is printed.  An invalid line that ends all sets b->stop.
 * 0, or a fault of the gate.
 */
must_check int admit_round(struct admit *a, struct batch *b);

#endif
