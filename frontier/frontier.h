/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * frontier.h - which URL next, and when: no sockets, no clock
 *
 * Everything admitted waits here until its host may be asked.  A host is an
 * authority in the sense of RFC 9309 section 2.3: scheme, host name and
 * port; it is the unit of robots rules, delay, back-off, failures and
 * budget.  http://h/ and https://h/ are two hosts with one address between
 * them, and the address has its own least gap and its own ceiling of requests
 * in flight, so that neither two schemes nor a million names behind one
 * machine add up to hammering it.
 *
 * A host's way is	new -> RESOLVE -> ROBOTS -> PAGE PAGE PAGE ...
 *
 * and each arrow is a job: frontier_next() hands it out, the caller does it
 * and reports with the call named below.  Every URL pushed comes out exactly
 * once: as a PAGE that is finished (frontier_done() says so; until then it
 * is queued again), or as a DROP.  Both deserve a done record in the journal.
 *
 *	RESOLVE	frontier_resolved()	the host's addresses are wanted
 *	ROBOTS	frontier_robots()	/robots.txt is wanted, or what
 *		frontier_redirected()	a redirect of it leads to
 *	PAGE	frontier_done()		fetch it now
 *	DROP	frontier_done()		it will not be fetched, for `reason'
 *
 * Lanes	0: seeds, redirects, retries, sitemaps; 1: the rest; they are
 *		served 4 : 1.  2: deferred, served when the others are empty.
 *		Each lane is first in, first out; when short queues spill to
 *		disk, about so.
 * Politeness	Between the starts of two requests to a host (robots.txt
 *		among them) lie at least its delay, to an address its gap.  A
 *		job's start is the `now' it was handed out at, so run it then.
 * Time		In ms, from any origin that is the same in the process that
 *		saved and the one that loads.  A `now' below an earlier one
 *		counts as that one.
 * Memory	128 bytes a host and 12 of index, 60 more while it has an
 *		address; some 60 % of its bytes a queued URL.  With a
 *		directory all of it stays within a budget (see
 *		frontier_new()), at any number of URLs and hosts.
 * Threads	No locks inside: a single owner, and one frontier knows
 *		nothing of another.
 * Errors	Faults of fault.h.  FAULT_SYS, FAULT_NOMEM: what was asked
 *		has not happened and may be tried again (when there is room on
 *		the disk).  FAULT_DAMAGED: a spilled chunk can't be read, and
 *		the frontier must be built from the journal again.
 */

#ifndef FRONTIER_FRONTIER_H
#define FRONTIER_FRONTIER_H

#include <stddef.h>
#include <stdint.h>

#include "dedup/url.h"
#include "snapshot/fault.h"

struct frontier;

#define FRONTIER_LANES 3

/* 1 if `rules' (what frontier_robots() was given) let `path' with query be
   fetched, else 0.  Called for each URL, just before it is handed out. */
typedef int frontier_allowed_fn(void *ctx, const void *rules, size_t rules_len,
    const char *path, size_t path_len);

/* 1 if the URL is wanted still, else 0: asked when its turn comes. */
typedef int frontier_wanted_fn(void *ctx, struct url_span url);

struct frontier_opts {
	uint32_t delay;        /* ms between starts at a host; 0 allowed */
	uint32_t delay_was;    /* ms: the same in the run before, 0 if unknown;
				  waits up to it are not taken over */
	int64_t ip_delay;      /* ms between starts at an address; -1: delay /
				  max(8, active hosts there / 8) */
	unsigned int per_host; /* requests in flight at a host; 0 means 1 */
	unsigned int retries;  /* further tries of a URL after the first */
	uint64_t host_pages;   /* pages of a host; 0: no bound */
	uint64_t memory;       /* bytes; 0: no budget, nothing spills */
	int dirfd;             /* where to spill, not closed; -1: nowhere */
	int readonly;          /* 1: to look at, changes nothing in dirfd */
	unsigned int keep;     /* snapshots kept that may need spilled files,
				  0 to 2; see image.h */
	uint64_t seed;         /* of the hash tables; random, so that nobody can
			       prepare hosts that collide */
	frontier_allowed_fn *allowed; /* NULL: robots are ignored, no ROBOTS
					 jobs */
	frontier_wanted_fn *wanted;   /* NULL: all are */
	void *ctx;                    /* for both */
};

