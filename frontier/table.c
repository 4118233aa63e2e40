/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * table.c - arrays of fixed-size records that may be larger than memory
 *
 * A directory entry is a page's address with three flags in its low bits, so
 * the common case, a resident page, costs one load and one test.  Frames
 * (memory for a page) come in slabs and are never returned; the clock's hand
 * goes round the frames, not the directories, so that its work follows what
 * is in memory and not what was ever written.
 */

#include "config.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontier/slab.h"
#include "frontier/table.h"

#define SLAB_PAGES (SLAB / TABLE_PAGE)
#define FREE_LEAST 96  /* pages that one operation may bring in */
#define FREE_AFTER 160 /* pages free after an eviction */

struct frame {
	struct table *t; /* NULL: free */
	size_t page;
};

struct pager {
	char **slab;
	struct frame *frame; /* SLAB_PAGES for each slab */
	uint32_t *spare;     /* frames that are free, a stack */
	size_t slabs;
	size_t room;   /* slabs that the arrays have room for */
	size_t spares; /* in `spare' */
	size_t most;   /* slabs within the budget */
	size_t hand;   /* of the clock, a frame */
	int dirfd;
	int fault;  /* the first that lost a page, 0 = none */
	char *zero; /* stands in for a lost page */
};

struct pager *
table_pager(uint64_t budget, int dirfd)
{
	struct pager *p = calloc(1, sizeof *p);
	uint64_t most = budget / (SLAB);

	if (p == NULL)
		return NULL;
	p->zero = calloc(1, TABLE_PAGE);
	if (p->zero == NULL) {
		free(p);
		return NULL;
	}
	p->dirfd = dirfd;
	p->most = SIZE_MAX;
	if (dirfd >= 0 && budget > 0)
		p->most = most < 2 ? 2 : (size_t)most;
	return p;
}

void
table_pager_free(struct pager *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->slabs; i++)
		free(p->slab[i]);
	free(p->slab);
	free(p->frame);
	free(p->spare);
	free(p->zero);
	free(p);
}

uint64_t
table_memory(const struct pager *p)
{
	return (uint64_t)p->slabs * SLAB_PAGES * TABLE_PAGE;
}

int
table_fault(const struct pager *p)
{
	return p->fault;
}

static int
lost(struct pager *p, int fault)
{
	if (p->fault == 0)
		p->fault = fault;
	return fault;
}

static char *
frame_at(const struct pager *p, size_t i)
{
	return p->slab[i / SLAB_PAGES] + i % SLAB_PAGES * TABLE_PAGE;
}

/* Room for twice as many slabs. */
static int
slabs_grow(struct pager *p)
{
	size_t n = p->room == 0 ? 16 : p->room * 2;
	char **slab;
	struct frame *frame;
	uint32_t *spare;

	slab = realloc(p->slab, n * sizeof *slab);
	if (slab == NULL)
		return FAULT_NOMEM;
	p->slab = slab;
	frame = realloc(p->frame, n * SLAB_PAGES * sizeof *frame);
	if (frame == NULL)
		return FAULT_NOMEM;
	p->frame = frame;
	spare = realloc(p->spare, n * SLAB_PAGES * sizeof *spare);
	if (spare == NULL)
		return FAULT_NOMEM;
	p->spare = spare;
	p->room = n;
	return 0;
}

static int
slab_add(struct pager *p)
{
	char *s;

	if (p->slabs == p->room && slabs_grow(p) < 0)
		return FAULT_NOMEM;
	s = slab_new(p->slabs);
	if (s == NULL)
		return FAULT_NOMEM;
	p->slab[p->slabs] = s;
	for (size_t i = SLAB_PAGES; i-- > 0;) {
		size_t n = p->slabs * SLAB_PAGES + i;

		p->frame[n].t = NULL;
		p->spare[p->spares++] = (uint32_t)n;
	}
	p->slabs++;
	return 0;
}

