/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * unit-frontcrash.c - a frontier that spills, on disks that fail
 *
 * A story (pushes, takes, images in slices) is played on a disk that fails at
 * one operation or another: nothing may be lost then.  And the power fails
 * after any operation: each image that was named by then, and is among the
 * two newest, must still give what it gave.
 */

#include "config.h"

#include <errno.h>

#include "frontier/image.h"
#include "snapshot/file.h"
#include "tests/disklog.h"
#include "tests/faultdisk.h"
#include "tests/frontsim.h"
#include "tests/scratch.h"
#include "tests/membuf.h"
#include "tests/tap.h"

#define ROUNDS   60
#define PUSHES   120 /* in a round */
#define URLS     (ROUNDS * PUSHES)
#define HOSTS    40
#define PICTURES 64

struct picture {
	struct membuf image;
	uint64_t begun;   /* record */
	uint64_t records; /* that there were when it was named */
};

struct story {
	struct frontsim sim;
	struct {
		uint64_t ordinal;
		int done;
	} journal[2 * URLS];
	uint64_t records;
	uint64_t pushed;
	struct picture picture[PICTURES];
	unsigned int pictures; /* named */
	int writing;           /* one more */
	unsigned int failed;   /* images that were not to be had */
};

/* 300 bytes, as no two of them share much. */
static void
url_of(char to[400], uint64_t n)
{
	uint64_t x = (n + 1) * UINT64_C(0x9e3779b97f4a7c15);
	int len;

	x ^= x >> 29;
	len = snprintf(to, 64, "http://h%llu.example/%llu/",
	    (unsigned long long)(x % HOSTS), (unsigned long long)n);
	for (; len < 300; len++) {
		x = x * 6364136223846793005U + 1442695040888963407U;
		to[len] = (char)('a' + (x >> 40) % 26);
	}
	to[len] = '\0';
}

static void
came(struct frontsim *s, const struct frontier_job *j,
    enum frontier_outcome outcome)
{
	struct story *y = s->ctx;

	(void)outcome;
	y->journal[y->records].ordinal = j->ordinal;
	y->journal[y->records++].done = 1;
}

static void
push(struct story *y)
{
	struct frontier_url u;
	char url[400];

	url_of(url, y->pushed);
	frontsim_url(&u, url, y->pushed, 1);
	/* With a full disk it is tried again in another round. */
	if (y->pushed == URLS || frontier_push(y->sim.f, &u, y->sim.now) < 0)
		return;
	y->journal[y->records].ordinal = y->pushed++;
	y->journal[y->records++].done = 0;
}

static int
sync_fd(void *ctx, int fd)
{
	(void)ctx;
	return file_sync(fd);
}

/* A slice of an image. */
static void
slice(struct story *y)
{
	struct picture *m = &y->picture[y->pictures];
	int rc;

	if (y->pictures == PICTURES - 1)
		return;
	if (!y->writing) {
		image_begin(y->sim.f);
		m->image.len = 0;
		m->begun = y->records;
		y->writing = 1;
	}
	rc = image_save(y->sim.f, membuf_put, &m->image, y->records, 150000);
	if (rc > 0)
		return;
	y->writing = 0;
	if (rc == 0)
		rc = image_sync(y->sim.f, sync_fd, NULL);
	if (rc < 0) {
		y->failed++;
		image_abort(y->sim.f);
		return;
	}
	m->records = y->records;
	image_named(y->sim.f);
	faultdisk_note(++y->pictures);
}

static void
options(struct frontier_opts *o, int dirfd)
{
	frontsim_opts(o);
	o->delay = 100;
	o->ip_delay = 0;
	o->dirfd = dirfd;
	o->memory = 1; /* as little as it can be */
	o->keep = 2;
}

/* Play the story in the folder `dirfd'. */
static struct story *
play(int dirfd)
{
	struct story *y = calloc(1, sizeof *y);
	struct frontier_opts o;

	if (y == NULL)
		abort();
	options(&o, dirfd);
	frontsim_init(&y->sim, &o, HOSTS, 8, URLS);
	y->sim.ctx = y;
	y->sim.came = came;
	for (int i = 0; i < ROUNDS; i++) {
		for (int k = 0; k < PUSHES; k++)
			push(y);
		frontsim_run(&y->sim, y->sim.now + 130);
		slice(y);
	}
	return y;
}

static void
story_free(struct story *y)
{
	frontsim_free(&y->sim);
	for (int i = 0; i < PICTURES; i++)
		free(y->picture[i].image.b);
	free(y);
}

static int
pend(void *ctx, const struct frontier_url *u)
{
	uint8_t *n = ctx;

	n[u->ordinal]++;
	return 0;
}

/* Does picture `p' give what it has to, from the files in `dirfd'? */
static int
gives(struct story *y, struct picture *p, int dirfd)
{
	uint8_t want[URLS] = { 0 }, got[URLS] = { 0 };
	struct frontier_opts o;
	struct frontier *f;
	struct frontier_url u;
	char url[400];
	uint64_t cursor = 0;
	int rc;

	options(&o, dirfd);
	o.readonly = 1;
	rc = frontier_new(&f, &o);
	p->image.at = 0;
	if (rc == 0)
		rc = image_load(f, membuf_get, &p->image, 1000000);
	for (uint64_t i = p->begun; rc == 0 && i < p->records; i++) {
		url_of(url, y->journal[i].ordinal);
		frontsim_url(&u, url, y->journal[i].ordinal, 1);
		rc = y->journal[i].done ?
		    image_replay_done(f, &u, i, 0, FRONTIER_KEPT, 1000000) :
		    image_replay_push(f, &u, i, 1000000);
	}
	if (rc == 0)
		do
			rc = frontier_pending(f, &cursor, 10, pend, got);
		while (rc == 1);
	frontier_free(f);
	for (uint64_t i = 0; i < p->records; i++)
		want[y->journal[i].ordinal] = !y->journal[i].done;
	if (rc == 0 && memcmp(want, got, sizeof want) == 0)
		return 1;
	tap_diag("image of record %llu: %s", (unsigned long long)p->begun,
	    rc < 0 ? fault_str(rc) : "something else");
	return 0;
}

