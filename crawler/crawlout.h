/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlout.h - a line for each finished fetch, in either of two shapes
 *
 * Tab-separated: status, bytes, ms, depth, MIME type, URL, error or redirect
 * target; what there is not is "-".  Or a JSON object with the fields
 *
 *	status bytes ms depth type url to error digest archive offset
 *
 * where what there is not is null.  Strings are UTF-8: what is none becomes
 * U+FFFD.  Lines are gathered and written once per turn of the loop.
 *
 * Memory	A buffer of at most LIMIT_OUTPUT bytes; beyond it, written.
 * Threads	One at a time.
 * Errors	FAULT_SYS with errno (EPIPE: the reader is gone); it stays.
 */

#ifndef CRAWLER_CRAWLOUT_H
#define CRAWLER_CRAWLOUT_H

#include <stddef.h>
#include <stdint.h>

#include "crawler/buf.h"
#include "crawler/core.h"
#include "snapshot/fault.h"

struct crawlout {
	int fd; /* the caller's */
	int json;
	int fault; /* the first, 0 = none */
	int err;   /* its errno */
	struct buf text;
};

void crawlout_init(struct crawlout *o, int fd, int json);
void crawlout_free(struct crawlout *o);

/* Append the line of `p'.  A fault may be of an earlier line. */
must_check int crawlout_page(struct crawlout *o, const struct core_page *p);

/* Write what is there. */
must_check int crawlout_flush(struct crawlout *o);

/* Append `len' bytes as a JSON string with its quotes. */
must_check int crawlout_json(struct buf *b, const char *s, size_t len);

/* Append them with control characters as \xHH, for a field of a line. */
must_check int crawlout_field(struct buf *b, const char *s, size_t len);

#endif
