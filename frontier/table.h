/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * table.h - arrays of fixed-size records that may be larger than memory
 *
 * A table's records live in pages of TABLE_PAGE bytes, and all tables of one
 * pager share its budget.  Without a directory every page stays in memory.
 * With one, pages that were not used lately (CLOCK, Corbato 1968) go to a
 * scratch file and come back when they are asked for: what is in these files
 * means nothing to the next process.
 *
 * A record's address is good until the next table_reserve() on its pager,
 * because only that evicts.  So an operation reserves once, at its start, and
 * then uses all the records it needs.
 *
 * Errors	A page that can't be read back leaves no sensible way on: the
 *		pager remembers the fault for table_fault(), and records of
 *		such a page read as zeroes.  A page that can't be written out
 *		stays in memory, over the budget.
 */

#ifndef FRONTIER_TABLE_H
#define FRONTIER_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"

#define TABLE_PAGE 8192 /* bytes */

/* Low bits of a directory entry, which otherwise is a page's address. */
#define TABLE_USED   ((uintptr_t)1) /* since the clock's hand came by */
#define TABLE_DIRTY  ((uintptr_t)2) /* differs from the file */
#define TABLE_STORED ((uintptr_t)4) /* the file has it */
#define TABLE_BITS   ((uintptr_t)7)

struct pager;

struct table {
	struct pager *pager;
	uintptr_t *dir;     /* a page each, 0 = none yet */
	size_t pages;       /* entries of dir in use */
	size_t room;        /* entries of dir allocated */
	unsigned int shift; /* records a page, as a power of two */
	uint32_t size;      /* bytes a record, a power of two */
	uint32_t limit;     /* records, ever at a time */
	uint32_t count;     /* ids given out so far, + 1 */
	uint32_t free;      /* first record given back, 0 = none */
	uint32_t live;      /* records in use */
	int fd;             /* the scratch file, -1 = none yet */
};

/*
 * A pager with `budget' bytes (0: no bound) whose scratch files are made,
 * nameless, in `dirfd' (-1: none, and then no budget).  NULL if no memory.
 */
struct pager *table_pager(uint64_t budget, int dirfd);

/* `p' may be NULL; its tables must be gone. */
void table_pager_free(struct pager *p);

/* Bytes of memory that the pager's pages take. */
uint64_t table_memory(const struct pager *p);

/*
 * Make sure that some pages are free, by eviction if need be: an operation's
 * first step.  FAULT_NOMEM; or the fault that stays since a page was lost.
 */
must_check int table_reserve(struct pager *p);

/* 0, or the fault that lost a page. */
int table_fault(const struct pager *p);

/*
 * Make `t' an empty table of records of `size' bytes (a power of two, 8 to
 * TABLE_PAGE), at most `limit' of them.
 */
void table_init(struct table *t, struct pager *p, uint32_t size,
    uint32_t limit);
void table_clear(struct table *t);

/* A new record's id, filled with zeroes; 0 at the limit or without memory. */
uint32_t table_take(struct table *t);

/* Give a record back; its id will be used again. */
void table_give(struct table *t, uint32_t id);

/* Bring in the page of record `id': never NULL. */
void *table_load(struct table *t, size_t page);

/* Record `id' (1 ...), to read or to change. */
static inline void *
table_use(struct table *t, uint32_t id, uintptr_t bits)
{
	size_t page = id >> t->shift;
	uintptr_t e = t->dir[page];
	char *at;

	if (e > TABLE_BITS) {
		if ((e & bits) != bits)
			t->dir[page] = e | bits;
		at = (char *)(e & ~TABLE_BITS);
	} else {
		at = table_load(t, page);
		t->dir[page] |= bits;
	}
	return at + (id & ((UINT32_C(1) << t->shift) - 1)) * (size_t)t->size;
}

/* Record `id' if it is in memory, to look at, else NULL. */
static inline const void *
table_peek(const struct table *t, uint32_t id)
{
	uintptr_t e = t->dir[id >> t->shift];
	size_t at = id & ((UINT32_C(1) << t->shift) - 1);

	if (e <= TABLE_BITS)
		return NULL;
	return (const char *)(e & ~TABLE_BITS) + at * t->size;
}

/* Record `id' will be wanted soon. */
static inline void
table_ahead(const struct table *t, uint32_t id)
{
	const char *at = table_peek(t, id);

	if (at != NULL) {
		__builtin_prefetch(at);
		if (t->size > 64)
			__builtin_prefetch(at + 64);
	}
}

static inline void *
table_rw(struct table *t, uint32_t id)
{
	return table_use(t, id, TABLE_USED | TABLE_DIRTY);
}

static inline const void *
table_ro(struct table *t, uint32_t id)
{
	return table_use(t, id, TABLE_USED);
}

#endif
