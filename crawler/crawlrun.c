/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlrun.c - the loop between the core and its workers
 *
 * Messages are collected in batches, the core decides, jobs go out in
 * batches, lines are written, and then poll(2) waits for whoever is first.
 */

#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "crawler/crawlrun.h"
#include "snapshot/clock.h"

#define BATCH    256  /* messages or jobs at a time */
#define LOOK_MS  1000 /* the status file */
#define DRAW_MS  200  /* the live line, if anything happens at all */
#define BUNCH    4096 /* bytes of lines that wait for it */
#define GRACE_MS 2000 /* for workers to give up after a drain */
#define GRACES   15   /* of them, unless the disk is at fault */
#define FDS      (CORE_FDS + 3)

/* One worker's share of a batch. */
struct share {
	struct worker_job job[BATCH];
	struct core_job back[BATCH]; /* the same for core_undone() */
	size_t n;
};

int64_t
crawlrun_now(const struct crawlrun *r)
{
	return r->clock + clock_ms();
}

/* The core can't go on: remember why, and end. */
static void
fault(struct crawlrun *r, int rc, const char *what)
{
	if (r->fault != 0)
		return;
	r->fault = rc;
	r->err = errno;
	r->what = what;
	r->stopping = CRAWLRUN_FAULT;
}

static void
stop(struct crawlrun *r, enum crawlrun_stop why, int64_t now)
{
	if (r->stopping != CRAWLRUN_GO)
		return;
	r->stopping = (int)why;
	core_stop(r->core);
	r->deadline = now + r->o.timeout;
}

/* Take what workers have: how many messages. */
static size_t
collect(struct crawlrun *r, int64_t now)
{
	struct worker_msg m[BATCH];
	size_t n = worker_collect(r->pool, m, BATCH);
	int rc;

	if (n == 0)
		return 0;
	rc = core_take(r->core, m, n, now);
	if (rc < 0)
		fault(r, rc, "the crawl");
	return n;
}

/* Jobs that every worker has room for. */
static size_t
room(struct crawlrun *r)
{
	size_t least = BATCH, n;
	unsigned int w;

	for (w = 0; w < r->conf.workers; w++) {
		n = worker_room(r->pool, w);
		if (n < least)
			least = n;
	}
	return least;
}

/* Give each worker its share; what it does not take goes back. */
static int
submit(struct crawlrun *r, struct share *s, int64_t now)
{
	unsigned int w;
	size_t i;
	int rc = 0;

	for (w = 0; w < r->conf.workers; w++, s++) {
		if (s->n == 0 || worker_submit(r->pool, w, s->job, s->n) == 0)
			continue;
		for (i = 0; i < s->n && rc == 0; i++)
			rc = core_undone(r->core, &s->back[i], now);
	}
	return rc;
}

/* Hand out what may start now: how many jobs. */
static size_t
hand_out(struct crawlrun *r, struct share *share, int64_t now)
{
	struct core_job job[BATCH];
	struct share *s;
	long n, i;
	unsigned int w;
	int rc;

	n = core_jobs(r->core, now, job, room(r));
	if (n < 0)
		fault(r, (int)n, "the crawl");
	if (n <= 0)
		return 0;
	for (w = 0; w < r->conf.workers; w++)
		share[w].n = 0;
	for (i = 0; i < n; i++) {
		s = &share[job[i].host % r->conf.workers];
		s->job[s->n] = job[i].job;
		s->back[s->n++] = job[i];
	}
	rc = submit(r, share, now);
	if (rc < 0)
		fault(r, rc, "the crawl");
	return (size_t)n;
}

/*
 * Where the live line stands on the terminal that pages are shown on, they
 * come in bunches, so that it is not gone most of the time.
 */
static int
may_write(const struct crawlrun *r, int64_t now)
{
	return !r->shared_tty || r->out.text.len >= BUNCH ||
	    now >= r->drawn + DRAW_MS;
}

static void
write_lines(struct crawlrun *r, int64_t now)
{
	if (r->stdout_gone || r->out.text.len == 0)
		return;
	if (r->shared_tty) {
		crawlsay_live(r, 1);
		r->drawn = 0; /* below them, at once */
	}
	if (crawlout_flush(&r->out) == 0)
		return;
	r->stdout_gone = 1;
	if (r->out.err == EPIPE) {
		stop(r, CRAWLRUN_INTERRUPT, now);
		return;
	}
	r->err = r->out.err;
	crawlsay("%s: %s",
	    r->o.output != NULL ? r->o.output : "standard output",
	    strerror(r->out.err));
	stop(r, CRAWLRUN_FAULT, now);
}

