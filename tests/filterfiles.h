/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filterfiles.h - a filter in the file "seen" of the current folder, and a
 * folder to be in
 */

#ifndef TESTS_FILTERFILES_H
#define TESTS_FILTERFILES_H

#include <sys/stat.h>

#include <unistd.h>

#include "dedup/filter.h"
#include "tests/keys.h"

#define FILE_NAME "seen"

static const enum filter_kind kinds[] = { FILTER_BLOCKED, FILTER_BLOOM,
	FILTER_COUNTING, FILTER_CUCKOO, FILTER_EXACT };

#define KINDS (sizeof kinds / sizeof kinds[0])

static inline struct filter_spec
spec_of(enum filter_kind kind, uint64_t n)
{
	struct filter_spec s = { .kind = kind,
		.capacity = n,
		.fp_rate = 0.001,
		.seed = 7,
		.rules = 5,
		.budget = 0 };

	return s;
}

/* Bits only turn on: such a file is good in any mixture of its pages. */
static inline int
only_on(enum filter_kind kind)
{
	return kind == FILTER_BLOCKED || kind == FILTER_BLOOM;
}

static inline struct filter *
make(enum filter_kind kind, uint64_t n)
{
	struct filter_spec spec = spec_of(kind, n);
	struct filter *f = NULL;

	(void)unlink(FILE_NAME);
	if (filter_create(&f, FILE_NAME, &spec, 0) < 0)
		return NULL;
	return f;
}

static inline struct filter *
reopen(unsigned int flags)
{
	struct filter *f = NULL;

	if (filter_open(&f, FILE_NAME, flags) < 0)
		return NULL;
	return f;
}

static inline int
fault_of(unsigned int flags)
{
	struct filter *f = NULL;
	int rc = filter_open(&f, FILE_NAME, flags);

	filter_abandon(f);
	return rc;
}

/* Go into an empty folder of our own, named in `dir'.  0 or -1. */
static inline int
enter_folder(char dir[64], const char *name)
{
	(void)snprintf(dir, 64, "%s.%ld", name, (long)getpid());
	return mkdir(dir, 0777) != 0 || chdir(dir) != 0 ? -1 : 0;
}

static inline void
leave_folder(const char *dir)
{
	(void)unlink(FILE_NAME);
	if (chdir("..") == 0)
		(void)rmdir(dir);
}

#endif
