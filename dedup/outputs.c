/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dedup/outputs.h"

void
outputs_init(struct outputs *t)
{
	memset(t, 0, sizeof *t);
	t->out_fd = t->rejects_fd = -1;
}

const char *
outputs_name(const struct options *o)
{
	return o->output != NULL ? o->output : "standard output";
}

/* "NAME: what errno says". */
static int
sys(const char *name, char *err, size_t size)
{
	snprintf(err, size, "%s: %s", name, strerror(errno));
	return FAULT_SYS;
}

/* 1 if what `st' tells of is the regular file that `fd' is. */
static int
same(int fd, const struct stat *st)
{
	struct stat a;

	return fstat(fd, &a) == 0 && S_ISREG(a.st_mode) &&
	    a.st_dev == st->st_dev && a.st_ino == st->st_ino;
}

static int
same_file(int fd, const char *name)
{
	struct stat st;
	int rc;

	rc =
	    strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, &st) : stat(name, &st);
	return rc == 0 && same(fd, &st);
}

static int
same_fd(int fd, int other)
{
	struct stat st;

	return fstat(other, &st) == 0 && same(fd, &st);
}

static int
clash(const char *path, const char *with, char *err, size_t size)
{
	snprintf(err, size,
	    "%s is output and %s at once: write to another file", path, with);
	return FAULT_ARG;
}

/* The folder that `path' is in, and its name there. */
static int
folder_of(const char *path, struct stat *st, const char **name)
{
	const char *slash = strrchr(path, '/');
	char *dir;
	int rc;

	*name = slash == NULL ? path : slash + 1;
	if (slash == NULL)
		return stat(".", st);
	dir = strndup(path, (size_t)(slash - path) + 1);
	if (dir == NULL)
		return -1;
	rc = stat(dir, st);
	free(dir);
	return rc;
}

/* 1 if both are one name, of a file that need not be there; NULL is none. */
static int
same_name(const char *a, const char *b)
{
	const char *in_a, *in_b;
	struct stat x, y;

	return a != NULL && b != NULL && folder_of(a, &x, &in_a) == 0 &&
	    folder_of(b, &y, &in_b) == 0 && x.st_dev == y.st_dev &&
	    x.st_ino == y.st_ino && strcmp(in_a, in_b) == 0;
}

int
outputs_check_inputs(const struct options *o, char *err, size_t size)
{
	unsigned int i;

	/* outputs_open() would see it, but not before the filter is made */
	if (same_name(o->filter, o->output))
		return clash(o->output, "filter", err, size);
	if (same_name(o->filter, o->rejects))
		return clash(o->rejects, "filter", err, size);
	for (i = 0; i < o->n; i++)
		if (strcmp(o->names[i], "-") != 0 &&
		    access(o->names[i], R_OK) < 0)
			return sys(o->names[i], err, size);
	return 0;
}

static int
no_clash(const struct options *o, int fd, const char *path, char *err,
    size_t size)
{
	unsigned int i;

	for (i = 0; i < o->n; i++)
		if (same_file(fd, o->names[i]))
			return clash(path, "input", err, size);
	if (o->n == 0 && same_file(fd, "-"))
		return clash(path, "input", err, size);
	if (o->filter != NULL && same_file(fd, o->filter))
		return clash(path, "filter", err, size);
	return 0;
}

/* Open `path' without cutting it: it may turn out to be an input. */
static int
open_uncut(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);

	if (fd < 0 && (errno == EACCES || errno == ENXIO))
		fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	return fd;
}

/* Open and empty `path', which must not be what `other' is (-1: nothing). */
static int
open_one(const struct options *o, const char *path, int *fd, int other,
    char *err, size_t size)
{
	struct stat st;
	int rc;

	*fd = open_uncut(path);
	if (*fd < 0)
		return sys(path, err, size);
	rc = no_clash(o, *fd, path, err, size);
	if (rc < 0)
		return rc;
	/* two offsets in one file: each would write over the other's lines */
	if (same_fd(*fd, other))
		return clash(path, "rejects", err, size);
	if (fstat(*fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    ftruncate(*fd, 0) < 0)
		return sys(path, err, size);
	return 0;
}

int
outputs_open(struct outputs *t, const struct options *o, char *err, size_t size)
{
	const char *name = outputs_name(o);
	char end = o->zero ? '\0' : '\n';
	int rc;

	if (o->load)
		rc = 0; /* nothing is printed */
	else if (o->output != NULL)
		rc = open_one(o, name, &t->out_fd, -1, err, size);
	else
		rc = no_clash(o, t->out_fd = STDOUT_FILENO, name, err, size);
	if (rc < 0)
		return rc;
	if (!o->load && emit_open(&t->out, t->out_fd, end, o->sync) < 0)
		return sys(name, err, size);
	if (o->rejects == NULL)
		return 0;
	rc = open_one(o, o->rejects, &t->rejects_fd, t->out_fd, err, size);
	if (rc < 0)
		return rc;
	if (emit_open(&t->rejects, t->rejects_fd, end, 0) < 0)
		return sys(o->rejects, err, size);
	return 0;
}

int
outputs_close(struct outputs *t, const struct options *o, char *err,
    size_t size)
{
	int rc = 0;

	if (t->rejects_fd >= 0 && close(t->rejects_fd) < 0)
		rc = sys(o->rejects, err, size);
	if (t->out_fd >= 0 && close(t->out_fd) < 0)
		rc = sys(outputs_name(o), err, size);
	outputs_init(t);
	return rc;
}
