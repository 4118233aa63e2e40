/* SPDX-License-Identifier: BSD-2-Clause */

/* Runs in a folder of its own below the current one, and removes it. */

#include "config.h"

#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "dedup/filter.h"
#include "dedup/filterhead.h"
#include "tests/filterfiles.h"
#include "tests/keys.h"
#include "tests/tap.h"

/* What must not change when nobody writes. */
struct face {
	struct timespec mtime;
	off_t size;
	uint64_t sum;
};

static struct face
face(void)
{
	struct face s = { { 0, 0 }, 0, 0 };
	unsigned char buf[65536];
	struct stat st;
	ssize_t n, i;
	int fd = open(FILE_NAME, O_RDONLY);

	if (fd < 0 || fstat(fd, &st) != 0)
		return s;
	s.mtime = st.st_mtim;
	s.size = st.st_size;
	for (;;) {
		n = read(fd, buf, sizeof buf);
		if (n <= 0)
			break;
		for (i = 0; i < n; i++)
			s.sum = (s.sum ^ buf[i]) * UINT64_C(0x100000001b3);
	}
	(void)close(fd);
	return s;
}

static int
same_face(struct face a, struct face b)
{
	return a.mtime.tv_sec == b.mtime.tv_sec &&
	    a.mtime.tv_nsec == b.mtime.tv_nsec && a.size == b.size &&
	    a.sum == b.sum;
}

static void
round_trip(struct tap *t, enum filter_kind kind)
{
	const char *name = filter_kind_name(kind);
	struct filter_spec spec = spec_of(kind, 10000);
	struct filter_stat st, st2;
	struct filter *f = make(kind, 10000);
	struct face before;
	uint64_t where;
	int rc;

	if (!tap_ok(t, f != NULL, "%s: created", name))
		return;
	(void)!keys_add(f, "user", 0, 10000);
	filter_stat(f, &st);
	tap_ok(t, filter_close(f) == 0, "%s: closed", name);
	before = face();
	f = reopen(FILTER_LOOK);
	tap_ok(t, f != NULL && filter_verify(f, &where) == 0, "%s: sums hold",
	    name);
	filter_stat(f, &st2);
	tap_ok(t,
	    st2.clean && st2.count == st.count && st2.bits == st.bits &&
		st2.fill == st.fill && st2.spec.rules == 5 &&
		st2.spec.seed == 7 && st2.spec.kind == kind &&
		st2.spec.capacity == 10000 && st2.spec.fp_rate == 0.001 &&
		st2.bytes == (uint64_t)before.size,
	    "%s: as it was", name);
	tap_ok(t, keys_seen(f, "user", 0, 10000) == 10000, "%s: all there",
	    name);
	tap_ok(t, filter_close(f) == 0 && same_face(before, face()),
	    "%s: looking changes nothing", name);
	f = reopen(0);
	tap_ok(t, f != NULL && keys_add(f, "user", 0, 10000) == 0,
	    "%s: nothing new", name);
	tap_ok(t, filter_close(f) == 0 && same_face(before, face()),
	    "%s: adding nothing changes nothing", name);
	f = NULL;
	errno = 0;
	rc = filter_create(&f, FILE_NAME, &spec, 0);
	tap_ok(t,
	    rc == FAULT_SYS && errno == EEXIST && f == NULL &&
		same_face(before, face()),
	    "%s: never made over another", name);
}

static void
locks(struct tap *t, enum filter_kind kind)
{
	const char *name = filter_kind_name(kind);
	int free_to_look = only_on(kind);
	struct filter *f = make(kind, 1000);

	tap_ok(t, f != NULL && fault_of(0) == FAULT_LOCKED, "%s: one owner",
	    name);
	tap_ok(t, fault_of(FILTER_PRIVATE) == (free_to_look ? 0 : FAULT_LOCKED),
	    "%s: a private view beside it", name);
	tap_ok(t, fault_of(FILTER_LOOK) == (free_to_look ? 0 : FAULT_LOCKED),
	    "%s: a look beside it", name);
	tap_ok(t, filter_close(f) == 0 && fault_of(0) == 0, "%s: free again",
	    name);
}

/* A waiter gets the file that the path names once it is its turn. */
static void
waits(struct tap *t)
{
	struct filter *f = make(FILTER_BLOCKED, 1000);
	struct filter_stat st;
	pid_t pid = fork();
	int status = -1;

	if (pid == 0) {
		filter_abandon(f); /* this copy of the descriptor */
		f = reopen(FILTER_WAIT);
		if (f == NULL)
			_exit(1);
		filter_stat(f, &st);
		_exit(st.spec.kind == FILTER_EXACT ? 0 : 2);
	}
	(void)nanosleep(&(struct timespec){ 0, 50000000 }, NULL);
	filter_abandon(make(FILTER_EXACT, 1000));
	filter_abandon(f);
	(void)waitpid(pid, &status, 0);
	tap_ok(t, WIFEXITED(status) && WEXITSTATUS(status) == 0,
	    "a waiter follows the name, not the old file");
}

