/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * pending.c - a ring of keys with a hash index that needs no deletion
 *
 * Keys live in a ring in the order of their arrival; each has a sequence
 * number, and slot `seq & mask'.  `head[h]' is the number of the newest key
 * of hash h, and each key links to the next older one of its hash.  A number
 * below the oldest one that waits ends a chain, so keys leave by moving
 * `tail' alone: what still points at them is recognised as stale.  Numbers
 * are 64 bits wide and never come again.
 */

#include "config.h"

#include <assert.h>
#include <stdlib.h>

#include "dedup/pending.h"
#include "snapshot/limits.h"

#define PENDING_FIRST 1024 /* keys: the ring's first size */

_Static_assert((LIMIT_PENDING & (LIMIT_PENDING - 1)) == 0,
    "the ring doubles up to its ceiling");

struct waiting {
	struct urlkey key;
	uint64_t end;  /* output offset at which it is safe */
	uint64_t next; /* sequence number of an older key of this hash */
};

struct pending {
	struct waiting *ring;
	uint64_t *head; /* newest number per hash, as many as ring slots */
	size_t size;    /* slots; a power of two */
	uint64_t first; /* number of the oldest key that waits */
	uint64_t next;  /* number of the next key to come, from 1 */
};

static size_t
slot_of(const struct pending *p, uint64_t seq)
{
	return (size_t)seq & (p->size - 1);
}

static int
ring_alloc(struct pending *p, size_t size)
{
	p->ring = malloc(size * sizeof *p->ring);
	p->head = calloc(size, sizeof *p->head);
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
	p->first = p->next = 1;
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
	return (size_t)(p->next - p->first);
}

size_t
pending_room(const struct pending *p)
{
	return LIMIT_PENDING - pending_count(p);
}

int
pending_has(const struct pending *p, struct urlkey k)
{
	uint64_t seq = p->head[slot_of(p, k.lo)];

	while (seq >= p->first) {
		const struct waiting *w = &p->ring[slot_of(p, seq)];

		if (urlkey_same(w->key, k))
			return 1;
		seq = w->next;
	}
	return 0;
}

static void
put(struct pending *p, struct urlkey k, uint64_t end)
{
	struct waiting *w = &p->ring[slot_of(p, p->next)];
	uint64_t *head = &p->head[slot_of(p, k.lo)];

	w->key = k;
	w->end = end;
	w->next = *head;
	*head = p->next++;
}

/* Twice the slots; every key keeps its number. */
static int
grow(struct pending *p)
{
	struct pending old = *p;

	if (ring_alloc(p, old.size * 2) < 0) {
		*p = old;
		return FAULT_NOMEM;
	}
	for (p->next = old.first; p->next < old.next;) {
		const struct waiting *w = &old.ring[slot_of(&old, p->next)];

		put(p, w->key, w->end);
	}
	free(old.ring);
	free(old.head);
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

	for (n = 0; n < count && n < max; n++) {
		const struct waiting *w = &p->ring[slot_of(p, p->first + n)];

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
	p->first += n;
}
