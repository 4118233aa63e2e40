/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * workerstore.c - from a page that was read to the archive and on
 *
 * As long as the archive takes what it is given nothing is copied here.  When
 * it doesn't (the disk is full, or too much waits for a sync), the capture is
 * copied into `stuck' and the engine holds, so that not more of them come but
 * those of names that could not be resolved, which are small.
 */

#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "crawler/workerint.h"
#include "snapshot/limits.h"

void
worker_hold(struct worker *w, enum hold why, int on)
{
	unsigned int set = on ? w->hold | why : w->hold & ~(unsigned int)why;

	if (why == HOLD_PAGES)
		atomic_store(&w->over, on);
	if ((set != 0) != (w->hold != 0))
		fetch_hold(w->fetch, set != 0);
	w->hold = set;
}

/* The task is complete: on its way to the core. */
static void
hand_over(struct worker *w, struct task *t)
{
	struct notes l = STAILQ_HEAD_INITIALIZER(l);

	TAILQ_REMOVE(&w->flying, t, list);
	worker_publish(w); /* the figures come before what they count */
	t->bytes += sizeof *t + t->page.url_len;
	if (atomic_fetch_add(&w->bytes, t->bytes) + t->bytes >
	    LIMIT_WORKER_BYTES) {
		worker_hold(w, HOLD_PAGES, 1);
		/* the core may have collected all before it saw `over' */
		if (atomic_load(&w->bytes) <= LIMIT_WORKER_BYTES / 2)
			worker_hold(w, HOLD_PAGES, 0);
	}
	if (t->stored) {
		worker_sync_add(w, t);
		return;
	}
	if (!t->told)
		STAILQ_INSERT_TAIL(&l, &t->fetched, next);
	STAILQ_INSERT_TAIL(&l, &t->done, next);
	worker_tell(w->pool, &l);
}

/* ---- what can't be stored now ---- */

static char *
put(char *at, const char **s, size_t len)
{
	if (len > 0)
		memcpy(at, *s, len);
	*s = at;
	return at + len;
}

/* A capture with bytes of its own. */
static struct capture *
copy(const struct warc_capture *from)
{
	size_t why = from->error == NULL ? 0 : strlen(from->error) + 1;
	const char *body = from->body;
	struct capture *k;
	char *p;

	k = calloc(1, sizeof *k);
	p = malloc(from->url_len + from->request_len + from->head_len +
	    from->body_len + why + 1);
	if (k == NULL || p == NULL) {
		free(k);
		free(p);
		return NULL;
	}
	k->bytes = p;
	k->c = *from;
	p = put(p, &k->c.url, from->url_len);
	p = put(p, &k->c.request, from->request_len);
	p = put(p, &k->c.head, from->head_len);
	p = put(p, &body, from->body_len);
	k->c.body = body;
	if (why > 0)
		(void)put(p, &k->c.error, why);
	return k;
}

/* Keep `c' (NULL: only the end) until it can be stored. */
static void
keep(struct worker *w, struct task *t, const struct warc_capture *c,
    struct archive_at *at, int last)
{
	struct capture *k = c == NULL ? NULL : copy(c);

	if (c != NULL && k == NULL)
		t->page.fault = FAULT_NOMEM; /* so it is asked for again */
	if (k == NULL && !last)
		return;
	if (k == NULL)
		k = &t->end;
	k->task = t;
	k->at = at;
	k->last = last;
	t->kept++;
	STAILQ_INSERT_TAIL(&w->stuck, k, next);
	worker_hold(w, HOLD_ARCHIVE, 1);
	if (w->retry.due < 0)
		w->retry.due = loop_now(w->loop) + LIMIT_ARCHIVE_RETRY_MS;
}

/* 0 if `c' is stored. */
static int
try(struct worker *w, const struct warc_capture *c, struct archive_at *at)
{
	int rc = archive_put(w->archive, c, at), err = 0;

	if (rc == FAULT_SYS)
		err = errno == 0 ? EIO : errno;
	else if (rc < 0 && rc != FAULT_FULL)
		err = ENOMEM;
	atomic_store(&w->put_error, err);
	atomic_store(&w->waits, rc < 0);
	if (rc == FAULT_FULL) /* a sync makes room */
		worker_sync_kick(w->pool);
	return rc;
}

void
worker_store(struct worker *w, struct task *t, const struct warc_capture *c,
    struct archive_at *at, int last)
{
	int stuck = !STAILQ_EMPTY(&w->stuck);

	if (c != NULL && !stuck && try(w, c, at) == 0) {
		t->stored = w->pool->archiving;
		c = NULL;
	}
	if (c != NULL || (t->kept > 0 && last)) {
		keep(w, t, c, at, last);
		return;
	}
	if (last)
		hand_over(w, t);
}

void
worker_unstick(struct worker *w)
{
	struct capture *k;
	struct task *t;
	int last;

	for (;;) {
		k = STAILQ_FIRST(&w->stuck);
		if (k == NULL)
			break;
		if (k->c.url != NULL && try(w, &k->c, k->at) < 0) {
			w->retry.due =
			    loop_now(w->loop) + LIMIT_ARCHIVE_RETRY_MS;
			return;
		}
		STAILQ_REMOVE_HEAD(&w->stuck, next);
		t = k->task;
		last = k->last;
		t->kept--;
		if (k->c.url != NULL)
			t->stored = w->pool->archiving;
		if (k != &t->end) {
			free(k->bytes);
			free(k);
		}
		if (last)
			hand_over(w, t);
	}
	w->retry.due = -1;
	worker_hold(w, HOLD_ARCHIVE, 0);
}

void
worker_forget(struct worker *w)
{
	struct capture *k;

	while (!STAILQ_EMPTY(&w->stuck)) {
		k = STAILQ_FIRST(&w->stuck);
		STAILQ_REMOVE_HEAD(&w->stuck, next);
		if (k == &k->task->end)
			continue;
		free(k->bytes);
		free(k);
	}
}
