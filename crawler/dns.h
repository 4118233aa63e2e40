/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * dns.h - names to addresses, on the worker's own loop
 *
 * c-ares asks for A and AAAA together.  Answers are kept for their TTL,
 * within bounds; failures are kept too, but for a short while, so that a name
 * that could not be resolved is tried again later and not for ever refused.
 * Requests for the same name share one query.  Literal addresses and
 * `localhost' (RFC 6761) never reach a server.
 *
 * Memory	At most LIMIT_DNS_CACHE names of LIMIT_DNS_IPS addresses each;
 *		the least recently used go first.
 * Threads	One thread per resolver, that of its loop.
 * Errors	FAULT_NOMEM, FAULT_ARG for a server list that makes no sense.
 */

#ifndef CRAWLER_DNS_H
#define CRAWLER_DNS_H

#include <stddef.h>
#include <stdint.h>

#include "crawler/ip.h"
#include "snapshot/fault.h"
#include "snapshot/limits.h"

struct dns;
struct loop;

struct dns_opts {
	const char *servers;    /* "IP[:PORT],...", NULL = the system's */
	int family;             /* 4, 6, 0 = both, IPv4 first */
	unsigned int in_flight; /* queries at once; 0 = LIMIT_DNS_FLIGHT */
	uint32_t timeout_ms;    /* for one name in all; 0 = 10 s */
	uint32_t ttl_min_s;     /* kept at least; 0 = 60 */
	uint32_t ttl_max_s;     /* kept at most; 0 = 6 h */
	uint32_t negative_s;    /* no such name; 0 = 300; others a tenth */
};

enum dns_status {
	DNS_OK,
	DNS_NONE,    /* the name does not exist, or has no address */
	DNS_FAIL,    /* a server refused or answered nonsense */
	DNS_TIMEOUT, /* no answer in time */
	DNS_BAD,     /* not a name that can be asked for */
};

struct dns_answer {
	enum dns_status status;
	unsigned int ips;
	const struct ip *ip; /* good until the callback returns */
	int cached;          /* 1 if no query was needed */
};

struct dns_stat {
	uint64_t queries; /* sent to c-ares */
	uint64_t hits;    /* answered from the cache */
	uint64_t failed;  /* without an address */
	size_t cached;    /* names held */
};

must_check int dns_open(struct dns **d, struct loop *l,
    const struct dns_opts *o);

/* Drops what is in flight without calling back.  `d' may be NULL. */
void dns_close(struct dns *d);

/*
 * Resolve `host' (`len' bytes, no brackets).  `done' is called once, from the
 * loop or before this returns.  0, or FAULT_NOMEM and no call.
 */
must_check int dns_resolve(struct dns *d, const char *host, size_t len,
    void (*done)(void *arg, const struct dns_answer *a), void *arg);

/* "no such name", ...; never NULL. */
const char *dns_status_str(enum dns_status s);

void dns_stat(const struct dns *d, struct dns_stat *st);

#endif
