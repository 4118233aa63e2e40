/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * corelinks.h - what the links of a page are to the one door; private to the
 * core
 *
 * How far from the seeds they lead, which are turned away before they come to
 * the door, and that a seed's redirect extends the scope.
 */

#ifndef CRAWLER_CORELINKS_H
#define CRAWLER_CORELINKS_H

#include "crawler/coreint.h"

/*
 * Take in the links of `p', the page of `f', from `f->link' on: 1 if all are,
 * 0 if there is no room now, or a fault.
 */
must_check int corelinks_take(struct core *c, struct coreflight *f,
    const struct worker_page *p, int64_t now);

#endif
