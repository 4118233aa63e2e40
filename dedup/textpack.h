/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * textpack.h - a long text in memory, packed
 *
 * Bytes are put in one after the other, and got out again from front to back
 * (any other order works, slowly).  A thread of its own packs (zstd) what was
 * put, and unpacks ahead of what is got.  URLs become a quarter of themselves;
 * what does not pack takes its own length, and never more.
 *
 * Memory	The bytes that are put, at most, and two chunks of LIMIT_PACK.
 * Threads	One owner.
 */

#ifndef DEDUP_TEXTPACK_H
#define DEDUP_TEXTPACK_H

#include <stddef.h>

#include "snapshot/fault.h"

struct textpack;

/* For up to `room' bytes, packed.  NULL: no memory, or no thread. */
struct textpack *textpack_new(size_t room);

/* `t' may be NULL. */
void textpack_free(struct textpack *t);

/* Bytes that were put; and that they take, or might if none of them pack. */
size_t textpack_length(const struct textpack *t);
size_t textpack_used(const struct textpack *t);

/*
 * Put `len' bytes behind the others.  textpack_used() and `len' together must
 * not exceed the room.  FAULT_SYS, FAULT_NOMEM.
 */
must_check int textpack_put(struct textpack *t, const char *s, size_t len);

/*
 * Copy `len' bytes from `at' on, which were put, to `to'.  Nothing can be put
 * after that before textpack_clear().  FAULT_SYS, FAULT_DAMAGED.
 */
must_check int textpack_get(struct textpack *t, size_t at, char *to,
    size_t len);

/* Forget all of it. */
void textpack_clear(struct textpack *t);

#endif
