/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * disk.h - the system calls that put bytes on disk, and nothing else
 *
 * Whatever must survive a crash is written through these few functions, each
 * of them one system call: 0 or a count, or -1 with errno.  They are a seam,
 * not a layer: a test program that defines all of them itself (as
 * tests/faultdisk.c does) is linked without disk.c, and can then be killed,
 * run out of space or fail at the k-th of them without any cost or state in
 * the programs that we ship.  Reading has only one function here, because
 * only a read can fail without anything being lost.
 *
 * Threads	As safe as the calls themselves.
 */

#ifndef SNAPSHOT_DISK_H
#define SNAPSHOT_DISK_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Make the file `name' in the folder `dirfd', empty and open for writing
 * and reading.  EEXIST if there is one.
 */
int disk_create(int dirfd, const char *name);

/* Make the folder `name' in the folder `dirfd' (mode 0777 and umask). */
int disk_mkdir(int dirfd, const char *name);

/* pwrite(2), pread(2): may be short, may be interrupted. */
ssize_t disk_pwrite(int fd, const void *p, size_t n, uint64_t off);
ssize_t disk_pread(int fd, void *p, size_t n, uint64_t off);

/* fdatasync(2), fsync(2): never called again on `fd' once they failed. */
int disk_datasync(int fd);
int disk_sync(int fd);

/* ftruncate(2); renameat(2) and unlinkat(2) within one folder. */
int disk_truncate(int fd, uint64_t size);
int disk_rename(int dirfd, const char *from, const char *to);
int disk_unlink(int dirfd, const char *name);

#endif