/* An admitted URL. */
struct frontier_url {
	struct url_span url; /* normalised */
	struct url_parts parts;
	uint64_t ordinal; /* its admission in the journal; no two pushes have
			     the same, but see frontier_again() */
	uint32_t depth;   /* links from a seed */
	uint8_t lane;     /* 0 to 2 */
	uint8_t revive;   /* 1: a dead host is tried again for it */
};

/* An IPv6 address, or IPv4 as ::ffff:a.b.c.d (RFC 4291 section 2.5.5.2). */
struct frontier_addr {
	uint8_t b[16];
};

enum frontier_kind {
	FRONTIER_RESOLVE = 1,
	FRONTIER_ROBOTS = 2,
	FRONTIER_PAGE = 3,
	FRONTIER_DROP = 4,
};

/* Why a URL is dropped.  The numbers stand in files: never change one. */
enum frontier_reason {
	FRONTIER_KEPT = 0,
	FRONTIER_DISALLOWED = 1, /* by robots rules */
	FRONTIER_BUDGET = 2,     /* the host's pages are used up */
	FRONTIER_DEAD = 3,       /* the host failed too often in a row */
	FRONTIER_NO_ADDRESS = 4, /* its name never resolved */
	FRONTIER_NO_ROBOTS = 5,  /* its robots.txt stayed unreachable */
	FRONTIER_EXCLUDED = 6,   /* it is not wanted any more */
};

#define FRONTIER_REASONS 7

/* The pointers are good until the job is reported. */
struct frontier_job {
	uint32_t id; /* names the job in the report */
	enum frontier_kind kind;
	enum frontier_reason reason; /* of a DROP */
	uint32_t host;               /* number of the host, 1 ... */
	struct url_span url;         /* PAGE and DROP: it; RESOLVE: the host's
					"/"; ROBOTS: its "/robots.txt", or
					where that of a host led */
	struct url_parts parts;
	uint64_t ordinal; /* PAGE and DROP */
	uint32_t depth;
	uint8_t lane;
	uint8_t tries;             /* how often it failed before */
	uint8_t hops;              /* ROBOTS: redirects that led here */
	struct frontier_addr addr; /* PAGE and ROBOTS: whom to ask */
};

/* How a PAGE ended, or a ROBOTS job. */
enum frontier_outcome {
	FRONTIER_OK = 0,      /* the server answered, 2xx to 4xx */
	FRONTIER_BUSY = 1,    /* it answered 429, 502, 503, 504: the host is
				 left alone for a while, the URL queued again */
	FRONTIER_ERROR = 2,   /* it answered another 5xx: the URL is queued
				 again, the host not held back */
	FRONTIER_FAILED = 3,  /* no answer (connection, TLS, timeout): as
				 BUSY, and the host may be given up soon */
	FRONTIER_REFUSED = 4, /* this URL is hopeless and the host not to
				 blame: it is finished, as failed */
};

/* How a ROBOTS job ended (RFC 9309 section 2.3.1). */
struct frontier_robots {
	enum frontier_outcome outcome; /* OK: `rules' are known; BUSY or
					  ERROR: 5xx, FAILED: no answer, both
					  are "unreachable" (2.3.1.4) */
	const void *rules; /* packed as `allowed' likes them, copied; len 0:
				all is allowed, as after a 4xx (2.3.1.3) */
	size_t len;        /* <= LIMIT_ROBOTS_FLAT */
	int64_t delay;     /* ms, Crawl-delay; -1: none */
	int64_t ttl;       /* ms the rules hold, at most 24 h (2.4); -1: that */
	int64_t retry_after; /* ms, if unreachable; -1: none */
};

