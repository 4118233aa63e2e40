/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * storespill.c - queues to disk and back
 *
 * Memory is short when little of the budget for blocks is left.  Politeness
 * serves hosts in turn, so the one that was served last is the one that will
 * be wanted last: its queue goes to disk at once (the least recently used
 * one would be the worst choice, as it comes next).  Long queues go first and
 * fronts last, since a piece costs a read for each time it is brought in,
 * however short it is.  Short queues share a chunk, and as they come back in
 * the order they went, that chunk is read once for all of them.
 *
 * What is pushed follows no such order.  If it takes too much, a clock's hand
 * (Corbato 1968) goes round the queues and spills those that nobody has used
 * since it came by last.
 */

#include "config.h"

#include <errno.h>

#include "frontier/storeint.h"

/* blocks: two of the largest entries */
#define LARGEST (2 * (LIMIT_URL + ENTRY_HEAD) / (BLOCK_SIZE - 8) + 16)

#define LOOKS  64   /* queues looked at in one go, ... */
#define ENOUGH 8    /* ... until so many blocks came free */
#define FRONT  32   /* entries brought in while memory is short */
#define REST   32   /* entries that are spilled as memory gets short */
#define OWN    8192 /* bytes: a longer piece has, mostly, its own chunk */
#define CREDIT 16   /* chunks that may wait to be compacted */

uint64_t
store_budget(uint64_t budget)
{
	uint64_t least = UINT64_C(4) * LARGEST * BLOCK_SIZE;

	return budget < least ? least : budget;
}

int
store_room(const struct store *s)
{
	return !s->eager || s->pool.most - s->pool.used >= LARGEST;
}

int
store_short(const struct store *s)
{
	if (s->fault == 0)
		return FAULT_NOMEM;
	errno = s->error;
	return s->fault;
}

/* Spilling ended with `rc'; the next one that is short of memory asks. */
static void
note(struct store *s, int rc)
{
	s->fault = rc < 0 ? rc : 0;
	s->error = errno;
}

static void
credit(struct store *s)
{
	if (s->credit < CREDIT)
		s->credit++;
}

/* A chunk that `o' may add a piece of `n' entries to. */
static int
open_for(struct store *s, struct chunk_owner o, uint32_t n, struct chunk **c,
    struct ref *at)
{
	int rc = spill_open(s->spill, c, at);

	if (rc < 0)
		return rc;
	/* A long piece gets a chunk of its own, as it is read alone, too. */
	if (!chunk_has(*c, o) &&
	    (n < CHUNK_URLS / 2 || (*c)->urls < CHUNK_URLS / 2))
		return 0;
	rc = spill_flush(s->spill);
	return rc < 0 ? rc : spill_open(s->spill, c, at);
}

/* The start of the stream `m', to the end of a block: how many. */
static int
fill(struct store *s, struct chunk *c, const struct stream *m,
    struct stream_walk *w)
{
	struct entry e;
	int rc = 0, n = 0;

	stream_walk(m, w);
	while (rc == 0 && w->block != 0 && !(chunk_full(c) && w->read == 0)) {
		(void)stream_next(&s->pool, w, &e, s->text);
		rc = chunk_add(c, &e);
		n++;
	}
	return rc < 0 ? rc : n;
}

/* A piece of the stream of `r', as much as the open chunk has room for. */
static int
spill_piece(struct store *s, struct queue *r)
{
	struct chunk_owner o = store_owner(r);
	struct stream m = store_stream(r);
	struct stream_walk w;
	struct chunk *c;
	struct ref at;
	size_t len;
	unsigned int urls, pieces;
	int n, rc = open_for(s, o, m.count, &c, &at);

	if (rc < 0)
		return rc;
	len = c->len;
	urls = c->urls;
	pieces = c->pieces;
	n = chunk_start(c, o, s->origin,
	    s->hosts.origin(s->hosts.ctx, o.host, s->origin));
	if (n == 0)
		n = fill(s, c, &m, &w);
	rc = n < 0 ? n : refs_push(&s->refs, &r->refs, at);
	if (rc < 0) {
		c->len = len;
		c->urls = urls;
		c->pieces = pieces;
		return rc;
	}
	spill_added(s->spill, (uint32_t)n);
	credit(s);
	s->spilled += (uint64_t)n;
	stream_shift(&s->pool, &m, &w, (uint32_t)n);
	/* There are pieces now: the stream starts with its block, and the
	   offset is the front's.  A first piece of others is as it was. */
	if (r->fronts == 0)
		r->read = 0;
	store_stream_set(r, &m);
	return 0;
}

