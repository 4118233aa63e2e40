/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fetchint.h - what the parts of the HTTP engine know of each other
 */

#ifndef CRAWLER_FETCHINT_H
#define CRAWLER_FETCHINT_H

#include <sys/queue.h>

#include "crawler/fetch.h"
#include "crawler/loop.h"
#include "crawler/request.h"
#include "crawler/xfer.h"

TAILQ_HEAD(xfers, xfer);

/* A socket that libcurl wants watched. */
struct fetch_sock {
	struct loop_watch watch;
	struct fetch_sock *next; /* while idle */
};

#define FETCH_STALES 1024

struct fetch {
	struct loop *loop;
	struct fetch_opts o; /* strings are `proxy' and `cacert' below */
	char *proxy, *cacert;
	void (*done)(void *ctx, const struct fetch_result *r);
	void *ctx;
	CURLM *multi;
	struct request *request;
	struct buf text;            /* the request of one result */
	struct loop_timer curl;     /* libcurl's */
	struct loop_timer sweep;    /* deadlines */
	int64_t sweep_due;          /* ms: when it was meant to be */
	struct xfers active;        /* the oldest first */
	struct xfers waiting;       /* for room */
	struct xfers idle;          /* kept for their handles */
	struct fetch_sock *sock;    /* idle ones */
	struct curl_slist *removal; /* "-HOST:PORT" to hand over next */
	struct fetch_stat stat;
	uint64_t stale[FETCH_STALES]; /* hashes of URLs: see on_request() */
	int settling;                 /* fetch_collect() is at work */
	int held;                     /* fetch_hold() */
	int64_t held_since;           /* ms */
};

/*
 * `x' wants its body to hold `size' bytes: 1 if the budget lets it (and then
 * it is booked), 0 if it has to pause.
 */
int fetch_book(struct fetch *f, struct xfer *x, size_t size);

/* Take what libcurl has finished, then use the room. */
void fetch_collect(struct fetch *f);

/* ---- fetchmulti.c ---- */

/* Make the multi handle and put it on the loop.  FAULT_NOMEM. */
must_check int fetch_multi_open(struct fetch *f);

/* Once no transfer is in it. */
void fetch_multi_close(struct fetch *f);

#endif
