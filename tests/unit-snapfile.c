/* SPDX-License-Identifier: BSD-2-Clause */

/* Snapshots: written in slices, read whole, and what crashes leave. */

#include "config.h"

#include <sys/wait.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>

#include "snapshot/frame.h"
#include "snapshot/limits.h"
#include "snapshot/series.h"
#include "snapshot/snapfile.h"
#include "snapshot/snapfile_read.h"
#include "tests/faultdisk.h"
#include "tests/scratch.h"
#include "tests/tap.h"

#define WAIT 20000 /* ms */

static const char *const sections[] = { "counters", "hosts", "queues.2" };

#define SECTIONS (sizeof sections / sizeof sections[0])

/* What snapshot `n' has at `at' of a section. */
static char
byte_of(uint64_t n, size_t section, size_t at)
{
	return (char)('a' + (n * 7 + section * 3 + at / 50 + at % 13) % 26);
}

static void
wait_for(struct snapfile *w)
{
	struct pollfd p = { .fd = snapfile_fd(w), .events = POLLIN };

	(void)poll(&p, 1, WAIT);
}

/* Write a section of `len' bytes in pieces of `piece'.  How often it was
   full, or a fault. */
static int
section(struct snapfile *w, size_t s, size_t len, size_t piece)
{
	char *buf = malloc(piece);
	size_t at = 0, i, n;
	int rc, full = 0;

	for (;;) {
		rc = snapfile_section(w, sections[s]);
		if (rc != FAULT_FULL)
			break;
		full++;
		wait_for(w);
	}
	while (rc == 0 && at < len) {
		n = len - at < piece ? len - at : piece;
		for (i = 0; i < n; i++)
			buf[i] = byte_of(snapfile_number(w), s, at + i);
		rc = snapfile_write(w, buf, n);
		if (rc == 0)
			at += n;
		if (rc == FAULT_FULL) {
			rc = 0;
			full++;
			wait_for(w);
		}
	}
	free(buf);
	return rc < 0 ? rc : full;
}

/* Write a whole snapshot: its number, or a fault. */
static long
snapshot(int dir, size_t len, size_t piece)
{
	struct snapfile *w = NULL;
	long rc;
	size_t i;

	rc = snapfile_begin(&w, dir, 1234567);
	for (i = 0; i < SECTIONS && rc >= 0; i++)
		rc = section(w, i, len, piece);
	while (rc >= 0) {
		rc = snapfile_commit(w);
		if (rc != 0)
			break;
		wait_for(w);
	}
	if (rc > 0)
		rc = (long)snapfile_number(w);
	snapfile_free(w);
	return rc;
}

/*
 * Is the newest snapshot as it should be, `len' bytes a section?  Its number,
 * 0 if there is none, a fault, or -99 if it is wrong.
 */
static long
newest(int dir, size_t len, unsigned int *skipped, char detail[128])
{
	struct snapfile_read *r = NULL;
	struct snapfile_chunk c;
	size_t s = SECTIONS, at = len, i;
	long rc;

	rc = snapfile_read_newest(&r, dir);
	if (r != NULL && skipped != NULL)
		*skipped = snapfile_read_skipped(r);
	if (r != NULL && detail != NULL)
		snprintf(detail, 128, "%s", snapfile_read_detail(r));
	while (rc > 0) {
		rc = snapfile_read_next(r, &c);
		if (rc <= 0)
			break;
		if (at == len) {
			s = s == SECTIONS ? 0 : s + 1;
			at = 0;
		}
		if (s == SECTIONS || strcmp(c.section, sections[s]) != 0 ||
		    c.data[c.len] != '\0')
			rc = -99;
		for (i = 0; i < c.len && rc > 0; i++) {
			if (c.data[i] !=
			    byte_of(snapfile_read_number(r), s, at + i))
				rc = -99;
		}
		at += c.len;
	}
	if (rc == 0 && r != NULL && snapfile_read_number(r) > 0)
		rc = at == len && s == SECTIONS - 1 &&
			snapfile_read_time(r) == 1234567 ?
		    (long)snapfile_read_number(r) :
		    -99;
	snapfile_read_close(r);
	return rc;
}

