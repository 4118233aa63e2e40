/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * archive.c - writing WARC files
 *
 * What is put goes to the file at once and into a list of frames that wait
 * for a sync.  archive_sync() takes that list, syncs the files it names
 * without holding the lock, and then writes the index lines: so the index
 * never names a frame that a power failure could take away, and its cost
 * falls on the helper thread.  If a sync fails, nobody knows which pages of
 * the file reached the disk (invariant 8), so every frame that waits is
 * written again to a new file; the bytes are still in the list.
 *
 * A frame made with the dictionary can be read only in a file that begins with
 * it, and one made without must not stand in such a file.  Puts go over to the
 * dictionary when a file is full; frames and files say which of the two sorts
 * they are, and want_file() begins another file rather than mix them.
 */

#include "config.h"

#include <sys/stat.h>

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "crawler/archive.h"
#include "crawler/archivedict.h"
#include "crawler/archivefile.h"
#include "crawler/archiveframe.h"
#include "crawler/httphead.h"
#include "crawler/pack.h"
#include "crawler/revisit.h"
#include "snapshot/limits.h"

#define SCRATCH_KEEP  (1024 * 1024) /* bytes: larger ones are given back */
#define NEW_FILES     3   /* times that one sync starts again on a new file */
#define REVISIT_LEAST 256 /* bytes: below that a revisit saves nothing */

struct archive {
	struct archive_opts o;
	struct archivedict *dict; /* NULL unless the kind is zst */
	int with_dict;            /* the putting thread's: `pack' uses it */
	struct pack *pack;
	struct digest *digest;
	struct revisit *revisit;
	struct buf raw, packed; /* the putting thread's scratch */
	struct buf index;       /* the syncing thread's */

	pthread_mutex_t lock;        /* guards what follows */
	struct archivefile *cur;     /* NULL: none yet */
	struct archivefile *retired; /* full, to be closed after a sync */
	struct archiveframes wait;   /* put and not yet synced */
	size_t unsynced;             /* bytes of all such frames */
	uint64_t bytes;
	unsigned int serial;
};

int
archive_kind(const char *name)
{
	static const char *const known[] = { "none", "zst", "gz" };
	size_t i;

	for (i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strcmp(name, known[i]) == 0)
			return (int)i;
	return -1;
}

static void
archive_free(struct archive *a)
{
	struct archivefile *f;

	while (a->retired != NULL) {
		f = a->retired;
		a->retired = f->next;
		archivefile_abandon(f);
	}
	archivefile_abandon(a->cur);
	archiveframe_free(&a->wait);
	buf_free(&a->raw);
	buf_free(&a->packed);
	buf_free(&a->index);
	revisit_free(a->revisit);
	digest_free(a->digest);
	pack_free(a->pack);
	archivedict_free(a->dict);
	(void)pthread_mutex_destroy(&a->lock);
	free(a);
}

int
archive_open(struct archive **out, const struct archive_opts *o)
{
	struct archive *a;
	int rc;

	a = calloc(1, sizeof *a);
	if (a == NULL)
		return FAULT_NOMEM;
	if (pthread_mutex_init(&a->lock, NULL) != 0) {
		free(a);
		return FAULT_NOMEM;
	}
	a->o = *o;
	if (a->o.rotate == 0)
		a->o.rotate = LIMIT_ARCHIVE_FILE;
	buf_init(&a->raw, SIZE_MAX / 2);
	buf_init(&a->packed, SIZE_MAX / 2);
	buf_init(&a->index, LIMIT_CDXJ);
	rc = digest_new(&a->digest);
	if (rc == 0 && o->kind != ARCHIVE_NONE)
		rc = pack_new(&a->pack, o->kind, o->level, NULL, 0);
	if (rc == 0 && o->kind == ARCHIVE_ZST)
		rc = archivedict_new(&a->dict, o->records);
	if (rc == 0)
		rc = revisit_new(&a->revisit, LIMIT_ARCHIVE_REVISIT);
	if (rc < 0) {
		archive_free(a);
		return rc;
	}
	*out = a;
	return 0;
}

/* Pack what stands in `a->raw' into a new frame behind `l'. */
static int
pack_frame(struct archive *a, struct archiveframes *l,
    const struct warc_capture *c)
{
	struct archiveframe *f;
	int rc;

	buf_clear(&a->packed);
	rc = pack_add(a->pack, &a->packed, a->raw.s, a->raw.len);
	if (rc < 0)
		return rc;
	f = archiveframe_new(&a->packed, c);
	if (f == NULL)
		return FAULT_NOMEM;
	f->dict = a->with_dict;
	archiveframe_add(l, f);
	return 0;
}

/*
 * Begin a sample with the response's record.  A coded body is as good as
 * random, and only what stands before it is worth to be learnt.
 */
static void
sample(struct archive *a, const struct warc_capture *c)
{
	size_t from = 0, n, len = a->raw.len;
	const char *v;

	if (httphead_field(c->head, c->head_len, "content-encoding", &from, &v,
		&n))
		len -= c->body_len + strlen(WARC_END);
	archivedict_response(a->dict, a->raw.s, len);
}

