/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * pending.h - keys that were let through but are not yet safe to remember
 *
 * "Emit before you remember": between the moment a URL is found new and the
 * moment its line (or its journal record) is safe, its key waits here and is
 * found by every later look-up, but a kill forgets it.  Keys enter in output
 * order, each with the output offset at which its line ends, and leave in the
 * same order once that offset is safe.
 *
 * A key that has left is still found for a while by those who ask since a
 * moment at which it waited (pending_now()): they may have looked into the
 * filter before it was there.
 *
 * Memory	A ring that doubles up to LIMIT_PENDING keys: 64 bytes each.
 *		The caller watches pending_room() and waits for its reader.
 * Threads	No locks inside.  One caller at a time per set, but for
 *		pending_now().
 */

#ifndef DEDUP_PENDING_H
#define DEDUP_PENDING_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "dedup/urlkey.h"
#include "snapshot/fault.h"

/* Visible so that looking is inlined: nobody else touches the inside. */
struct pending_key {
	struct urlkey key;
	uint64_t end;  /* output offset at which it is safe */
	uint64_t next; /* sequence number of an older key of this hash */
};

struct pending {
	struct pending_key *ring;
	uint64_t *head; /* newest number per hash, PENDING_HEADS per slot */
	size_t size;    /* slots; a power of two */
	uint64_t whole; /* keys from this number on were put in this ring */
	_Atomic uint64_t first; /* number of the oldest key that waits */
	uint64_t next;          /* number of the next key to come, from 1 */
};

/* An empty set, or NULL if there is no memory. */
struct pending *pending_new(void);

/* `p' may be NULL. */
void pending_free(struct pending *p);

/* Keys waiting, and how many more may come. */
size_t pending_count(const struct pending *p);
size_t pending_room(const struct pending *p);

/*
 * The moment before a look into the filter.  What leaves pending later is
 * found by pending_has() since then.
 */
static inline uint64_t
pending_now(const struct pending *p)
{
	return atomic_load_explicit(&p->first, memory_order_acquire);
}

/*
 * 1 if all that left since then is remembered, also while `more' keys are
 * added; 0: look again.
 */
static inline int
pending_recalls(const struct pending *p, uint64_t since, size_t more)
{
	return since >= p->whole && since + p->size >= p->next + more;
}

/* Most chains are empty so, and looking at none is foreseen. */
#define PENDING_HEADS 4

static inline uint64_t *
pending_head(const struct pending *p, struct urlkey k)
{
	return p->head + ((size_t)k.lo & (p->size * PENDING_HEADS - 1));
}

static inline size_t
pending_slot(const struct pending *p, uint64_t seq)
{
	return (size_t)seq & (p->size - 1);
}

/* Ask for where pending_has() will look first: another core has it mostly. */
static inline void
pending_fetch(const struct pending *p, struct urlkey k)
{
	__builtin_prefetch(pending_head(p, k), 1);
}

/* 1 if `k' waits here, or did `since' a moment that is recalled, else 0. */
static inline int
pending_has(const struct pending *p, struct urlkey k, uint64_t since)
{
	uint64_t seq = *pending_head(p, k);

	while (seq >= since) {
		const struct pending_key *w = &p->ring[pending_slot(p, seq)];

		if (urlkey_same(w->key, k))
			return 1;
		seq = w->next;
	}
	return 0;
}

/*
 * Let `k', which is not there, wait until `end' (bytes of output, never less
 * than the one before it).  FAULT_FULL at the ceiling, FAULT_NOMEM.
 */
must_check int pending_add(struct pending *p, struct urlkey k, uint64_t end);

/*
 * Copy up to `max' of the oldest keys whose `end' is at most `safe' to `out';
 * their number.  They stay until pending_drop(), so that a look-up finds them
 * here or in the filter at any moment.
 */
size_t pending_peek(const struct pending *p, uint64_t safe, struct urlkey *out,
    size_t max);

/* Forget the `n' oldest keys. */
void pending_drop(struct pending *p, size_t n);

#endif
