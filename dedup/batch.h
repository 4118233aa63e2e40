/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * batch.h - lines on their way through urlseen, a round at a time
 *
 * Each thread owns one batch: a buffer of input, and the arrays of one round
 * of at most LIMIT_ROUND of its lines.  A round goes through separate passes
 * (find lines, normalise, hash, look up beside the owner), then through the
 * gate in order, then its lines are copied out.
 *
 * Memory	All arrays have their full size from the start; what a line
 *		holds never changes it.
 * Threads	Batches share only what their options point at, read-only,
 *		and the filter, by filter_probe().
 */

#ifndef DEDUP_BATCH_H
#define DEDUP_BATCH_H

#include <stddef.h>
#include <stdint.h>

#include "dedup/filter.h"
#include "dedup/gate.h"
#include "dedup/input.h"
#include "dedup/linescan.h"
#include "dedup/url.h"
#include "dedup/urlkey.h"

/* How lines become keys, and which of them are printed. */
struct batch_rules {
	const struct filter *filter;
	const struct gate *gate;
	uint32_t rules;             /* enum url_rule */
	int raw;                    /* a line's bytes are its key */
	int normalised;             /* print the normalised URL */
	int repeated;               /* print what was seen */
	int load;                   /* print nothing */
	int remove;                 /* take URLs out, print nothing */
	int later;                  /* the filter is asked by others, later */
	int pass;                   /* let invalid lines through */
	int rejects;                /* keep dropped lines */
	unsigned int field;         /* the URL's field from 1, 0: the line */
	char separator;             /* of fields */
	char end;                   /* of lines */
	const char *default_scheme; /* or NULL */
	const char *base;           /* or NULL */
};

enum batch_mark {
	BATCH_VALID,
	BATCH_INVALID, /* `fault' says why */
	BATCH_PIECE,   /* goes on a line that is too long */
};

/* Bytes that grow by appending, with the size that they may reach. */
struct batch_text {
	char *s;
	size_t len;
	size_t size;
};

struct batch {
	const struct batch_rules *rules;
	const struct urlkey_hasher *hasher;
	struct url *url;
	linescan_fn *scan;
	struct input_batch in;
	uint64_t seq;           /* of the batch, from 0 */
	uint64_t read;          /* bytes of input up to its end */
	size_t at;              /* the next round's first byte */
	unsigned int n;         /* lines in this round */
	unsigned int invalid;   /* of them, marked as anything but valid */
	unsigned int stop;      /* lines before an invalid one that ends all */
	struct batch_text norm; /* normalised URLs, with terminators */
	struct batch_text out;  /* what is printed of this round */
	struct batch_text rejects; /* lines dropped in this round */
	uint64_t since; /* gate_now() before this round's look; 0: none */
	/* of line i, which goes on to where the next one starts */
	uint32_t off[1 + LIMIT_ROUND + LINESCAN_SLACK]; /* into in.data */
	uint32_t norm_off[LIMIT_ROUND];
	uint32_t norm_len[LIMIT_ROUND];
	uint8_t mark[LIMIT_ROUND]; /* enum batch_mark */
	uint8_t seen[LIMIT_ROUND];
	uint8_t prints[LIMIT_ROUND];
	int8_t fault[LIMIT_ROUND];
	struct urlkey key[LIMIT_ROUND];
};

/* A batch for one thread.  A fault of url_default_scheme() or url_base(). */
must_check int batch_new(struct batch **b, const struct batch_rules *rules);

/* `b' may be NULL. */
void batch_free(struct batch *b);

/* The batch in b->in is new: its rounds start at its first byte. */
void batch_start(struct batch *b);

/*
 * Prepare the next round: lines, keys, and what a look-up beside the owner
 * calls seen.  1 if another round follows, 0 if it is the last, or a fault.
 */
must_check int batch_round(struct batch *b);

/* Bytes of line i with its terminator, if it has one. */
static inline uint32_t
batch_length(const struct batch *b, unsigned int i)
{
	return b->off[i + 1] - b->off[i];
}

/* Bytes that printing line i adds to the output. */
static inline uint32_t
batch_width(const struct batch *b, unsigned int i)
{
	return b->rules->normalised && b->mark[i] == BATCH_VALID ?
	    b->norm_len[i] :
	    batch_length(b, i);
}

/* 1 if line i, whose seen[] is final, is printed. */
static inline int
batch_prints(const struct batch *b, unsigned int i)
{
	if (b->rules->load)
		return 0;
	if (b->mark[i] != BATCH_VALID)
		return b->rules->pass;
	return b->seen[i] == b->rules->repeated;
}

/* How many lines of the round have seen[] 0. */
unsigned int batch_unseen(const struct batch *b);

/* Copy the lines with prints[] to b->out, the others to b->rejects. */
void batch_copy(struct batch *b);

#endif
