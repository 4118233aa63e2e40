/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * storeint.h - what store.c and storespill.c share
 *
 * A queue without pieces on disk is one stream in memory, from `head' to
 * `tail'.  With pieces it has three parts: the front, a few entries of the
 * first piece that were brought in; the pieces; and that stream, pushed
 * since.  The front's entries stay live on disk until the whole first piece
 * is used up, so a front that memory is wanted for is just forgotten.
 */

#ifndef FRONTIER_STOREINT_H
#define FRONTIER_STOREINT_H

#include "frontier/store.h"

enum queue_flag {
	QUEUE_LIVE = 1 << 0, /* the record is in use */
	QUEUE_USED = 1 << 1, /* since the clock's hand came by */
	QUEUE_LAST = 1 << 2, /* the front ends the first piece */
	QUEUE_OWN = 1 << 3,  /* the first piece has a chunk for itself */
};

struct queue {
	uint32_t owner;  /* host, and lane in the upper bits */
	uint32_t refs;   /* pieces on disk, 0 = none */
	uint32_t front;  /* first block of the front */
	uint32_t head;   /* first block of the stream */
	uint32_t tail;   /* last block of it */
	uint32_t count;  /* entries of it */
	uint16_t read;   /* in the first block: of the front, or of the stream
			    if there are no pieces */
	uint16_t fronts; /* entries of the front */
	uint16_t gone;   /* entries of the first piece, from its start, that
			    are in the front or have left it */
	uint16_t flags;
};

struct store {
	struct table queue;
	struct table refs;
	struct block_pool pool;
	struct spill *spill;
	int eager; /* 1: there is a budget, so spill */
	struct store_hosts hosts;
	struct stream_walk after; /* what store_first() showed */
	uint32_t hand;            /* of the clock: a queue */
	uint64_t spilled;         /* entries on disk and not in a front */
	int fault;                /* why the last spilling failed, 0 = not */
	int error;                /* its errno */
	uint32_t victim;          /* file that is compacted, 0 = none */
	uint32_t hopeless;        /* one that can't be */
	uint64_t victim_at;       /* offset of its next chunk */
	unsigned int credit;      /* chunks that may be compacted now */
	char *origin;             /* HOST_ORIGIN bytes, with `spill' */
	char text[LIMIT_URL + ENTRY_HEAD];
};

struct chunk_owner store_owner(const struct queue *r);

/* The stream of `r', and `r' with the stream changed. */
struct stream store_stream(const struct queue *r);
void store_stream_set(struct queue *r, const struct stream *s);

/* An entry of `r' was taken, which therefore won't be asked again for long. */
void store_rest(struct store *s, struct queue *r);

/* The least that a budget for blocks must be with spilling. */
uint64_t store_budget(uint64_t budget);

/* Spill the whole stream of `r'.  If that fails, whoever is short of memory
   will ask why. */
void store_try(struct store *s, struct queue *r);

/* Bring in a front: 1, 0 if there are no pieces, or a fault. */
must_check int store_bring(struct store *s, struct queue *r);

/* The front is empty and was the last of the first piece. */
void store_piece_end(struct store *s, struct queue *r);

/* May an entry be pushed?  Some blocks are kept for those that are brought
   in, as nothing else makes room while the disk is full. */
int store_room(const struct store *s);

/* There is no block: why. */
int store_short(const struct store *s);

#endif
