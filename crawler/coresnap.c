/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * coresnap.c - snapshots, written in slices beside the crawl
 *
 *	BEGIN	the seen set is written out up to the journal's durable end:
 *		that is where replay will begin.  Section "core" says so, with
 *		the counters and the number of the first record that they do
 *		not count yet.
 *	HEAD	sections "scope" and "trap".
 *	HOSTS	section "frontier": some hosts a turn, each as of the record
 *		that it is written at.  Done, the journal is flushed.
 *	SYNC	a helper syncs the frontier's chunk files, and the journal
 *		becomes durable up to the last of those records: a snapshot
 *		must never know more than the journal.
 *	COMMIT	renamed into place; the frontier may delete older chunks.
 *
 * Whatever goes wrong ends this snapshot, with a note; the next one is due
 * after the usual time.
 */

#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crawler/coresnap.h"
#include "frontier/image.h"
#include "snapshot/clock.h"
#include "snapshot/file.h"
#include "snapshot/limits.h"

#define SLICE     (256 * 1024)         /* bytes of an image at a time */
#define TEXT_MOST ((size_t)1 << 30)    /* bytes: a host that is not cut */
#define SYNC_WAIT 10                   /* ms between two looks */
#define LAST_WAIT (60 * INT64_C(1000)) /* ms: the disk hangs */
#define FULL_WAIT (2 * INT64_C(1000))  /* ms: it is known to be full */

enum step {
	STEP_NONE,
	STEP_HEAD,
	STEP_HOSTS,
	STEP_SYNC,
	STEP_COMMIT,
};

static void
forget_syncs(struct coresnap *s)
{
	while (s->syncs > 0)
		file_close(s->sync[--s->syncs]);
}

/* End what is being written, good or not. */
static void
end(struct core *c, int64_t now)
{
	struct coresnap *s = &c->snap;

	if (s->helper != NULL && helper_wait(s->helper, LIMIT_STOP_MS) < 0)
		return; /* it has the descriptors; look again later */
	helper_free(s->helper);
	s->helper = NULL;
	forget_syncs(s);
	snapfile_free(s->file);
	s->file = NULL;
	buf_free(&s->text);
	s->at = 0;
	s->step = STEP_NONE;
	s->next = c->o.snapshot_ms > 0 ? now + c->o.snapshot_ms : -1;
}

static void
fail(struct core *c, int rc, int64_t now)
{
	struct coresnap *s = &c->snap;

	s->failed = rc;
	s->failed_err = errno;
	core_tell(c, CORE_NOTE_NO_SNAP, "%s", fault_why(rc));
	image_abort(c->frontier);
	end(c, now);
}

/* ---- what is written ---- */

static int
put(void *ctx, const void *p, size_t n)
{
	struct core *c = ctx;

	return buf_add(&c->snap.text, p, n);
}

static int
put_list(struct buf *b, const char *name, const uint64_t *v, size_t n)
{
	int rc = buf_str(b, name);
	size_t i;

	for (i = 0; i < n && rc == 0; i++)
		rc = buf_fmt(b, " %" PRIu64, v[i]);
	return rc == 0 ? buf_str(b, "\n") : rc;
}

/* Section "core": lines of a name and numbers.  coreload.c reads them. */
static int
put_core(struct core *c)
{
	const struct core_count *n = &c->count;
	const struct coresnap *s = &c->snap;
	struct buf *b = &c->snap.text;
	unsigned int i;
	int rc;

	rc = buf_fmt(b,
	    "from %" PRIu64 " %" PRIu64 " %" PRIu64 "\n"
	    "counted %" PRIu64 "\n"
	    "admitted %" PRIu64 "\n"
	    "done %" PRIu64 "\n"
	    "failed %" PRIu64 "\n"
	    "dropped %" PRIu64 "\n"
	    "seeds %" PRIu64 " %" PRIu64 "\n"
	    "bytes %" PRIu64 "\n"
	    "robots %" PRIu64 "\n",
	    s->from.seq, s->from.segment, s->from.offset,
	    journal_next(c->journal), n->admitted, n->done, n->failed,
	    n->dropped, n->seeds, n->seeds_ok, n->bytes, n->robots);
	if (rc == 0)
		rc = put_list(b, "status", n->status, 6);
	for (i = 0; i < CORE_CODES && rc == 0; i++)
		if (n->code[i] > 0)
			rc = buf_fmt(b, "code %u %" PRIu64 "\n", i, n->code[i]);
	if (rc == 0)
		rc = put_list(b, "refused", n->refused, CORE_REFUSALS);
	if (rc == 0)
		rc = put_list(b, "scope", n->scope, SCOPE_VERDICTS);
	if (rc == 0)
		rc = put_list(b, "trap", n->trap, TRAP_VERDICTS);
	return rc;
}

