/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * dnscache.h - what the resolver knows of names, and who waits for them
 *
 * Private to dns.c, which asks; this keeps.  One entry per name, from the
 * first request on: while its query runs the requests wait in it, afterwards
 * it holds the answer until that expires.
 *
 * Memory	Beyond LIMIT_DNS_CACHE names, the settled one that was used
 *		the longest time ago goes.
 * Threads	That of the resolver.
 */

#ifndef CRAWLER_DNSCACHE_H
#define CRAWLER_DNSCACHE_H

#include <sys/queue.h>

#include <stddef.h>
#include <stdint.h>

#include "crawler/dns.h"
#include "snapshot/limits.h"

#define DNSCACHE_BUCKETS (LIMIT_DNS_CACHE / 2)

/* Who asked. */
struct dnscache_waiter {
	struct dnscache_waiter *next;
	void (*done)(void *arg, const struct dns_answer *a);
	void *arg;
};

enum dnscache_state {
	DNSCACHE_NEW,     /* waits for its turn */
	DNSCACHE_FLYING,  /* a query runs */
	DNSCACHE_SETTLED, /* answered, good until `until' */
};

struct dnscache_entry {
	struct dnscache_entry *chain;        /* in its bucket */
	TAILQ_ENTRY(dnscache_entry) list;    /* lru or busy */
	TAILQ_ENTRY(dnscache_entry) pending; /* while DNSCACHE_NEW */
	uint64_t hash;
	int64_t until; /* ms; deadline or expiry */
	enum dnscache_state state;
	enum dns_status status;
	struct dnscache_entry **query; /* its query's way here; NULL = none */
	struct dnscache_waiter *first, **last;
	unsigned int ips;
	struct ip ip[LIMIT_DNS_IPS];
	size_t len;
	char name[];
};

TAILQ_HEAD(dnscache_list, dnscache_entry);

struct dnscache {
	struct dnscache_list lru;     /* settled ones, the oldest first */
	struct dnscache_list busy;    /* the others, by deadline */
	struct dnscache_list pending; /* those of them that are new */
	size_t names;
	struct dnscache_entry *bucket[DNSCACHE_BUCKETS];
};

void dnscache_init(struct dnscache *c);

/* All entries go, and nobody who waits is told. */
void dnscache_free(struct dnscache *c);

/*
 * The entry of a name, as the one used last, or NULL.  What has expired by
 * `now' (ms) is forgotten.
 */
struct dnscache_entry *dnscache_find(struct dnscache *c, const char *name,
    size_t len, int64_t now);

/*
 * An entry for a name that has none, waiting for its turn.  `until' (ms) must
 * not be before that of an earlier one.  NULL: out of memory.
 */
struct dnscache_entry *dnscache_enter(struct dnscache *c, const char *name,
    size_t len, int64_t until);

/* `w', from malloc(), is told when the entry settles. */
void dnscache_wait(struct dnscache_entry *e, struct dnscache_waiter *w);

/* The entry's turn has come; `query' is to be NULL when the entry goes. */
void dnscache_fly(struct dnscache *c, struct dnscache_entry *e,
    struct dnscache_entry **query);

/*
 * The entry has its answer, `ips' and all, until `until' (ms): tell those who
 * wait, who may ask for more meanwhile.  The entry may be gone afterwards.
 */
void dnscache_settle(struct dnscache *c, struct dnscache_entry *e,
    enum dns_status status, int64_t until);

/* What is known, in the entry's memory; `cached' as in struct dns_answer. */
void dnscache_answer(const struct dnscache_entry *e, int cached,
    struct dns_answer *a);

#endif
