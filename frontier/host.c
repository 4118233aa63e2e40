/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "frontier/blob.h"
#include "frontier/host.h"

_Static_assert(sizeof(struct host) == 128, "a host is two cache lines");

int
host_init(struct hosts *h, struct pager *p, uint64_t seed)
{
	table_init(&h->t, p, sizeof(struct host), LIMIT_HOSTS);
	blob_init(&h->blob, p);
	urlkey_init(&h->hash, seed);
	return index_init(&h->index, p);
}

void
host_clear(struct hosts *h)
{
	table_clear(&h->t);
	table_clear(&h->blob);
	index_clear(&h->index);
}

uint32_t
host_hash(const struct hosts *h, const struct host_key *k)
{
	uint64_t x = urlkey_of(&h->hash, k->name, k->len).hi;

	x ^= (uint64_t)k->port << 1 | (k->https != 0);
	return (uint32_t)(x * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* The blob of a name longer than HOST_NAME. */
static uint32_t
more_of(const struct host *o)
{
	uint32_t id;

	memcpy(&id, o->name, sizeof id);
	return id;
}

struct match {
	struct hosts *h;
	const struct host_key *k;
};

static int
same(void *ctx, uint32_t id)
{
	struct match *m = ctx;
	const struct host_key *k = m->k;
	const struct host *o = table_ro(&m->h->t, id);

	if (o->name_len != k->len || o->port != k->port ||
	    ((o->flags & HOST_HTTPS) != 0) != (k->https != 0))
		return 0;
	if (o->name_len <= HOST_NAME)
		return memcmp(o->name, k->name, k->len) == 0;
	return blob_same(&m->h->blob, more_of(o), k->name, k->len);
}

uint32_t
host_find(struct hosts *h, const struct host_key *k)
{
	struct match m = { h, k };

	return index_find(&h->index, host_hash(h, k), same, &m);
}

int
host_make(struct hosts *h, const struct host_key *k, uint32_t *id)
{
	struct match m = { h, k };
	uint32_t hash = host_hash(h, k), more = 0;
	struct host *o;

	*id = index_find(&h->index, hash, same, &m);
	if (*id != 0)
		return 0;
	if (host_count(h) >= LIMIT_HOSTS - 1)
		return FAULT_FULL;
	if (k->len > UINT16_MAX)
		return FAULT_ARG;
	if (k->len > HOST_NAME &&
	    blob_put(&h->blob, k->name, k->len, &more) < 0)
		return FAULT_NOMEM;
	*id = table_take(&h->t);
	if (*id == 0)
		goto out;
	o = host_at(h, *id);
	o->hash = hash;
	o->port = k->port;
	o->flags = k->https ? HOST_HTTPS : 0;
	o->name_len = (uint16_t)k->len;
	if (more == 0)
		memcpy(o->name, k->name, k->len);
	else
		memcpy(o->name, &more, sizeof more);
	if (index_add(&h->index, hash, *id) == 0)
		return 0;
	h->t.count--; /* the last one taken: its number is not used up */
	h->t.live--;
out:
	blob_free(&h->blob, more);
	return FAULT_NOMEM;
}

size_t
host_name(struct hosts *h, const struct host *o, char *to)
{
	if (o->name_len > HOST_NAME)
		blob_get(&h->blob, more_of(o), o->name_len, to);
	else
		memcpy(to, o->name, o->name_len);
	return o->name_len;
}

size_t
host_origin(struct hosts *h, const struct host *o, const char *between,
    size_t len, char *to)
{
	int https = (o->flags & HOST_HTTPS) != 0;
	size_t n = https ? 8 : 7;

	memcpy(to, https ? "https://" : "http://", n);
	memcpy(to + n, between, len);
	n += len;
	n += host_name(h, o, to + n);
	if (o->port != (https ? 443 : 80))
		n += (size_t)snprintf(to + n, 7, ":%u", o->port);
	return n;
}

int
host_rules(struct hosts *h, struct host *o, const void *rules, size_t len)
{
	uint32_t id;

	assert(len <= LIMIT_ROBOTS_FLAT);
	if (blob_put(&h->blob, rules, len, &id) < 0)
		return FAULT_NOMEM;
	blob_free(&h->blob, o->rules);
	o->rules = id;
	o->rules_len = (uint32_t)len;
	return 0;
}
