/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlrun.h - one run of a crawl: core, workers, output, signals
 *
 * Private to the program.  The loop is in crawlrun.c, what it says to the
 * user in crawlsay.c, its set-up in crawlsetup.c.
 */

#ifndef CRAWLER_CRAWLRUN_H
#define CRAWLER_CRAWLRUN_H

#include <stdint.h>

#include "crawler/core.h"
#include "crawler/crawlhist.h"
#include "crawler/crawlopts.h"
#include "crawler/crawloptsdiff.h"
#include "crawler/crawlout.h"
#include "crawler/crawlsignal.h"
#include "crawler/crawltop.h"
#include "crawler/worker.h"
#include "dedup/live.h"

struct addrguard;
struct crawlhttp;
struct route;

/* The program's exit status. */
enum crawl_status {
	CRAWL_OK = 0,
	CRAWL_FAILED = 1, /* every seed failed; --verify found damage */
	CRAWL_ERROR = 2,
	CRAWL_MORE = 3, /* interrupted with more to do */
};

struct crawlrun {
	struct crawlopts o;
	struct crawlopts tuned; /* after a HUP: what the core points at */
	int argc;
	char **argv;
	char *dir;
	struct core *core;
	struct core_opts core_opts;
	struct core_ops core_ops;
	struct worker_conf conf;
	struct worker_pool *pool;
	struct addrguard *guard;
	struct route *route;
	struct crawlout out;
	int out_fd; /* to close; -1: none */
	struct crawlsignal signal;
	/* the loop's */
	int64_t clock;      /* ms: wall clock at start less the monotonic one */
	int64_t started;    /* ms */
	int64_t deadline;   /* ms: --time, or when a drain ends; -1: none */
	int64_t shown;      /* ms: the status file's last writing */
	int64_t drawn;      /* ms: the live line's */
	int64_t suspend_at; /* ms: when TSTP waits no longer; -1: none came */
	int stopping;       /* enum crawlrun_stop */
	unsigned int graces; /* times that workers were told to give up */
	int forsaken;        /* what is in flight is not waited for any more */
	int stdout_gone;
	int fault;        /* the first, 0: none */
	int err;          /* its errno */
	const char *what; /* where it was */
	int status_fd;
	struct crawlhist hist; /* of the status file's samples */
	struct crawltop top;
	struct crawlhttp *http; /* or NULL */
	struct live live;       /* if it is wanted */
	int shared_tty;         /* on the terminal that pages are shown on */
	int was_complete;       /* nothing was left to do at the start */
	/* options that now say something else on what is followed */
	char changed[CRAWLOPTSDIFF_TEXT];
};

enum crawlrun_stop {
	CRAWLRUN_GO,
	CRAWLRUN_BOUND,     /* --pages or --time */
	CRAWLRUN_INTERRUPT, /* a signal, or nobody reads our output */
	CRAWLRUN_FAULT,
};

/* ms of the core's clock. */
int64_t crawlrun_now(const struct crawlrun *r);

/* Do it: the exit status. */
int crawlrun(struct crawlrun *r);

/* ---- crawlsetup.c, crawlsetupseeds.c ---- */

/* From the options to a core and workers that have not begun yet; what goes
   wrong has been said.  0, or below zero. */
must_check int crawlsetup_core(struct crawlrun *r);
must_check int crawlsetup_workers(struct crawlrun *r);
void crawlsetup_end(struct crawlrun *r);

/* Is there a seed at all, as far as that is known before the crawl is made? */
must_check int crawlsetup_look(const struct crawlrun *r);

/* There is no crawl, and no seed to begin one with: say so. */
int crawlsetup_nothing(const struct crawlrun *r);

/* Read the seeds into the core; where a signal ends that, `stopping' is
   CRAWLRUN_INTERRUPT. */
must_check int crawlsetup_seeds(struct crawlrun *r);

/* HUP: read DIR/crawl.conf again. */
void crawlsetup_reload(struct crawlrun *r);

/* ---- crawlsay.c ---- */

/* "crawl: ..." on stderr, one write; returns CRAWL_ERROR. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
int
crawlsay(const char *fmt, ...);

/* Why `dir' can't be looked at: a fault of statedir_open(). */
int crawlsay_dir(const char *dir, int rc);

/* For struct core_ops; `ctx' is the run. */
void crawlsay_note(void *ctx, enum core_note what, const char *detail);

void crawlsay_start(struct crawlrun *r);
void crawlsay_end(struct crawlrun *r, int status);

/* USR1's line, and the live one. */
void crawlsay_status(struct crawlrun *r);
void crawlsay_live(struct crawlrun *r, int last);

/* ---- crawlsayfile.c ---- */

/* Write DIR/status: --status and crawlview.h say what is in it. */
void crawlsay_file(struct crawlrun *r, const char *state);

/* Bytes that the disk has left; 0: nobody knows. */
uint64_t crawlsay_disk_left(const struct crawlrun *r);

#endif