static void
round_trip(struct tap *t, const struct scratch *s)
{
	static const size_t lens[] = { 1, 1000, LIMIT_SNAP_CHUNK,
		LIMIT_SNAP_CHUNK + 1, 5 * LIMIT_SNAP_CHUNK / 2 };
	int dir = scratch_folder(s, "round");
	struct snapfile_read *r = NULL;
	struct snapfile *w = NULL;
	size_t i;
	long n;

	tap_ok(t, newest(dir, 0, NULL, NULL) == 0, "none yet");
	for (i = 0; i < sizeof lens / sizeof lens[0]; i++) {
		n = snapshot(dir, lens[i], 64 * 1024 + 7);
		tap_ok(t,
		    n == (long)i + 1 && newest(dir, lens[i], NULL, NULL) == n,
		    "%zu bytes a section", lens[i]);
	}
	tap_ok(t, snapfile_read_open(&r, dir, 4) == 1,
	    "the one before is kept");
	snapfile_read_close(r);
	tap_ok(t,
	    snapfile_read_open(&r, dir, 3) == FAULT_SYS && errno == ENOENT,
	    "older ones are not");
	snapfile_read_close(r);
	tap_ok(t, snapfile_begin(&w, dir, 0) == 0 && snapfile_number(w) == 6,
	    "one more");
	tap_ok(t, section(w, 0, 3000000, 100000) >= 0, "half of it");
	snapfile_free(w);
	tap_ok(t,
	    newest(dir, lens[4], NULL, NULL) == 5 &&
		faccessat(dir, "0000000006.zst.tmp", F_OK, 0) != 0,
	    "given up, it leaves nothing");
	close(dir);
}

static void
arguments(struct tap *t, const struct scratch *s)
{
	int dir = scratch_folder(s, "args");
	char *big = calloc(1, LIMIT_SNAP_CHUNK + 1), name[80];
	struct snapfile *w = NULL;

	memset(name, 'n', sizeof name);
	name[LIMIT_SNAP_NAME + 1] = '\0';
	if (snapfile_begin(&w, dir, 0) < 0)
		abort();
	tap_ok(t, snapfile_write(w, "x", 1) == FAULT_ARG, "no section yet");
	tap_ok(t,
	    snapfile_section(w, "") == FAULT_ARG &&
		snapfile_section(w, "a b") == FAULT_ARG &&
		snapfile_section(w, name) == FAULT_ARG,
	    "bad names");
	name[LIMIT_SNAP_NAME] = '\0';
	tap_ok(t, snapfile_section(w, name) == 0, "the longest name");
	tap_ok(t, snapfile_write(w, big, LIMIT_SNAP_CHUNK + 1) == FAULT_TOOBIG,
	    "more than a chunk");
	tap_ok(t,
	    snapfile_write(w, big, LIMIT_SNAP_CHUNK) == 0 &&
		snapfile_write(w, big, 0) == 0,
	    "just a chunk");
	while (snapfile_commit(w) == 0)
		wait_for(w);
	tap_ok(t,
	    snapfile_commit(w) == 1 && snapfile_write(w, big, 1) == FAULT_ARG,
	    "ended");
	snapfile_free(w);
	snapfile_free(NULL);
	free(big);
	close(dir);
}

