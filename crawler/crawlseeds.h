/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlseeds.h - seeds from files, standard input and the command line
 *
 * A file has a URL a line; "#" begins a comment line, blanks around a URL and
 * a byte order mark are skipped.  A line longer than LIMIT_LINE is no URL.
 *
 * Memory	A buffer of LIMIT_LINE, whatever the file.
 */

#ifndef CRAWLER_CRAWLSEEDS_H
#define CRAWLER_CRAWLSEEDS_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"

/* Takes the `len' bytes at `s': 0, FAULT_URL_* (it is no URL: counted), or
   another fault, which ends it. */
typedef int crawlseeds_fn(void *ctx, const char *s, size_t len);

struct crawlseeds {
	uint64_t given;    /* URLs that were taken */
	uint64_t invalid;  /* lines that are none */
	int fault;         /* of the first of these ... */
	uint64_t line;     /* ... which stands here; 0: in an argument */
	const char *where; /* file, of that or of a fault */
};

/* Can all seed files be read?  0, or FAULT_SYS and `where'. */
must_check int crawlseeds_check(char *const *seeds, unsigned int n,
    const char **where);

/* Can they be read twice?  Not where one is a pipe. */
int crawlseeds_twice(char *const *seeds, unsigned int n);

/*
 * Hand all URLs of the `n' seeds to `fn'.  0, or its fault or FAULT_SYS.  Once
 * `*stop' is not 0 it ends with EINTR; while a pipe is waited for, the
 * descriptor `wake' becomes readable then.
 */
must_check int crawlseeds_read(char *const *seeds, unsigned int n,
    crawlseeds_fn *fn, void *ctx, int wake, const _Atomic int *stop,
    struct crawlseeds *out);

#endif
