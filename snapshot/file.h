/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * file.h - whole reads, whole writes, and syncs that are never repeated
 *
 * The calls of disk.h with their loops: short counts and EINTR are dealt
 * with here.  Files are written at explicit offsets, so that nothing depends
 * on where an earlier, failed write has left the file's position.
 *
 * A sync that fails is final for its descriptor: the kernel may have dropped
 * the dirty pages and marked them clean, so a second fsync(2) would succeed
 * without the bytes being anywhere.  (Rebello et al., "Can Applications
 * Recover from fsync Failures?", USENIX ATC 2020.)  The caller writes the
 * bytes again, to another file.
 *
 * Errors	FAULT_SYS with errno, unless said otherwise.
 */

#ifndef SNAPSHOT_FILE_H
#define SNAPSHOT_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"

/* Make the new file `name' in the folder `dirfd': its descriptor. */
must_check int file_create(int dirfd, const char *name);

/*
 * Open the file `name' in `dirfd' for reading, or for writing too where
 * `writable'.  FAULT_NOTFILE if it is no regular file, or a symbolic link.
 */
must_check int file_open(int dirfd, const char *name, int writable);

/* Open the folder `name' in `dirfd' (AT_FDCWD is fine). */
must_check int file_open_dir(int dirfd, const char *name);

/*
 * Put something in the place of those of descriptors 0, 1 and 2 that are
 * closed, so that no file that is opened later takes standard output's or
 * error's number.  Using them still fails with EBADF.
 */
must_check int file_fill_std(void);

/* close(2) for any `fd', also -1, keeping errno. */
void file_close(int fd);

must_check int file_size(int fd, uint64_t *size);

/*
 * Write all `n' bytes at offset `off'.  After a fault any part of them may
 * have been written.
 */
must_check int file_write(int fd, const void *p, size_t n, uint64_t off);

/* Read up to `n' bytes at `off': how many; fewer only at the file's end. */
must_check long file_read(int fd, void *p, size_t n, uint64_t off);

/* Make the bytes of `fd' durable, and what is needed to find them. */
must_check int file_sync(int fd);

/*
 * Make the entries of the folder `dirfd' durable.  Opens it afresh, so that
 * it may be tried again.
 */
must_check int file_sync_dir(int dirfd);

must_check int file_cut(int fd, uint64_t size);
must_check int file_rename(int dirfd, const char *from, const char *to);

/* Remove `name' from `dirfd'; that it was not there is success. */
must_check int file_remove(int dirfd, const char *name);

#endif
