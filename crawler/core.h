/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * core.h - one crawl: gate, journal, frontier and seen set, as one object
 *
 * The core decides and nothing else.  It owns a state directory, has no
 * socket, no worker and no clock: jobs for workers come out of core_jobs(),
 * what became of them goes in by core_take(), time is an argument.  So a
 * process can hold several, and a test runs one without a network.
 *
 * The door	Every URL (seed, link, redirect target, sitemap and what is
 *		in it) goes one way, in coredoor.c:
 *
 *		  normalise -> bounds -> scope -> traps -> seen -> journal
 *		  -> frontier
 *
 *		and every refusal is counted by its reason.  (The seen set is
 *		asked before scope and traps, because most links of a page are
 *		known and what is known has passed both.)
 *
 * Order	A page's links and its redirect target are in the journal
 *		before its done record; its archive frame is durable before
 *		that; a URL's bits are set in the seen set only once the
 *		journal says that its record is durable.  Until then its key
 *		waits in the gate's pending set.
 *
 * Crash	Whatever instruction it comes at: start loads the newest good
 *		snapshot and applies the journal behind it.  What was in flight
 *		or younger than `sync_ms' is fetched again, nothing is missing.
 *
 * Full disk	core_turn() goes on, core_jobs() gives nothing, a note says so
 *		once; each second it is tried again.
 *
 * Memory	The frontier's budget, 4 times LIMIT_BATCH for the journal, up
 *		to 40 MB of pending keys, 16 bytes a host of the seeds.
 * Threads	A single owner, which never waits for a disk but in
 *		core_open() and core_close(); helper threads inside.
 * Clock	`now' is in ms since 1970 and must not step: take the wall
 *		clock at start and add what the monotonic one says.
 * Errors	Faults of fault.h.  After one from core_turn(), core_jobs() or
 *		core_take(), only core_abandon() may follow: a restart mends.
 */

#ifndef CRAWLER_CORE_H
#define CRAWLER_CORE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "crawler/worker.h"
#include "dedup/filter.h"
#include "frontier/frontier.h"
#include "frontier/scope.h"
#include "frontier/trap.h"
#include "snapshot/fault.h"

struct core;
struct pollfd;

/* Folders and files of a state directory; crawl-state(5). */
#define CORE_JOURNAL  "journal"
#define CORE_SNAPSHOT "snapshot"
#define CORE_FRONTIER "frontier"
#define CORE_ARCHIVE  "archive"
#define CORE_SEEN     "seen"
#define CORE_CONFIG   "config"     /* what it was made with, by us */
#define CORE_TUNING   "crawl.conf" /* the user's, read at HUP */
#define CORE_STATUS   "status"     /* counters of a second ago */

/* Flags of an admission that only the core knows; record.h has the others. */
#define CORE_MAP RECORD_FLAG('x') /* the URL is a sitemap itself */

/* A fact (record H) that only the core writes: this seed leads to a page. */
#define CORE_FACT_SEED "seed-ok"

struct core_opts {
	const char *dir;
	/* the seen set; where `seen' is there already, see core_open() */
	enum filter_kind kind;
	uint64_t capacity; /* keys; 0: sizes itself */
	double fp_rate;
	uint64_t seed;  /* of its hash; one that has another is not ours */
	uint32_t rules; /* enum url_rule */
	/* the door */
	enum scope_kind scope;
	const char *const *include; /* patterns */
	const char *const *exclude;
	size_t includes, excludes;
	uint32_t depth; /* links from a seed; UINT32_MAX: no bound */
	int embeds;     /* images, styles, scripts, media too */
	int forms;      /* what forms are sent to by GET, too */
	int nofollow;   /* what is nofollow too */
	int sitemaps;
	/* the frontier: `allowed', `dirfd' and such are the core's */
	struct frontier_opts frontier;
	int ignore_robots;
	/* running */
	uint64_t pages;           /* over the directory's life; 0: no bound */
	unsigned int connections; /* requests in flight in all */
	unsigned int sync_ms;
	int64_t snapshot_ms; /* between two snapshots; 0: only at the end */
	uint64_t segment;    /* bytes of a journal file; 0: LIMIT_SEGMENT */
};

/* A finished fetch.  Everything is good until the callback returns. */
struct core_page {
	const struct worker_page *page;
	uint64_t ordinal;
	uint32_t depth;
	int failed;               /* 1: given up */
	unsigned int tries;       /* before this one */
	const char *error;        /* a word, "" if none */
	struct url_span redirect; /* its target, len 0: none */
};

