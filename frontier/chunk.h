/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * chunk.h - queued URLs as text, as they are spilled
 *
 * A chunk is the content of one zstd frame: pieces of one or more queues,
 *
 *	> HOST LANE ORIGIN
 *	ORDINAL DEPTH TRIES PATH?QUERY
 *	...
 *
 * HOST being the host's number and ORIGIN its "https://name", for who looks
 * at it with zstdcat.  No queue has two pieces in one chunk.
 */

#ifndef FRONTIER_CHUNK_H
#define FRONTIER_CHUNK_H

#include <stddef.h>
#include <stdint.h>

#include "frontier/entry.h"

#define CHUNK_URLS  256         /* a chunk with so many is full, ... */
#define CHUNK_BYTES (64 * 1024) /* ... and one with so many bytes */

/* One of many short pieces is full sooner, as each of them may have to be
   read alone: a take costs less so, and a URL half a byte more. */
#define CHUNK_SHORT_URLS   64
#define CHUNK_SHORT_PIECES 8

/* bytes: what can be in one, at most */
#define CHUNK_MOST (CHUNK_BYTES + 2 * LIMIT_URL)

/* A queue's name in a chunk. */
struct chunk_owner {
	uint32_t host;
	uint32_t lane;
};

/* A chunk that is being filled.  All zeroes is an empty one. */
struct chunk {
	char *text;
	size_t len;
	size_t room;
	unsigned int urls;
	unsigned int pieces;
	struct chunk_owner owner[CHUNK_URLS + 1]; /* of the pieces */
};

void chunk_free(struct chunk *c);

static inline int
chunk_full(const struct chunk *c)
{
	if (c->urls >= CHUNK_SHORT_URLS && c->pieces >= CHUNK_SHORT_PIECES)
		return 1;
	return c->urls >= CHUNK_URLS || c->len >= CHUNK_BYTES;
}

/* 1 if `o' has a piece in it. */
int chunk_has(const struct chunk *c, struct chunk_owner o);

/*
 * Start the piece of `o', whose origin is `len' bytes at `origin'; then add
 * URLs while the chunk is not full.  FAULT_NOMEM and nothing was added.
 */
must_check int chunk_start(struct chunk *c, struct chunk_owner o,
    const char *origin, size_t len);
must_check int chunk_add(struct chunk *c, const struct entry *e);

/* Add the lines from `s' to `end', a piece of `o' in another chunk with its
   first line.  FAULT_NOMEM. */
must_check int chunk_copy(struct chunk *c, struct chunk_owner o, const char *s,
    const char *end);

/* It is empty again. */
void chunk_clear(struct chunk *c);

/* Lines of a chunk or a piece. */
struct chunk_lines {
	const char *s;
	const char *end;
};

/*
 * The next piece of `all', which it leaves: 1, its owner and its lines, the
 * first left out; 0 at the end; FAULT_DAMAGED.  `head' is where it begins.
 */
must_check int chunk_piece(struct chunk_lines *all, struct chunk_owner *o,
    struct chunk_lines *piece, const char **head);

/* The next URL of a piece: 1, 0 at the end, FAULT_DAMAGED.  Its text is in
   the chunk. */
must_check int chunk_next(struct chunk_lines *piece, struct entry *e);

/* Leave out the next `n' URLs. */
must_check int chunk_skip(struct chunk_lines *piece, unsigned int n);

/* Path and query, userinfo in front?  So that no damage gets any further. */
int chunk_is_tail(const char *s, size_t len);

#endif
