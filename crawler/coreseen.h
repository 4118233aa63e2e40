/* SPDX-License-Identifier: BSD-2-Clause */

/* coreseen.h - the seen set at start; private to the core */

#ifndef CRAWLER_CORESEEN_H
#define CRAWLER_CORESEEN_H

#include "crawler/coreint.h"

/* Open DIR/seen, or make it from the journal, and the gate before it. */
must_check int coreseen_open(struct core *c, unsigned int given,
    struct core_error *err);

#endif
