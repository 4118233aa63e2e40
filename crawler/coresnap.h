/* SPDX-License-Identifier: BSD-2-Clause */

/* coresnap.h - snapshots, in slices; private to the core */

#ifndef CRAWLER_CORESNAP_H
#define CRAWLER_CORESNAP_H

#include "crawler/coreint.h"

/* Do a little.  0; trouble with a snapshot is no fault, but a note. */
void coresnap_step(struct core *c, int64_t now);

/* ms until it can do more without being woken: 0, or -1. */
int64_t coresnap_wait(const struct core *c);

/* Write one and wait for it.  0, or the fault that it failed with. */
must_check int coresnap_last(struct core *c, int64_t now);

/*
 * The frontier's own files are damaged, and each snapshot refers to them: at
 * the end all are removed, and the next start replays the journal.
 */
void coresnap_forsake(struct core *c);

void coresnap_free(struct core *c);

#endif
