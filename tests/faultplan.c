/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/stat.h>
#include <sys/syscall.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/faultplan.h"

#define FULL_FOR 4 /* calls */

enum kind {
	KIND_NONE,
	KIND_BEFORE,
	KIND_WITHIN,
	KIND_AFTER,
	KIND_ENOSPC,
	KIND_EIO,
	KIND_FULL,
	KIND_SHORT,
};

static const char *const kind_name[] = { "none", "before", "within", "after",
	"enospc", "eio", "full", "short" };

/* Calls have no argument for our state. */
static struct {
	pthread_mutex_t lock;
	char dir[PATH_MAX];
	size_t dir_len;
	const char *say, *cuts;
	enum kind kind;
	unsigned long at, count;
	int hit;
	struct disklog *log;
} fault = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void
say(const char *call, const char *name)
{
	char text[PATH_MAX + 64];
	int fd, n;

	if (fault.say == NULL)
		return;
	n = snprintf(text, sizeof text, "%lu %s %s\n", fault.count, call, name);
	fd = (int)syscall(SYS_openat, AT_FDCWD, fault.say,
	    O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd < 0 || syscall(SYS_write, fd, text, n) != n)
		abort();
	(void)close(fd);
}

static void
die(void)
{
	(void)kill(getpid(), SIGKILL);
	for (;;)
		(void)pause();
}

/* ---- is it about the folder? ---- */

/* The path of `fd' into `path': its length, 0 if it has none. */
static size_t
path_of(int fd, char path[PATH_MAX])
{
	char proc[64];
	ssize_t n;

	snprintf(proc, sizeof proc, "/proc/self/fd/%d", fd);
	n = readlink(proc, path, PATH_MAX - 1);
	if (n < 0)
		n = 0;
	path[n] = '\0';
	return (size_t)n;
}

/* The name of a path within the folder, "." for itself, or NULL. */
static const char *
inside(const char *path)
{
	if (fault.dir_len == 0 || strncmp(path, fault.dir, fault.dir_len) != 0)
		return NULL;
	if (path[fault.dir_len] == '\0')
		return ".";
	return path[fault.dir_len] == '/' ? path + fault.dir_len + 1 : NULL;
}

const char *
faultplan_fd(int fd, char path[PATH_MAX])
{
	return path_of(fd, path) == 0 ? NULL : inside(path);
}

/* `name' beside `dirfd'; as the crawl's own names are, one without a slash,
   or a path that begins with that of the folder. */
const char *
faultplan_at(int dirfd, const char *name, char path[PATH_MAX])
{
	char real[PATH_MAX];

	if (name[0] == '/') {
		snprintf(path, PATH_MAX, "%s", name);
		return inside(path);
	}
	if (dirfd == AT_FDCWD && getcwd(real, sizeof real) == NULL)
		return NULL;
	if (dirfd != AT_FDCWD && path_of(dirfd, real) == 0)
		return NULL;
	if ((size_t)snprintf(path, PATH_MAX, "%s/%s", real, name) >= PATH_MAX)
		return NULL;
	return inside(path);
}

int
faultplan_on(void)
{
	return fault.dir_len > 0;
}

/* ---- what becomes of it ---- */

static void
strike(struct faultplan *v, int writes)
{
	switch (fault.kind) {
	case KIND_BEFORE:
		die();
		break;
	case KIND_WITHIN:
		if (!writes)
			die();
		v->half = v->die = 1;
		break;
	case KIND_AFTER:
		v->die = 1;
		break;
	case KIND_EIO:
		v->fail = EIO;
		break;
	case KIND_ENOSPC:
	case KIND_FULL:
		v->fail = ENOSPC;
		break;
	case KIND_SHORT:
		v->half = 1;
		break;
	case KIND_NONE:
		break;
	}
}

struct faultplan
faultplan_judge(const char *call, const char *name, int writes)
{
	struct faultplan v = { 0, 0, 0, 0 };
	unsigned long more = fault.kind == KIND_FULL ? FULL_FOR : 0;

	if (name == NULL || (fault.kind == KIND_SHORT && !writes))
		return v;
	(void)pthread_mutex_lock(&fault.lock);
	fault.count++;
	v.counts = 1;
	if (fault.at > 0 && fault.count >= fault.at &&
	    fault.count - fault.at <= more) {
		if (!fault.hit)
			say(call, name);
		fault.hit = 1;
		strike(&v, writes);
	}
	if (fault.log == NULL || v.fail)
		(void)pthread_mutex_unlock(&fault.lock);
	if (v.fail)
		errno = v.fail;
	return v;
}

void
faultplan_done(const struct faultplan *v)
{
	if (v->die)
		die();
	if (v->counts && fault.log != NULL)
		(void)pthread_mutex_unlock(&fault.lock);
}

struct disklog *
faultplan_log(const struct faultplan *v, const char *name)
{
	if (!v->counts || name[0] == '#' || strncmp(name, "seen", 4) == 0)
		return NULL;
	return fault.log;
}

/* ---- start and end ---- */

static void
plan(const char *text)
{
	const char *kind = text == NULL ? NULL : strchr(text, ':');
	int i;

	if (kind == NULL)
		return;
	fault.at = strtoul(text, NULL, 10);
	for (i = KIND_SHORT; i > KIND_NONE; i--)
		if (strcmp(kind + 1, kind_name[i]) == 0)
			break;
	if (i == KIND_NONE)
		abort();
	fault.kind = (enum kind)i;
}

__attribute__((constructor)) static void
start(void)
{
	const char *dir = getenv("FAULT_DIR");
	int fd;

	if (dir == NULL || realpath(dir, fault.dir) == NULL)
		return;
	fault.say = getenv("FAULT_SAY");
	fault.cuts = getenv("FAULT_CUTS");
	plan(getenv("FAULT"));
	if (fault.cuts != NULL) {
		fd = open(fault.dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0)
			abort();
		fault.log = disklog_new(fd);
		(void)close(fd);
	}
	fault.dir_len = strlen(fault.dir);
}

static void
cut(const struct disklog *l, size_t k, enum disklog_how how)
{
	static const char *const name[] = { "nothing", "all", "random" };
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof path, "%s/%zu-%s", fault.cuts, k, name[how]);
	if (mkdir(path, 0700) != 0)
		abort();
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		abort();
	(void)disklog_build(l, k, how, (unsigned int)k, fd);
	(void)close(fd);
}

__attribute__((destructor)) static void
end(void)
{
	struct disklog *l = fault.log;
	size_t k;

	if (fault.dir_len == 0)
		return;
	/* a wrapper such as timeout(1) has none */
	if (!fault.hit && fault.count > 0)
		say("calls", "in all");
	fault.log = NULL;
	fault.dir_len = 0;
	for (k = 1; l != NULL && k <= disklog_count(l); k++) {
		cut(l, k, DISKLOG_NOTHING);
		cut(l, k, DISKLOG_ALL);
		cut(l, k, DISKLOG_RANDOM);
	}
}
