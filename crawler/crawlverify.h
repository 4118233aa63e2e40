/* SPDX-License-Identifier: BSD-2-Clause */

/* crawlverify.h - what the files of crawl --verify share */

#ifndef CRAWLER_CRAWLVERIFY_H
#define CRAWLER_CRAWLVERIFY_H

#include <stdint.h>

#include "crawler/archive.h"
#include "snapshot/statedir.h"

/* The archive file that the last done record named. */
struct verify_place {
	char file[ARCHIVE_NAME];
	uint64_t size; /* bytes; 0: it is not there */
};

struct verify {
	const char *dir;
	struct statedir *state;
	int archive;
	struct verify_place place[16]; /* workers take turns: few are enough */
	unsigned int next;
	uint64_t astray; /* done records whose place is none */
	int bad;
	int running;
};

/* Say that `what' is wrong. */
void crawlverify_damage(struct verify *v, const char *what, const char *why,
    const char *detail);

/* The files in the folder `fd' that queues were spilled to. */
void crawlverify_queues(struct verify *v, int fd);

#endif
