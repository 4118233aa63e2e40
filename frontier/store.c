/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "frontier/host.h"
#include "frontier/storeint.h"

#define LANE_SHIFT 30 /* of the lane in an owner */

/* A stream this long is spilled whatever memory there is: images, which never
   cut a host, would take too long over it. */
#define LONGEST 4096

_Static_assert(sizeof(struct queue) == 32, "a queue is a table record");
_Static_assert(LIMIT_HOSTS <= UINT32_C(1) << LANE_SHIFT, "a host's number");

struct store *
store_new(struct pager *pager, uint64_t budget, struct spill *spill,
    const struct store_hosts *hosts)
{
	struct store *s = calloc(1, sizeof *s);

	if (s == NULL)
		return NULL;
	s->spill = spill;
	s->hosts = *hosts;
	s->hand = 1;
	if (spill != NULL) {
		s->origin = malloc(HOST_ORIGIN);
		if (s->origin == NULL) {
			free(s);
			return NULL;
		}
	}
	table_init(&s->queue, pager, sizeof(struct queue), UINT32_MAX - 1);
	refs_init(&s->refs, pager);
	s->eager = spill != NULL && budget > 0;
	block_init(&s->pool, s->eager ? store_budget(budget) : 0);
	return s;
}

void
store_free(struct store *s)
{
	if (s == NULL)
		return;
	table_clear(&s->queue);
	table_clear(&s->refs);
	block_clear(&s->pool);
	free(s->origin);
	free(s);
}

struct chunk_owner
store_owner(const struct queue *r)
{
	struct chunk_owner o;

	o.host = r->owner & ((UINT32_C(1) << LANE_SHIFT) - 1);
	o.lane = r->owner >> LANE_SHIFT;
	return o;
}

struct stream
store_stream(const struct queue *r)
{
	struct stream m;

	m.head = r->head;
	m.tail = r->tail;
	m.read = r->refs == 0 ? r->read : 0;
	m.count = r->count;
	return m;
}

void
store_stream_set(struct queue *r, const struct stream *m)
{
	r->head = m->head;
	r->tail = m->tail;
	r->count = m->count;
	if (r->refs == 0)
		r->read = (uint16_t)m->read;
}

/* The front of `r'. */
static struct stream
front_of(const struct queue *r)
{
	struct stream m;

	m.head = r->front;
	m.tail = 0;
	m.read = r->read;
	m.count = r->fronts;
	return m;
}

/* A record for queue *q. */
static struct queue *
make(struct store *s, struct chunk_owner o, uint32_t *q)
{
	struct queue *r;

	if (*q == 0) {
		*q = table_take(&s->queue);
		if (*q == 0)
			return NULL;
		r = table_rw(&s->queue, *q);
		r->owner = o.host | o.lane << LANE_SHIFT;
		r->flags = QUEUE_LIVE;
		return r;
	}
	return table_rw(&s->queue, *q);
}

/* Give the record of *q back if nothing is left in it. */
static void
done(struct store *s, uint32_t *q, struct queue *r)
{
	if (r->count > 0 || r->refs != 0)
		return;
	r->flags = 0;
	table_give(&s->queue, *q);
	*q = 0;
}

int
store_push(struct store *s, struct chunk_owner o, uint32_t *q,
    const struct entry *e)
{
	struct queue *r = make(s, o, q);
	struct stream m;
	uint32_t most = LONGEST;

	if (r == NULL)
		return FAULT_NOMEM;
	m = store_stream(r);
	if (!store_room(s) || stream_push(&s->pool, &m, e) < 0) {
		done(s, q, r);
		return store_short(s);
	}
	store_stream_set(r, &m);
	r->flags |= QUEUE_USED;
	if (!s->eager)
		return 0;
	if (s->pool.used > s->pool.most / 2)
		most = CHUNK_URLS;
	if (r->count >= most)
		store_try(s, r);
	return 0;
}

int
store_first(struct store *s, uint32_t *q, struct entry *e)
{
	struct queue *r;
	struct stream m;
	int rc;

	if (*q == 0)
		return 0;
	r = table_rw(&s->queue, *q);
	r->flags |= QUEUE_USED;
	if (r->refs != 0 && r->fronts == 0) {
		rc = store_bring(s, r);
		if (rc < 0)
			return rc;
	}
	m = r->refs != 0 ? front_of(r) : store_stream(r);
	stream_walk(&m, &s->after);
	rc = stream_next(&s->pool, &s->after, e, s->text);
	if (rc == 0)
		done(s, q, r); /* a piece held less than we were told */
	return rc;
}

void
store_shift(struct store *s, uint32_t *q)
{
	struct queue *r = table_rw(&s->queue, *q);
	struct stream m;

	if (r->refs == 0) {
		m = store_stream(r);
		stream_shift(&s->pool, &m, &s->after, 1);
		store_stream_set(r, &m);
	} else {
		m = front_of(r);
		stream_shift(&s->pool, &m, &s->after, 1);
		r->front = m.head;
		r->read = (uint16_t)m.read;
		r->fronts--;
		if (r->fronts == 0 && r->flags & QUEUE_LAST)
			store_piece_end(s, r);
	}
	if (s->eager)
		store_rest(s, r);
	done(s, q, r);
}

