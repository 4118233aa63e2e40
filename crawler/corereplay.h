/* SPDX-License-Identifier: BSD-2-Clause */

/* corereplay.h - the journal behind the snapshot; private to the core */

#ifndef CRAWLER_COREREPLAY_H
#define CRAWLER_COREREPLAY_H

#include "crawler/coreint.h"
#include "crawler/coreload.h"

/* Apply the journal from `l' on and go on writing at its end. */
must_check int corereplay_run(struct core *c, const struct coreload *l,
    int64_t now, struct core_error *err);

/* What the frontier keeps of an admission beside the URL: COREWORD_*. */
uint32_t corereplay_word(const struct record *rec);

/* The URL of a record, without depth and lane.  FAULT_DAMAGED. */
must_check int corereplay_url(const struct record *rec, struct frontier_url *u);

#endif
