/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlverifyqueue.c - crawl --verify: the queues on disk
 *
 * What a snapshot needs must be there and be whole chunks.  What stands behind
 * that was written after the snapshot, and a kill may have torn it: the next
 * run has it from the journal and begins another file.
 */

#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "crawler/coreload.h"
#include "crawler/crawlverify.h"
#include "frontier/chunk.h"
#include "snapshot/file.h"
#include "snapshot/frame.h"
#include "snapshot/series.h"

#define ANEW "the queues are made anew from the journal"

struct need {
	uint32_t file;
	int there;
	uint64_t size; /* bytes of it */
};

struct needs {
	struct need *e;
	size_t n;
	size_t room;
};

static struct need *
find(struct needs *l, uint64_t file)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		if (l->e[i].file == file)
			return &l->e[i];
	return NULL;
}

static int
needed(void *ctx, uint32_t file, uint64_t size)
{
	struct needs *l = ctx;
	struct need *e = find(l, file);

	if (e != NULL) {
		e->size = e->size < size ? size : e->size;
		return 0;
	}
	if (l->n == l->room) {
		size_t room = l->room == 0 ? 64 : l->room * 2;

		e = realloc(l->e, room * sizeof *e);
		if (e == NULL)
			return FAULT_NOMEM;
		l->e = e;
		l->room = room;
	}
	e = &l->e[l->n++];
	e->file = file;
	e->size = size;
	e->there = 0;
	return 0;
}

/* What the snapshots need that can be read; snapshots() tells of the rest. */
static void
all_needs(struct verify *v, struct needs *l)
{
	int fd = statedir_folder(v->state, CORE_SNAPSHOT), rc;
	char name[SERIES_NAME], what[64];
	struct snapfile_read *r;
	uint64_t n = 0;

	while (fd >= 0 && series_next(fd, n, &n) > 0) {
		rc = snapfile_read_open(&r, fd, n);
		if (rc > 0 && coreload_files(r, needed, l) < 0) {
			series_name(name, n);
			(void)snprintf(what, sizeof what, CORE_SNAPSHOT "/%s",
			    name);
			crawlverify_damage(v, what,
			    "what it says of queues is damaged", ANEW);
		}
		snapfile_read_close(r);
	}
	file_close(fd);
}

/* The URLs in a chunk, or FAULT_DAMAGED. */
static long
urls(const char *s, size_t len)
{
	struct chunk_lines all = { s, s + len }, piece;
	struct chunk_owner o;
	struct entry e;
	const char *head;
	long n = 0;
	int rc;

	for (;;) {
		rc = chunk_piece(&all, &o, &piece, &head);
		if (rc <= 0)
			return rc < 0 ? rc : n;
		for (;;) {
			rc = chunk_next(&piece, &e);
			if (rc < 0)
				return rc;
			if (rc == 0)
				break;
			n++;
		}
	}
}

static void
queue_file(struct verify *v, int fd, const char *what, uint64_t need,
    struct frame_reader *r)
{
	uint64_t sum = 0;
	char at[96], *s;
	size_t len;
	long n;
	int rc;

	frame_reader_start(r, fd, 0);
	for (;;) {
		rc = frame_next(r, &s, &len);
		if (rc <= 0)
			break;
		n = urls(s, len);
		if (n < 0) {
			rc = (int)n;
			break;
		}
		sum += (uint64_t)n;
	}
	if (rc == 0 && frame_end(r) < need)
		rc = FAULT_TRUNCATED;
	if (rc == FAULT_NOMEM || rc == FAULT_SYS ||
	    (rc < 0 && frame_offset(r) < need)) {
		(void)snprintf(at, sizeof at, "at byte %" PRIu64 ", " ANEW,
		    rc == FAULT_TRUNCATED ? frame_end(r) : frame_offset(r));
		crawlverify_damage(v, what, fault_why(rc), at);
		return;
	}
	printf("%s/%s: %" PRIu64 " queued URLs are right%s\n", v->dir, what,
	    sum,
	    rc < 0 && !v->running ? ", and the end is torn as a kill "
				    "leaves it, which no snapshot needs" :
				    "");
}

void
crawlverify_queues(struct verify *v, int fd)
{
	struct needs l = { NULL, 0, 0 };
	struct frame_reader *r = NULL;
	char name[SERIES_NAME], what[64];
	struct need *e;
	uint64_t n = 0;
	size_t i;
	int one, rc = frame_reader_new(&r);

	all_needs(v, &l);
	while (rc == 0 && series_next(fd, n, &n) > 0) {
		series_name(name, n);
		(void)snprintf(what, sizeof what, CORE_FRONTIER "/%s", name);
		e = find(&l, n);
		one = file_open(fd, name, 0);
		if (one >= 0)
			queue_file(v, one, what, e == NULL ? 0 : e->size, r);
		else if (!v->running)
			crawlverify_damage(v, what, fault_why(one), ANEW);
		if (e != NULL)
			e->there = 1;
		file_close(one);
	}
	if (rc < 0)
		crawlverify_damage(v, CORE_FRONTIER, fault_why(rc), "");
	for (i = 0; i < l.n && rc == 0 && !v->running; i++) {
		if (l.e[i].there)
			continue;
		series_name(name, l.e[i].file);
		(void)snprintf(what, sizeof what, CORE_FRONTIER "/%s", name);
		crawlverify_damage(v, what, "is missing", ANEW);
	}
	free(l.e);
	frame_reader_free(r);
}
