/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * workerint.h - what the parts of the workers know of each other
 *
 * A task is a job and the page that it becomes.  It is in one hand at a time:
 *
 *	inbox	the core has put it there (worker.c)
 *	flying	its worker's thread resolves, fetches and reads it
 *		(workerrun.c) and stores it; what can't be stored now waits
 *		in `stuck', and then the engine holds (workerstore.c)
 *	unsynced  the helper's, until its archive is durable (workersync.c)
 *	out	a note in the pool's queue for the core
 *
 * Locks are held for a few pointers' time, never two at once, and never over
 * a call that can wait.
 */

#ifndef CRAWLER_WORKERINT_H
#define CRAWLER_WORKERINT_H

#include <sys/queue.h>

#include <pthread.h>
#include <stdatomic.h>

#include "crawler/loop.h"
#include "crawler/worker.h"

struct task;

/* A message on its way to the core; each task has its two built in. */
struct note {
	STAILQ_ENTRY(note) next;
	struct task *task;
	enum worker_msg_kind kind;
};

STAILQ_HEAD(notes, note);
TAILQ_HEAD(tasks, task);

/* What waits to be stored; its bytes are ours. */
struct capture {
	STAILQ_ENTRY(capture) next;
	struct task *task;
	struct archive_at *at;
	struct warc_capture c; /* url NULL: nothing to store, only to end */
	int last;              /* the task is complete with this */
	char *bytes;
};

STAILQ_HEAD(captures, capture);

struct task {
	struct worker_page page; /* the first, so that it can be freed */
	TAILQ_ENTRY(task) list;
	struct note fetched, done;
	unsigned int flags; /* enum worker_job_flag */
	int told;           /* WORKER_FETCHED is out */
	int stored;         /* something of it is in the archive */
	unsigned int kept;  /* captures in `stuck' */
	struct capture end; /* the one that needs no memory */
	void *mem;          /* the links and their text */
	size_t bytes;       /* of `mem' and the robots rules */
	char url[];
};

/* A name asked for; outlives its task if that is abandoned. */
struct lookup {
	LIST_ENTRY(lookup) list;
	struct worker *w;
	struct task *task; /* NULL: abandoned */
	uint16_t port, to_port;
	int named;
};

LIST_HEAD(lookups, lookup);

/* Why the engine holds. */
enum hold {
	HOLD_ARCHIVE = 1 << 0, /* something is stuck */
	HOLD_PAGES = 1 << 1,   /* LIMIT_WORKER_BYTES */
};

struct worker {
	struct worker_pool *pool;
	unsigned int number;
	pthread_t thread;
	int running; /* the thread is there */

	/* the thread's */
	struct loop *loop;
	struct loop_watch wake;
	struct loop_timer retry;
	struct dns *dns;
	struct fetch *fetch;
	struct workerpage *reader;
	struct archive *archive; /* and the helper's: see archive.h */
	struct tasks flying;
	struct captures stuck;
	struct lookups lookups;
	unsigned int hold; /* a set of enum hold */
	int ending;

	pthread_mutex_t lock; /* guards what follows */
	struct tasks inbox;
	struct tasks dropped; /* of the inbox, by worker_abandon() */
	int abandon, stop;
	struct fetch_stat fetch_stat;
	struct dns_stat dns_stat;

	struct tasks unsynced; /* guarded by the pool's sync lock */

	atomic_int put_error, sync_error; /* errno, 0 = none */
	atomic_int waits;    /* for a sync, something being stuck */
	atomic_int over;     /* HOLD_PAGES is set */
	atomic_size_t bytes; /* of complete tasks, uncollected */

	size_t jobs; /* the core's: not yet collected */
};

struct worker_pool {
	struct worker_conf conf;
	int archiving;
	unsigned int workers;
	struct worker *worker;

	int fd;                   /* eventfd: the core's */
	pthread_mutex_t out_lock; /* guards the next two */
	struct notes out;
	int signalled; /* `fd' is readable */

	pthread_t syncer;
	int syncing;               /* the helper is there */
	pthread_mutex_t sync_lock; /* guards what follows, and `unsynced' */
	pthread_cond_t sync_cond;
	size_t to_sync; /* tasks in all `unsynced' */
	int sync_kick;  /* sync though there is none */
	int sync_stop;
	uint64_t syncs;
};

/* ---- worker.c ---- */

/* Make `fd', an eventfd, readable. */
void worker_signal(int fd);

/* Hand the notes over to the core; `l' is empty then. */
void worker_tell(struct worker_pool *p, struct notes *l);

/* Free what the core will never get. */
void worker_drop(struct task *t);

/* ---- workerlife.c ---- */

/* Make a worker's parts; whatever comes of it, worker_close() ends them. */
must_check int worker_open(struct worker *w);

/* Once the thread has ended: free all, tasks too.  FAULT_SYS: archive. */
must_check int worker_close(struct worker *w);

/* ---- workerrun.c ---- */

/* The thread; `arg' is its worker. */
void *worker_main(void *arg);

/* What loop and engine call: the inbox has something; a fetch has ended. */
void worker_wake(void *arg, int fd, uint32_t events);
void worker_fetched(void *ctx, const struct fetch_result *r);

/* Let worker_stat() see how things stand. */
void worker_publish(struct worker *w);

/* ---- workerstore.c ---- */

/*
 * Store `c' (NULL: nothing) for `t', whose place becomes `at'; with `last'
 * the task then goes on its way to the core.
 */
void worker_store(struct worker *w, struct task *t,
    const struct warc_capture *c, struct archive_at *at, int last);

/* Try again to store what is stuck. */
void worker_unstick(struct worker *w);

/* Set or clear a reason to hold. */
void worker_hold(struct worker *w, enum hold why, int on);

/* Free what is stuck. */
void worker_forget(struct worker *w);

/* ---- workersync.c ---- */

/* Start and end the helper.  FAULT_SYS. */
must_check int worker_sync_start(struct worker_pool *p);
void worker_sync_stop(struct worker_pool *p);

/* Sync as soon as may be: an archive takes nothing more before that. */
void worker_sync_kick(struct worker_pool *p);

/* `t' is complete and stored: once that is durable it goes to the core. */
void worker_sync_add(struct worker *w, struct task *t);

#endif
