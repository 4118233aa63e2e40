/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlview.h - what DIR/status says, for people and programs
 *
 * The file has a name and a value a line.  One that runs writes it each
 * second; --status and the HTTP page read the same text, so neither comes near
 * the crawl itself.  Names that we don't know are passed over, but "status.",
 * "drop.", "refused.", "scope." and "trap." begin counters of any name.
 */

#ifndef CRAWLER_CRAWLVIEW_H
#define CRAWLER_CRAWLVIEW_H

#include <stdint.h>
#include <sys/types.h>

#include "crawler/buf.h"
#include "crawler/crawlhist.h"
#include "crawler/crawltop.h"

#define CRAWLVIEW_FIELDS 32
#define CRAWLVIEW_COUNTS (64 + CORE_CODES)
#define CRAWLVIEW_NAME   32 /* bytes */

struct crawlview_count {
	char name[CRAWLVIEW_NAME]; /* "drop.robots" */
	uint64_t n;
};

/* All zero is the view of nothing. */
struct crawlview {
	char state[16];
	pid_t pid; /* of who has the lock, 0: nobody */
	uint64_t v[CRAWLVIEW_FIELDS];
	struct crawlview_count count[CRAWLVIEW_COUNTS];
	size_t counts;
	struct crawltop_host host[CRAWLTOP_HOSTS];
	size_t hosts;
	int whole; /* 1: the text had its last line */
};

/* Read the file's text, which is cut up. */
void crawlview_read(struct crawlview *v, char *text);

/* See what it says in the light of who has the lock. */
void crawlview_judge(struct crawlview *v, pid_t pid);

/* Write it down; `now' is ms since 1970, for ages.  0 or a fault. */
must_check int crawlview_text(const struct crawlview *v, int64_t now,
    struct buf *out);
must_check int crawlview_json(const struct crawlview *v, struct buf *out);
/* ... for Prometheus, text format 0.0.4 */
must_check int crawlview_metrics(const struct crawlview *v, struct buf *out);

/* The curves, as JSON: {"time":[...],"pages":[...], ...} */
must_check int crawlview_history(const struct crawlhist *h, struct buf *out);

#endif