/* The whole stream. */
static int
spill_all(struct store *s, struct queue *r)
{
	int rc = 0;

	while (rc == 0 && r->count > 0)
		rc = spill_piece(s, r);
	return rc;
}

void
store_try(struct store *s, struct queue *r)
{
	note(s, spill_all(s, r));
}

void
store_piece_end(struct store *s, struct queue *r)
{
	spill_drop(s->spill, refs_first(&s->refs, r->refs), r->gone);
	refs_shift(&s->refs, &r->refs);
	r->front = 0;
	r->fronts = 0;
	r->gone = 0;
	r->read = 0;
	r->flags &= (uint16_t) ~(QUEUE_LAST | QUEUE_OWN);
	credit(s);
}

/* Some entries of `piece' to the front of `r'; 0 or a fault. */
static int
bring_some(struct store *s, struct queue *r, struct chunk_lines *piece)
{
	struct stream m = { 0, 0, 0, 0 };
	struct entry e;
	unsigned int n = 0, most = UINT16_MAX;
	const char *before;
	int rc;

	if (s->pool.used > s->pool.most / 2)
		most = FRONT;
	if (piece->end - piece->s > OWN) {
		r->flags |= QUEUE_OWN;
		if (s->pool.used < s->pool.most / 8 * 7)
			most *= 2;
	}
	rc = chunk_skip(piece, r->gone);
	while (rc >= 0 && n < most) {
		before = piece->s;
		rc = chunk_next(piece, &e);
		if (rc <= 0)
			break;
		if (stream_push(&s->pool, &m, &e) < 0) {
			piece->s = before;
			rc = n > 0 ? 0 : store_short(s);
			break;
		}
		n++;
	}
	if (rc < 0) {
		stream_clear(&s->pool, &m);
		return rc;
	}
	r->front = m.head;
	r->read = 0;
	r->fronts = (uint16_t)n;
	r->gone = (uint16_t)(r->gone + n);
	s->spilled -= s->spilled < n ? s->spilled : n;
	if (piece->s == piece->end)
		r->flags |= QUEUE_LAST;
	return 0;
}

int
store_bring(struct store *s, struct queue *r)
{
	struct chunk_lines piece;
	const char *head;
	int rc;

	while (r->refs != 0) {
		rc = spill_read(s->spill, refs_first(&s->refs, r->refs),
		    store_owner(r), &piece, &head);
		if (rc == 0)
			rc = bring_some(s, r, &piece);
		if (rc < 0)
			return rc;
		if (r->fronts > 0)
			return 1;
		store_piece_end(s, r);
	}
	return 0;
}

/* Have none of `r' in memory; with `full' only what need not be written. */
static int
evict(struct store *s, struct queue *r, int full)
{
	struct stream m = { r->front, 0, r->read, r->fronts };

	if (r->fronts > 0) {
		stream_clear(&s->pool, &m);
		s->spilled += r->fronts;
		r->gone = (uint16_t)(r->gone - r->fronts);
		r->front = 0;
		r->fronts = 0;
		r->read = 0;
		r->flags &= (uint16_t)~QUEUE_LAST;
	}
	return full ? 0 : spill_all(s, r);
}

void
store_rest(struct store *s, struct queue *r)
{
	uint32_t left = s->pool.most - s->pool.used, step = s->pool.most / 16;

	/* What a few entries leave is little, and a chunk has to be read for
	   them alone: the shorter the queue, the less memory must be left. */
	if (left > step) {
		if (left - step < step &&
		    r->count >= (uint64_t)REST * (left - step) / step)
			store_try(s, r);
		return;
	}
	/* A long piece would be read for this queue alone, each time. */
	if (r->flags & QUEUE_OWN && r->count < CHUNK_URLS / 2)
		return;
	note(s, evict(s, r, 0));
}

