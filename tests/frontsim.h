/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * frontsim.h - a web in virtual time, for tests of the frontier
 *
 * Plays the crawler: takes jobs, lets each last as long as its test says,
 * reports them, and moves its clock to the next moment at which anything can
 * happen.  Beside that it watches what no frontier may do, with a model that
 * knows nothing of how it works: starts too close at a host or an address,
 * too many in flight, a URL that comes out twice or never.
 */

#ifndef TESTS_FRONTSIM_H
#define TESTS_FRONTSIM_H

#include <stdint.h>

#include "frontier/frontier.h"

/* What a test decides about a job; set to an answer of 0 ms before. */
struct frontsim_answer {
	int64_t ms; /* it lasts */
	enum frontier_outcome outcome;
	int64_t retry_after;
	int undone;   /* 1: give it back */
	int resolved; /* RESOLVE: 0 = no address */
	int64_t ttl;  /* of address and rules */
	struct frontier_addr addr;
	char to[128];      /* ROBOTS: a redirect to this "http://host" */
	const char *rules; /* ROBOTS */
	int64_t delay;     /* Crawl-delay */
};

/* A host as the model sees it. */
struct frontsim_host {
	int64_t start;   /* of its last request; -1 = none */
	int64_t delay;   /* ms that must lie between two */
	uint32_t flight; /* requests */
	uint32_t pages;  /* handed out */
	uint32_t robots; /* asked for */
	uint32_t resolves;
};

struct frontsim_event;
struct frontsim_addr;

struct frontsim {
	struct frontier *f;
	struct frontier_opts opts;
	int64_t now;
	unsigned int room; /* requests in flight in all */
	unsigned int flight;
	void (*answer)(struct frontsim *s, const struct frontier_job *job,
	    struct frontsim_answer *a);
	/* A URL came out: page or drop, `over' 1. */
	void (*came)(struct frontsim *s, const struct frontier_job *job,
	    enum frontier_outcome outcome);
	void *ctx;
	int64_t gap_us; /* least between starts at an address, 0: unchecked */
	struct frontsim_host *host; /* by number */
	uint32_t hosts;
	struct frontsim_addr *addr; /* by the last four bytes, direct */
	uint32_t addrs;
	struct frontsim_event *event; /* a heap */
	uint32_t events;
	uint32_t event_room;
	uint8_t *out; /* by ordinal: times it came out */
	uint64_t ordinals;
	uint64_t rng;
	uint64_t pages;
	uint64_t drops[FRONTIER_REASONS];
	uint64_t close_host; /* faults: starts too close at a host */
	uint64_t close_addr; /* ... at an address */
	uint64_t crowd_host; /* too many in flight */
	uint64_t crowd_addr;
	uint64_t twice;  /* ordinals that came out again */
	uint64_t errors; /* calls that failed */
};

/* Start with `opts'; up to `hosts' hosts, addresses 0 to `addrs' - 1 and
   ordinals 0 to `ordinals' - 1.  Ends the program without memory. */
void frontsim_init(struct frontsim *s, const struct frontier_opts *opts,
    uint32_t hosts, uint32_t addrs, uint64_t ordinals);
void frontsim_free(struct frontsim *s);

/* Defaults for frontier_opts: 1 s, one request a host, 3 retries. */
void frontsim_opts(struct frontier_opts *o);

/* Address number `n'. */
struct frontier_addr frontsim_addr(uint32_t n);

/* Fill `u' for the normalised `url', which stays the caller's. */
void frontsim_url(struct frontier_url *u, const char *url, uint64_t ordinal,
    unsigned int lane);

/* Push `url' with `ordinal'; a fault counts as an error. */
void frontsim_push(struct frontsim *s, const char *url, uint64_t ordinal,
    unsigned int lane);

/* Run until `until' ms, or until nothing waits and nothing flies. */
void frontsim_run(struct frontsim *s, int64_t until);

/* Give back all jobs that are in flight, as a crawl does that stops. */
void frontsim_stop(struct frontsim *s);

/* A new frontier takes the place of the old; jobs in flight are forgotten. */
void frontsim_swap(struct frontsim *s, struct frontier *f);

/* Faults of any kind. */
uint64_t frontsim_faults(const struct frontsim *s);

/* How many of the ordinals below `n' have not come out exactly once. */
uint64_t frontsim_missing(const struct frontsim *s, uint64_t n);

/* xorshift64*, by `s->rng'. */
uint64_t frontsim_random(struct frontsim *s);

#endif