/* The response or revisit record, and the request's. */
static int
make_pair(struct archive *a, const struct warc_capture *c,
    const struct warc_refers *refers, const char *payload,
    struct archiveframes *l)
{
	char id[WARC_ID];
	int rc = warc_id(id);

	buf_clear(&a->raw);
	if (rc == 0)
		rc = warc_response(&a->raw, a->digest, c, refers, payload, id);
	if (rc == 0 && refers == NULL)
		rc = buf_add(&a->raw, c->body, c->body_len);
	if (rc == 0)
		rc = buf_str(&a->raw, WARC_END);
	if (rc == 0)
		rc = pack_frame(a, l, c);
	if (rc < 0)
		return rc;
	if (refers == NULL)
		sample(a, c);
	memcpy(l->tail->digest, payload, DIGEST_TEXT);
	l->tail->line.digest = l->tail->digest;
	if (refers != NULL) {
		l->tail->line.mime = "warc/revisit";
		l->tail->line.mime_len = strlen(l->tail->line.mime);
	}
	buf_clear(&a->raw);
	rc = warc_request(&a->raw, a->digest, c, id);
	if (rc == 0 && refers == NULL)
		archivedict_request(a->dict, a->raw.s, a->raw.len);
	return rc == 0 ? pack_frame(a, l, NULL) : rc;
}

static int
make_failure(struct archive *a, const struct warc_capture *c,
    struct archiveframes *l)
{
	int rc;

	buf_clear(&a->raw);
	rc = warc_failure(&a->raw, c);
	return rc == 0 ? pack_frame(a, l, NULL) : rc;
}

static int
is_full(const struct archive *a, const struct archivefile *f)
{
	return f->end >= a->o.rotate || f->index_len >= LIMIT_CDXJ / 2;
}

/*
 * Make `a->cur' a file that may be written to, and that has the dictionary or
 * hasn't, as `dict' says.  Call with the lock held.
 */
static int
want_file(struct archive *a, int dict)
{
	struct archivefile *f = a->cur;
	int rc;

	if (f != NULL && !f->bad && f->dict == dict && !is_full(a, f))
		return 0;
	rc = archivefile_new(&a->cur, &a->o, dict ? a->dict : NULL, &a->serial);
	if (rc < 0) {
		a->cur = f;
		return rc;
	}
	a->bytes += a->cur->end;
	if (f != NULL) {
		f->next = a->retired;
		a->retired = f;
	}
	return 0;
}

/* If the next put begins a file, and there is a dictionary, use it from now. */
static void
go_over(struct archive *a)
{
	struct pack *p = NULL;
	const void *dict;
	size_t len;
	int full;

	dict = archivedict_get(a->dict, &len);
	if (a->with_dict || dict == NULL)
		return;
	(void)pthread_mutex_lock(&a->lock);
	full = a->cur != NULL && is_full(a, a->cur);
	(void)pthread_mutex_unlock(&a->lock);
	/* out of memory: the next full file is another occasion */
	if (!full || pack_new(&p, a->o.kind, a->o.level, dict, len) < 0)
		return;
	pack_free(a->pack);
	a->pack = p;
	a->with_dict = 1;
}

/* All frames of one capture, or none of them. */
static int
write_all(struct archive *a, struct archiveframes *l)
{
	uint64_t start;
	struct archiveframe *f;
	size_t sum = 0;
	int rc;

	for (f = l->head; f != NULL; f = f->next)
		sum += f->len;
	if (a->unsynced > 0 && a->unsynced + sum > LIMIT_ARCHIVE_UNSYNCED)
		return FAULT_FULL;
	rc = want_file(a, l->head->dict);
	if (rc < 0)
		return rc;
	start = a->cur->end;
	for (f = l->head; f != NULL && rc == 0; f = f->next)
		rc = archiveframe_write(f, a->cur);
	if (rc < 0) {
		for (f = l->head; f != NULL; f = f->next)
			if (f->file != NULL)
				f->file->waiting--;
		archivefile_cut(a->cur, start);
		return rc;
	}
	a->unsynced += sum;
	a->bytes += sum;
	archiveframe_join(&a->wait, l);
	return 0;
}

/* Whether a copy of this payload is stored, and where that was. */
static int
is_revisit(struct archive *a, const struct warc_capture *c, const char *payload,
    struct warc_refers *refers)
{
	return c->cut == WARC_WHOLE && c->body_len >= REVISIT_LEAST &&
	    revisit_find(a->revisit, payload, refers);
}

int
archive_put(struct archive *a, const struct warc_capture *c,
    struct archive_at *at)
{
	struct archiveframes l = { NULL, NULL };
	struct warc_refers refers;
	int rc = 0;

