/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * trap.h - URLs that a site makes without end
 *
 * Two questions.  trap_check() asks of a URL alone whether it is plainly the
 * product of a loop: too long, too deep, a path segment four times in a row,
 * a/b/a/b/a/b, a query that repeats itself.  Such a URL is refused.
 *
 * trap_count() asks of a new URL whether its host has shown many of that
 * shape already (digits count as N, hex words as H: /2024/05/17 and
 * /1999/01/01 are one shape), or its page many queries.  Such a URL is not
 * refused, since a real archive looks the same as a calendar: it goes to the
 * lowest lane, where it can't hold up what is new.  Only where it is also
 * thousands of links away from the seeds, as a calendar's pages get and an
 * archive's hardly do, it is refused.  So every trap has an end.
 *
 * Memory	One sketch (sketch.h) for all hosts, of fixed size: it may
 *		count too much, by a little.
 * Threads	trap_check() is pure.  trap_count() has a single owner.
 * Errors	None but for memory, at the start.
 */

#ifndef FRONTIER_TRAP_H
#define FRONTIER_TRAP_H

#include <stddef.h>
#include <stdint.h>

#include "dedup/url.h"
#include "snapshot/fault.h"

enum trap_verdict {
	TRAP_NONE = 0,
	TRAP_LENGTH = 1, /* URL longer than `length' */
	TRAP_DEPTH = 2,  /* more than `depth' path segments */
	TRAP_REPEAT = 3, /* a segment `repeat' times in a row */
	TRAP_CYCLE = 4,  /* two to four segments, three times in a row (if
			    `repeat' is not 0) */
	TRAP_QUERY = 5,  /* more than `params' parameters, or the same
			    name=value `repeat' times */
	TRAP_SHAPE = 6,  /* deferred: `shape' URLs of this shape before */
	TRAP_FACETS = 7, /* deferred: `facets' queries of this path before */
	TRAP_HOPS = 8,   /* as these two, and more than `hops' links from a
			    seed: refused */
};

#define TRAP_VERDICTS 9

/* Ceilings; 0 switches a check off. */
struct trap_opts {
	size_t length;       /* bytes */
	unsigned int depth;  /* segments */
	unsigned int repeat; /* times in a row */
	unsigned int params; /* in the query */
	uint32_t shape;      /* URLs of one shape at a host */
	uint32_t facets;     /* queries of one path at a host */
	uint32_t hops;       /* links from a seed, for what is deferred */
};

/* 1 if `v' means that the URL is not queued at all. */
int trap_refused(enum trap_verdict v);

/* LIMIT_TRAP_*: loose enough that a real site loses nothing. */
void trap_defaults(struct trap_opts *o);

/* TRAP_NONE, or why `url' is refused (TRAP_LENGTH to TRAP_QUERY). */
enum trap_verdict trap_check(const struct trap_opts *o, struct url_span url,
    const struct url_parts *parts);

struct trap;

/*
 * Room for 2^bits counters of 4 bytes (10 <= bits <= 28; LIMIT_TRAP_BITS is a
 * good choice).  `seed' is of the hashes: random, so that no site can count
 * against another.  NULL if there is no memory or `bits' is out of range.
 */
struct trap *trap_new(const struct trap_opts *o, unsigned int bits,
    uint64_t seed);

/* `t' may be NULL. */
void trap_free(struct trap *t);

/*
 * Count `url', which was never seen before and is `hops' links from a seed.
 * TRAP_NONE; TRAP_SHAPE or TRAP_FACETS: queue it in lane 2; TRAP_HOPS: refuse
 * it (and it was not counted).
 */
enum trap_verdict trap_count(struct trap *t, struct url_span url,
    const struct url_parts *parts, uint32_t hops);

/*
 * Write the sketch, or read one of the same size, as in image.h: FAULT_MAGIC,
 * FAULT_MISMATCH, what the function gives.  After a fault in loading the
 * sketch is empty.
 */
must_check int trap_save(const struct trap *t,
    int (*write)(void *ctx, const void *p, size_t n), void *ctx);
must_check int trap_load(struct trap *t,
    int (*read)(void *ctx, void *p, size_t n), void *ctx);

/* "url-length", "path-depth", ... for counters. */
const char *trap_verdict_str(enum trap_verdict v);

#endif
