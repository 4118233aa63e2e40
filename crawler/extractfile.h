/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * extractfile.h - extraction as a filter: HTML in, a link a line out
 *
 * What `crawl --extract' does.
 */

#ifndef CRAWLER_EXTRACTFILE_H
#define CRAWLER_EXTRACTFILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "crawler/extract.h"

struct extractfile {
	struct extract_options options;
	unsigned int want; /* enum extract_want */
	const char *base;  /* the document's URL, absolute */
	const char *type;  /* Content-Type, or NULL */
	uint64_t max;      /* bytes of input to look at */
};

/* How it went. */
struct extractfile_end {
	struct extract_result result; /* its pointers are stale */
	int cut_input;                /* 1: there was more than `max' */
};

/*
 * Read all of `in' and write each link to `out' as URL, tab, element, space,
 * attribute, line feed, and flush it.  0 or a fault: FAULT_URL_* is about the
 * base, FAULT_SYS about either file.
 */
must_check int extractfile_run(const struct extractfile *f, FILE *in, FILE *out,
    struct extractfile_end *end);

#endif
