/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webtable.h - what weblog-check knows of a URL or a host, by name
 */

#ifndef TESTS_WEBTABLE_H
#define TESTS_WEBTABLE_H

#include <stddef.h>

struct webtable_entry {
	char *name;
	unsigned int sets;      /* URL: what testweb says of it */
	unsigned long fetched;  /* URL: requests in all */
	unsigned long finished; /* URL: those with an answer that is final */
	double last;            /* host: ms of the latest request */
	double wait_until;      /* host: ms, from Retry-After */
	double delay;           /* host: ms between requests, Crawl-delay */
	int seen;               /* host: 1 once there was a request */
	int robots;             /* host: 1 once robots.txt was asked for */
};

/* All zero is an empty table. */
struct webtable {
	struct webtable_entry *e;
	size_t room, count; /* room is a power of two, or 0 */
};

/*
 * The entry of this name, new and zero if there was none; good until the
 * next call.  Out of memory, the program ends with status 2.
 */
struct webtable_entry *webtable_find(struct webtable *t, const char *name);

void webtable_free(struct webtable *t);

#endif
