/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * disklog.h - what a power cut would have left
 *
 * faultdisk.c writes down every operation that changes a disk.  From the
 * first k of them a folder can be built as it might be found after the power
 * failed there: what was synced is there, and of the rest nothing, all, or a
 * random choice (an entry or not, a write or half of it or zeros in its
 * place).  The model is as hard as POSIX allows: entries are durable only
 * once their folder was synced, and bytes only once their file was.
 *
 * Threads	One at a time: faultdisk.c has a lock.
 */

#ifndef TESTS_DISKLOG_H
#define TESTS_DISKLOG_H

#include <stddef.h>
#include <stdint.h>

struct disklog;

enum disklog_how {
	DISKLOG_NOTHING,
	DISKLOG_ALL,
	DISKLOG_RANDOM,
};

/* All that is logged happens below the folder open as `root'. */
struct disklog *disklog_new(int root);
void disklog_free(struct disklog *l);

/* Called after each operation that has succeeded. */
void disklog_create(struct disklog *l, int dirfd, const char *name, int dir);
void disklog_write(struct disklog *l, int fd, const void *p, size_t n,
    uint64_t off);
void disklog_truncate(struct disklog *l, int fd, uint64_t size);
void disklog_sync(struct disklog *l, int fd);
void disklog_rename(struct disklog *l, int dirfd, const char *from,
    const char *to);
void disklog_unlink(struct disklog *l, int dirfd, const char *name);

/* From here on the owner relies on `value'. */
void disklog_note(struct disklog *l, uint64_t value);

/* Operations so far. */
size_t disklog_count(const struct disklog *l);

/*
 * Build what the first `k' operations may have left in the empty folder
 * open as `to'.  The last note among them, 0 if there was none.
 */
uint64_t disklog_build(const struct disklog *l, size_t k, enum disklog_how how,
    unsigned int seed, int to);

#endif