/* The story as it is, and how many operations it takes. */
static unsigned long
whole(struct tap *t, const struct scratch *s)
{
	struct faultdisk f = { .at = 0 };
	struct frontier_stat st;
	struct story *y;

	faultdisk_use(&f);
	y = play(s->fd);
	faultdisk_use(NULL);
	frontier_stat(y->sim.f, &st);
	tap_ok(t,
	    f.count > 30 && st.spilled > URLS / 5 && y->pictures > 5 &&
		y->failed == 0 && y->pushed == URLS,
	    "%lu operations, %llu URLs on disk, %u images", f.count,
	    (unsigned long long)st.spilled, y->pictures);
	frontsim_run(&y->sim, INT64_MAX);
	tap_ok(t,
	    frontsim_faults(&y->sim) == 0 &&
		frontsim_missing(&y->sim, URLS) == 0,
	    "without a fault each URL comes out once");
	story_free(y);
	scratch_empty(s->fd, ".");
	return f.count;
}

/* The disk fails at the k-th operation and `more' after it. */
static void
failures(struct tap *t, const struct scratch *s, enum faultdisk_how how,
    int err, unsigned long more, unsigned long ops, unsigned long step)
{
	struct faultdisk f = { .how = how, .err = err, .more = more };
	unsigned int bad = 0, failed = 0;

	for (f.at = 1; f.at <= ops; f.at += step) {
		struct story *y;

		f.count = f.hits = 0;
		faultdisk_use(&f);
		y = play(s->fd);
		faultdisk_use(NULL);
		failed += y->failed;
		while (y->pushed < URLS && frontsim_faults(&y->sim) == 0) {
			push(y);
			frontsim_run(&y->sim, y->sim.now + 1);
		}
		frontsim_run(&y->sim, INT64_MAX);
		if (frontsim_faults(&y->sim) > 0 ||
		    frontsim_missing(&y->sim, URLS) > 0) {
			bad++;
			tap_diag("at %lu: %llu faults, %llu missing", f.at,
			    (unsigned long long)frontsim_faults(&y->sim),
			    (unsigned long long)frontsim_missing(&y->sim,
				URLS));
		}
		story_free(y);
		scratch_empty(s->fd, ".");
	}
	tap_ok(t, bad == 0, "%s, %lu times: %u bad (%u images failed)",
	    strerror(err), more + 1, bad, failed);
}

/* The power fails after any operation of a story whose disk fails at `at'. */
static void
power(struct tap *t, const struct scratch *s, unsigned long at, size_t step,
    unsigned int randoms)
{
	struct faultdisk f = { .how = FAULTDISK_ERRNO, .err = EIO, .at = at };
	struct disklog *log = disklog_new(s->fd);
	unsigned int bad = 0, points = 0;
	struct story *y;
	uint64_t told;

	f.ops = at > 0 ? FAULTDISK_SYNC : 0;
	faultdisk_log(log);
	faultdisk_use(&f);
	y = play(s->fd);
	faultdisk_use(NULL);
	faultdisk_log(NULL);
	scratch_empty(s->fd, ".");
	for (size_t k = 1; k <= disklog_count(log); k += step) {
		for (unsigned int way = 0; way < 2 + randoms; way++) {
			told = disklog_build(log, k,
			    way < 2 ? (enum disklog_how)way : DISKLOG_RANDOM,
			    way * 7919 + (unsigned int)k, s->fd);
			for (uint64_t i = 1; i <= 2 && i <= told; i++, points++)
				bad += !gives(y, &y->picture[told - i], s->fd);
			scratch_empty(s->fd, ".");
		}
	}
	tap_ok(t, bad == 0 && points > 0 && (at == 0 || y->failed > 0),
	    "power lost after any of %zu operations%s: %u images of %u bad",
	    disklog_count(log), at > 0 ? ", a sync having failed" : "", bad,
	    points);
	story_free(y);
	disklog_free(log);
}

int
main(void)
{
	const char *env = getenv("LONG");
	int is_long = env != NULL && env[0] != '\0';
	struct tap t = { 0, 0 };
	struct scratch s;
	unsigned long ops, step = is_long ? 1 : 5;

	scratch_make(&s);
	ops = whole(&t, &s);
	failures(&t, &s, FAULTDISK_ERRNO, EIO, 0, ops, step);
	failures(&t, &s, FAULTDISK_TORN, ENOSPC, 5, ops, step);
	failures(&t, &s, FAULTDISK_ERRNO, ENOSPC, 40, ops, step);
	power(&t, &s, 0, step, is_long ? 8 : 1);
	power(&t, &s, 3, step, is_long ? 8 : 1);
	scratch_remove(&s);
	return tap_done(&t);
}