/* A file that has no name, so that nothing is left behind by a kill. */
static int
scratch(int dirfd)
{
	static const char name[] = "scratch.tmp";
	int fd = -1;

#ifdef O_TMPFILE
	fd = openat(dirfd, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
	if (fd < 0) {
		fd = openat(dirfd, name, O_CREAT | O_TRUNC | O_RDWR | O_CLOEXEC,
		    0600);
		if (fd >= 0)
			(void)unlinkat(dirfd, name, 0);
	}
	return fd;
}

/* Read or write a whole page; 0 or FAULT_SYS. */
static int
page_io(int fd, char *buf, size_t page, int writing)
{
	off_t at = (off_t)page * TABLE_PAGE;
	size_t done = 0;
	ssize_t n;

	while (done < TABLE_PAGE) {
		if (writing)
			n = pwrite(fd, buf + done, TABLE_PAGE - done,
			    at + (off_t)done);
		else
			n = pread(fd, buf + done, TABLE_PAGE - done,
			    at + (off_t)done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			if (n == 0)
				errno = EIO; /* shorter than we made it */
			return FAULT_SYS;
		}
		done += (size_t)n;
	}
	return 0;
}

/* Take the page out of frame `i', to its file if it differs. */
static int
evict(struct pager *p, size_t i)
{
	struct table *t = p->frame[i].t;
	uintptr_t *e = &t->dir[p->frame[i].page];

	if (*e & TABLE_DIRTY) {
		if (t->fd < 0)
			t->fd = scratch(p->dirfd);
		if (t->fd < 0 ||
		    page_io(t->fd, frame_at(p, i), p->frame[i].page, 1) < 0)
			return FAULT_SYS;
		*e |= TABLE_STORED;
	}
	*e &= TABLE_STORED;
	p->frame[i].t = NULL;
	p->spare[p->spares++] = (uint32_t)i;
	return 0;
}

/* Bring the clock's hand round until enough is free, twice at most. */
static void
sweep(struct pager *p)
{
	size_t frames = p->slabs * SLAB_PAGES;

	for (size_t n = 2 * frames; n > 0 && p->spares < FREE_AFTER; n--) {
		size_t i = p->hand;
		uintptr_t *e;

		p->hand = i + 1 == frames ? 0 : i + 1;
		if (p->frame[i].t == NULL)
			continue;
		e = &p->frame[i].t->dir[p->frame[i].page];
		if (*e & TABLE_USED)
			*e &= ~TABLE_USED;
		else if (evict(p, i) < 0)
			return; /* no room on the disk: stay in memory */
	}
}

int
table_reserve(struct pager *p)
{
	if (p->spares >= FREE_LEAST)
		return p->fault;
	if (p->slabs >= p->most)
		sweep(p);
	while (p->spares < FREE_LEAST)
		if (slab_add(p) < 0)
			return FAULT_NOMEM;
	return p->fault;
}

void
table_init(struct table *t, struct pager *p, uint32_t size, uint32_t limit)
{
	memset(t, 0, sizeof *t);
	assert(size >= 8 && size <= TABLE_PAGE && (size & (size - 1)) == 0);
	t->pager = p;
	t->size = size;
	t->limit = limit;
	t->fd = -1;
	t->count = 1;
	while ((size << t->shift) < TABLE_PAGE)
		t->shift++;
}

void
table_clear(struct table *t)
{
	struct pager *p = t->pager;

	if (p == NULL)
		return;
	for (size_t i = 0; i < p->slabs * SLAB_PAGES; i++) {
		if (p->frame[i].t != t)
			continue;
		p->frame[i].t = NULL;
		p->spare[p->spares++] = (uint32_t)i;
	}
	if (t->fd >= 0)
		(void)close(t->fd);
	free(t->dir);
	memset(t, 0, sizeof *t);
	t->fd = -1;
}

void *
table_load(struct table *t, size_t page)
{
	struct pager *p = t->pager;
	size_t i;
	char *at;

	if (p->spares == 0 && slab_add(p) < 0) {
		(void)lost(p, FAULT_NOMEM);
		return memset(p->zero, 0, TABLE_PAGE);
	}
	i = p->spare[--p->spares];
	at = frame_at(p, i);
	if (t->dir[page] & TABLE_STORED) {
		if (page_io(t->fd, at, page, 0) < 0) {
			(void)lost(p, FAULT_SYS);
			memset(at, 0, TABLE_PAGE);
		}
	} else {
		memset(at, 0, TABLE_PAGE);
	}
	p->frame[i].t = t;
	p->frame[i].page = page;
	t->dir[page] = (uintptr_t)at | (t->dir[page] & TABLE_STORED);
	return at;
}

/* A directory that reaches record `id'. */
static int
dir_reach(struct table *t, uint32_t id)
{
	size_t page = id >> t->shift, n = t->room;
	uintptr_t *dir;

	if (page < t->pages)
		return 0;
	if (page >= n) {
		n = n == 0 ? 16 : n * 2;
		dir = realloc(t->dir, n * sizeof *dir);
		if (dir == NULL)
			return FAULT_NOMEM;
		memset(dir + t->room, 0, (n - t->room) * sizeof *dir);
		t->dir = dir;
		t->room = n;
	}
	t->pages = page + 1;
	return 0;
}

uint32_t
table_take(struct table *t)
{
	uint32_t id = t->free;
	void *r;

	if (id != 0) {
		r = table_rw(t, id);
		memcpy(&t->free, r, sizeof t->free);
		memset(r, 0, t->size);
		t->live++;
		return id;
	}
	if (t->count > t->limit || dir_reach(t, t->count) < 0)
		return 0;
	id = t->count++;
	memset(table_rw(t, id), 0, t->size);
	t->live++;
	return id;
}

void
table_give(struct table *t, uint32_t id)
{
	memcpy(table_rw(t, id), &t->free, sizeof t->free);
	t->free = id;
	t->live--;
}
