/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * pipeline.h - the whole of urlseen's work between its options and its report
 *
 * Threads take turns.  Each takes the next batch of input, prepares it beside
 * the others (find lines, normalise, hash, first look), waits for its turn at
 * the gate, copies its lines out, and waits for its turn to write.  Turns go
 * round in input order, so output order is input order, and each thread keeps
 * its batch in its own core's cache.
 *
 * Threads	pipeline_run() starts and joins them; pipeline_stop() may come
 *		from any thread.
 */

#ifndef DEDUP_PIPELINE_H
#define DEDUP_PIPELINE_H

#include <stdint.h>
#include <stdio.h>

#include "dedup/admit.h"
#include "dedup/batch.h"
#include "dedup/emit.h"
#include "dedup/filter.h"
#include "snapshot/fault.h"

struct pipeline;

struct pipeline_options {
	struct batch_rules rules;
	struct filter *filter;
	char *const *names; /* of the inputs, "-" is standard input */
	unsigned int n;
	struct emit *out;
	struct emit *rejects; /* or NULL */
	unsigned int threads;
	uint64_t memory; /* bytes that the filter may use; 0: any */
	int line_buffered;
	int fail_invalid; /* stop at the first invalid line */
	int kick;         /* a signal that only interrupts, or 0 */
	/* called now and then in the turn to write, or NULL */
	void (*progress)(void *arg, struct pipeline *s,
	    const struct admit_count *c);
	/* called there before lines are written, or NULL */
	void (*yield)(void *arg);
	void *progress_arg; /* of both */
};

enum pipeline_end {
	PIPELINE_DONE,       /* all input was read and is safe */
	PIPELINE_STOPPED,    /* pipeline_stop() */
	PIPELINE_INVALID,    /* fail_invalid: see pipeline_first_invalid() */
	PIPELINE_ERR_INPUT,  /* `file' and `err' (errno) say more */
	PIPELINE_ERR_OUTPUT, /* `err'; EPIPE: the reader is gone */
	PIPELINE_ERR_REJECTS,
	PIPELINE_ERR_FILTER, /* `fault', and `err' for FAULT_SYS */
	PIPELINE_ERR_THREAD, /* `fault': a thread or its memory can't be had */
};

struct pipeline_result {
	enum pipeline_end end;
	int fault;
	int err;           /* errno */
	unsigned int file; /* index into the names */
};

/* NULL: no memory.  `o' and what it points at stay the caller's. */
struct pipeline *pipeline_new(const struct pipeline_options *o);

void pipeline_free(struct pipeline *s);

/*
 * Work until the end of input or of patience.  Whatever the end, what was
 * written and is safe is in the filter, and nothing else.
 */
struct pipeline_result pipeline_run(struct pipeline *s);

/*
 * Make pipeline_run() end soon.  A thread in a write(2) that waits is sent the
 * signal `kick'; call again until pipeline_run() has returned.
 */
void pipeline_stop(struct pipeline *s);

struct admit_count pipeline_counts(const struct pipeline *s);

/* The filter's filter_expected(), from any thread while it works. */
double pipeline_expected(struct pipeline *s);

/* NULL if no line was invalid. */
const struct admit_invalid *pipeline_first_invalid(const struct pipeline *s);

#endif
