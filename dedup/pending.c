/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * pending.c - a ring of keys with a hash index that needs no deletion
 *
 * Keys live in a ring in the order of their arrival; each has a sequence
 * number, and slot `seq & mask'.  `head[h]' is the number of the newest key
 * of hash h, and each key links to the next older one of its hash.  A number
 * below the oldest one that waits ends a chain, so keys leave by moving
 * `first' alone: what still points at them is recognised as stale.  Numbers
 * are 64 bits wide and never come again.  Until its slot is taken by another,
 * a key that left can be found by going further down a chain.
 */

#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "dedup/pending.h"
#include "snapshot/limits.h"

#define PENDING_FIRST 4096 /* keys: the ring's first size */

_Static_assert((LIMIT_PENDING & (LIMIT_PENDING - 1)) == 0,
    "the ring doubles up to its ceiling");

static int
ring_alloc(struct pending *p, size_t size)
{
	p->ring = malloc(size * sizeof *p->ring);
	p->head = calloc(size * PENDING_HEADS, sizeof *p->head);
	p->size = size;
	if (p->ring != NULL && p->head != NULL)
		return 0;
	free(p->ring);
	free(p->head);
	return FAULT_NOMEM;
}

struct pending *
pending_new(void)
{
	struct pending *p = malloc(sizeof *p);

	if (p == NULL)
		return NULL;
	if (ring_alloc(p, PENDING_FIRST) < 0) {
		free(p);
		return NULL;
	}
	p->next = p->whole = 1;
	atomic_init(&p->first, 1);
	return p;
}

void
pending_free(struct pending *p)
{
	if (p == NULL)
		return;
	free(p->ring);
	free(p->head);
	free(p);
}

size_t
pending_count(const struct pending *p)
{
	return (size_t)(p->next - pending_now(p));
}

size_t
pending_room(const struct pending *p)
{
	return LIMIT_PENDING - pending_count(p);
}

static void
put(struct pending *p, struct urlkey k, uint64_t end)
{
	struct pending_key *w = &p->ring[pending_slot(p, p->next)];
	uint64_t *head = pending_head(p, k);

	w->key = k;
	w->end = end;
	w->next = *head;
	*head = p->next++;
}

/* Twice the slots; every key keeps its number. */
static int
grow(struct pending *p)
{
	struct pending_key *ring = p->ring;
	uint64_t *head = p->head, next = p->next;
	size_t size = p->size;

	if (ring_alloc(p, size * 2) < 0) {
		p->ring = ring;
		p->head = head;
		p->size = size;
		return FAULT_NOMEM;
	}
	p->whole = pending_now(p);
	for (p->next = p->whole; p->next < next;) {
		const struct pending_key *w = &ring[p->next & (size - 1)];

		put(p, w->key, w->end);
	}
	free(ring);
	free(head);
	return 0;
}

int
pending_add(struct pending *p, struct urlkey k, uint64_t end)
{
	int rc;

	if (pending_count(p) == p->size) {
		if (p->size == LIMIT_PENDING)
			return FAULT_FULL;
		rc = grow(p);
		if (rc < 0)
			return rc;
	}
	put(p, k, end);
	return 0;
}

size_t
pending_peek(const struct pending *p, uint64_t safe, struct urlkey *out,
    size_t max)
{
	size_t n, count = pending_count(p);
	uint64_t first = pending_now(p);

	for (n = 0; n < count && n < max; n++) {
		const struct pending_key *w =
		    &p->ring[pending_slot(p, first + n)];

		if (w->end > safe)
			break;
		out[n] = w->key;
	}
	return n;
}

void
pending_drop(struct pending *p, size_t n)
{
	assert(n <= pending_count(p));
	/* after this a look-up finds them in the filter, or nowhere */
	atomic_store_explicit(&p->first, pending_now(p) + n,
	    memory_order_release);
}