/* The state of things; sums over the frontier's life where it says "ever". */
struct frontier_stat {
	uint64_t hosts;     /* known */
	uint64_t active;    /* with URLs waiting or in flight */
	uint64_t dead;      /* given up for now */
	uint64_t addresses; /* with active hosts */
	uint64_t queued;    /* URLs waiting, wherever */
	uint64_t spilled;   /* of these, on disk */
	uint64_t flight[5]; /* jobs in flight by enum frontier_kind */
	uint64_t pushed;    /* URLs, ever */
	uint64_t finished;  /* PAGEs finished, ever; failed ones too */
	uint64_t failed;    /* of these, given up */
	uint64_t retried;   /* PAGEs queued again, ever */
	uint64_t dropped[FRONTIER_REASONS]; /* by reason, ever */
	uint64_t memory;                    /* bytes held */
	uint64_t disk;                      /* bytes of spilled chunks */
};

/* A host as frontier_hosts() shows it. */
struct frontier_host {
	uint32_t id;
	struct url_span origin; /* "https://example.com:8443" */
	uint64_t queued;
	uint64_t pages;    /* handed out, ever */
	uint64_t failed;   /* given up, ever */
	uint32_t refused;  /* URLs that were traps, ever */
	uint32_t deferred; /* URLs in lane 2, ever */
	uint32_t delay;    /* ms in force */
	int64_t next;      /* ms from now until it may be asked; 0: now */
	unsigned int flight;
	unsigned int failures; /* in a row */
	int dead;
	int robots; /* 1: its rules are known */
	int has_addr;
	struct frontier_addr addr;
};

/*
 * An empty frontier; `opts' is copied.  With `dirfd' >= 0 and `memory' > 0
 * queues and host records beyond the budget go to files there; what is found
 * there already stays until image_load() adopts it or frontier_fresh() ends
 * it.  The budget is for all that grows; some LIMIT_FRONTIER_FIXED bytes of
 * buffers come on top.  FAULT_ARG, FAULT_NOMEM, FAULT_SYS.
 */
must_check int frontier_new(struct frontier **f,
    const struct frontier_opts *opts);

/* `f' may be NULL.  Spilled chunk files stay for the snapshots' sake. */
void frontier_free(struct frontier *f);

/* Delete chunk files from before: nothing will be loaded. */
must_check int frontier_fresh(struct frontier *f);

/* Change delay, ip_delay, per_host, retries, host_pages from now on. */
void frontier_tune(struct frontier *f, const struct frontier_opts *opts);

/*
 * Queue `u'.  0, or a fault and nothing is queued.  FAULT_ARG for a URL
 * whose parts make no sense, FAULT_FULL at LIMIT_HOSTS.
 */
must_check int frontier_push(struct frontier *f, const struct frontier_url *u,
    int64_t now);

/*
 * Queue `u' again, which was pushed with this ordinal before and then was
 * finished or dropped.  A dead host is tried again for it.  The faults of
 * frontier_push().
 */
must_check int frontier_again(struct frontier *f, const struct frontier_url *u,
    int64_t now);

/*
 * These `n' are going to be pushed.  Says nothing and changes nothing, but if
 * they are of many hosts the pushes cost less then: what they need is on its
 * way from memory.  Some dozens at a time.
 */
void frontier_expect(const struct frontier *f, const struct frontier_url *u,
    size_t n);

/*
 * `u' is not queued, because it is a trap (trap.h): count it at its host, if
 * that is known.
 */
void frontier_refused(struct frontier *f, const struct frontier_url *u);

/*
 * The next job that may start at `now': 1 and `job', 0 if there is none yet.
 * How many may be in flight in all is the caller's to decide (at most
 * LIMIT_JOBS: FAULT_FULL); RESOLVE and DROP need no connection, so count the
 * others.  Does a bounded amount of work.
 */
