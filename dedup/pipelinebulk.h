/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * pipelinebulk.h - the pipeline before a filter that is larger than memory
 *
 * Threads	One, which calls all of these.
 */

#ifndef DEDUP_PIPELINEBULK_H
#define DEDUP_PIPELINEBULK_H

#include "dedup/pipelineint.h"

/*
 * Work in sorted batches if the filter exceeds the memory that it may use: one
 * thread keeps lines until memory is full or input runs dry, then looks all of
 * them up, writes them, and sees them safe.  0, or FAULT_NOMEM and the like.
 */
must_check int pipelinebulk_start(struct pipeline *s);
void pipelinebulk_free(struct pipeline *s);

/* Keep the lines of one batch.  0, or -1 to end. */
int pipelinebulk_batch(struct pipeline *s, struct batch *b);

/* The end of input. */
void pipelinebulk_last(struct pipeline *s);

/* Input is awaited: how long to wait, in ms, or -1. */
int pipelinebulk_idle(struct pipeline *s);

/* Remember what is safe and not yet in the filter.  Faults of filter_add(). */
must_check int pipelinebulk_remember(struct pipeline *s);

#endif
