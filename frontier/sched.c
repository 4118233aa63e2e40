/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include "frontier/sched.h"

/* Append host `id' to the due hosts of address `to'. */
static void
join(struct frontier *f, uint32_t to, uint32_t id)
{
	struct addr *a = addr_at(&f->addrs, to);

	host_at(&f->hosts, id)->link = 0;
	if (a->head == 0)
		a->head = id;
	else
		host_at(&f->hosts, a->tail)->link = id;
	a->tail = id;
	sched_addr(f, to);
}

/* Host `h' does not need its address for now. */
static void
leave(struct frontier *f, struct host *h)
{
	uint32_t id = h->addr;

	if (id == 0)
		return;
	h->addr = 0;
	addr_at(&f->addrs, id)->refs--;
	sched_addr(f, id);
}

int
sched_move(struct frontier *f, struct host *h, const struct frontier_addr *ip)
{
	uint32_t id = addr_hold(&f->addrs, ip);

	if (id == 0)
		return FAULT_NOMEM;
	leave(f, h);
	h->addr = id;
	return 0;
}

uint32_t
sched_place(const struct frontier *f, const struct host *h)
{
	if (h->flags & HOST_DRAIN)
		return ADDR_DRAIN;
	if (h->addr == 0 || (int64_t)h->addr_until * 1000 <= f->now)
		return ADDR_RESOLVER;
	return h->flight < f->opts.per_host ? h->addr : 0;
}

void
sched_host(struct frontier *f, uint32_t id)
{
	struct host *h = host_at(&f->hosts, id);
	uint32_t to;

	if (h->queued == 0 && (h->flags & HOST_HOPS) == 0) {
		if (h->job == 0 && h->flags & HOST_ACTIVE) {
			leave(f, h);
			h->flags &= (uint16_t)~HOST_ACTIVE;
			f->sum.active--;
		}
		return;
	}
	if (h->flags & (HOST_LISTED | HOST_RESOLVING) ||
	    (h->flags & (HOST_ASKING | HOST_HOPS)) == HOST_ASKING)
		return;
	to = sched_place(f, h);
	if (to == 0)
		return;
	h->flags |= HOST_LISTED;
	if (h->next > f->now && to != ADDR_DRAIN)
		h->link = wheel_add(&f->wheel, id, h->next);
	else
		join(f, to, id);
}

/* Requests that may be in flight there. */
static uint32_t
ceiling(uint32_t id)
{
	if (id == ADDR_RESOLVER)
		return LIMIT_DNS_FLIGHT;
	return id == ADDR_DRAIN ? UINT32_MAX : LIMIT_ADDR_FLIGHT;
}

void
sched_addr(struct frontier *f, uint32_t id)
{
	struct addr *a = addr_at(&f->addrs, id);

	if (a->listed)
		return;
	if (a->head == 0) {
		/* One that nobody has any more must still be known until its
		   gap has passed, or its next user would not keep it. */
		if (a->refs > 0 || a->flight > 0)
			return;
		if (a->next / 1000 <= f->now) {
			addr_tidy(&f->addrs, id);
			return;
		}
	} else if (a->flight >= ceiling(id)) {
		return;
	}
	a->listed = 1;
	if (a->next / 1000 > f->now) {
		a->link = wheel_add(&f->wheel, id | CORE_ADDR, a->next / 1000);
		return;
	}
	a->link = 0;
	if (f->ready == 0)
		f->ready = id;
	else
		addr_at(&f->addrs, f->ready_tail)->link = id;
	f->ready_tail = id;
}

/* Waiter `id' comes next. */
static void
near(const struct frontier *f, uint32_t id)
{
	if (id & CORE_ADDR)
		table_ahead(&f->addrs.t, id & ~CORE_ADDR);
	else if (id != 0)
		table_ahead(&f->hosts.t, id);
}

void
sched_turn(struct frontier *f, unsigned int max)
{
	for (; max > 0; max--) {
		uint32_t id = f->firing;

		if (id == 0) {
			f->firing = wheel_turn(&f->wheel, f->now);
			if (f->firing == 0)
				return;
		} else if (id & CORE_ADDR) {
			struct addr *a;

			id &= ~CORE_ADDR;
			a = addr_at(&f->addrs, id);
			f->firing = a->link;
			near(f, f->firing);
			a->listed = 0;
			sched_addr(f, id);
		} else {
			struct host *h = host_at(&f->hosts, id);

			f->firing = h->link;
			near(f, f->firing);
			h->flags &= (uint16_t)~HOST_LISTED;
			sched_host(f, id);
		}
	}
}

/* The first host that waits at `a' if it is in memory, or NULL. */
static const struct host *
waiting(const struct frontier *f, const struct addr *a)
{
	return a->head == 0 ? NULL : table_peek(&f->hosts.t, a->head);
}

/*
 * Bring near what the next turns will need, each step of the way a turn after
 * the one before it: address, host, queue, block.  With a million hosts
 * nothing of that is in the processor's caches, and one turn is just long
 * enough to fetch it.
 */
static void
ahead(const struct frontier *f)
{
	const struct addr *a[3];
	const struct host *h;
	uint32_t id = f->ready;

	for (int i = 0; i < 3; i++) {
		a[i] = id == 0 ? NULL : table_peek(&f->addrs.t, id);
		if (a[i] == NULL)
			return;
		id = a[i]->link;
	}
	if (id != 0)
		table_ahead(&f->addrs.t, id);
	if (a[2]->head != 0)
		table_ahead(&f->hosts.t, a[2]->head);
	h = waiting(f, a[1]);
	for (int i = 0; h != NULL && i < FRONTIER_LANES; i++)
		store_ahead(f->store, h->queue[i]);
	h = waiting(f, a[0]);
	for (int i = 0; h != NULL && i < FRONTIER_LANES; i++)
		store_ahead_first(f->store, h->queue[i]);
}

uint32_t
sched_take(struct frontier *f, uint32_t *addr)
{
	uint32_t id;
	struct addr *a;
	struct host *h;

	if (f->ready == 0)
		return 0;
	*addr = f->ready;
	a = addr_at(&f->addrs, *addr);
	f->ready = a->link;
	a->listed = 0;
	ahead(f);
	id = a->head;
	h = host_at(&f->hosts, id);
	a->head = h->link;
	h->flags &= (uint16_t)~HOST_LISTED;
	return id;
}

/* us between the starts of two requests to `a'. */
static int64_t
gap(const struct frontier *f, const struct addr *a)
{
	int64_t share = a->refs / 8;

	if (f->opts.ip_delay >= 0)
		return f->opts.ip_delay * 1000;
	return (int64_t)f->opts.delay * 1000 / (share < 8 ? 8 : share);
}

void
sched_start(struct frontier *f, uint32_t id)
{
	struct addr *a = addr_at(&f->addrs, id);

	a->flight++;
	/* Its moment is within this ms at the latest. */
	if (a->next < f->now * 1000)
		a->next = f->now * 1000;
	a->next += gap(f, a);
}
