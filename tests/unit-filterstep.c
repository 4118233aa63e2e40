/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * A kill at any instruction.  A child changes a filter that it shares with
 * us, one machine instruction at a time, and whenever a byte has changed, all
 * keys that should be there are looked up: what a kill would leave then is
 * what we see.
 */

#include "config.h"

#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <signal.h>
#include <unistd.h>

#include "dedup/filter.h"
#include "tests/keys.h"
#include "tests/tap.h"

#define FILE_NAME "seen"
#define HEAD      (2 << 20) /* bytes: where the data begins */
#define MOST      4000000   /* steps of a child */

/* What the child does, between two stops. */
struct job {
	struct filter *f;
	int remove;
	uint64_t from, n; /* its keys */
};

static void
child(const struct job *j)
{
	struct urlkey key[KEYS_BATCH];
	uint8_t gone[KEYS_BATCH];
	size_t n = keys_make(j->f, "user", j->from, j->n, key);
	long rc;

	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		_exit(2);
	(void)raise(SIGSTOP);
	if (j->remove)
		rc = filter_delete(j->f, key, n, gone);
	else
		rc = filter_add(j->f, key, n);
	_exit(rc == (long)n ? 0 : 3);
}

/* The file's data, and what it was when we looked last. */
struct view {
	unsigned char *now, *then;
	size_t len;
	unsigned int changes;
};

static int
view_open(struct view *v)
{
	struct stat st;
	FILE *f = fopen(FILE_NAME, "rb");

	if (f == NULL || fstat(fileno(f), &st) != 0)
		return -1;
	v->len = (size_t)st.st_size - HEAD;
	v->now = mmap(NULL, v->len, PROT_READ, MAP_SHARED, fileno(f), HEAD);
	v->then = malloc(v->len);
	v->changes = 0;
	fclose(f);
	if (v->now == MAP_FAILED || v->then == NULL)
		return -1;
	memcpy(v->then, v->now, v->len);
	return 0;
}

static void
view_close(struct view *v)
{
	(void)munmap(v->now, v->len);
	free(v->then);
}

static int
view_changed(struct view *v)
{
	if (memcmp(v->then, v->now, v->len) == 0)
		return 0;
	memcpy(v->then, v->now, v->len);
	v->changes++;
	return 1;
}

/*
 * Step through `j' while the keys `from' to `to' must be seen.  How often one
 * was not, or -1 if there is no stepping here or the child failed.
 */
static long
watch(const struct job *j, struct view *v, uint64_t from, uint64_t to)
{
	uint64_t steps;
	long lost = 0;
	int st;
	pid_t pid = fork();

	if (pid == 0)
		child(j);
	if (pid < 0 || waitpid(pid, &st, 0) != pid || !WIFSTOPPED(st))
		return -1;
	for (steps = 0; steps < MOST; steps++) {
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) != 0 ||
		    waitpid(pid, &st, 0) != pid)
			return -1;
		if (!WIFSTOPPED(st))
			break;
		if (!view_changed(v))
			continue;
		lost += keys_seen(j->f, "user", from, to - from) != to - from;
	}
	if (!WIFEXITED(st) || WEXITSTATUS(st) != 0) {
		(void)kill(pid, SIGKILL);
		return -1;
	}
	return lost;
}

static struct filter *
make(enum filter_kind kind, uint64_t n)
{
	struct filter_spec spec = { .kind = kind,
		.capacity = n,
		.fp_rate = 1e-12,
		.seed = 3 };
	struct filter *f = NULL;

	(void)unlink(FILE_NAME);
	if (filter_create(&f, FILE_NAME, &spec, FILTER_NO_GROW) < 0)
		return NULL;
	return f;
}

/* Keys `some' to `n' are added while the first `some' must stay. */
static void
adds(struct tap *t, enum filter_kind kind, uint64_t some, uint64_t n)
{
	const char *name = filter_kind_name(kind);
	struct job j = { make(kind, n), 0, some, n - some };
	struct view v;
	long lost;

	if (!tap_ok(t, j.f != NULL && view_open(&v) == 0, "%s: made", name))
		return;
	(void)!keys_add(j.f, "user", 0, some);
	(void)view_changed(&v);
	lost = watch(&j, &v, 0, some);
	tap_ok(t, lost == 0, "%s: %llu added, at no step one is lost", name,
	    (unsigned long long)j.n);
	tap_ok(t, v.changes > j.n && keys_seen(j.f, "user", 0, n) == n,
	    "%s: in %u changes", name, v.changes);
	filter_abandon(j.f);
	view_close(&v);
}

/* The first `some' of n keys are deleted while the others must stay. */
static void
deletes(struct tap *t, enum filter_kind kind, uint64_t some, uint64_t n)
{
	const char *name = filter_kind_name(kind);
	struct job j = { make(kind, n), 1, 0, some };
	struct view v;
	long lost;

	if (!tap_ok(t, j.f != NULL && view_open(&v) == 0, "%s: made", name))
		return;
	(void)!keys_add(j.f, "user", 0, n);
	(void)view_changed(&v);
	lost = watch(&j, &v, some, n);
	tap_ok(t, lost == 0, "%s: %llu deleted, at no step another is lost",
	    name, (unsigned long long)some);
	tap_ok(t,
	    v.changes >= some && keys_seen(j.f, "user", 0, some) == 0 &&
		keys_seen(j.f, "user", some, n - some) == n - some,
	    "%s: in %u changes", name, v.changes);
	filter_abandon(j.f);
	view_close(&v);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	char dir[64];

	(void)snprintf(dir, sizeof dir, "filterstep.%ld", (long)getpid());
	if (mkdir(dir, 0777) != 0 || chdir(dir) != 0)
		return EXIT_FAILURE;
	adds(&t, FILTER_BLOCKED, 50, 55);
	adds(&t, FILTER_BLOOM, 50, 55);
	adds(&t, FILTER_COUNTING, 50, 55);
	adds(&t, FILTER_CUCKOO, 360, 390);
	adds(&t, FILTER_EXACT, 50, 60);
	deletes(&t, FILTER_COUNTING, 5, 100);
	deletes(&t, FILTER_CUCKOO, 10, 200);
	deletes(&t, FILTER_EXACT, 20, 220);
	(void)unlink(FILE_NAME);
	if (chdir("..") == 0)
		(void)rmdir(dir);
	return tap_done(&t);
}