/* Hand on what stands in `text': 1 if all of it, 0 if not now. */
static int
drain(struct coresnap *s)
{
	size_t n;
	int rc;

	while (s->at < s->text.len) {
		n = s->text.len - s->at;
		if (n > LIMIT_SNAP_CHUNK)
			n = LIMIT_SNAP_CHUNK;
		rc = snapfile_write(s->file, s->text.s + s->at, n);
		if (rc == FAULT_FULL)
			return 0;
		if (rc < 0)
			return rc;
		s->at += n;
	}
	buf_clear(&s->text);
	s->at = 0;
	return 1;
}

/* ---- the steps: 1 if it is over, 0 if it goes on later, or a fault ---- */

static int
begin(struct core *c, int64_t now)
{
	struct coresnap *s = &c->snap;
	int rc;

	/* All keys before `from' are in the seen set, and that on the disk. */
	if (c->safe != journal_durable(c->journal))
		return 0;
	s->wanted = 0;
	s->from = journal_durable_pos(c->journal);
	rc = filter_sync(c->seen);
	if (rc < 0)
		return rc;
	buf_init(&s->text, TEXT_MOST);
	rc = snapfile_begin(&s->file, c->snapshot_dir, now);
	if (rc < 0)
		return rc;
	image_begin(c->frontier);
	s->pos = journal_next(c->journal);
	s->sections = 0;
	s->done = 0;
	s->step = STEP_HEAD;
	return 1;
}

/* The small sections, one after the other. */
static int
head(struct core *c)
{
	static const char *const name[] = { "core", "scope", "trap",
		"frontier" };
	struct coresnap *s = &c->snap;
	int rc;

	for (;;) {
		rc = drain(s);
		if (rc <= 0)
			return rc;
		rc = snapfile_section(s->file, name[s->sections]);
		if (rc < 0)
			return rc == FAULT_FULL ? 0 : rc;
		switch (s->sections++) {
		case 0:
			rc = put_core(c);
			break;
		case 1:
			rc = scope_save(c->scope, put, c);
			break;
		case 2:
			rc = trap_save(c->trap, put, c);
			break;
		default:
			s->step = STEP_HOSTS;
			return 1;
		}
		if (rc < 0)
			return rc;
	}
}

static int
dup_sync(void *ctx, int fd)
{
	struct coresnap *s = ctx;
	size_t room;
	int *to, copy;

	if (s->syncs == s->sync_room) {
		room = s->sync_room == 0 ? 64 : s->sync_room * 2;
		to = realloc(s->sync, room * sizeof *to);
		if (to == NULL)
			return FAULT_NOMEM;
		s->sync = to;
		s->sync_room = room;
	}
	copy = dup(fd);
	if (copy < 0)
		return FAULT_SYS;
	s->sync[s->syncs++] = copy;
	return 0;
}

/* In the helper's thread: the descriptors are its own until it is idle. */
static void
sync_all(void *arg)
{
	struct coresnap *s = arg;
	size_t i;

	s->sync_err = 0;
	for (i = 0; i < s->syncs && s->sync_err == 0; i++)
		if (file_sync(s->sync[i]) < 0)
			s->sync_err = errno;
}

/* A slice of the frontier. */
static int
hosts(struct core *c)
{
	struct coresnap *s = &c->snap;
	int rc = drain(s);

	if (rc <= 0)
		return rc;
	if (!s->done) {
		s->pos = journal_next(c->journal);
		rc = image_save(c->frontier, put, c, s->pos, SLICE);
		s->done = rc == 0;
		if (rc >= 0)
			rc = drain(s);
		return rc < 0 ? rc : 0;
	}
	journal_flush(c->journal);
	rc = image_sync(c->frontier, dup_sync, s);
	if (rc == 0)
		rc = helper_new(&s->helper);
	if (rc < 0)
		return rc;
	helper_give(s->helper, sync_all, s);
	s->step = STEP_SYNC;
	return 0;
}

