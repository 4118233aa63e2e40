/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlhist.h - a run's last quarter of an hour, second by second
 *
 * For rates over 1, 5 and 15 minutes and for curves.  Over a run that is
 * younger than that they are over what there is.
 */

#ifndef CRAWLER_CRAWLHIST_H
#define CRAWLER_CRAWLHIST_H

#include <stddef.h>
#include <stdint.h>

#define CRAWLHIST_SECONDS 900

struct crawlhist_at {
	int64_t time;   /* ms */
	uint64_t pages; /* finished in this run */
	uint64_t bytes; /* received in this run */
	uint64_t failed;
	uint64_t queued;
	uint64_t hosts; /* with URLs waiting or in flight */
};

/* All zero is one without samples. */
struct crawlhist {
	struct crawlhist_at at[CRAWLHIST_SECONDS + 1];
	size_t n;    /* samples there are */
	size_t next; /* where the next one goes */
};

/* Take a sample, not earlier than the one before. */
void crawlhist_add(struct crawlhist *h, const struct crawlhist_at *at);

/* The i-th sample, from the oldest, i < n. */
const struct crawlhist_at *crawlhist_get(const struct crawlhist *h, size_t i);

/*
 * Pages and bytes a second over the last `seconds', as of the last sample.
 * 0 if there are fewer than two.
 */
double crawlhist_pages(const struct crawlhist *h, unsigned int seconds);
double crawlhist_bytes(const struct crawlhist *h, unsigned int seconds);

#endif
