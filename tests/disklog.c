/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/stat.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/disklog.h"

#define NODES   4096 /* files and folders that ever were */
#define ENTRIES 64   /* in one folder */
#define NAME    64

enum type {
	CREATE,
	WRITE,
	TRUNCATE,
	SYNC,
	RENAME,
	UNLINK,
	NOTE,
};

struct op {
	enum type type;
	unsigned int node; /* the file, or the folder of the names */
	unsigned int made; /* CREATE: the new one; RENAME: what is named */
	char from[NAME];
	char to[NAME];
	char *data; /* WRITE */
	size_t n;
	uint64_t off; /* or the size, or the note */
};

struct disklog {
	struct op *op;
	size_t n;
	size_t room;
	ino_t inode[NODES]; /* the latest node of an inode counts */
	unsigned int nodes; /* node 0 is the root */
};

/* A file or folder as the disk has it, and what is still to be written. */
struct node {
	int dir;
	char *data;
	size_t len;
	char name[ENTRIES][NAME]; /* "" = none */
	unsigned int entry[ENTRIES];
	const struct op **wait;
	size_t waits;
};

struct disk {
	struct node *node;
	unsigned int nodes;
	unsigned int seed;
};

struct disklog *
disklog_new(int root)
{
	struct disklog *l = calloc(1, sizeof *l);
	struct stat st;

	if (l == NULL || fstat(root, &st) != 0)
		abort();
	l->inode[0] = st.st_ino;
	l->nodes = 1;
	return l;
}

void
disklog_free(struct disklog *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		free(l->op[i].data);
	free(l->op);
	free(l);
}

static unsigned int
node_of_inode(const struct disklog *l, ino_t inode)
{
	unsigned int i;

	for (i = l->nodes; i-- > 0;) {
		if (l->inode[i] == inode)
			return i;
	}
	abort();
}

static unsigned int
node_of(const struct disklog *l, int fd)
{
	struct stat st;

	if (fd == AT_FDCWD)
		return 0;
	if (fstat(fd, &st) != 0)
		abort();
	return node_of_inode(l, st.st_ino);
}

static struct op *
add(struct disklog *l, enum type type, unsigned int node)
{
	struct op *op;

	if (l->n == l->room) {
		l->room = l->room * 2 + 256;
		l->op = realloc(l->op, l->room * sizeof *l->op);
		if (l->op == NULL)
			abort();
	}
	op = &l->op[l->n++];
	memset(op, 0, sizeof *op);
	op->type = type;
	op->node = node;
	return op;
}

static void
name_into(char to[NAME], const char *name)
{
	if ((size_t)snprintf(to, NAME, "%s", name) >= NAME)
		abort();
}

void
disklog_create(struct disklog *l, int dirfd, const char *name, int dir)
{
	struct op *op = add(l, CREATE, node_of(l, dirfd));
	struct stat st;

	if (l->nodes == NODES || fstatat(dirfd, name, &st, 0) != 0)
		abort();
	name_into(op->from, name);
	op->off = (uint64_t)dir;
	op->made = l->nodes;
	l->inode[l->nodes++] = st.st_ino;
}

void
disklog_write(struct disklog *l, int fd, const void *p, size_t n, uint64_t off)
{
	struct op *op = add(l, WRITE, node_of(l, fd));

	op->data = malloc(n + 1);
	if (op->data == NULL)
		abort();
	memcpy(op->data, p, n);
	op->n = n;
	op->off = off;
}

void
disklog_truncate(struct disklog *l, int fd, uint64_t size)
{
	add(l, TRUNCATE, node_of(l, fd))->off = size;
}

void
disklog_sync(struct disklog *l, int fd)
{
	(void)add(l, SYNC, node_of(l, fd));
}

void
disklog_rename(struct disklog *l, int dirfd, const char *from, const char *to)
{
	struct op *op = add(l, RENAME, node_of(l, dirfd));
	struct stat st;

	if (fstatat(dirfd, to, &st, 0) != 0)
		abort();
	op->made = node_of_inode(l, st.st_ino);
	name_into(op->from, from);
	name_into(op->to, to);
}

void
disklog_unlink(struct disklog *l, int dirfd, const char *name)
{
	name_into(add(l, UNLINK, node_of(l, dirfd))->from, name);
}

void
disklog_note(struct disklog *l, uint64_t value)
{
	add(l, NOTE, 0)->off = value;
}

size_t
disklog_count(const struct disklog *l)
{
	return l->n;
}

/* Index of `name' in a folder, ENTRIES if it is not there. */
static size_t
entry_of(const struct node *d, const char *name)
{
	size_t i;

	for (i = 0; i < ENTRIES; i++) {
		if (strcmp(d->name[i], name) == 0)
			break;
	}
	return i;
}

