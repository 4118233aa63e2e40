/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * workerpage.h - what a response is to the core: links, rules, a redirect
 *
 * Only HTML is parsed (text/html, application/xhtml+xml, and what has no type
 * and looks like HTML); the Link, Refresh and X-Robots-Tag lines of a header
 * count for every type.  Links are taken from responses of class 2xx, a
 * redirect's target from 300 to 303, 307 and 308.
 *
 * Threads	One thread per reader.
 * Errors	FAULT_NOMEM, FAULT_ARG, FAULT_SYS.
 */

#ifndef CRAWLER_WORKERPAGE_H
#define CRAWLER_WORKERPAGE_H

#include "crawler/workerint.h"

struct workerpage;

/* `c' must stay. */
must_check int workerpage_new(struct workerpage **r,
    const struct worker_conf *c);

/* `r' may be NULL. */
void workerpage_free(struct workerpage *r);

/* The largest body of interest for a job of this kind, in bytes. */
size_t workerpage_max(const struct worker_conf *c, enum worker_kind kind);

/* Fill what stands above the line in the task's page, but for its name. */
void workerpage_head(struct task *t, const struct fetch_result *f);

/* Fill what stands below the line, but for `at'.  Faults are told in the
   page. */
void workerpage_read(struct workerpage *r, struct task *t,
    const struct fetch_result *f);

#endif