static void
private_view(struct tap *t, enum filter_kind kind)
{
	const char *name = filter_kind_name(kind);
	struct filter *f = make(kind, 1000);
	struct filter_stat st;
	struct face before;

	(void)!keys_add(f, "user", 0, 900);
	(void)!filter_close(f);
	(void)chmod(FILE_NAME, 0444);
	before = face();
	f = reopen(FILTER_PRIVATE);
	tap_ok(t, f != NULL && keys_add(f, "more", 0, 9000) > 8900,
	    "%s: private additions", name);
	filter_stat(f, &st);
	tap_ok(t,
	    st.layers == 3 && keys_seen(f, "more", 0, 9000) == 9000 &&
		keys_seen(f, "user", 0, 900) == 900,
	    "%s: are there, with %u layers", name, st.layers);
	tap_ok(t, filter_close(f) == 0 && same_face(before, face()),
	    "%s: and the file is as it was", name);
}

static void
grows(struct tap *t, enum filter_kind kind)
{
	const char *name = filter_kind_name(kind);
	struct filter *f = make(kind, 1000);
	struct filter_stat st;
	uint64_t where;

	(void)!keys_add(f, "user", 0, 30000);
	tap_ok(t, filter_sync(f) == 0, "%s: synced", name);
	(void)!keys_add(f, "user", 30000, 30000);
	tap_ok(t, filter_close(f) == 0, "%s: grown and closed", name);
	f = reopen(0);
	if (!tap_ok(t, f != NULL, "%s: opened", name))
		return;
	filter_stat(f, &st);
	tap_ok(t,
	    st.layers == 4 && st.clean && filter_verify(f, &where) == 0 &&
		keys_seen(f, "user", 0, 60000) == 60000,
	    "%s: %u layers, sums, all keys", name, st.layers);
	(void)!keys_add(f, "late", 0, 1);
	tap_ok(t, filter_verify(f, &where) == 1, "%s: no sums while open",
	    name);
	(void)!filter_close(f);
	f = reopen(FILTER_LOOK);
	tap_ok(t,
	    f != NULL && filter_verify(f, &where) == 0 &&
		keys_seen(f, "late", 0, 1) == 1,
	    "%s: sums follow", name);
	filter_abandon(f);
}

/* Grow until it can't. */
static void
fill_up(struct tap *t, enum filter_kind kind, int want, const char *what)
{
	const char *name = filter_kind_name(kind);
	struct filter *f = make(kind, 100000);
	struct filter_stat st;
	uint64_t where, n = 0;
	long rc = 0;

	if (!tap_ok(t, f != NULL, "%s: fits at first (%s)", name, what))
		return;
	for (n = 0; n < 2000000; n += KEYS_BATCH) {
		errno = 0;
		rc = keys_add(f, "user", n, KEYS_BATCH);
		if (rc < 0)
			break;
	}
	tap_ok(t, rc == FAULT_SYS && errno == want, "%s: %s", name, what);
	tap_ok(t, keys_seen(f, "user", 0, n) == n, "%s: nothing is lost", name);
	tap_ok(t, filter_close(f) == 0, "%s: it can be closed", name);
	f = reopen(0);
	if (!tap_ok(t, f != NULL, "%s: and opened", name))
		return;
	filter_stat(f, &st);
	tap_ok(t,
	    st.clean && keys_seen(f, "user", 0, n) == n &&
		filter_verify(f, &where) == 0,
	    "%s: all there", name);
	filter_abandon(f);
}

/* In a child, since the limit can't be lifted again by everybody. */
static void
file_limit(struct tap *t, enum filter_kind kind)
{
	struct rlimit old, lim;

	(void)getrlimit(RLIMIT_FSIZE, &old);
	lim = old;
	lim.rlim_cur = 6 << 20;
	(void)signal(SIGXFSZ, SIG_IGN);
	(void)setrlimit(RLIMIT_FSIZE, &lim);
	fill_up(t, kind, EFBIG, "a file at its limit");
	(void)setrlimit(RLIMIT_FSIZE, &old);
}

static void
full_disk(struct tap *t)
{
	size_t i;

	if (mkdir("small", 0777) != 0 || unshare(CLONE_NEWNS) != 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
	    mount("none", "small", "tmpfs", 0, "size=6m") != 0 ||
	    chdir("small") != 0) {
		tap_skip(t, "no file system may be mounted here");
	} else {
		for (i = 0; i < KINDS; i++)
			fill_up(t, kinds[i], ENOSPC, "a full disk");
		(void)unlink(FILE_NAME);
		(void)!chdir("..");
		(void)umount("small");
	}
	(void)rmdir("small");
}

int
main(void)
{
	struct tap t = { 0, 0 };
	char dir[64];
	size_t i;

	if (enter_folder(dir, "filterfile") < 0)
		return EXIT_FAILURE;
	for (i = 0; i < KINDS; i++) {
		round_trip(&t, kinds[i]);
		locks(&t, kinds[i]);
		private_view(&t, kinds[i]);
		grows(&t, kinds[i]);
		file_limit(&t, kinds[i]);
	}
	waits(&t);
	full_disk(&t);
	leave_folder(dir);
	return tap_done(&t);
}
