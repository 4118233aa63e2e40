/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fetch.h - one worker's HTTP engine
 *
 * libcurl's multi interface on the worker's epoll loop.  A job names a URL
 * and the addresses it may be asked at; the engine never resolves names,
 * follows redirects, keeps cookies or decodes content by itself.
 *
 * Addresses	Given to libcurl by CURLOPT_RESOLVE and taken out again after
 *		use; checked by the address guard in the open-socket callback,
 *		on the address that is connected to.
 * Memory	A body is one buffer that grows to the job's ceiling.  All
 *		bodies share a budget: a new fetch waits until there is room,
 *		a transfer that needs more than there is pauses, except the
 *		oldest, which may always grow to its ceiling.  So the engine
 *		holds at most the budget and one body, and never deadlocks.
 * Deadlines	Connect, first byte, a least rate after it, and the whole; time
 *		spent paused by us does not count.
 * Threads	One thread per engine, that of its loop.
 *		curl_global_init() is the program's to call.
 * Errors	FAULT_NOMEM, FAULT_ARG.  What happens to a fetch is a result,
 *		not a fault.
 */

#ifndef CRAWLER_FETCH_H
#define CRAWLER_FETCH_H

#include <stddef.h>
#include <stdint.h>

#include "crawler/ip.h"
#include "crawler/warc.h"
#include "snapshot/fault.h"

struct addrguard;
struct fetch;
struct loop;

/* Why there is no whole response.  Order is free: nothing stores numbers. */
enum fetch_error {
	FETCH_OK,
	FETCH_NAME,       /* the host's name could not be resolved */
	FETCH_NAME_LATER, /* ... just now */
	FETCH_GUARD,      /* the address guard refused */
	FETCH_URL,        /* libcurl will not have the URL */
	FETCH_CONNECT,    /* refused or unreachable */
	FETCH_TLS,        /* handshake or certificate */
	FETCH_PROXY,
	FETCH_TIMEOUT_CONNECT,
	FETCH_TIMEOUT_FIRST, /* no byte of a response */
	FETCH_TIMEOUT_STALL, /* below the least rate */
	FETCH_TIMEOUT,       /* the whole deadline */
	FETCH_RESET,         /* closed before or in the head */
	FETCH_SHORT,         /* closed in the body */
	FETCH_PROTOCOL,      /* what came is not HTTP */
	FETCH_HEAD,          /* the head is beyond LIMIT_HEAD */
	FETCH_STOPPED,       /* fetch_stop() */
	FETCH_INTERNAL,      /* out of memory, descriptors, ... */
	FETCH_STALE,         /* the connection was kept from before, and over */
};

/* Settings of an engine; strings are copied. */
struct fetch_opts {
	const char *agent;        /* User-Agent; required */
	const char *const *extra; /* -H lines as in curl */
	size_t n_extra;
	const char *proxy;             /* NULL = none; no environment is read */
	const char *cacert;            /* NULL = the system's */
	int insecure;                  /* certificates are not checked */
	int family;                    /* 4, 6, 0 = both */
	uint64_t limit_rate;           /* bytes a second a transfer; 0 = none */
	unsigned int max_active;       /* transfers at once */
	unsigned int max_idle;         /* connections kept beside those in
					  use; 0 = three times max_active */
	size_t budget;                 /* bytes of all bodies */
	uint32_t timeout_ms;           /* connect, first byte; required */
	uint32_t whole_ms;             /* the whole; 0 = ten times that */
	uint32_t stall_rate;           /* bytes a second, at least ... */
	uint32_t stall_ms;             /* ... over this time; 0 = timeout_ms */
	const struct addrguard *guard; /* NULL = none */
};

/* What to fetch.  The bytes need live only until fetch_start() returns. */
struct fetch_job {
	const char *url; /* normalised, http or https */
	size_t url_len;
	const char *host; /* of the URL, no brackets */
	size_t host_len;
	uint16_t port;       /* of the URL */
	uint16_t to_port;    /* to connect to; 0 = `port' */
	const struct ip *ip; /* where; may be none under a proxy */
	unsigned int ips;
	int named;       /* the user sent this host there: no guard */
	size_t max_body; /* bytes */
	void *arg;       /* handed back */
};

/* What came of it.  Everything is good until the callback returns. */
struct fetch_result {
	void *arg;
	enum fetch_error error;
	char why[128]; /* libcurl's or our words, "" if FETCH_OK */
	int status;    /* HTTP; 0 if no whole head came */
	int http2;
	const char *request; /* head as sent */
	size_t request_len;
	const char *head; /* of the response, with the empty line */
	size_t head_len;
	const char *body; /* transfer-decoded, content coding kept */
	size_t body_len;
	enum warc_cut cut; /* is the body whole? (max_body: WARC_LENGTH) */
	struct ip ip;      /* connected to; the proxy's under a proxy */
	uint16_t port;
	int reused;        /* an open connection was used again */
	int64_t start_us;  /* since 1970 */
	uint32_t ms;       /* from start to end */
	uint32_t first_ms; /* from start to the first byte; 0 if none came */
	uint32_t sent_ms;  /* from start until the request could leave, at most;
			       0 if it did not */
	int64_t wire_bytes; /* head and body as received */
};

struct fetch_stat {
	uint64_t started, finished;
	uint64_t connections; /* opened */
	uint64_t reused;      /* transfers on an open one */
	unsigned int active, waiting, paused;
	size_t held; /* bytes of bodies */
};

/*
 * Make an engine.  `done' is called from the loop for every job that
 * fetch_start() took, never before that returns.
 */
must_check int fetch_open(struct fetch **f, struct loop *l,
    const struct fetch_opts *o,
    void (*done)(void *ctx, const struct fetch_result *r), void *ctx);

/* Drops what is in flight without calling back.  `f' may be NULL. */
void fetch_close(struct fetch *f);

/* 0 and `done' will come, or FAULT_NOMEM and it will not. */
must_check int fetch_start(struct fetch *f, const struct fetch_job *j);

/* End everything in flight and waiting with FETCH_STOPPED, now. */
void fetch_stop(struct fetch *f);

/*
 * Hand over no more results and begin nothing (1), or go on (0).  Bodies in
 * flight still come in as far as the budget goes, and the time counts against
 * no deadline of ours.  For a caller that can't take a result now; may be
 * called from `done'.
 */
void fetch_hold(struct fetch *f, int on);

void fetch_stat(const struct fetch *f, struct fetch_stat *st);

/* One word ("timeout-connect") and a phrase; never NULL. */
const char *fetch_error_name(enum fetch_error e);
const char *fetch_error_str(enum fetch_error e);

/* 1 if trying again later makes sense. */
int fetch_error_passing(enum fetch_error e);

#endif
