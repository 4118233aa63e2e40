/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * core.h - what a frontier is made of; for this folder only
 */

#ifndef FRONTIER_CORE_H
#define FRONTIER_CORE_H

#include <stdint.h>

#include "frontier/addr.h"
#include "frontier/entry.h"
#include "frontier/frontier.h"
#include "frontier/host.h"
#include "frontier/job.h"
#include "frontier/marks.h"
#include "frontier/store.h"
#include "frontier/wheel.h"

/* Marks an address's number in the wheel, where hosts wait too. */
#define CORE_ADDR (UINT32_C(1) << 31)

/* bytes: a URL of ours, and some */
#define CORE_TEXT (LIMIT_URL + HOST_ORIGIN)

/* An image that is being written; see image.c. */
struct image {
	unsigned int stage; /* 0: none */
	uint32_t next;      /* record or host to be written */
	char *buf;          /* what `write' has not taken yet */
	size_t room;
	size_t len;
	size_t sent;
	size_t block; /* where the open block begins */
};

struct frontier {
	struct frontier_opts opts;
	int64_t now; /* ms: the latest that was told */
	struct pager *pager;
	struct hosts hosts;
	struct addrs addrs;
	struct spill *spill; /* NULL: nowhere to spill */
	struct store *store;
	struct jobs jobs;
	struct marks marks;
	struct image image;
	struct table since;  /* u64 a host: journal position of its image;
				while replay lasts */
	uint64_t since_sums; /* the same for `sum' */
	struct wheel wheel;
	uint32_t firing; /* what the wheel gave: rest of a list */
	uint32_t ready;  /* addresses that may be asked now: a list */
	uint32_t ready_tail;
	struct frontier_stat sum; /* the counts; not what can be asked for */
	char *text;               /* CORE_TEXT bytes to build URLs in */
	void *rules;              /* a host's rules are copied there */
	size_t rules_room;        /* bytes: the longest rules there are */
};

/* What is told of time never goes back. */
static inline void
core_clock(struct frontier *f, int64_t now)
{
	if (now > f->now)
		f->now = now;
}

/* ms between the starts of two requests to `h'. */
static inline uint32_t
core_delay(const struct frontier *f, const struct host *h)
{
	return h->delay > f->opts.delay ? h->delay : f->opts.delay;
}

/*
 * What follows the host in `u', after its userinfo, as an entry; the text may
 * be built in f->text.
 */
void core_entry(struct frontier *f, struct url_span url,
    const struct url_parts *parts, struct entry *e);

/*
 * An operation on `u' begins: 0 and the number of its host, made if it is not
 * there.  FAULT_ARG for a URL whose parts make no sense, FAULT_NOMEM,
 * FAULT_FULL, FAULT_SYS.
 */
must_check int core_host(struct frontier *f, const struct frontier_url *u,
    uint32_t *id);

/* Queue `u' of host `id', as frontier_push() does. */
must_check int core_push(struct frontier *f, uint32_t id,
    const struct frontier_url *u);

/* Host `id' has URLs: it counts as active, and is scheduled. */
void core_wake(struct frontier *f, uint32_t id);

/* Queue `e' of host `id' in `lane'.  The host is scheduled. */
must_check int core_queue(struct frontier *f, uint32_t id, unsigned int lane,
    const struct entry *e);

/* Give `h' these robots rules.  FAULT_NOMEM and it keeps the old ones. */
must_check int core_rules(struct frontier *f, struct host *h, const void *rules,
    size_t len);

/* The redirects that wait at `h': their number, and the first of them. */
uint32_t core_hops(struct frontier *f, const struct host *h, uint32_t *slot);

/* Free job `slot' and take it from its host's list. */
void core_end(struct frontier *f, uint32_t slot);

#endif
