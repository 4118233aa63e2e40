/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filter.h - the seen set: "no" is proof, "maybe" is wrong at a known rate
 *
 * A filter is a list of layers of one kind, in memory or in a mapped file
 * (urlseen-filter(5)).  New keys go to the newest layer; when that holds as
 * many as it was made for, a further one of four times its capacity comes.
 * The promised rate holds for the sum over all layers: a filter that sizes
 * itself gives its layers p/2, p/4, p/8 ...; one made for n keys promises p
 * at n exactly and gives the further layers p/4, p/8 ..., at most 1.5 p in
 * all.
 *
 * A filter without a capacity starts as an exact table of keys and, once
 * that and its next resize would exceed `budget', turns into one of its kind
 * and of the right size: the keys are all there, so nothing is lost.
 *
 * Invariant	Bits only turn on (blocked, bloom), so any mixture of old and
 *		new pages of the file is a valid filter for a subset of its
 *		keys.  The other kinds order their stores, so that a kill at
 *		any instruction leaves every key that was in; only a crash
 *		of the system may mix their pages.
 * Memory	Files are preallocated before they are mapped.  Nothing is
 *		sized by a file's header before the header's sum and ranges
 *		were checked.
 *		With FILTER_SHARED processes take turns, and only who has
 *		the turn stores: no bit is ever lost to a race.
 * Threads	One thread at a time calls anything that changes a filter.
 *		filter_probe() may run beside it in other threads while
 *		filter_lockfree() says so: what it calls seen is seen, what
 *		it calls new must be asked again by the owner.
 * Errors	Faults of fault.h; FAULT_SYS leaves errno.
 */

#ifndef DEDUP_FILTER_H
#define DEDUP_FILTER_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "dedup/urlkey.h"
#include "snapshot/fault.h"

/* The numbers stand in files: never change one. */
enum filter_kind {
	FILTER_BLOCKED = 1,  /* one 64-byte line per key */
	FILTER_BLOOM = 2,    /* classic: m bits, k hashes (Bloom 1970) */
	FILTER_COUNTING = 3, /* 4-bit saturating counters (Fan et al. 2000) */
	FILTER_CUCKOO = 4,   /* 4-way buckets (Fan et al. 2014) */
	FILTER_EXACT = 5,    /* the 128-bit keys themselves */
};

/* In `rules' beside the enum url_rule bits: keys are of raw bytes. */
#define FILTER_RAW (UINT32_C(1) << 31)

/* What a filter is made for. */
struct filter_spec {
	enum filter_kind kind;
	uint64_t capacity; /* keys; 0 = unknown (in memory only) */
	double fp_rate;    /* promised at `capacity', 0 < p < 1 */
	uint64_t seed;     /* of the hash */
	uint32_t rules;    /* that made the keys */
	uint64_t budget;   /* bytes for the exact start; 0 = default */
};

/* What a filter is now. */
struct filter_stat {
	struct filter_spec spec;
	uint64_t count; /* keys added that were not there before */
	uint64_t room;  /* keys that fit before the next layer */
	uint64_t bits;  /* in all layers */
	uint64_t bytes; /* of the file, or of memory */
	unsigned int k; /* bits per key in the newest layer */
	unsigned int layers;
	unsigned int format; /* of the file; of files that we would write */
	int clean;           /* 1 if the file was closed cleanly when opened */
	int exact_start;     /* 1 while a self-sizing filter is still exact */
	double fill;         /* bits set / bits, 0 to 1; 0 to 1 of the slots */
	double estimated;    /* false-positive rate now, from the bits */
};

enum filter_flag {
	FILTER_WAIT = 1 << 0,    /* wait for the lock instead of failing */
	FILTER_PRIVATE = 1 << 1, /* changes stay in memory, file untouched */
	FILTER_LOOK = 1 << 2,    /* for filter_stat/verify: read only */
	FILTER_NO_GROW = 1 << 3, /* never add a layer */
	FILTER_REPAIR = 1 << 4,  /* take an unclean file of another boot, and
	                            make it right */
	FILTER_UNNAMED = 1 << 5, /* filter_create(): no name yet */
	FILTER_SHARED = 1 << 6,  /* other processes write it, too */
};

struct filter;

/* A filter in memory.  FAULT_ARG for a spec out of range, FAULT_NOMEM. */
must_check int filter_new(struct filter **f, const struct filter_spec *spec,
    unsigned int flags);

/*
 * Make the file `path' (under a temporary name, locked, preallocated, then
 * linked into place) and open it.  FAULT_SYS with errno EEXIST if there is
 * one by now: open that.  `spec->capacity' must be known.
 */
must_check int filter_create(struct filter **f, const char *path,
    const struct filter_spec *spec, unsigned int flags);

/*
 * Open the file `path' with the parameters in its header; the caller checks
 * that they are what its user wants.  FAULT_LOCKED, FAULT_MAGIC,
 * FAULT_VERSION, FAULT_DAMAGED, FAULT_TRUNCATED, FAULT_UNCLEAN, FAULT_SYS.
 * FILTER_PRIVATE and FILTER_LOOK go on without the lock where the kind's bits
 * only turn on.  FAULT_MISMATCH for FILTER_SHARED if filter_can_share() says
 * that the kind can't.
 */
