/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * scope.h - which URLs belong to the crawl
 *
 * The seeds decide: the same host, the same registrable domain (public
 * suffix list; an IP address or a single label stands for itself), below the
 * seed's directory, or anything.  Scheme and port make no difference for
 * host and domain, as a site that moves from http to https is still the
 * site; for a prefix a port that is not the scheme's own counts.  Patterns
 * narrow that down: with any include pattern at least one must match, and no
 * exclude pattern may.
 *
 * Memory	A set of 128-bit keys, 24 bytes on average for each host,
 *		domain or directory that is in scope; the patterns.
 * Threads	scope_check() only reads the scope, so many threads may check
 *		at once, each with its own scratch, while nobody adds.
 * Errors	Faults of fault.h; a bad pattern also fills an error.
 */

#ifndef FRONTIER_SCOPE_H
#define FRONTIER_SCOPE_H

#include <stddef.h>
#include <stdint.h>

#include "dedup/url.h"
#include "snapshot/fault.h"

enum scope_kind {
	SCOPE_HOST = 1,
	SCOPE_DOMAIN = 2,
	SCOPE_PREFIX = 3,
	SCOPE_ANY = 4,
};

enum scope_verdict {
	SCOPE_IN = 0,
	SCOPE_OUT = 1,      /* no seed's */
	SCOPE_EXCLUDED = 2, /* an exclude pattern matches */
	SCOPE_MISSED = 3,   /* no include pattern matches */
	SCOPE_COSTLY = 4,   /* a pattern gave up at its match limit */
};

#define SCOPE_VERDICTS 5

struct scope;
struct scope_scratch;

/* What is wrong with a pattern, and where. */
struct scope_error {
	size_t offset;  /* bytes into the pattern */
	char text[128]; /* PCRE2's words */
};

/* As in image.h. */
typedef int scope_write_fn(void *ctx, const void *p, size_t n);
typedef int scope_read_fn(void *ctx, void *p, size_t n);

/* `seed' is of its hash table: random, so that nobody can make a name that
   passes for another.  NULL if there is no memory or no public suffix list. */
struct scope *scope_new(enum scope_kind kind, uint64_t seed);

/* `s' may be NULL. */
void scope_free(struct scope *s);

/* A thread's room for matching; NULL if there is no memory. */
struct scope_scratch *scope_scratch_new(void);
void scope_scratch_free(struct scope_scratch *x);

/*
 * A seed, or the target of a seed's redirect: what it stands for is in scope
 * from now on.  1 if that is new, 0 if it was, FAULT_NOMEM, FAULT_FULL.
 */
must_check int scope_seed(struct scope *s, struct url_span url,
    const struct url_parts *parts);

/*
 * One more pattern (PCRE2 syntax, matched anywhere in the URL's bytes).
 * FAULT_ARG and `err' for a bad one, FAULT_FULL at LIMIT_PATTERNS,
 * FAULT_TOOBIG, FAULT_NOMEM.
 */
must_check int scope_include(struct scope *s, const char *pattern,
    struct scope_error *err);
must_check int scope_exclude(struct scope *s, const char *pattern,
    struct scope_error *err);

/*
 * Exchange the patterns of `a' and `b', and nothing else.  So a configuration
 * that is read again goes to a scope of its own first, and takes the place of
 * the old one only if all of it was good.
 */
void scope_swap(struct scope *a, struct scope *b);

/*
 * Write what the seeds stand for (not the patterns), for a snapshot, or read
 * it into a scope of the same kind that has no seeds yet: FAULT_MAGIC,
 * FAULT_MISMATCH for another kind, FAULT_DAMAGED, FAULT_NOMEM, what the
 * function gives.  After a fault in loading the scope has no seeds.
 */
must_check int scope_save(const struct scope *s, scope_write_fn *write,
    void *ctx);
must_check int scope_load(struct scope *s, scope_read_fn *read, void *ctx);

enum scope_verdict scope_check(const struct scope *s, struct scope_scratch *x,
    struct url_span url, const struct url_parts *parts);

/* By the patterns alone: SCOPE_IN or why not. */
enum scope_verdict scope_patterns(const struct scope *s,
    struct scope_scratch *x, struct url_span url);

/* "scope", "exclude", ... for counters. */
const char *scope_verdict_str(enum scope_verdict v);

/* SCOPE_HOST for "host", ...; 0 for no such name.  And back. */
unsigned int scope_kind(const char *name);
const char *scope_kind_name(enum scope_kind kind);

#endif
