/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * unit-crash.c - journal, snapshots and compaction, ended everywhere
 *
 * A life (life.h) is killed at each of its durable operations, or the disk
 * fails there, or the power; then another life must find whatever the first
 * one was told was durable, and come to the same end.
 */

#include "config.h"

#include <sys/wait.h>

#include <errno.h>
#include <signal.h>

#include "tests/disklog.h"
#include "tests/faultdisk.h"
#include "tests/life.h"
#include "tests/scratch.h"
#include "tests/tap.h"

/* The life after: it must find what was told.  0 if all is well. */
static int
go_on(uint64_t told, const char *what, unsigned long k)
{
	const uint64_t records = (uint32_t)told, pictures = told >> 32;
	struct life l = { .out = -1 };
	unsigned int had;
	int rc;

	l.most = LIFE_BATCH; /* no more than to see how it starts */
	rc = life(&l);
	had = l.pictures;
	if (rc == 0 && l.found >= records && l.found <= LIFE_TOTAL &&
	    had >= pictures) {
		/* another one goes on to the end, and one more finds all */
		l = (struct life){ .out = -1 };
		rc = life(&l);
		if (rc == 0) {
			l = (struct life){ .out = -1 };
			rc = life(&l);
		}
		if (rc == 0 && l.found == LIFE_TOTAL)
			return 0;
	}
	tap_diag("%s, operation %lu: told %d and %d, found %d and %d; %d in "
		 "%s: %s",
	    what, k, (int)records, (int)pictures, (int)l.found, (int)had, rc,
	    l.stage, l.detail);
	return 1;
}

/* Operations of a life without faults. */
static unsigned long
count_ops(const struct scratch *s)
{
	struct faultdisk f = { .at = 0 };
	struct life l = { .out = -1 };

	faultdisk_use(&f);
	if (life(&l) < 0)
		abort();
	faultdisk_use(NULL);
	scratch_empty(s->fd, ".");
	return f.count;
}

/* A life in a process of its own that ends at its k-th operation: what it
   was told. */
static uint64_t
die_at(struct faultdisk *f, int *killed)
{
	struct life l = { .out = -1 };
	uint64_t n, told = 0;
	int fds[2], status;
	pid_t pid;

	if (pipe(fds) != 0)
		abort();
	pid = fork();
	if (pid == 0) {
		close(fds[0]);
		l.out = fds[1];
		faultdisk_use(f);
		_exit(life(&l) != 0);
	}
	close(fds[1]);
	while (read(fds[0], &n, sizeof n) == sizeof n)
		told = n;
	close(fds[0]);
	(void)waitpid(pid, &status, 0);
	*killed = WIFSIGNALED(status);
	return told;
}

static unsigned long
kills(struct tap *t, const struct scratch *s, enum faultdisk_how how,
    const char *what, unsigned long ops)
{
	struct faultdisk f = { .how = how };
	unsigned int bad = 0;
	uint64_t told;
	int killed;

	for (f.at = 1; f.at <= ops + 20; f.at++) {
		told = die_at(&f, &killed);
		bad += (unsigned int)go_on(told, what, f.at);
		scratch_empty(s->fd, ".");
		if (!killed)
			break;
	}
	tap_ok(t, bad == 0 && f.at >= ops, "%s any of %lu operations: %u bad",
	    what, f.at - 1, bad);
	return f.at - 1;
}

/* Two lives that end, one after the other. */
static unsigned long
pairs(struct tap *t, const struct scratch *s, unsigned long ops,
    unsigned int many)
{
	struct faultdisk f = { .how = FAULTDISK_WITHIN };
	unsigned int bad = 0, i, k, seed = 1;
	uint64_t told, more;
	int killed;

	for (i = 0; i < many; i++) {
		told = 0;
		for (k = 0; k < 4; k++) {
			seed = seed * 1103515245 + 12345;
			f.at = 1 + (seed >> 16) % (ops / 2);
			more = die_at(&f, &killed);
			if (more > 0)
				told = more;
		}
		bad += (unsigned int)go_on(told, "killed four times", i);
		scratch_empty(s->fd, ".");
	}
	tap_ok(t, bad == 0, "killed four times in a row, %u times: %u bad",
	    many, bad);
	return 4UL * many;
}

/* The disk fails at the k-th operation, and `more' after it. */
static unsigned long
failures(struct tap *t, const struct scratch *s, enum faultdisk_how how,
    int err, unsigned long more, unsigned long ops)
{
	struct faultdisk f = { .how = how, .err = err, .more = more };
	unsigned int bad = 0, ended = 0;
	char what[80];
	struct life l;
	int rc;

	snprintf(what, sizeof what, "%s%s, %lu times at", strerror(err),
	    how == FAULTDISK_TORN ? ", torn" : "", more + 1);
	for (f.at = 1; f.at <= 2 * ops; f.at++) {
		f.count = f.hits = 0;
		l = (struct life){ .out = -1 };
		faultdisk_use(&f);
		rc = life(&l);
		faultdisk_use(NULL);
		ended += rc < 0;
		bad += (unsigned int)go_on(LIFE_TOLD(rc == 0 ? LIFE_TOTAL : 0,
					       l.pictures),
		    what, f.at);
		scratch_empty(s->fd, ".");
		if (f.hits == 0)
			break;
	}
	tap_ok(t, bad == 0 && f.at >= ops,
	    "%s any of %lu operations: %u bad (%u lives ended early)", what,
	    f.at - 1, bad, ended);
	return f.at - 1;
}

