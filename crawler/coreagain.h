/* SPDX-License-Identifier: BSD-2-Clause */

/* coreagain.h - what had failed, once more; private to the core */

#ifndef CRAWLER_COREAGAIN_H
#define CRAWLER_COREAGAIN_H

#include "crawler/coreint.h"
#include "snapshot/record.h"

/* 1 if `r' says of its URL that it failed: what core_again_open() looks for. */
int coreagain_failed(const struct record *r);

/* A URL that had failed waits again, by a record of RECORD_AGAIN: it is no
   longer counted among what failed or was dropped. */
void coreagain_count(struct core *c, const struct record *r);

#endif