void
store_ahead(const struct store *s, uint32_t q)
{
	if (q != 0)
		table_ahead(&s->queue, q);
}

/* Bring the first lines of a block near. */
static void
block_ahead(const struct store *s, uint32_t id)
{
	const char *b;

	if (id == 0)
		return;
	b = (const char *)block_at(&s->pool, id);
	__builtin_prefetch(b);
	__builtin_prefetch(b + 64);
}

void
store_ahead_first(const struct store *s, uint32_t q)
{
	const struct queue *r = q == 0 ? NULL : table_peek(&s->queue, q);

	if (r != NULL)
		block_ahead(s, r->front != 0 ? r->front : r->head);
}

void
store_ahead_last(const struct store *s, uint32_t q)
{
	const struct queue *r = q == 0 ? NULL : table_peek(&s->queue, q);

	if (r != NULL)
		block_ahead(s, r->tail);
}

/* Show the entries of the stream `m'. */
static int
each_stream(struct store *s, const struct stream *m, store_entry_fn *fn,
    void *ctx)
{
	struct stream_walk w;
	struct entry e;
	int rc = 0;

	stream_walk(m, &w);
	while (rc >= 0 && stream_next(&s->pool, &w, &e, s->text))
		rc = fn(ctx, &e);
	return rc < 0 ? rc : 0;
}

/* Show the entries of the piece at `ref', after the first `gone'. */
static int
each_piece(struct store *s, const struct queue *r, struct ref ref,
    unsigned int gone, store_entry_fn *fn, void *ctx)
{
	struct chunk_lines piece;
	const char *head;
	struct entry e;
	int rc = spill_read(s->spill, ref, store_owner(r), &piece, &head);

	if (rc == 0)
		rc = chunk_skip(&piece, gone);
	while (rc >= 0) {
		rc = chunk_next(&piece, &e);
		if (rc <= 0)
			break;
		rc = fn(ctx, &e);
	}
	return rc;
}

int
store_show(struct store *s, uint32_t q, uint32_t *piece, size_t *max,
    store_entry_fn *fn, void *ctx)
{
	struct queue *r;
	struct refs_walk w;
	struct stream m;
	const struct ref *ref;
	uint32_t n = 0;
	int rc = 0;

	if (q == 0)
		return 0;
	r = table_rw(&s->queue, q);
	refs_walk(&s->refs, r->refs, &w);
	for (;;) {
		ref = refs_next(&s->refs, &w);
		if (ref == NULL)
			break;
		if (n++ < *piece)
			continue;
		if (*max == 0)
			return 1;
		--*max;
		rc = each_piece(s, r, *ref, n == 1 ? r->gone - r->fronts : 0,
		    fn, ctx);
		if (rc < 0)
			return rc;
		*piece = n;
	}
	m = store_stream(r);
	return each_stream(s, &m, fn, ctx);
}

int
store_save(struct store *s, uint32_t q, store_ref_fn *fn, store_entry_fn *entry,
    void *ctx)
{
	const struct queue *r;
	struct refs_walk w;
	struct stream m;
	const struct ref *ref;
	unsigned int gone;
	int rc = 0;

	if (q == 0)
		return 0;
	r = table_ro(&s->queue, q);
	gone = r->gone - r->fronts;
	refs_walk(&s->refs, r->refs, &w);
	while (rc >= 0) {
		ref = refs_next(&s->refs, &w);
		if (ref == NULL)
			break;
		rc = fn(ctx, *ref, gone);
		gone = 0;
	}
	m = store_stream(r);
	return rc < 0 ? rc : each_stream(s, &m, entry, ctx);
}

int
store_load(struct store *s, struct chunk_owner o, uint32_t *q, struct ref ref,
    unsigned int gone)
{
	struct queue *r;
	int rc;

	if (s->spill == NULL || gone > UINT16_MAX)
		return FAULT_DAMAGED;
	rc = spill_adopt(s->spill, ref);
	if (rc < 0)
		return rc;
	r = make(s, o, q);
	if (r == NULL)
		return FAULT_NOMEM;
	if (r->count > 0 || (gone > 0 && r->refs != 0))
		return FAULT_DAMAGED;
	if (refs_push(&s->refs, &r->refs, ref) < 0) {
		done(s, q, r);
		return FAULT_NOMEM;
	}
	if (gone > 0)
		r->gone = (uint16_t)gone;
	return 0;
}

uint64_t
store_memory(const struct store *s)
{
	uint64_t n = block_memory(&s->pool) + sizeof *s;

	return s->spill == NULL ? n : n + HOST_ORIGIN + spill_memory(s->spill);
}

uint64_t
store_spilled(const struct store *s)
{
	return s->spilled;
}

void
store_found(struct store *s, uint64_t urls)
{
	s->spilled += urls;
}
