/* SPDX-License-Identifier: BSD-2-Clause */

/* corepage.h - what workers bring back; private to the core */

#ifndef CRAWLER_COREPAGE_H
#define CRAWLER_COREPAGE_H

#include "crawler/coreint.h"

/* A message has come. */
must_check int corepage_fetched(struct core *c, uint32_t slot,
    const struct worker_page *p, int64_t now);
must_check int corepage_done(struct core *c, uint32_t slot,
    struct worker_page *p, int64_t now);

/* Take in what waits as far as there is room. */
must_check int corepage_work(struct core *c, int64_t now);

#endif
