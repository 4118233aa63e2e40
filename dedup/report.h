/* SPDX-License-Identifier: BSD-2-Clause */

/* report.h - what urlseen tells of its work and of a filter */

#ifndef DEDUP_REPORT_H
#define DEDUP_REPORT_H

#include <stdio.h>

#include "dedup/filter.h"
#include "dedup/live.h"
#include "dedup/options.h"
#include "dedup/pipeline.h"

/* --info: every field of `st', as text or one JSON object. */
void report_info(FILE *out, const char *path, const struct filter_stat *st,
    int json);

/* --stats: the run's counts after `seconds', and the filter's state. */
void report_stats(FILE *out, const struct admit_count *c,
    const struct filter_stat *st, double seconds, const struct options *o);

/* The rules in a filter's header, "none", "raw" or "a,b"; writes to `out'. */
const char *report_rules(uint32_t rules, char *out, size_t size);

/* The live line of --progress. */
struct report_progress {
	struct live live;
	double started; /* seconds */
	double shown;   /* when last; 0 = never, or it was in the way */
};

double report_now(void); /* seconds of a clock that never steps */

/* 0 if there is to be none, as `out' is no terminal. */
int report_progress_start(struct report_progress *p, FILE *out);

/* For struct pipeline_options: shows `c' if it is time to. */
void report_progress_show(void *p, struct pipeline *s,
    const struct admit_count *c);

/* For struct pipeline_options: take it away, to show it at once again. */
void report_progress_yield(void *p);

/* Take the line away. */
void report_progress_end(struct report_progress *p);

#endif