	memset(at, 0, sizeof *at);
	if (c->head_len > 0)
		rc = digest_of(a->digest, c->body, c->body_len, NULL, 0,
		    at->digest);
	if (rc < 0 || a->o.kind == ARCHIVE_NONE)
		return rc;
	go_over(a);
	at->revisit = c->head_len > 0 && is_revisit(a, c, at->digest, &refers);
	if (c->head_len > 0)
		rc = make_pair(a, c, at->revisit ? &refers : NULL, at->digest,
		    &l);
	else
		rc = make_failure(a, c, &l);
	if (rc == 0) {
		l.head->at = at;
		(void)pthread_mutex_lock(&a->lock);
		rc = write_all(a, &l);
		(void)pthread_mutex_unlock(&a->lock);
	}
	if (rc == 0 && c->head_len > 0 && !at->revisit)
		archivedict_taken(a->dict);
	if (rc == 0 && !at->revisit && c->cut == WARC_WHOLE &&
	    c->body_len >= REVISIT_LEAST)
		revisit_add(a->revisit, at->digest, c);
	if (a->raw.size > SCRATCH_KEEP)
		buf_free(&a->raw);
	if (a->packed.size > SCRATCH_KEEP)
		buf_free(&a->packed);
	archiveframe_free(&l);
	return rc;
}

/*
 * The file's sync failed: what waits for it goes to a new file.  Call with
 * the lock held.
 */
static int
rewrite(struct archive *a, struct archiveframes *batch, struct archivefile *bad)
{
	struct archiveframes *list[2] = { batch, &a->wait };
	struct archiveframe *f;
	size_t i;
	int rc;

	bad->bad = 1;
	rc = want_file(a, bad->dict);
	for (i = 0; i < 2 && rc == 0; i++)
		for (f = list[i]->head; f != NULL && rc == 0; f = f->next)
			if (f->file == bad)
				rc = archiveframe_write(f, a->cur);
	return rc;
}

/* Close the full files that no frame waits for. */
static int
close_retired(struct archive *a)
{
	struct archivefile *done = NULL, **at, *f;

	(void)pthread_mutex_lock(&a->lock);
	for (at = &a->retired; *at != NULL;) {
		f = *at;
		if (f->waiting > 0) {
			at = &f->next;
			continue;
		}
		*at = f->next;
		f->next = done;
		done = f;
	}
	(void)pthread_mutex_unlock(&a->lock);
	return archivefile_close_all(done);
}

/* The batch is durable: index it and let it go. */
static void
settle(struct archive *a, struct archiveframes *batch)
{
	size_t sum = 0;
	struct archiveframe *f;

	archiveframe_index(batch, &a->index);
	(void)pthread_mutex_lock(&a->lock);
	for (f = batch->head; f != NULL; f = f->next) {
		f->file->waiting--;
		sum += f->len;
	}
	a->unsynced -= sum;
	(void)pthread_mutex_unlock(&a->lock);
	archiveframe_free(batch);
}

/* archive_sync() without the training. */
static int
sync_all(struct archive *a)
{
	struct archiveframes batch = { NULL, NULL };
	struct archivefile *bad = NULL;
	int rc = FAULT_SYS, again = 0, err;

	(void)pthread_mutex_lock(&a->lock);
	archiveframe_join(&batch, &a->wait);
	(void)pthread_mutex_unlock(&a->lock);
	while (rc < 0 && again++ < NEW_FILES) {
		rc = archiveframe_sync(&batch, &bad);
		if (rc == 0)
			break;
		(void)pthread_mutex_lock(&a->lock);
		err = rewrite(a, &batch, bad);
		(void)pthread_mutex_unlock(&a->lock);
		if (err < 0) {
			rc = err;
			break;
		}
	}
	if (rc == 0) {
		settle(a, &batch);
		return close_retired(a);
	}
	err = errno;
	(void)pthread_mutex_lock(&a->lock);
	archiveframe_join(&batch, &a->wait); /* the older ones stay first */
	a->wait = batch;
	(void)pthread_mutex_unlock(&a->lock);
	errno = err;
	return rc;
}

int
archive_sync(struct archive *a)
{
	int rc = sync_all(a), half;

	if (rc < 0 || !archivedict_due(a->dict))
		return rc;
	(void)pthread_mutex_lock(&a->lock);
	half = a->cur != NULL && a->cur->end >= a->o.rotate / 2;
	(void)pthread_mutex_unlock(&a->lock);
	if (half)
		archivedict_train(a->dict);
	return rc;
}

uint64_t
archive_bytes(struct archive *a)
{
	uint64_t n;

	(void)pthread_mutex_lock(&a->lock);
	n = a->bytes;
	(void)pthread_mutex_unlock(&a->lock);
	return n;
}

size_t
archive_unsynced(struct archive *a)
{
	size_t n;

	(void)pthread_mutex_lock(&a->lock);
	n = a->unsynced;
	(void)pthread_mutex_unlock(&a->lock);
	return n;
}

int
archive_close(struct archive *a)
{
	int rc, one = 0;

	if (a == NULL)
		return 0;
	rc = sync_all(a);
	if (rc == 0 && a->cur != NULL) {
		one = archivefile_close(a->cur);
		a->cur = NULL;
	}
	archive_free(a);
	return rc < 0 ? rc : one;
}
