/* SPDX-License-Identifier: BSD-2-Clause */

/* The state directory: made, locked, refused. */

#include "config.h"

#include <sys/wait.h>

#include <errno.h>
#include <signal.h>

#include "snapshot/statedir.h"
#include "tests/faultdisk.h"
#include "tests/scratch.h"
#include "tests/tap.h"

static int
opened(const char *path, unsigned int flags)
{
	struct statedir *d = NULL;
	int rc = statedir_open(&d, path, flags, NULL);

	statedir_close(d);
	return rc;
}

static void
making(struct tap *t)
{
	struct statedir *d = NULL;
	pid_t pid = 1;
	char *s;
	size_t n = 0;
	int fd;

	tap_ok(t, opened("new", 0) == FAULT_SYS && errno == ENOENT, "none");
	tap_ok(t, opened("new", STATEDIR_LOOK) == FAULT_SYS && errno == ENOENT,
	    "none to look at");
	tap_ok(t,
	    opened("no/new", STATEDIR_CREATE) == FAULT_SYS && errno == ENOENT,
	    "nor a parent");
	tap_ok(t,
	    statedir_open(&d, "new", STATEDIR_CREATE, &pid) == 0 && pid == 0,
	    "made");
	fd = statedir_folder(d, "journal");
	tap_ok(t, fd >= 0, "with a folder");
	close(fd);
	fd = statedir_folder(d, "journal");
	tap_ok(t, fd >= 0, "which stays");
	close(fd);
	s = scratch_get(statedir_fd(d), "format", &n);
	tap_ok(t, s != NULL && strcmp(s, "crawl-state\t1\t0\n") == 0,
	    "its format");
	free(s);
	s = scratch_get(statedir_fd(d), "lock", &n);
	tap_ok(t, s != NULL && n == 21 && strtol(s, NULL, 10) == getpid(),
	    "its lock");
	free(s);
	statedir_close(d);
	statedir_close(NULL);
	tap_ok(t, opened("new", 0) == 0 && opened("new/", STATEDIR_CREATE) == 0,
	    "and again");
	if (mkdir("empty", 0700) != 0)
		abort();
	tap_ok(t, opened("empty", 0) == FAULT_MAGIC,
	    "an empty one is not ours");
	tap_ok(t,
	    opened("empty", STATEDIR_LOOK) == FAULT_MAGIC &&
		access("empty/lock", F_OK) != 0,
	    "and not touched");
	tap_ok(t, opened("empty", STATEDIR_CREATE) == 0, "unless it shall be");
}

static void
looking(struct tap *t)
{
	struct statedir *d = NULL, *look = NULL, *two = NULL;
	pid_t pid = 0;
	int rc;

	if (statedir_open(&d, "new", 0, NULL) < 0)
		abort();
	tap_ok(t,
	    statedir_open(&two, "new", 0, &pid) == FAULT_LOCKED &&
		pid == getpid() && two == NULL,
	    "locked by %d", (int)pid);
	tap_ok(t, opened("new", STATEDIR_CREATE) == FAULT_LOCKED,
	    "also where it may be made");
	rc = statedir_open(&look, "new", STATEDIR_LOOK, NULL);
	pid = 0;
	tap_ok(t,
	    rc == 0 && statedir_holder(look, &pid) == 1 && pid == getpid(),
	    "looked at: who has it");
	tap_ok(t,
	    statedir_folder(look, "other") == FAULT_SYS && errno == ENOENT,
	    "looking makes no folder");
	statedir_close(d);
	tap_ok(t, statedir_holder(look, &pid) == 0 && pid == 0,
	    "nobody any more");
	if (unlink("new/lock") != 0)
		abort();
	tap_ok(t, statedir_holder(look, &pid) == 0, "no lock file: nobody");
	tap_ok(t, statedir_open(&d, "new", 0, NULL) == 0, "it is made again");
	statedir_close(d);
	statedir_close(look);
}

/* The lock ends with its holder, however that ends. */
static void
killed(struct tap *t)
{
	struct statedir *d = NULL;
	int fds[2], status;
	pid_t pid, holder = 0;
	char c;

	if (pipe(fds) != 0)
		abort();
	pid = fork();
	if (pid == 0) {
		if (statedir_open(&d, "new", 0, NULL) < 0 ||
		    write(fds[1], "x", 1) != 1)
			_exit(1);
		for (;;)
			(void)pause();
	}
	tap_ok(t,
	    read(fds[0], &c, 1) == 1 &&
		statedir_open(&d, "new", 0, &holder) == FAULT_LOCKED &&
		holder == pid,
	    "another process has it");
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, &status, 0);
	tap_ok(t, opened("new", 0) == 0, "and is dead");
	close(fds[0]);
	close(fds[1]);
}

