/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * host.h - the hosts that are known, a record each
 *
 * A host is scheme, name and port.  Numbers go 1, 2, 3 ... in the order the
 * hosts were met and stay theirs for good, through snapshots too: hosts are
 * never forgotten, as their delay, failures and budget must not be.
 *
 * Memory	128 bytes a host, about 12 in the index; names over 40 bytes
 *		and robots rules as blobs.  All of it in table.h's tables.
 */

#ifndef FRONTIER_HOST_H
#define FRONTIER_HOST_H

#include <stddef.h>
#include <stdint.h>

#include "dedup/urlkey.h"
#include "frontier/index.h"
#include "frontier/table.h"
#include "snapshot/limits.h"

#define HOST_NAME 40 /* bytes of name in the record */

/* bytes: "https://" name ":65535" */
#define HOST_ORIGIN (LIMIT_HOST + 16)

enum host_flag {
	HOST_HTTPS = 1 << 0,
	HOST_LISTED = 1 << 1,    /* in the wheel or an address's queue */
	HOST_RESOLVING = 1 << 2, /* a RESOLVE job is in flight */
	HOST_RULES = 1 << 3,     /* robots rules are known */
	HOST_ANSWERED = 1 << 4,  /* it has ever answered a request */
	HOST_DRAIN = 1 << 5,     /* given up until `next': its URLs are dropped,
				   for `reason' */
	HOST_ACTIVE = 1 << 6,    /* has URLs or jobs */
	HOST_ASKING = 1 << 7,    /* its ROBOTS job is under way, here or where
				   a redirect of it led */
	HOST_HOPS = 1 << 8,      /* redirects of robots.txt lead here and wait,
				   of this host or of others */
	HOST_HOPPED = 1 << 9,    /* one of them had the last turn */
};

/* What an image keeps of them.  The numbers stand in files. */
#define HOST_KEPT (HOST_RULES | HOST_ANSWERED | HOST_DRAIN)

struct host {
	uint32_t hash;
	uint32_t addr;         /* number of its address, 0 = none */
	uint32_t link;         /* next in the list that it is in */
	uint32_t queue[3];     /* by lane, see store.h */
	uint32_t rules;        /* blob */
	uint32_t rules_len;    /* bytes */
	int64_t next;          /* ms: no request starts before */
	uint32_t delay;        /* ms: robots' Crawl-delay, 0 = none */
	uint32_t robots_until; /* s: the rules hold */
	uint32_t addr_until;   /* s: the address is believed */
	uint32_t pages;        /* handed out, ever */
	uint32_t failed;       /* given up, ever */
	uint32_t queued;       /* URLs waiting, wherever */
	uint32_t refused;      /* as traps, ever; never queued */
	uint32_t job;          /* first of its jobs in flight, 0 = none */
	uint16_t flags;        /* enum host_flag */
	uint16_t port;
	uint8_t flight;   /* requests in flight */
	uint8_t failures; /* no answer, in a row */
	uint8_t busy;     /* 429 or 5xx, in a row */
	uint8_t tries;    /* RESOLVE or ROBOTS in vain, in a row */
	uint8_t turn;     /* of the lanes */
	uint8_t reason;   /* enum frontier_reason, with HOST_DRAIN */
	uint16_t name_len;
	uint32_t deferred;    /* pushed to lane 2, ever */
	char name[HOST_NAME]; /* not terminated; a longer one is a blob,
				 and its number stands here */
};

struct hosts {
	struct table t;
	struct table blob;
	struct index index;
	struct urlkey_hasher hash;
};

/* A name as it is looked for. */
struct host_key {
	const char *name; /* with the brackets of an IPv6 address */
	size_t len;
	uint16_t port;
	int https;
};

/* FAULT_NOMEM. */
must_check int host_init(struct hosts *h, struct pager *p, uint64_t seed);
void host_clear(struct hosts *h);

static inline struct host *
host_at(struct hosts *h, uint32_t id)
{
	return table_rw(&h->t, id);
}

/* How many there are: numbers 1 to this. */
static inline uint32_t
host_count(const struct hosts *h)
{
	return h->t.count - 1;
}

/* What host `k' is looked for by. */
uint32_t host_hash(const struct hosts *h, const struct host_key *k);

/* The number of host `k', or 0. */
uint32_t host_find(struct hosts *h, const struct host_key *k);

/* The same, and one is made if it is not there.  FAULT_NOMEM, FAULT_FULL. */
must_check int host_make(struct hosts *h, const struct host_key *k,
    uint32_t *id);

/* Write the name to `to' (LIMIT_HOST bytes); its length. */
size_t host_name(struct hosts *h, const struct host *o, char *to);

/*
 * Write "https://", `between' (userinfo with its "@", or nothing), name and
 * port if it is not the scheme's to `to'; the length.
 */
size_t host_origin(struct hosts *h, const struct host *o, const char *between,
    size_t len, char *to);

/* Replace the robots rules.  FAULT_NOMEM and the old ones stay. */
must_check int host_rules(struct hosts *h, struct host *o, const void *rules,
    size_t len);

#endif