/* The newest is cut or damaged at each of its bytes: the other one serves. */
static void
damage(struct tap *t, const struct scratch *s)
{
	int dir = scratch_folder(s, "damage");
	unsigned int bad = 0, idle = 0, skipped = 0;
	char detail[128] = "", *all;
	size_t n = 0, i;
	long got;

	if (snapshot(dir, 90, 50) != 1 || snapshot(dir, 90, 50) != 2)
		abort();
	all = scratch_get(dir, "0000000002.zst", &n);
	for (i = 0; i < n; i++) {
		scratch_put(dir, "0000000002.zst", all, i);
		if (newest(dir, 90, &skipped, detail) != 1 || skipped != 1)
			bad++;
	}
	tap_ok(t, bad == 0, "cut at any of %zu bytes: %u wrong", n, bad);
	tap_diag("%s", detail);
	for (i = 0; i < n; i++) {
		all[i] ^= (char)(1 << i % 8);
		scratch_put(dir, "0000000002.zst", all, n);
		all[i] ^= (char)(1 << i % 8);
		got = newest(dir, 90, &skipped, detail);
		idle += got == 2;
		bad += got != 2 && (got != 1 || skipped != 1);
	}
	tap_ok(t, bad == 0 && idle < n / 20, "a bit turned: %u wrong, %u idle",
	    bad, idle);
	all = realloc(all, 2 * n);
	memcpy(all + n, all, n);
	scratch_put(dir, "0000000002.zst", all, 2 * n);
	tap_ok(t, newest(dir, 90, &skipped, detail) == 1 && skipped == 1,
	    "more behind its end: %s", detail);
	scratch_put(dir, "0000000003.zst", all, n);
	tap_ok(t, newest(dir, 90, &skipped, detail) == 1 && skipped == 2,
	    "another one's name: %s", detail);
	tap_ok(t,
	    snapfile_discard(dir, 1) == 0 &&
		newest(dir, 90, &skipped, detail) == 1 && skipped == 0,
	    "the damaged ones are removed");
	tap_ok(t,
	    snapfile_discard(dir, 1) == 0 && snapshot(dir, 90, 50) == 2 &&
		newest(dir, 90, &skipped, detail) == 2 &&
		faccessat(dir, "0000000001.zst", F_OK, 0) == 0,
	    "and the next one leaves two");
	scratch_put(dir, "0000000002.zst", all, n - 1);
	scratch_put(dir, "0000000003.zst", all, n);
	scratch_put(dir, "0000000001.zst", "", 0);
	tap_ok(t,
	    newest(dir, 90, &skipped, detail) == FAULT_DAMAGED && skipped == 3,
	    "all of them damaged: %s", detail);
	free(all);
	close(dir);
}

/* Lines that frames can be damaged with: what is wrong, and the frames. */
static void
lines(struct tap *t, const struct scratch *s)
{
	static const struct {
		int want;
		const char *frame[4];
	} rows[] = {
		{ 1, { "crawl-snapshot\t1\t0\t1\t5\n", ".\t0\t0\t0\n" } },
		{ 1,
		    { "crawl-snapshot\t1\t7\t1\t5\tmore\n", "=\ta\t0\t2\nxy",
			".\t1\t1\t2\tmore\n" } },
		{ FAULT_VERSION, { "crawl-snapshot\t2\tanything\n" } },
		{ FAULT_MAGIC, { "crawl-snapshop\t1\t0\t1\t5\n" } },
		{ FAULT_MAGIC, { "" } },
		{ FAULT_DAMAGED, { "crawl-snapshot\t0\t0\t1\t5\n" } },
		{ FAULT_DAMAGED, { "crawl-snapshot\t1\t0\t1\n" } },
		{ FAULT_DAMAGED, { "crawl-snapshot\t1\t0\t2\t5\n" } },
		{ FAULT_TRUNCATED, { "crawl-snapshot\t1\t0\t1\t5\n" } },
		{ FAULT_TRUNCATED, { NULL } },
		{ FAULT_DAMAGED,
		    { "crawl-snapshot\t1\t0\t1\t5\n", ".\t0\t0\t1\n" } },
		{ FAULT_DAMAGED,
		    { "crawl-snapshot\t1\t0\t1\t5\n", ".\t0\t0\t0\n", "x" } },
		{ FAULT_DAMAGED, { "crawl-snapshot\t1\t0\t1\t5\n", "?" } },
		{ FAULT_DAMAGED, { "crawl-snapshot\t1\t0\t1\t5\n", "=\t" } },
		{ FAULT_DAMAGED,
		    { "crawl-snapshot\t1\t0\t1\t5\n", "=\t\t0\t1\nx" } },
		{ FAULT_DAMAGED,
		    { "crawl-snapshot\t1\t0\t1\t5\n", "=\ta\t1\t1\nx" } },
		{ FAULT_DAMAGED,
		    { "crawl-snapshot\t1\t0\t1\t5\n", "=\ta\t0\t2\nx" } },
		{ FAULT_DAMAGED,
		    { "crawl-snapshot\t1\t0\t1\t5\n", "=\ta\t0\t0\n" } },
		{ FAULT_DAMAGED,
		    { "crawl-snapshot\t1\t0\t1\t5\n", "=\ta\t0\n" } },
	};
	int dir = scratch_folder(s, "lines"), rc;
	struct snapfile_read *r = NULL;
	struct frame_packer *p = NULL;
	const void *f;
	char file[4096];
	size_t i, k, n;
	long len;

	if (frame_packer_new(&p, 1000, 1) < 0)
		abort();
	for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		for (k = n = 0; k < 4 && rows[i].frame[k] != NULL; k++) {
			len = frame_pack(p, rows[i].frame[k],
			    strlen(rows[i].frame[k]), &f);
			memcpy(file + n, f, (size_t)len);
			n += (size_t)len;
		}
		scratch_put(dir, "0000000001.zst", file, n);
		rc = snapfile_read_open(&r, dir, 1);
		tap_ok(t, rc == rows[i].want, "row %zu: %d %s", i, rc,
		    snapfile_read_detail(r));
		snapfile_read_close(r);
	}
	frame_packer_free(p);
	close(dir);
}