must_check int frontier_next(struct frontier *f, int64_t now,
    struct frontier_job *job);

/*
 * ms from `now' until frontier_next() may have a job though nothing is
 * reported or pushed before: 0 it may now, -1 never.
 */
int64_t frontier_wait(const struct frontier *f, int64_t now);

/*
 * RESOLVE job `id' is done: the first of `n' addresses is asked from now on,
 * for `ttl' ms.  n = 0: no address; the host waits and is tried again a few
 * times (`ttl' -1, or how long the answer holds).  FAULT_ARG for a wrong id.
 */
must_check int frontier_resolved(struct frontier *f, uint32_t id,
    const struct frontier_addr *addr, size_t n, int64_t ttl, int64_t now);

/* ROBOTS job `id' is done.  FAULT_ARG, FAULT_TOOBIG, FAULT_NOMEM. */
must_check int frontier_robots(struct frontier *f, uint32_t id,
    const struct frontier_robots *r, int64_t now);

/*
 * ROBOTS job `id' was answered with a redirect to `to' (of which only `url'
 * and `parts' are looked at).  1: the job is over, and what is there will
 * come as a further ROBOTS job once the host of `to' may be asked: its rules
 * are those of the host that was asked first.  0: nothing can come from
 * there, as its host is given up; the job is still to be reported.  The
 * caller counts `hops'.  FAULT_ARG, FAULT_NOMEM, FAULT_SYS.
 */
must_check int frontier_redirected(struct frontier *f, uint32_t id,
    const struct frontier_url *to, int64_t now);

/*
 * PAGE or DROP job `id' is done (the outcome of a DROP is not looked at).
 * `retry_after' ms the server asked to be left alone, or -1.  1: the URL is
 * finished, journal it so; 0: it is queued again.
 */
must_check int frontier_done(struct frontier *f, uint32_t id,
    enum frontier_outcome outcome, int64_t retry_after, int64_t now);

/*
 * The same in two steps, for pages whose links and archive frame take longer
 * than the fetch.  frontier_fetched(): the request is over, the host may be
 * asked again.  If it says 1 the URL is finished but not yet journaled: the
 * job stays, and an image has it as queued, until frontier_release().  If it
 * says 0, that was all.
 */
must_check int frontier_fetched(struct frontier *f, uint32_t id,
    enum frontier_outcome outcome, int64_t retry_after, int64_t now);
must_check int frontier_release(struct frontier *f, uint32_t id, int64_t now);

/*
 * The request of job `id' left at `at', later than it was handed out: the
 * host's delay counts from there.  Before the job is reported.  FAULT_ARG.
 */
must_check int frontier_started(struct frontier *f, uint32_t id, int64_t at);

/* Job `id', of whatever kind, was not run after all: nothing is counted, and
   it will come again. */
must_check int frontier_undone(struct frontier *f, uint32_t id, int64_t now);

/* Nothing is queued and nothing in flight. */
int frontier_empty(const struct frontier *f);

void frontier_stat(const struct frontier *f, struct frontier_stat *st);

/*
 * Show up to `max' hosts from number *cursor on (start with 0), in the order
 * they were met.  `fn' returns below zero to stop, and that is returned.  1:
 * there are more, 0: that was all.  Between calls the frontier may change.
 */
typedef int frontier_host_fn(void *ctx, const struct frontier_host *h);
must_check int frontier_hosts(struct frontier *f, uint64_t *cursor, size_t max,
    int64_t now, frontier_host_fn *fn, void *ctx);

/*
 * The same for the URLs waiting or in flight, host by host (`max' counts
 * hosts or spilled chunks).  What moves between calls may be missed.
 */
typedef int frontier_url_fn(void *ctx, const struct frontier_url *u);
must_check int frontier_pending(struct frontier *f, uint64_t *cursor,
    size_t max, frontier_url_fn *fn, void *ctx);

/* "robots", "host-pages", ... for messages and counters. */
const char *frontier_reason_str(enum frontier_reason reason);

#endif