/* Let the clock's hand go on until `want' blocks came free, past `looks'
   queues at most. */
static int
sweep(struct store *s, uint32_t want, uint64_t looks)
{
	uint32_t was = s->pool.used;
	struct queue *r;
	int rc = 0, fault = 0;

	for (; looks > 0 && was - s->pool.used < want; looks--) {
		if (s->hand >= s->queue.count)
			s->hand = 1;
		if (s->hand == s->queue.count)
			break;
		rc = table_reserve(s->queue.pager);
		if (rc < 0)
			return rc;
		r = table_rw(&s->queue, s->hand++);
		if ((r->flags & QUEUE_LIVE) == 0)
			continue;
		if (r->flags & QUEUE_USED)
			r->flags &= (uint16_t)~QUEUE_USED;
		else
			rc = evict(s, r, fault < 0);
		if (rc < 0)
			fault = rc;
	}
	return fault;
}

/* Move the piece of `o' from `from' to the open chunk, if it is live. */
static int
move(struct store *s, struct chunk_owner o, struct ref from, const char *head,
    const char *end)
{
	uint32_t *q = s->hosts.queue(s->hosts.ctx, o);
	struct refs_walk w;
	struct chunk *c;
	struct ref *r, at;
	uint32_t urls;
	int rc;

	if (q == NULL || *q == 0)
		return 0;
	refs_walk(&s->refs,
	    ((const struct queue *)table_ro(&s->queue, *q))->refs, &w);
	do {
		r = refs_next(&s->refs, &w);
		if (r == NULL)
			return 0;
	} while (r->file != from.file || r->offset != from.offset);
	rc = open_for(s, o, 0, &c, &at);
	urls = c->urls;
	if (rc == 0)
		rc = chunk_copy(c, o, head, end);
	if (rc < 0)
		return rc;
	*r = at;
	spill_added(s->spill, c->urls - urls);
	spill_drop(s->spill, from, c->urls - urls);
	return 0;
}

/* Compact a chunk of the file that needs it most. */
static int
compact(struct store *s)
{
	struct chunk_lines all, piece;
	struct chunk_owner o;
	const char *head;
	struct ref at;
	int rc;

	if (s->victim == 0) {
		s->victim = spill_worst(s->spill);
		s->victim_at = 0;
		if (s->victim == s->hopeless)
			s->victim = 0;
	}
	if (s->victim == 0)
		return 0;
	rc = spill_scan(s->spill, s->victim, &s->victim_at, &at, &all);
	if (rc == 0)
		s->victim = 0;
	while (rc > 0) {
		rc = chunk_piece(&all, &o, &piece, &head);
		if (rc <= 0)
			break;
		rc = table_reserve(s->queue.pager);
		if (rc == 0)
			rc = move(s, o, at, head, piece.end);
		rc = rc < 0 ? rc : 1;
	}
	if (rc == FAULT_DAMAGED || rc == FAULT_TRUNCATED)
		s->hopeless = s->victim; /* whoever needs it will say so */
	if (rc < 0)
		s->victim = 0;
	return rc;
}

int
store_reserve(struct store *s)
{
	uint32_t left;
	int rc;

	if (!s->eager)
		return table_reserve(s->queue.pager);
	left = s->pool.most - s->pool.used;
	rc = 0;
	if (left < 2 * LARGEST)
		rc = sweep(s, 2 * LARGEST - left, 2 * (uint64_t)s->queue.count);
	else if (left < s->pool.most / 16)
		rc = sweep(s, ENOUGH, LOOKS);
	for (; rc == 0 && s->credit > 0; s->credit--)
		rc = compact(s);
	/* That nothing can be written is a fault only for who needs a block. */
	note(s, rc);
	return table_reserve(s->queue.pager);
}
