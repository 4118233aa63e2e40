/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * gate.h - is this the first time?  The filter and what waits before it
 *
 * A key is let through once.  It waits in pending until what it stands for
 * is safe; only then are its bits set in the filter, and only after that does
 * it leave pending.  Every look-up reads the filter first, then pending, so
 * it is found in one of them at any moment.
 *
 * Threads	One thread at a time; the caller's lock or turn says which.
 * Errors	Faults of filter_add(): FAULT_SYS, FAULT_NOMEM.
 */

#ifndef DEDUP_GATE_H
#define DEDUP_GATE_H

#include <stddef.h>
#include <stdint.h>

#include "dedup/filter.h"
#include "snapshot/fault.h"

struct gate;

/* A gate before `f', which stays the caller's.  NULL: no memory. */
struct gate *gate_new(struct filter *f);

/* Go on with `f', which has all that the filter so far had. */
void gate_swap(struct gate *g, struct filter *f);

/* `g' may be NULL.  What waits is forgotten. */
void gate_free(struct gate *g);

/*
 * Look up `n' (at most GATE_BATCH) keys in order.  On entry seen[i] is 1 for
 * keys that a look-up beside us found already, else 0; on return 0 means that
 * key i came for the first time, ever.
 */
#define GATE_BATCH 256
void gate_look(const struct gate *g, const struct urlkey *key, size_t n,
    uint8_t *seen);

/*
 * A look beside the owner, by filter_probe(), begins with gate_now().  In
 * the owner's turn gate_recalls() says whether gate_admit() of `n' keys since
 * then is enough (1), or gate_look() must come first (0).  gate_now() may be
 * called by any thread.
 */
uint64_t gate_now(const struct gate *g);
int gate_recalls(const struct gate *g, uint64_t since, size_t n);

/* 1 if `k' was let through and waits: gate_look() does not find it yet. */
int gate_has(const struct gate *g, struct urlkey k);

/*
 * Take `n' (at most GATE_BATCH) keys out of the filter, where seen[i] is 0 on
 * entry; on return 0 means that key i was there and is no more, 1 that it was
 * not.  Nothing may wait.  Faults of filter_delete().
 */
must_check int gate_remove(struct gate *g, const struct urlkey *key, size_t n,
    uint8_t *seen);

/*
 * gate_admit() of the keys whose numbers are in `where', `n' of them, will
 * follow: worth saying where other threads had the gate before.
 */
void gate_expect(const struct gate *g, const struct urlkey *key,
    const uint16_t *where, size_t n);

/*
 * Key `k', which a look since a moment that is recalled did not find, unless
 * one that was let through later is the same: 1 if it is let through now and
 * waits until `end', 0 if that came before, or a fault (FAULT_FULL: wait
 * until more is safe).
 */
must_check int gate_admit(struct gate *g, struct urlkey k, uint64_t since,
    uint64_t end);

/* Room for that many more keys before FAULT_FULL, and keys that wait. */
size_t gate_room(const struct gate *g);
size_t gate_waiting(const struct gate *g);

/* Everything up to offset `safe' is safe: remember it. */
must_check int gate_safe(struct gate *g, uint64_t safe);

#endif
