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
 * Memory	A ring that doubles up to LIMIT_PENDING keys: 40 bytes each.
 *		The caller watches pending_room() and waits for its reader.
 * Threads	No locks inside.  One caller at a time per set.
 */

#ifndef DEDUP_PENDING_H
#define DEDUP_PENDING_H

#include <stddef.h>
#include <stdint.h>

#include "dedup/urlkey.h"
#include "snapshot/fault.h"

struct pending;

/* An empty set, or NULL if there is no memory. */
struct pending *pending_new(void);

/* `p' may be NULL. */
void pending_free(struct pending *p);

/* Keys waiting, and how many more may come. */
size_t pending_count(const struct pending *p);
size_t pending_room(const struct pending *p);

/* 1 if `k' waits here, else 0. */
int pending_has(const struct pending *p, struct urlkey k);

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