must_check int filter_open(struct filter **f, const char *path,
    unsigned int flags);

/*
 * Close `f' (NULL is fine) and free it, whatever is returned.  A file gets
 * its sums, is synced and marked clean; FAULT_SYS if that failed, and then it
 * stays valid but unclean.
 */
must_check int filter_close(struct filter *f);

/*
 * Close `f', which FILTER_UNNAMED made, under the name `path'.  With `replace'
 * the file of that name goes; else FAULT_SYS with EEXIST if there is one.
 */
must_check int filter_close_as(struct filter *f, const char *path, int replace);

/* Free `f' without marking its file clean, as after a fault. */
void filter_abandon(struct filter *f);

/*
 * Only between these two may a filter that FILTER_SHARED opened be changed:
 * other processes wait, and what they did before is seen.  FAULT_LOCKED if
 * one of them holds it and does not move; then look, but change nothing.
 * Faults of opening.  Nothing to do for other filters.
 */
must_check int filter_enter(struct filter *f);
void filter_leave(struct filter *f);
int filter_shared(const struct filter *f);

/* Bytes of its layers if it is in a file, though perhaps in a nameless one;
   0 in memory. */
uint64_t filter_on_disk(const struct filter *f);

/* What it was made for.  Unlike filter_stat() this samples no data. */
const struct filter_spec *filter_spec(const struct filter *f);

/* 1 if several processes may write filters of this kind at a time. */
int filter_can_share(unsigned int kind);

const struct urlkey_hasher *filter_hasher(const struct filter *f);

/* 1 if filter_probe() may run in other threads beside the owner's changes. */
int filter_lockfree(const struct filter *f);

/*
 * Look up `n' keys: seen[i] becomes 1 if key i may have been added, 0 if it
 * certainly was not.  Prefetches for all before it reads any.
 */
void filter_probe(const struct filter *f, const struct urlkey *key, size_t n,
    uint8_t *seen);

/*
 * The same in two steps, so that other work is done while memory answers:
 * ask for the places of keys, then look at those of at most filter_step()
 * keys, for which seen[] is 0.
 */
void filter_fetch(const struct filter *f, const struct urlkey *key, size_t n);
void filter_look(const struct filter *f, const struct urlkey *key, size_t n,
    uint8_t *seen);
unsigned int filter_step(const struct filter *f);

/*
 * Add `n' keys (those already there change nothing).  The number that was
 * not there before, or a fault if a layer that is needed can't be had (the
 * keys before it are in, errno says why: ENOSPC, ENOMEM).
 */
must_check long filter_add(struct filter *f, const struct urlkey *key,
    size_t n);

/*
 * Take `n' keys out again.  gone[i] becomes 1 for those that were there, 0
 * for those that were not and are left alone; how many were there.  FAULT_ARG
 * if filter_can_delete() says that the kind can't.
 *
 * What is deleted is not seen any more, but for a false positive.  Deleting a
 * key that was never added, or one that a false positive kept out, takes
 * another's mark (counting, cuckoo): that one will be new again.
 */
must_check long filter_delete(struct filter *f, const struct urlkey *key,
    size_t n, uint8_t *gone);

/* 1 if keys of this kind (enum filter_kind) can be deleted. */
int filter_can_delete(unsigned int kind);

/*
 * Add all that `from' holds to `f', which has the same parameters, seed and
 * rules: else FAULT_MISMATCH.  FAULT_ARG if filter_can_merge() says that the
 * kind can't; faults of growing.
 */
must_check int filter_merge(struct filter *f, const struct filter *from);

/* 1 if filters of this kind (enum filter_kind) can be merged. */
int filter_can_merge(unsigned int kind);

/*
 * After merging: count the keys anew, by the bits.  1 if the false-positive
 * rate is within what the layers together promise, else 0.
 */
int filter_merged(struct filter *f, double *rate, double *promised);

/* 1 once more keys were added than a filter that may not grow was made for. */
int filter_overfull(const struct filter *f);

/* Write to the medium what was added so far (msync): FAULT_SYS if not. */
must_check int filter_sync(struct filter *f);

/*
 * Fill `st'.  The estimate reads at most some 2^18 lines of each layer,
 * evenly spread, so it takes milliseconds at any size.
 */
void filter_stat(const struct filter *f, struct filter_stat *st);

/*
 * The false-positive rate that so many bits make, as a mean: it reads none of
 * the data, so it may be asked for while others wait.
 */
double filter_expected(const struct filter *f);

/*
 * Check the sums of an open file.  0 if all hold, 1 if the file is unclean
 * and has none, FAULT_DAMAGED with the first bad MiB's number in `where',
 * FAULT_SYS, FAULT_NOMEM.
 */
must_check int filter_verify(const struct filter *f, uint64_t *where);

/* "blocked", ...; NULL for a number that is no kind.  And back (0: none). */
const char *filter_kind_name(unsigned int kind);
unsigned int filter_kind(const char *name);

#endif
