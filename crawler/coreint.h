/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * coreint.h - what a core is made of; for core*.c only
 *
 *	core.c		turns, jobs, ends
 *	coreopen.c	start and end
 *	coreseen.c	the seen set at start
 *	coreload.c	the newest snapshot
 *	corereplay.c	the journal behind it
 *	coredoor.c	the one door for URLs
 *	coreseed.c	seeds, and what failed, through it
 *	corepage.c	what workers bring back
 *	corelinks.c	the links in it
 *	coresnap.c	snapshots, in slices
 *	coregrow.c	a larger seen set, made beside the crawl
 *	corecold.c	old segments of the journal, made small
 */

#ifndef CRAWLER_COREINT_H
#define CRAWLER_COREINT_H

#include <stddef.h>
#include <stdint.h>

#include "crawler/buf.h"
#include "crawler/core.h"
#include "crawler/corecold.h"
#include "crawler/coregrow.h"
#include "dedup/gate.h"
#include "snapshot/helper.h"
#include "snapshot/journal.h"
#include "snapshot/journal_read.h"
#include "snapshot/snapfile.h"
#include "snapshot/statedir.h"

/*
 * What the frontier keeps of a URL beside its ordinal is one number, which it
 * calls the depth.  The rare facts stand in high bits, so that the common
 * case packs into one byte.
 */
#define COREWORD_DEPTH    UINT32_C(0xffff)
#define COREWORD_HOP      UINT32_C(0x10000) /* redirects, sitemaps before */
#define COREWORD_HOPS(w)  ((w) >> 16 & 31)
#define COREWORD_HOP_BITS (UINT32_C(31) << 16)
#define COREWORD_MAP      (UINT32_C(1) << 24) /* a sitemap itself */
#define COREWORD_SEED     (UINT32_C(1) << 25) /* or where one leads */

/* A job that a worker has, or whose page waits to be taken in. */
struct coreflight {
	struct worker_page *page; /* with WORKER_DONE; else NULL */
	uint64_t ordinal;
	uint32_t id;   /* the frontier's */
	uint32_t next; /* slot + 1, of the free list or the waiting pages */
	uint32_t word; /* COREWORD_* */
	uint32_t link; /* links taken in so far */
	uint8_t kind;  /* enum frontier_kind, 0: the slot is free */
	uint8_t tries; /* before this one */
	uint8_t over;  /* enum corefate */
	uint8_t hops;  /* robots.txt: redirects that led here */
};

enum corefate {
	COREFATE_NONE,     /* it is being fetched */
	COREFATE_DONE,     /* to be journaled as done */
	COREFATE_FAILED,   /* ... as failed for good */
	COREFATE_AGAIN,    /* it is in the queue again */
	COREFATE_REPORTED, /* the frontier knows all about it */
};

/* What stops the handing out of jobs until it has passed. */
enum corepause {
	COREPAUSE_JOURNAL = 1 << 0,
	COREPAUSE_SEEN = 1 << 1,
	COREPAUSE_FRONTIER = 1 << 2,
	COREPAUSE_ARCHIVE = 1 << 3,
	COREPAUSE_ROOM = 1 << 4, /* the disk was full: see corepause.c */
};

/* A snapshot that is being written. */
struct coresnap {
	int step;     /* of coresnap.c; 0: none */
	int wanted;   /* begin one as soon as may be */
	int forsaken; /* none may be loaded again, and no more are written */
	int64_t next; /* ms: when the next one is due; -1: never */
	struct snapfile *file;
	struct helper *helper;
	struct buf text;         /* what is to be written next ... */
	size_t at;               /* ... from here */
	uint64_t pos;            /* the journal's record that it reaches to */
	struct journal_pos from; /* where replay begins */
	int *sync;               /* copies of descriptors to sync */
	size_t syncs, sync_room;
	int sync_err;           /* what came of it */
	int sections;           /* written so far, but the frontier's */
	int done;               /* the image is complete */
	int failed, failed_err; /* why the last one came to nothing */
	uint64_t number;        /* of the newest that is good */
	int64_t time;
};

struct core {
	struct core_opts o;
	struct core_ops ops;
	struct statedir *state;
	int journal_dir, snapshot_dir, frontier_dir, archive_dir;
	char *seen_path;
	struct filter *seen;
	struct gate *gate;
	struct urlkey_hasher hasher; /* of all filters that we ever have */
	struct journal *journal;
	struct frontier *frontier;
	struct scope *scope;
	struct scope_scratch *scratch;
	struct trap_opts trap_opts;
	struct trap *trap;
	struct url *url; /* for seeds */
	struct core_count count;
	uint64_t run_pages, run_bytes;
	int64_t started; /* ms */
	int resumed;
	int settled; /* 1: the last snapshot has been tried */
	int look;    /* 1: nothing may be changed; no seen set, no journal */
	/* jobs */
	struct coreflight *slot;
	uint32_t slots, free, used; /* free: slot + 1 */
	uint32_t first, last;       /* waiting pages: slot + 1 */
	unsigned int flight;        /* requests */
	unsigned int
	    open_pages; /* handed out, neither ended nor queued again */
	int stopped;
	int held; /* no jobs for the moment */
	/* trouble */
	unsigned int paused; /* enum corepause */
	int pause_err;
	int told;      /* that we pause, and not yet that we go on */
	int64_t retry; /* ms: when to try again */
	uint64_t safe; /* records whose keys are in the seen set */
	struct coresnap snap;
	struct corecold cold;
	struct coregrow grow;
};

/* ---- core.c ---- */

/* Tell `what'; `fmt' makes the detail. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void
core_tell(const struct core *c, enum core_note what, const char *fmt, ...);

/*
 * Something that will pass is in the way (`rc' < 0) or not any more (0): note
 * it.  A fault that won't pass is returned, else 0.
 */
must_check int core_pause(struct core *c, enum corepause what, int rc,
    int64_t now);

/* Once a second of a pause: try again, and say so when a second went well. */
void core_try_again(struct core *c, int64_t now);

/* Free slot `i' and what it holds. */
void core_slot_free(struct core *c, uint32_t i);

/* A page ended with that status, or without (0). */
static inline void
core_count_status(struct core_count *n, unsigned int status)
{
	n->status[status / 100 < 6 ? status / 100 : 0]++;
	if (status >= CORE_CODE && status - CORE_CODE < CORE_CODES)
		n->code[status - CORE_CODE]++;
}

/* 1 if no pattern stands against an admitted URL. */
int core_wanted(struct core *c, struct url_span url);

#endif
