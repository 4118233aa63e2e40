/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * layer.h - one layer of a filter, and what each kind can do with it
 *
 * A layer is an array of little-endian 64-bit words, in anonymous memory or
 * in a mapped file.  Only the files of dedup/filter include this.
 *
 * Threads	Words are read and written by relaxed atomic loads and stores
 *		(plain moves), so that others may look while the owner sets
 *		bits.  There is one writer, so no locked instruction.
 */

#ifndef DEDUP_LAYER_H
#define DEDUP_LAYER_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "dedup/filter.h"
#include "dedup/rate.h"

#define LAYER_LINE  64                  /* bytes: a cache line */
#define LAYER_MIB   ((uint64_t)1 << 20) /* bytes with a sum of their own */
#define LAYER_ALIGN ((uint64_t)2 << 20) /* bytes: a huge page */

/* What is known of a MiB's sum in the file. */
enum layer_dirt {
	LAYER_SUMMED = 0,
	LAYER_DIRTY = 1, /* changed since */
	LAYER_FRESH = 2, /* never had one, and is all zero */
};

struct layer {
	_Atomic uint64_t *word; /* bytes / 8 of them, at a line's start */
	uint8_t *dirt; /* enum layer_dirt of each MiB; NULL in memory */
	struct rate_shape shape;
	double rate;       /* promised at `capacity' */
	uint64_t capacity; /* keys */
	uint64_t count;    /* keys added */
	uint64_t ones;     /* bits, counters or slots in use */
	uint64_t bytes;    /* rate_bytes(&shape) */
	uint64_t offset;   /* in the file, if it is there */
	void *map;         /* what to unmap, and how much */
	size_t map_bytes;
};

/* What a look at evenly spread lines gives. */
struct layer_sample {
	double fill; /* share of bits, counters or slots in use */
	double rate; /* chance that a key never added is called seen */
};

/* What a kind can do.  Arrays of keys are at most `batch' long. */
struct layer_kind {
	enum filter_kind kind;
	const char *name;
	int grow_only; /* 1 if bits only turn on */
	int fixed;     /* 1 if a layer can't take more keys than it has room */
	int readers;   /* 1 if others may probe beside the owner */
	size_t batch;  /* keys whose places fit the first-level cache */

	/* Ask for the memory that the keys' places are in. */
	void (
	    *fetch)(const struct layer *l, const struct urlkey *key, size_t n);

	/* Set seen[i] to 1 where key i may be there; leave the others. */
	void (*probe)(const struct layer *l, const struct urlkey *key, size_t n,
	    uint8_t *seen);

	/*
	 * Add those keys whose seen[i] is 0 and stop before the one that
	 * would make the count exceed `most', or that finds no place.  The
	 * number of keys that were dealt with.
	 */
	size_t (*add)(struct layer *l, const struct urlkey *key, size_t n,
	    const uint8_t *seen, uint64_t most);

	/*
	 * Take out those keys that are there and set their gone[i] to 1; leave
	 * the others.  NULL if the kind can't.
	 */
	void (*remove)(struct layer *l, const struct urlkey *key, size_t n,
	    uint8_t *gone);

	/*
	 * Make right what a power cut may have left: any mixture of old and
	 * new pages.  NULL if every mixture is right.
	 */
	void (*mend)(struct layer *l);

	void (*sample)(const struct layer *l, struct layer_sample *s);
};

/* NULL if there is no such kind. */
const struct layer_kind *layer_kind(unsigned int kind);

/*
 * Zeroed memory for a layer whose shape is set, in huge pages if the system
 * has them.  FAULT_NOMEM with errno.
 */
must_check int layer_new(struct layer *l);

/* Unmap (`word' may be NULL) and forget. */
void layer_free(struct layer *l);

/* Give back the memory of anonymous bytes from..to, which read as 0 then. */
void layer_drop(struct layer *l, uint64_t from, uint64_t to);

/*
 * The line after `line' that a sample looks at: whole pages, evenly spread,
 * some LIMIT_SAMPLE lines in all.  Keys are spread by a hash, so the lines of
 * one page are as good as any others, and cost one read of a cold file.
 */
uint64_t layer_next(const struct layer *l, uint64_t line);

/* The same for kinds whose lines are just bits. */
double layer_fill(const struct layer *l);

/*
 * For a sample of a large file: its pages are read one by one (1), or, as
 * they are otherwise, with those around them (0).
 */
void layer_scattered(const struct layer *l, int on);

/* Count the `ones' of a layer, or estimate them, and the keys from them. */
void layer_recount(struct layer *l, const struct layer_kind *kind);

static inline uint64_t
layer_le(uint64_t v)
{
#ifdef WORDS_BIGENDIAN
	return __builtin_bswap64(v);
#else
	return v;
#endif
}

static inline uint64_t
layer_load(const _Atomic uint64_t *w)
{
	return layer_le(atomic_load_explicit(w, memory_order_relaxed));
}

static inline void
layer_store(_Atomic uint64_t *w, uint64_t v)
{
	atomic_store_explicit(w, layer_le(v), memory_order_relaxed);
}

/* The same bytes as plain memory, for system calls and sums. */
static inline void *
layer_plain(const _Atomic uint64_t *w)
{
	return (void *)(uintptr_t)w;
}

/* Ask for the line that `w' is in. */
static inline void
layer_fetch(const _Atomic uint64_t *w)
{
	__builtin_prefetch(layer_plain(w));
}

/* The byte at `offset' of the data has changed. */
static inline void
layer_touch(struct layer *l, uint64_t offset)
{
	if (l->dirt != NULL)
		l->dirt[offset / LAYER_MIB] = LAYER_DIRTY;
}

/* x n / 2^64: an evenly spread place below `n' without a division. */
static inline uint64_t
layer_place(uint64_t x, uint64_t n)
{
#ifdef __SIZEOF_INT128__
	__extension__ typedef unsigned __int128 wide;

	return (uint64_t)(((wide)x * n) >> 64);
#else
	uint64_t xl = x & UINT32_MAX, xh = x >> 32;
	uint64_t nl = n & UINT32_MAX, nh = n >> 32;
	uint64_t mid = xh * nl + ((xl * nl) >> 32);
	uint64_t low = xl * nh + (mid & UINT32_MAX);

	return xh * nh + (mid >> 32) + (low >> 32);
#endif
}

#endif
