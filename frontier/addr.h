/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * addr.h - addresses that hosts with URLs live at
 *
 * An address is due at its own moments and hands its turn to the hosts that
 * wait there, in order.  Two addresses are not of this world: hosts without
 * an address wait at ADDR_RESOLVER, hosts whose URLs are all to be dropped at
 * ADDR_DRAIN, so that these get their share of turns and no more.
 *
 * Memory	64 bytes and 12 of index while a host with URLs has it.
 */

#ifndef FRONTIER_ADDR_H
#define FRONTIER_ADDR_H

#include <stdint.h>

#include "dedup/urlkey.h"
#include "frontier/frontier.h"
#include "frontier/index.h"
#include "frontier/table.h"

#define ADDR_RESOLVER 1
#define ADDR_DRAIN    2

struct addr {
	struct frontier_addr ip;
	int64_t next; /* us: no request starts before */
	uint32_t hash;
	uint32_t refs;   /* hosts with URLs that have it */
	uint32_t flight; /* requests in flight */
	uint32_t head;   /* hosts that are due: a list */
	uint32_t tail;
	uint32_t link;   /* next in the list that it is in */
	uint32_t listed; /* 1: it is in the wheel or ready */
	uint32_t spare[3];
};

struct addrs {
	struct table t;
	struct index index;
	struct urlkey_hasher hash;
};

/* FAULT_NOMEM. */
must_check int addr_init(struct addrs *a, struct pager *p, uint64_t seed);
void addr_clear(struct addrs *a);

static inline struct addr *
addr_at(struct addrs *a, uint32_t id)
{
	return table_rw(&a->t, id);
}

/* The number of `ip', made if it is not there, with one more reference; 0
   without memory. */
uint32_t addr_hold(struct addrs *a, const struct frontier_addr *ip);

/* Forget `id' if nothing holds it any more. */
void addr_tidy(struct addrs *a, uint32_t id);

#endif