static void
resize(struct node *f, size_t len)
{
	f->data = realloc(f->data, len + 1);
	if (f->data == NULL)
		abort();
	if (len > f->len)
		memset(f->data + f->len, 0, len - f->len);
	f->len = len;
}

/* Let `name' stand for `node' in a folder; node 0, the root: for nothing. */
static void
set_entry(struct node *d, const char name[NAME], unsigned int node)
{
	size_t i = entry_of(d, name);

	if (i == ENTRIES && node != 0)
		i = entry_of(d, "");
	if (i == ENTRIES && node != 0)
		abort();
	if (i == ENTRIES)
		return;
	memcpy(d->name[i], name, NAME);
	d->entry[i] = node;
	if (node == 0)
		d->name[i][0] = '\0';
}

/*
 * The disk does it; of a write only the first `n' bytes, zeros for the rest.
 * Names stand for what was named, whatever of the earlier operations on them
 * was left out.
 */
static void
apply(struct node *f, const struct op *op, size_t n)
{
	switch (op->type) {
	case WRITE:
		if (f->len < op->off + op->n)
			resize(f, (size_t)op->off + op->n);
		memcpy(f->data + op->off, op->data, n);
		break;
	case TRUNCATE:
		resize(f, (size_t)op->off);
		break;
	case CREATE:
		set_entry(f, op->from, op->made);
		break;
	case RENAME:
		set_entry(f, op->from, 0);
		set_entry(f, op->to, op->made);
		break;
	case UNLINK:
		set_entry(f, op->from, 0);
		break;
	case SYNC:
	case NOTE:
		break;
	}
}

static unsigned int
roll(struct disk *d, unsigned int sides)
{
	d->seed = d->seed * 1103515245 + 12345;
	return (d->seed >> 16) % sides;
}

/* The power fails: what becomes of what waits for `f'. */
static void
fail(struct disk *d, struct node *f, enum disklog_how how)
{
	const struct op *op;
	size_t i;

	for (i = 0; i < f->waits && how != DISKLOG_NOTHING; i++) {
		op = f->wait[i];
		if (how == DISKLOG_ALL) {
			apply(f, op, op->n);
			continue;
		}
		switch (roll(d, 5)) {
		case 0:
		case 1:
			apply(f, op, op->n);
			break;
		case 2:
			if (op->type == WRITE)
				apply(f, op, op->n / 2);
			break;
		case 3:
			if (op->type == WRITE)
				apply(f, op, 0);
			break;
		default:
			break;
		}
	}
}

/* One operation of the log. */
static void
step(struct disk *d, const struct op *op)
{
	struct node *f = &d->node[op->node];
	size_t i;

	switch (op->type) {
	case NOTE:
		return;
	case SYNC:
		for (i = 0; i < f->waits; i++)
			apply(f, f->wait[i], f->wait[i]->n);
		f->waits = 0;
		return;
	case CREATE:
		d->node[op->made].dir = op->off != 0;
		break;
	case WRITE:
	case TRUNCATE:
	case RENAME:
	case UNLINK:
		break;
	}
	f->wait = realloc(f->wait, (f->waits + 1) * sizeof *f->wait);
	if (f->wait == NULL)
		abort();
	f->wait[f->waits++] = op;
}

/* Write what the disk has below folder `f' into `to'. */
static void
lay_out(const struct disk *d, const struct node *f, int to)
{
	const struct node *e;
	size_t i;
	int fd;

	for (i = 0; i < ENTRIES; i++) {
		if (f->name[i][0] == '\0')
			continue;
		e = &d->node[f->entry[i]];
		if (e->dir && mkdirat(to, f->name[i], 0700) != 0)
			abort();
		fd = openat(to, f->name[i],
		    e->dir ? O_RDONLY : O_RDWR | O_CREAT | O_EXCL, 0600);
		if (fd < 0)
			abort();
		if (e->dir)
			lay_out(d, e, fd);
		else if (write(fd, e->data, e->len) != (ssize_t)e->len)
			abort();
		(void)close(fd);
	}
}

uint64_t
disklog_build(const struct disklog *l, size_t k, enum disklog_how how,
    unsigned int seed, int to)
{
	struct disk d = { .nodes = l->nodes, .seed = seed };
	uint64_t note = 0;
	unsigned int n;
	size_t i;

	d.node = calloc(d.nodes, sizeof *d.node);
	if (d.node == NULL)
		abort();
	d.node[0].dir = 1;
	for (n = 0; n < d.nodes; n++)
		resize(&d.node[n], 0);
	for (i = 0; i < k; i++) {
		step(&d, &l->op[i]);
		if (l->op[i].type == NOTE)
			note = l->op[i].off;
	}
	for (n = 0; n < d.nodes; n++)
		fail(&d, &d.node[n], how);
	lay_out(&d, &d.node[0], to);
	for (n = 0; n < d.nodes; n++) {
		free(d.node[n].data);
		free(d.node[n].wait);
	}
	free(d.node);
	return note;
}
