/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlhttp.h - the live page and its numbers, by HTTP (--http)
 *
 *	/		a page of its own, with curves
 *	/status.json	what --status --json prints
 *	/history.json	the last 15 minutes, second by second
 *	/metrics	for Prometheus
 *
 * Only GET and HEAD, only to read, and only names that this machine has: a
 * Host that is no address and not "localhost" is refused, so that no web page
 * elsewhere can look in by a name of its own (DNS rebinding).
 *
 * Threads	A thread of libmicrohttpd's answers.  It sees nothing of the
 *		crawl but a copy of its status file's text, under a lock.
 */

#ifndef CRAWLER_CRAWLHTTP_H
#define CRAWLER_CRAWLHTTP_H

#include "crawler/crawlhist.h"
#include "snapshot/fault.h"

struct crawlhttp;

/*
 * Listen on "ADDRESS:PORT", "[ADDRESS]:PORT" or "PORT" (of 127.0.0.1).
 * FAULT_ARG: it is none of these; FAULT_VERSION: built without libmicrohttpd;
 * FAULT_SYS; FAULT_NOMEM.
 */
must_check int crawlhttp_open(struct crawlhttp **h, const char *where);

/* Where: "127.0.0.1:8080", also if port 0 was asked for. */
const char *crawlhttp_where(const struct crawlhttp *h);

/* Show this from now on.  `h' may be NULL. */
void crawlhttp_show(struct crawlhttp *h, const char *text, size_t len,
    const struct crawlhist *hist);

/* `h' may be NULL. */
void crawlhttp_close(struct crawlhttp *h);

#endif
