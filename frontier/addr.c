/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "frontier/addr.h"
#include "snapshot/limits.h"

_Static_assert(sizeof(struct addr) == 64, "an address is a cache line");

int
addr_init(struct addrs *a, struct pager *p, uint64_t seed)
{
	table_init(&a->t, p, sizeof(struct addr), LIMIT_HOSTS);
	urlkey_init(&a->hash, seed);
	if (index_init(&a->index, p) < 0 ||
	    table_take(&a->t) != ADDR_RESOLVER ||
	    table_take(&a->t) != ADDR_DRAIN)
		return FAULT_NOMEM;
	return 0;
}

void
addr_clear(struct addrs *a)
{
	table_clear(&a->t);
	index_clear(&a->index);
}

struct match {
	struct addrs *a;
	const struct frontier_addr *ip;
};

static int
same(void *ctx, uint32_t id)
{
	struct match *m = ctx;
	const struct addr *o = table_ro(&m->a->t, id);

	return memcmp(&o->ip, m->ip, sizeof o->ip) == 0;
}

uint32_t
addr_hold(struct addrs *a, const struct frontier_addr *ip)
{
	struct match m = { a, ip };
	uint32_t id, hash;
	struct addr *o;

	hash = (uint32_t)(urlkey_of(&a->hash, ip, sizeof *ip).hi >> 32);
	id = index_find(&a->index, hash, same, &m);
	if (id == 0) {
		id = table_take(&a->t);
		if (id == 0)
			return 0;
		o = addr_at(a, id);
		o->ip = *ip;
		o->hash = hash;
		if (index_add(&a->index, hash, id) < 0) {
			table_give(&a->t, id);
			return 0;
		}
	}
	addr_at(a, id)->refs++;
	return id;
}

void
addr_tidy(struct addrs *a, uint32_t id)
{
	struct addr *o = addr_at(a, id);

	if (id <= ADDR_DRAIN || o->refs > 0 || o->flight > 0 || o->listed ||
	    o->head != 0)
		return;
	index_remove(&a->index, o->hash, id);
	table_give(&a->t, id);
}