static int
sync_step(struct core *c)
{
	struct coresnap *s = &c->snap;

	if (helper_busy(s->helper) || journal_durable(c->journal) < s->pos)
		return 0;
	errno = s->sync_err;
	if (s->sync_err != 0)
		return FAULT_SYS;
	helper_free(s->helper);
	s->helper = NULL;
	forget_syncs(s);
	s->step = STEP_COMMIT;
	return 1;
}

static int
commit(struct core *c, int64_t now)
{
	struct coresnap *s = &c->snap;
	int rc = snapfile_commit(s->file);

	if (rc <= 0)
		return rc;
	s->number = snapfile_number(s->file);
	s->time = now;
	image_named(c->frontier);
	corecold_named(c, s->from.segment);
	end(c, now);
	return 0;
}

void
coresnap_step(struct core *c, int64_t now)
{
	struct coresnap *s = &c->snap;
	int rc = 1;

	if (s->next >= 0 && now >= s->next) {
		s->wanted = 1;
		s->next = -1;
	}
	while (rc > 0) {
		switch (s->step) {
		case STEP_HEAD:
			rc = head(c);
			break;
		case STEP_HOSTS:
			rc = hosts(c);
			break;
		case STEP_SYNC:
			rc = sync_step(c);
			break;
		case STEP_COMMIT:
			rc = commit(c, now);
			break;
		default:
			rc = s->wanted && !s->forsaken ? begin(c, now) : 0;
			break;
		}
	}
	if (rc < 0)
		fail(c, rc, now);
}

/* ms until a slice can go on without anybody else's doing: 0, or -1. */
int64_t
coresnap_wait(const struct core *c)
{
	const struct coresnap *s = &c->snap;

	return s->step == STEP_HOSTS && s->text.len == 0 ? 0 : -1;
}

/* Turn until the snapshot under way has come to its end. */
static int
turn_to_end(struct core *c, int64_t now, int64_t from)
{
	struct pollfd fd[CORE_FDS];
	int64_t waited;
	int rc;

	for (;;) {
		waited = clock_ms() - from;
		journal_flush(c->journal);
		rc = core_turn(c, now + waited);
		if (rc < 0 || (!c->snap.wanted && c->snap.step == STEP_NONE))
			return rc;
		if (waited > (c->paused != 0 ? FULL_WAIT : LAST_WAIT)) {
			errno = c->paused != 0 ? c->pause_err : ETIMEDOUT;
			return FAULT_SYS;
		}
		(void)poll(fd, (nfds_t)core_fds(c, fd), SYNC_WAIT);
	}
}

int
coresnap_last(struct core *c, int64_t now)
{
	struct coresnap *s = &c->snap;
	int64_t from = clock_ms();
	uint64_t before;
	int rc;

	if (s->forsaken)
		return 0;
	/* One that is under way does not know the end. */
	rc = turn_to_end(c, now, from);
	if (rc < 0)
		return rc;
	/* The last one begins at the journal's end: start reads no more. */
	rc = journal_drain(c->journal, now + (clock_ms() - from), LAST_WAIT);
	if (rc < 0)
		return rc;
	before = s->number;
	s->failed = 0;
	s->wanted = 1;
	rc = turn_to_end(c, now, from);
	if (rc < 0 || s->number != before)
		return rc;
	errno = s->failed_err;
	return s->failed;
}

void
coresnap_forsake(struct core *c)
{
	c->snap.forsaken = 1;
}

void
coresnap_free(struct core *c)
{
	struct coresnap *s = &c->snap;

	helper_free(s->helper); /* waits for it */
	s->helper = NULL;
	forget_syncs(s);
	free(s->sync);
	s->sync = NULL;
	snapfile_free(s->file);
	s->file = NULL;
	buf_free(&s->text);
	/* If they can't be removed the next run comes to the same end. */
	if (s->forsaken && snapfile_discard(c->snapshot_dir, 0) == 0)
		s->forsaken = 0;
}