/* The power fails after each operation of `log', from the `k'-th on. */
static unsigned int
cut_power(const struct scratch *s, const struct disklog *log, size_t k,
    const char *what, unsigned int randoms, unsigned long *points)
{
	unsigned int bad = 0, way;
	uint64_t told;

	for (; k <= disklog_count(log); k++) {
		for (way = 0; way < 2 + randoms; way++) {
			told = disklog_build(log, k,
			    way < 2 ? (enum disklog_how)way : DISKLOG_RANDOM,
			    way * 7919 + (unsigned int)k, s->fd);
			bad += (unsigned int)go_on(told, what, k);
			scratch_empty(s->fd, ".");
			++*points;
		}
	}
	return bad;
}

/* A life whose disk fails `more' + 1 times from operation `at' on. */
static void
logged_life(struct disklog *log, unsigned long at, unsigned long more)
{
	struct faultdisk f = { .how = FAULTDISK_TORN,
		.err = EIO,
		.at = at,
		.more = more };
	struct life l = { .out = -1 };

	faultdisk_log(log);
	faultdisk_use(&f);
	(void)life(&l); /* how it ends is failures()' affair */
	faultdisk_use(NULL);
	faultdisk_log(NULL);
}

/* The power fails in a life whose disk, too, fails once (0 = never). */
static unsigned long
power(struct tap *t, const struct scratch *s, unsigned long at,
    unsigned int randoms)
{
	struct disklog *log = disklog_new(s->fd);
	unsigned long points = 0;
	unsigned int bad;

	logged_life(log, at, 1);
	scratch_empty(s->fd, ".");
	bad = cut_power(s, log, 0, "power lost", randoms, &points);
	tap_ok(t, bad == 0,
	    "power lost at any of %zu, %u ways; fault at %lu: %u bad",
	    disklog_count(log), 2 + randoms, at, bad);
	disklog_free(log);
	return points;
}

/*
 * A life ends as if killed at operation `at': nothing succeeds from there on.
 * The power fails in the next one, which found more than was synced.
 */
static unsigned long
killed_then_power(struct tap *t, const struct scratch *s, unsigned long at,
    unsigned int randoms)
{
	struct disklog *log = disklog_new(s->fd);
	unsigned long points = 0;
	unsigned int bad;
	size_t k;

	logged_life(log, at, (unsigned long)-1 / 2);
	k = disklog_count(log);
	logged_life(log, 0, 0);
	scratch_empty(s->fd, ".");
	bad = cut_power(s, log, k, "killed, then power lost", randoms, &points);
	tap_ok(t, bad == 0,
	    "killed at %lu, then power lost at any of %zu: "
	    "%u bad",
	    at, disklog_count(log) - k, bad);
	disklog_free(log);
	return points;
}

int
main(void)
{
	const char *env = getenv("LONG");
	int is_long = env != NULL && env[0] != '\0';
	struct tap t = { 0, 0 };
	unsigned long ops, points = 0, k;
	struct scratch s;

	scratch_make(&s);
	ops = count_ops(&s);
	tap_ok(&t, ops > 60, "%lu durable operations in a life", ops);
	points += kills(&t, &s, FAULTDISK_WITHIN, "killed within", ops);
	points += kills(&t, &s, FAULTDISK_AFTER, "killed after", ops);
	points += pairs(&t, &s, ops, is_long ? 1000 : 10);
	points += failures(&t, &s, FAULTDISK_ERRNO, EIO, 0, ops);
	points += failures(&t, &s, FAULTDISK_ERRNO, EIO, 2, ops);
	points += failures(&t, &s, FAULTDISK_TORN, ENOSPC, 9, ops);
	points += power(&t, &s, 0, is_long ? 50 : 2);
	for (k = 1 + ops / 3; k <= ops; k += is_long ? 1 : ops / 3)
		points += power(&t, &s, k, is_long ? 8 : 0);
	for (k = 17; k <= ops; k += is_long ? 1 : ops / 4)
		points += killed_then_power(&t, &s, k, is_long ? 4 : 0);
	if (is_long) {
		points += kills(&t, &s, FAULTDISK_BEFORE, "killed before", ops);
		for (k = 0; k < 6; k++)
			points +=
			    failures(&t, &s, FAULTDISK_TORN, ENOSPC, k, ops);
	}
	tap_ok(&t, points >= 1000, "%lu points in all", points);
	scratch_remove(&s);
	return tap_done(&t);
}