static void
refused(struct tap *t, const struct scratch *s)
{
	static const struct {
		int want;
		const char *text;
	} rows[] = {
		{ 0, "crawl-state\t1\t0\n" },
		{ 0, "crawl-state\t1\t9\nmore\n" },
		{ FAULT_VERSION, "crawl-state\t2\t0\n" },
		{ FAULT_VERSION, "crawl-state\t10 anything\n" },
		{ FAULT_DAMAGED, "crawl-state\t0\t0\n" },
		{ FAULT_DAMAGED, "crawl-state\t1\t0" },
		{ FAULT_DAMAGED, "crawl-state\t1\n" },
		{ FAULT_DAMAGED, "crawl-state\t1" },
		{ FAULT_DAMAGED, "crawl-state\t" },
		{ FAULT_DAMAGED, "crawl-state\tx\n" },
		{ FAULT_DAMAGED, "" },
		{ FAULT_DAMAGED, "something else\n" },
	};
	char big[1000];
	size_t i;
	int dir = scratch_folder(s, "odd"), rc;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		scratch_put(dir, "format", rows[i].text, strlen(rows[i].text));
		rc = opened("odd", STATEDIR_CREATE);
		tap_ok(t, rc == rows[i].want, "row %zu: %s%s", i,
		    rc < 0 ? fault_str(rc) : "good", statedir_advice(rc));
	}
	memset(big, 'x', sizeof big);
	scratch_put(dir, "format", big, sizeof big);
	tap_ok(t, opened("odd", 0) == FAULT_DAMAGED, "a format too long");
	if (unlink("odd/format") != 0 || mkdir("odd/format", 0700) != 0)
		abort();
	tap_ok(t, opened("odd", 0) == FAULT_DAMAGED, "a folder in its place");
	scratch_empty(s->fd, "odd");
	scratch_put(dir, "notes", "mine", 4);
	tap_ok(t,
	    opened("odd", STATEDIR_CREATE) == FAULT_MAGIC &&
		access("odd/lock", F_OK) != 0,
	    "somebody else's folder");
	tap_ok(t, opened("odd/notes", STATEDIR_CREATE) == FAULT_MAGIC,
	    "a file");
	close(dir);
}

/* Making one fails or is killed at any step: the next try makes it. */
static void
steps(struct tap *t, const struct scratch *s)
{
	struct faultdisk f = { .how = FAULTDISK_ERRNO, .err = EIO };
	unsigned int bad = 0;
	int status;
	pid_t pid;

	for (f.at = 1; f.at < 50; f.at++) {
		f.count = f.hits = 0;
		faultdisk_use(&f);
		bad += opened("steps", STATEDIR_CREATE) == 0 && f.hits > 0;
		faultdisk_use(NULL);
		bad += opened("steps", STATEDIR_CREATE) != 0;
		scratch_empty(s->fd, "steps");
		(void)rmdir("steps");
		if (f.hits == 0)
			break;
	}
	tap_ok(t, bad == 0 && f.at > 6, "any of %lu steps fails", f.at - 1);
	f.how = FAULTDISK_BEFORE;
	f.count = 0; /* each child has a copy */
	for (f.at = 1; f.at < 50; f.at++) {
		pid = fork();
		if (pid == 0) {
			faultdisk_use(&f);
			_exit(opened("steps", STATEDIR_CREATE) != 0);
		}
		(void)waitpid(pid, &status, 0);
		bad += opened("steps", STATEDIR_CREATE) != 0;
		scratch_empty(s->fd, "steps");
		(void)rmdir("steps");
		if (!WIFSIGNALED(status))
			break;
	}
	tap_ok(t, bad == 0 && f.at > 6 && f.at < 50, "killed at any of %lu",
	    f.at - 1);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	struct scratch s;

	scratch_make(&s);
	making(&t);
	looking(&t);
	killed(&t);
	refused(&t, &s);
	steps(&t, &s);
	scratch_remove(&s);
	return tap_done(&t);
}