/* What somebody should be told. */
enum core_note {
	CORE_NOTE_REBUILD,  /* the seen set is made anew; detail: why */
	CORE_NOTE_SNAPSHOT, /* a snapshot was damaged and passed over */
	CORE_NOTE_REPLAY,   /* no snapshot is good: replay of all */
	CORE_NOTE_QUEUES,   /* a queue on disk can't be read: the crawl ends */
	CORE_NOTE_TORN,     /* the journal's torn end was cut off */
	CORE_NOTE_PAUSED,   /* full or failing disk; detail: which */
	CORE_NOTE_GOES_ON,  /* there is room again */
	CORE_NOTE_NO_SNAP,  /* a snapshot could not be written */
	CORE_NOTE_RETRY,    /* a URL is queued again; detail: URL and why */
	CORE_NOTE_ROBOTS,   /* a robots.txt came; detail: URL, status, and why
				or where it redirects to */
	CORE_NOTE_DROPPED,  /* a URL won't be fetched; detail: URL and why */
};

struct core_ops {
	void *ctx;
	void (*page)(void *ctx, const struct core_page *p); /* or NULL */
	void (*note)(void *ctx, enum core_note what, const char *detail);
};

/* Why the door turned a URL away; after these come the verdicts. */
enum core_refusal {
	CORE_SEEN_BEFORE,
	CORE_TOO_DEEP,      /* beyond `depth' */
	CORE_TOO_MANY_HOPS, /* LIMIT_REDIRECTS, LIMIT_SITEMAP_NEST */
	CORE_NOT_A_URL,     /* counted by the extraction, as the next two */
	CORE_OTHER_SCHEME,  /* neither http nor https */
	CORE_NOFOLLOW,
	CORE_NO_SITEMAPS,
	CORE_REFUSALS
};

#define CORE_CODE  100 /* the least HTTP status, */
#define CORE_CODES 500 /* and how many there can be */

/* Counters over the directory's life, but where it says "run". */
struct core_count {
	uint64_t admitted;  /* URLs, and the next ordinal */
	uint64_t done;      /* pages fetched, whatever their status */
	uint64_t failed;    /* given up */
	uint64_t dropped;   /* not fetched: robots, budget, dead host */
	uint64_t seeds;     /* given by the user */
	uint64_t seeds_ok;  /* of these, or what they led to, answered well */
	uint64_t bytes;     /* of bodies as received */
	uint64_t status[6]; /* pages by status class; [0]: no answer */
	uint64_t code[CORE_CODES]; /* ... by status, from CORE_CODE on */
	uint64_t robots;           /* robots.txt fetched */
	uint64_t refused[CORE_REFUSALS];
	uint64_t scope[SCOPE_VERDICTS];
	uint64_t trap[TRAP_VERDICTS];
};

struct core_stat {
	struct core_count count;
	struct frontier_stat frontier;
	struct filter_stat seen;
	uint64_t run_pages; /* finished in this run */
	uint64_t run_bytes;
	unsigned int flight;  /* requests */
	uint64_t journal_seq; /* records */
	uint64_t snapshot;    /* number of the newest, 0: none */
	int64_t snapshot_at;  /* ms since 1970 */
	int64_t started;      /* this run, ms since 1970 */
	int paused;           /* errno, 0: it is not */
	int resumed;          /* 1: the directory was there */
};

/* What went wrong at the start, in words: file, fault, what to do. */
struct core_error {
	char text[512];
};

/*
 * Open the state directory, or make it.  Its lock is taken, the journal's
 * end mended, archive files that a kill left open are closed, the newest
 * snapshot loaded and the journal behind it applied.  A seen set that is
 * missing, damaged, not this crawl's, or of other parameters than those
 * `given' (enum core_given) is made anew from the journal.
 *
 * Fault: FAULT_LOCKED (the text names the process), FAULT_VERSION,
 * FAULT_DAMAGED, FAULT_ARG (a bad pattern), FAULT_MAGIC, FAULT_SYS,
 * FAULT_NOMEM.
 */
enum core_given {
	CORE_GIVEN_CAPACITY = 1 << 0,
	CORE_GIVEN_FP_RATE = 1 << 1,
	CORE_GIVEN_KIND = 1 << 2,
	CORE_GIVEN_RULES = 1 << 3,
};
must_check int core_open(struct core **c, const struct core_opts *o,
    unsigned int given, const struct core_ops *ops, int64_t now,
    struct core_error *err);

/*
 * The same to look at, also beside the crawl that has the directory: no lock
 * is taken and nothing is changed.  Only core_hosts() and core_abandon() may
 * follow.
 */