/*
 * TSTP: nothing new is asked for, and once what is in flight is here the
 * process stops, so that no connection is left hanging.  A second one does
 * not wait.  CONT: on with it, also if it has not come to that yet.
 */
static void
hold(struct crawlrun *r, int what, int64_t now)
{
	if (what > 0 && r->stopping == CRAWLRUN_GO) {
		r->suspend_at = r->suspend_at < 0 ? now + r->o.timeout : now;
		core_hold(r->core, 1);
	} else if (what < 0) {
		r->suspend_at = -1;
		core_hold(r->core, 0);
	}
}

static void
suspend(struct crawlrun *r, int64_t now)
{
	crawlsay_live(r, 1);
	write_lines(r, now);
	crawlsay_file(r, "suspended");
	if (!r->o.quiet)
		crawlsay("%s: suspended: a CONT signal lets it go on", r->dir);
	raise(SIGSTOP);
	/* Somebody sent CONT. */
	r->suspend_at = -1;
	core_hold(r->core, 0);
	if (r->deadline >= 0)
		r->deadline += crawlrun_now(r) - now;
	if (!r->o.quiet)
		crawlsay("%s: goes on", r->dir);
}

static void
heed_signals(struct crawlrun *r, int64_t now)
{
	crawlsignal_clear(&r->signal);
	if (atomic_load(&r->signal.stop) != 0)
		stop(r, CRAWLRUN_INTERRUPT, now);
	if (atomic_exchange(&r->signal.show, 0))
		crawlsay_status(r);
	if (atomic_exchange(&r->signal.load, 0))
		crawlsetup_reload(r);
	hold(r, atomic_exchange(&r->signal.hold, 0), now);
}

/*
 * A drain is over time, or its grace is.  Pages that no disk takes are not
 * waited for: as far as the journal knows they were not fetched.
 */
static void
give_up(struct crawlrun *r)
{
	struct core_stat st;

	core_stat(r->core, &st);
	r->graces++;
	if (r->graces > GRACES || (r->graces > 1 && st.paused != 0))
		r->forsaken = 1;
}

/* What is due by the clock. */
static void
look(struct crawlrun *r, int64_t now)
{
	if (r->deadline >= 0 && now >= r->deadline) {
		if (r->stopping == CRAWLRUN_GO) {
			stop(r, CRAWLRUN_BOUND, now);
		} else {
			worker_abandon(r->pool);
			r->deadline = now + GRACE_MS;
			give_up(r);
		}
	}
	if (now >= r->shown + LOOK_MS) {
		r->shown = now;
		crawlsay_file(r, "running");
	}
	if (now >= r->drawn + DRAW_MS) {
		r->drawn = now;
		crawlsay_live(r, 0);
	}
}

/* 1 once there is nothing to wait for any more. */
static int
over(struct crawlrun *r, int64_t now)
{
	enum core_state state = core_state(r->core);

	if (r->stopping == CRAWLRUN_FAULT && r->fault != 0)
		return 1;
	if (state == CORE_COMPLETE)
		return 1;
	if (state == CORE_BOUND)
		stop(r, CRAWLRUN_BOUND, now);
	return r->stopping != CRAWLRUN_GO &&
	    (core_busy(r->core) == 0 || r->forsaken);
}

static void
wait_for_more(struct crawlrun *r, int64_t now)
{
	struct pollfd fd[FDS];
	size_t n = core_fds(r->core, fd);
	int64_t wait = core_wait(r->core, now), most;

	fd[n].fd = worker_pool_fd(r->pool);
	fd[n++].events = POLLIN;
	fd[n].fd = r->signal.fd;
	fd[n++].events = POLLIN;
	most = r->shown + LOOK_MS - now;
	if (r->deadline >= 0 && r->deadline - now < most)
		most = r->deadline - now;
	if (r->shared_tty && r->out.text.len > 0 && most > DRAW_MS)
		most = DRAW_MS;
	if (wait < 0 || wait > most)
		wait = most;
	if (poll(fd, (nfds_t)n, wait < 0 ? 0 : (int)wait) > 0 &&
	    fd[n - 1].revents != 0)
		heed_signals(r, now);
}

