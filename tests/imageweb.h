/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * imageweb.h - a frontier's crawl with a journal and images beside it
 *
 * On frontsim's web, in memory: what is pushed and what comes out is a record
 * of the journal, images are taken in slices while the crawl goes on, and
 * queues spill into a folder where a crash takes what was not synced.
 */

#ifndef TESTS_IMAGEWEB_H
#define TESTS_IMAGEWEB_H

#include <sys/types.h>

#include <stddef.h>
#include <stdint.h>

#include "frontier/image.h"
#include "tests/frontsim.h"
#include "tests/membuf.h"

#define IMAGEWEB_HOSTS 25
#define IMAGEWEB_ADDRS 5
#define IMAGEWEB_URLS  12000
#define IMAGEWEB_FILES 4096 /* spill files of a crawl */

/* A journal's record. */
struct imageweb_record {
	char *url;
	uint64_t ordinal;
	uint8_t lane;
	uint8_t done;
	uint8_t failed;
	uint8_t reason;
};

struct imageweb_bytes {
	struct membuf m;
	unsigned int deaf; /* every so many writes there is no room */
	unsigned int writes;
};

struct imageweb_image {
	struct imageweb_bytes b;
	uint64_t begun; /* record */
};

struct imageweb {
	struct imageweb_record *journal;
	uint64_t records;
	uint64_t pushed;
	uint64_t urls;                  /* to be pushed */
	unsigned int trouble;           /* of 100 jobs */
	unsigned int text;              /* bytes that no two URLs share */
	struct imageweb_image image[2]; /* complete: the newest, the last */
	struct imageweb_image next;     /* the one being written */
	int writing;
	unsigned int images;
	int dirfd; /* where queues spill, -1 = nowhere */
	char dir[64];
	off_t
	    synced[IMAGEWEB_FILES]; /* bytes of each file that no crash takes */
	uint64_t most_spilled;
	uint64_t most_disk;
};

/* For image_save(); `ctx' is a struct imageweb_bytes. */
int imageweb_put(void *ctx, const void *p, size_t n);

/* Push one more URL, unless all are. */
void imageweb_push(struct frontsim *s);

/* The rules' say, for struct frontier_opts. */
int imageweb_allowed(void *ctx, const void *rules, size_t len, const char *path,
    size_t path_len);

/* For struct frontsim, whose `ctx' is the web. */
void imageweb_answer(struct frontsim *s, const struct frontier_job *j,
    struct frontsim_answer *a);
void imageweb_came(struct frontsim *s, const struct frontier_job *j,
    enum frontier_outcome outcome);

/* An image and the journal behind it, as a frontier; NULL: a fault. */
struct frontier *imageweb_restore(struct imageweb *w, struct imageweb_image *m,
    const struct frontier_opts *o, int64_t now);

/* For image_sync(): what is in this file now is safe from a crash. */
int imageweb_sync(void *ctx, int fd);

/* A slice of an image, now and then. */
void imageweb_slice(struct frontsim *s);

/* Power goes: what was not synced is lost. */
void imageweb_lose(struct imageweb *w);

/* Make a folder to spill into. */
void imageweb_dir(struct imageweb *w);

/* All that the web holds; the folder goes, too. */
void imageweb_free(struct imageweb *w);

#endif
