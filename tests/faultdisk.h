/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * faultdisk.h - a disk that fails on demand
 *
 * A test that is linked with faultdisk.c has its own disk_*() in place of
 * snapshot/disk.c.  They count the durable operations (all but reads), and at
 * the one that was asked for, and so many after it, fail with an errno, write
 * less than they should, or end the process as kill -9 would.
 *
 * Threads	Any; the plan is changed only while nobody writes.
 */

#ifndef TESTS_FAULTDISK_H
#define TESTS_FAULTDISK_H

#include <stdint.h>

enum faultdisk_op {
	FAULTDISK_CREATE = 1 << 0, /* and mkdir */
	FAULTDISK_WRITE = 1 << 1,
	FAULTDISK_SYNC = 1 << 2, /* data or folder */
	FAULTDISK_TRUNCATE = 1 << 3,
	FAULTDISK_RENAME = 1 << 4,
	FAULTDISK_UNLINK = 1 << 5,
	FAULTDISK_READ = 1 << 6, /* counted only if asked for */
	FAULTDISK_ALL = (1 << 6) - 1,
};

enum faultdisk_how {
	FAULTDISK_ERRNO,  /* fail with `err', nothing done */
	FAULTDISK_SHORT,  /* half of a write is done; others fail with `err' */
	FAULTDISK_TORN,   /* half of a write is done, then `err' */
	FAULTDISK_BEFORE, /* the process is killed before ... */
	FAULTDISK_WITHIN, /* ... half way through a write (before others) ... */
	FAULTDISK_AFTER,  /* ... or after it */
};

struct faultdisk {
	unsigned int ops;   /* which ones count; 0 = FAULTDISK_ALL */
	unsigned long at;   /* the number of the first that fails, 0 = none */
	unsigned long more; /* how many further ones */
	enum faultdisk_how how;
	int err;
	void (*after_read)(void *arg); /* called behind each read, or NULL */
	void *arg;
	unsigned long count; /* result: operations so far */
	unsigned long hits;  /* result: how many failed */
};

struct disklog;

/* Go by this plan from now on; NULL: nothing fails, nothing is counted. */
void faultdisk_use(struct faultdisk *f);

/* Write down what is done from now on (NULL: no more); see disklog.h. */
void faultdisk_log(struct disklog *l);

/* disklog_note(), if there is a log. */
void faultdisk_note(uint64_t value);

#endif