/* Until all is done, or somebody wants an end. */
static int
loop(struct crawlrun *r)
{
	struct share *share = calloc(r->conf.workers, sizeof *share);
	size_t got, given;
	int64_t now;
	int rc;

	if (share == NULL)
		return FAULT_NOMEM;
	for (;;) {
		now = crawlrun_now(r);
		got = collect(r, now);
		core_trouble(r->core, worker_trouble(r->pool));
		rc = core_turn(r->core, now);
		if (rc < 0)
			fault(r, rc, "the crawl");
		given = r->fault == 0 ? hand_out(r, share, now) : 0;
		if (may_write(r, now))
			write_lines(r, now);
		look(r, now);
		if (over(r, now))
			break;
		if (r->suspend_at >= 0 && r->stopping == CRAWLRUN_GO &&
		    (core_busy(r->core) == 0 || now >= r->suspend_at))
			suspend(r, now);
		if (got < BATCH && given < BATCH)
			wait_for_more(r, crawlrun_now(r));
	}
	write_lines(r, now);
	free(share);
	return 0;
}

/* ---- the run as a whole ---- */

/* The status that the state of things makes. */
static int
status_of(struct crawlrun *r)
{
	enum core_state state = core_state(r->core);
	struct core_stat st;

	if (r->fault != 0 || r->stopping == CRAWLRUN_FAULT)
		return CRAWL_ERROR;
	core_stat(r->core, &st);
	if (state == CORE_COMPLETE)
		return st.count.seeds > 0 && st.count.seeds_ok == 0 ?
		    CRAWL_FAILED :
		    CRAWL_OK;
	return r->stopping == CRAWLRUN_BOUND ? CRAWL_OK : CRAWL_MORE;
}

/* Close pool and core, in this order: archives are in the core's folder. */
static int
finish(struct crawlrun *r)
{
	int status = status_of(r), rc, end, err;

	if (worker_pool_close(r->pool) < 0) {
		crawlsay("%s/" CORE_ARCHIVE ": %s", r->dir, strerror(errno));
		status = CRAWL_ERROR;
	}
	r->pool = NULL;
	if (r->fault != 0) {
		errno = r->err;
		crawlsay("%s: %s: %s", r->dir, r->what, fault_why(r->fault));
		crawlsay_file(r, "stopped");
		core_abandon(r->core);
		r->core = NULL;
		return CRAWL_ERROR;
	}
	crawlsay_live(r, 1);
	crawlsay_end(r, status);
	rc = core_settle(r->core, crawlrun_now(r));
	err = errno;
	crawlsay_file(r,
	    core_state(r->core) == CORE_COMPLETE ? "complete" : "stopped");
	end = core_close(r->core, crawlrun_now(r));
	r->core = NULL;
	if (rc == 0) {
		rc = end;
		err = errno;
	}
	if (rc < 0)
		return crawlsay("%s: %s: what is in the journal is safe, run "
				"it again",
		    r->dir, rc == FAULT_SYS ? strerror(err) : fault_str(rc));
	return status;
}

int
crawlrun(struct crawlrun *r)
{
	struct timespec wall;
	int rc, status = CRAWL_ERROR;

	clock_gettime(CLOCK_REALTIME, &wall);
	r->clock =
	    (int64_t)wall.tv_sec * 1000 + wall.tv_nsec / 1000000 - clock_ms();
	r->started = crawlrun_now(r);
	r->suspend_at = -1;
	r->deadline = r->o.time > 0 ? r->started + r->o.time : -1;
	if (crawlsignal_start(&r->signal, CRAWL_MORE) < 0)
		return crawlsay("cannot start: %s", strerror(errno));
	rc = crawlsetup_core(r);
	if (rc == 0)
		rc = crawlsetup_workers(r);
	if (rc == 0) {
		crawlsay_start(r);
		rc = loop(r);
		if (rc < 0)
			fault(r, rc, "the crawl");
		status = finish(r);
	} else if (r->stopping == CRAWLRUN_INTERRUPT) {
		status = CRAWL_MORE;
	}
	crawlsetup_end(r);
	crawlsignal_end(&r->signal);
	return status;
}
