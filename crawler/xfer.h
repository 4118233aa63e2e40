/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * xfer.h - one transfer of the HTTP engine
 *
 * Private to the engine: fetch.c decides when a transfer starts, may grow or
 * is over; xfer.c tells libcurl what it has to know and takes what it brings;
 * xferresult.c says what came of it.
 */

#ifndef CRAWLER_XFER_H
#define CRAWLER_XFER_H

#include <sys/queue.h>

#include <stddef.h>
#include <stdint.h>

#include <curl/curl.h>

#include "crawler/buf.h"
#include "crawler/fetch.h"
#include "snapshot/limits.h"

#define XFER_FIRST (32 * 1024) /* bytes: what any body counts at least */

struct request;

/* How far a transfer is. */
enum xfer_stage {
	XFER_SENT,  /* nothing has come */
	XFER_HEAD,  /* a head is coming */
	XFER_READY, /* that head is whole; another may follow it */
	XFER_BODY,
};

struct xfer {
	TAILQ_ENTRY(xfer) list; /* active (by age), waiting or idle */
	struct fetch *f;
	CURL *easy;
	void *arg; /* the caller's */

	/* the job */
	char *url; /* NUL-terminated */
	size_t url_size;
	size_t host, host_len; /* in `url', no brackets */
	uint16_t port, to_port;
	int literal; /* the host is an address */
	int named;
	size_t max_body;
	struct ip ip[LIMIT_DNS_IPS];
	unsigned int ips;
	uint64_t key; /* hash of host and port */
	struct curl_slist *resolve;

	/* what came */
	enum xfer_stage stage;
	struct buf head, body, sent; /* `sent' only for URLs with a password */
	size_t held;                 /* bytes of the budget */
	int64_t start_us;
	int64_t start;          /* ms of the loop's clock, moved on by pauses */
	int64_t begun;          /* ms, never moved */
	int64_t first;          /* ms; -1 = no byte yet */
	int64_t first_us;       /* since 1970, of that byte */
	int64_t mark;           /* ms: the stall window's start */
	int64_t mark_bytes;     /* ... and what had come by then */
	int64_t bytes;          /* of heads and body */
	int64_t paused;         /* ms since when; -1 = it is not */
	int too_long;           /* the body passed max_body */
	int head_long;          /* the head passed LIMIT_HEAD */
	int failed;             /* memory ran out in a callback */
	int asked;              /* times that libcurl was about to ask */
	int kept;               /* ... the first time on a kept connection */
	int refused;            /* by the guard, ... */
	struct ip refused_ip;   /* ... this address */
	enum fetch_error ended; /* why we ended it; FETCH_OK: we did not */
	char why[CURL_ERROR_SIZE];
};

/* An idle transfer with all options set that no job changes. */
must_check int xfer_new(struct xfer **x, struct fetch *f);

void xfer_free(struct xfer *x);

/* Copy the job: 0 or FAULT_NOMEM. */
must_check int xfer_load(struct xfer *x, const struct fetch_job *j);

/*
 * Set libcurl's options for the job, with `resolve' (maybe NULL, ours from
 * then on) before the job's own addresses.  0 or FAULT_NOMEM.
 */
must_check int xfer_ready(struct xfer *x, struct curl_slist *resolve);

/* Microseconds since 1970. */
int64_t xfer_wall_us(void);

/* Forget the job; give back large buffers. */
void xfer_reset(struct xfer *x);

/*
 * Microseconds from the start until the connection stood and the request was
 * on its way; 0: it is not yet.
 */
int64_t xfer_ready_us(const struct xfer *x);

#endif
