/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "crawler/dnscache.h"

void
dnscache_init(struct dnscache *c)
{
	memset(c, 0, sizeof *c);
	TAILQ_INIT(&c->lru);
	TAILQ_INIT(&c->busy);
	TAILQ_INIT(&c->pending);
}

static void
free_entries(struct dnscache_list *list)
{
	struct dnscache_waiter *w;
	struct dnscache_entry *e;

	while (!TAILQ_EMPTY(list)) {
		e = TAILQ_FIRST(list);
		TAILQ_REMOVE(list, e, list);
		while (e->first != NULL) {
			w = e->first;
			e->first = w->next;
			free(w);
		}
		free(e);
	}
}

void
dnscache_free(struct dnscache *c)
{
	free_entries(&c->lru);
	free_entries(&c->busy);
}

/* Where the name's entry hangs, or would. */
static struct dnscache_entry **
place(struct dnscache *c, const char *name, size_t len, uint64_t hash)
{
	struct dnscache_entry **at = &c->bucket[hash % DNSCACHE_BUCKETS];

	for (; *at != NULL; at = &(*at)->chain)
		if ((*at)->hash == hash && (*at)->len == len &&
		    memcmp((*at)->name, name, len) == 0)
			break;
	return at;
}

/* Take a settled entry out and free it. */
static void
drop(struct dnscache *c, struct dnscache_entry *e)
{
	struct dnscache_entry **at = place(c, e->name, e->len, e->hash);

	*at = e->chain;
	TAILQ_REMOVE(&c->lru, e, list);
	if (e->query != NULL)
		*e->query = NULL;
	c->names--;
	free(e);
}

struct dnscache_entry *
dnscache_find(struct dnscache *c, const char *name, size_t len, int64_t now)
{
	struct dnscache_entry *e = *place(c, name, len, XXH3_64bits(name, len));

	if (e == NULL || e->state != DNSCACHE_SETTLED)
		return e;
	if (e->until <= now) {
		drop(c, e);
		return NULL;
	}
	TAILQ_REMOVE(&c->lru, e, list);
	TAILQ_INSERT_TAIL(&c->lru, e, list);
	return e;
}

struct dnscache_entry *
dnscache_enter(struct dnscache *c, const char *name, size_t len, int64_t until)
{
	uint64_t hash = XXH3_64bits(name, len);
	struct dnscache_entry *e;

	e = calloc(1, sizeof *e + len + 1);
	if (e == NULL)
		return NULL;
	memcpy(e->name, name, len);
	e->len = len;
	e->hash = hash;
	e->last = &e->first;
	e->state = DNSCACHE_NEW;
	e->until = until;
	*place(c, name, len, hash) = e;
	TAILQ_INSERT_TAIL(&c->busy, e, list);
	TAILQ_INSERT_TAIL(&c->pending, e, pending);
	c->names++;
	return e;
}

void
dnscache_wait(struct dnscache_entry *e, struct dnscache_waiter *w)
{
	w->next = NULL;
	*e->last = w;
	e->last = &w->next;
}

void
dnscache_fly(struct dnscache *c, struct dnscache_entry *e,
    struct dnscache_entry **query)
{
	TAILQ_REMOVE(&c->pending, e, pending);
	e->state = DNSCACHE_FLYING;
	e->query = query;
	*query = e;
}

void
dnscache_answer(const struct dnscache_entry *e, int cached,
    struct dns_answer *a)
{
	a->status = e->status;
	a->ips = e->ips;
	a->ip = e->ip;
	a->cached = cached;
}

/* Give what is known to all who wait; they may ask for more meanwhile. */
static void
tell(struct dnscache_entry *e)
{
	struct dns_answer a;
	struct dnscache_waiter *w = e->first, *next;
	struct ip ip[LIMIT_DNS_IPS];

	dnscache_answer(e, 0, &a);
	memcpy(ip, e->ip, sizeof ip);
	a.ip = ip; /* `e' may be gone before the last has been told */
	e->first = NULL;
	e->last = &e->first;
	for (; w != NULL; w = next) {
		next = w->next;
		w->done(w->arg, &a);
		free(w);
	}
}

void
dnscache_settle(struct dnscache *c, struct dnscache_entry *e,
    enum dns_status status, int64_t until)
{
	TAILQ_REMOVE(e->state == DNSCACHE_SETTLED ? &c->lru : &c->busy, e,
	    list);
	if (e->state == DNSCACHE_NEW)
		TAILQ_REMOVE(&c->pending, e, pending);
	if (status != DNS_OK)
		e->ips = 0;
	e->state = DNSCACHE_SETTLED;
	e->status = status;
	e->until = until;
	TAILQ_INSERT_TAIL(&c->lru, e, list);
	tell(e);
	while (c->names > LIMIT_DNS_CACHE && !TAILQ_EMPTY(&c->lru))
		drop(c, TAILQ_FIRST(&c->lru));
}
