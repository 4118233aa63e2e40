/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawl-small.c - crawl(1) whose archive files are small
 *
 * Linked with crawl's own files and --wrap=archive_open, so that a test crawl
 * fills several files and trains a dictionary: SMALL_ROTATE has the bytes of a
 * file, SMALL_RECORDS the responses to train on.
 */

#include "config.h"

#include <stdlib.h>

#include "crawler/archive.h"

/* The linker's names: what crawl calls, and what is behind it. */
int __real_archive_open(struct archive **a, const struct archive_opts *o);
int __wrap_archive_open(struct archive **a, const struct archive_opts *o);

static unsigned long
number(const char *name, unsigned long otherwise)
{
	const char *s = getenv(name);

	return s == NULL ? otherwise : strtoul(s, NULL, 10);
}

int
__wrap_archive_open(struct archive **a, const struct archive_opts *o)
{
	struct archive_opts small = *o;

	small.rotate = number("SMALL_ROTATE", 64 * 1024);
	small.records = (unsigned int)number("SMALL_RECORDS", 0);
	return __real_archive_open(a, &small);
}