/* Any one operation fails: told, and the last good ones stay. */
static void
faults(struct tap *t, const struct scratch *s, enum faultdisk_how how, int err)
{
	struct faultdisk f = { .how = how, .err = err };
	int dir = scratch_folder(s, err == EIO ? "eio" : "enospc");
	unsigned int bad = 0, told = 0;
	unsigned long k;
	long last = 1, n, now;

	if (snapshot(dir, 3000, 999) != 1)
		abort();
	for (k = 1; k < 100; k++) {
		f.at = k;
		f.count = f.hits = 0;
		faultdisk_use(&f);
		n = snapshot(dir, 3000, 999);
		faultdisk_use(NULL);
		now = newest(dir, 3000, NULL, NULL);
		if (f.hits == 0)
			break;
		told += n < 0;
		/* the folder's sync failed: the new one may be there */
		bad += n > 0 ? now != n : now != last && now != last + 1;
		bad += faccessat(dir, "0000000099.zst", F_OK, 0) == 0;
		last = now;
	}
	tap_ok(t, bad == 0 && k > 8 && k < 100 && told >= k - 4,
	    "any of %lu operations fails (%d): %u told, %u wrong", k - 1, err,
	    told, bad);
	close(dir);
}

/* Write snapshots for ever, and say which ones are there. */
static void
child(int dir, int out, struct faultdisk *f)
{
	long n;

	faultdisk_use(f);
	for (;;) {
		n = snapshot(dir, 3000, 999);
		if (n < 0 || write(out, &n, sizeof n) != sizeof n)
			_exit(1);
	}
}

/* Killed at each operation of five snapshots. */
static void
kills(struct tap *t, const struct scratch *s, enum faultdisk_how how)
{
	struct faultdisk f = { .how = how };
	int dir, fds[2], status;
	unsigned int bad = 0;
	long n, said, now;
	char name[32];
	pid_t pid;

	for (f.at = 1; f.at <= 60; f.at++) {
		snprintf(name, sizeof name, "kill%d.%lu", how, f.at);
		dir = scratch_folder(s, name);
		if (pipe(fds) != 0)
			abort();
		pid = fork();
		if (pid == 0)
			child(dir, fds[1], &f);
		close(fds[1]);
		for (said = 0; read(fds[0], &n, sizeof n) == sizeof n;)
			said = n;
		close(fds[0]);
		(void)waitpid(pid, &status, 0);
		bad += !WIFSIGNALED(status);
		now = newest(dir, 3000, NULL, NULL);
		bad += now != said && now != said + 1;
		/* and the next run goes on */
		bad += snapshot(dir, 3000, 999) != now + 1;
		bad += newest(dir, 3000, NULL, NULL) != now + 1;
		close(dir);
	}
	tap_ok(t, bad == 0, "killed at any of 60 operations, way %d: %u wrong",
	    how, bad);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	struct scratch s;

	scratch_make(&s);
	round_trip(&t, &s);
	arguments(&t, &s);
	damage(&t, &s);
	lines(&t, &s);
	faults(&t, &s, FAULTDISK_ERRNO, EIO);
	faults(&t, &s, FAULTDISK_TORN, ENOSPC);
	kills(&t, &s, FAULTDISK_BEFORE);
	kills(&t, &s, FAULTDISK_WITHIN);
	kills(&t, &s, FAULTDISK_AFTER);
	scratch_remove(&s);
	return tap_done(&t);
}