must_check int core_look(struct core **c, const struct core_opts *o,
    const struct core_ops *ops, int64_t now, struct core_error *err);

/* Show all hosts: 0, or what `fn' returned below zero. */
must_check int core_hosts(struct core *c, int64_t now, frontier_host_fn *fn,
    void *ctx);

/* Show up to `max' hosts from *cursor on; see frontier_hosts(). */
must_check int core_hosts_some(struct core *c, uint64_t *cursor, size_t max,
    int64_t now, frontier_host_fn *fn, void *ctx);

/*
 * Take the last snapshot, which core_stat() then knows.  core_close() does it
 * where this was not called.  The same terms.
 */
must_check int core_settle(struct core *c, int64_t now);

/*
 * End well: a last snapshot, the journal written out, the seen set closed.
 * Frees `c' whatever is returned.  No job may be in flight (those that are
 * count as not run).
 */
must_check int core_close(struct core *c, int64_t now);

/* End at once, as a kill would.  `c' may be NULL. */
void core_abandon(struct core *c);

/* The hasher that workers have to use. */
const struct urlkey_hasher *core_hasher(const struct core *c);

/* Descriptors of the state directory and its archive folder: the core's. */
int core_dir_fd(const struct core *c);
int core_archive_fd(const struct core *c);

/*
 * Admit the seed `len' bytes at `s'.  1 if it is new, 0 if it was known or
 * refused, FAULT_URL_* if it is no URL, FAULT_FULL: turn first, then give it
 * again.  `host' (may be NULL) gets its host, good until the next call.
 */
must_check int core_seed(struct core *c, const char *s, size_t len, int64_t now,
    struct url_span *host);

/*
 * Put what has failed into the queue again: URLs that were given up, and those
 * that were dropped with a host that never answered, never resolved or whose
 * robots.txt stayed unreachable, or for a pattern that is gone.  Before the
 * first job.
 *
 * core_again_open() finds them in the journal; core_again_next() takes the
 * next: 1, 0 after the last, FAULT_FULL: turn first, then call it again.
 */
struct core_again;
must_check int core_again_open(struct core_again **a, struct core *c);
must_check int core_again_next(struct core_again *a, int64_t now);
void core_again_close(struct core_again *a);

/*
 * A turn of the owner's loop: journal, seen set, pages whose links wait for
 * room, a slice of a snapshot.
 */
must_check int core_turn(struct core *c, int64_t now);

/*
 * Take `n' messages of the workers; the pages are the core's from now on.
 */
must_check int core_take(struct core *c, const struct worker_msg *m, size_t n,
    int64_t now);

/* A job, and the host it is for, 1 ...: keep a host with one worker. */
struct core_job {
	struct worker_job job; /* its URL is good until the job has ended */
	uint32_t host;
};

/*
 * Up to `max' jobs that start now.  Their number, 0 if there is none, or a
 * fault.
 */
must_check long core_jobs(struct core *c, int64_t now, struct core_job *job,
    size_t max);

/* The job with these tags was not given to a worker after all. */
must_check int core_undone(struct core *c, const struct core_job *job,
    int64_t now);

/* No jobs from now on. */
void core_stop(struct core *c);

/* No jobs while `on'; what is in flight goes on. */
void core_hold(struct core *c, int on);

/* Say that archives can't be written (errno), or can again (0). */
void core_trouble(struct core *c, int err);

/* Begin a snapshot with the next turn, if none is being written. */
void core_snap(struct core *c);

/*
 * Change delay, connections and patterns while running: those of `o'.
 * FAULT_ARG for a bad pattern, and nothing is changed.
 */
must_check int core_tune(struct core *c, const struct core_opts *o,
    struct core_error *err);

/* Requests in flight and pages that are not done with yet: 0, it is idle. */
size_t core_busy(const struct core *c);

enum core_state {
	CORE_RUNNING,
	CORE_COMPLETE, /* nothing is left to do */
	CORE_BOUND,    /* `pages' are fetched */
};

enum core_state core_state(const struct core *c);

/* ms until core_turn() or core_jobs() has something to do; -1: not before a
   descriptor or a message says so. */
int64_t core_wait(const struct core *c, int64_t now);

/* Fill in what to poll: at most CORE_FDS. */
#define CORE_FDS 3
size_t core_fds(const struct core *c, struct pollfd *fd);

void core_stat(const struct core *c, struct core_stat *st);

/* "seen", "depth", ... for counters. */
const char *core_refusal_str(enum core_refusal r);

#endif
