/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * atomicfile.h - small files that are there whole, old or new, after a crash
 *
 * Written beside ("NAME.tmp"), synced, renamed, and the folder synced: in
 * that order, so that a kill or a power cut leaves the old content or the
 * new one and never a mixture.
 *
 * Threads	One writer per name; the state directory's lock sees to that.
 */

#ifndef SNAPSHOT_ATOMICFILE_H
#define SNAPSHOT_ATOMICFILE_H

#include <stddef.h>

#include "snapshot/fault.h"

/*
 * Replace the file `name' (no slash in it) of the folder `dirfd' with `n'
 * bytes at `p'.  It is durable when this returns 0.  FAULT_SYS leaves the
 * old file, or the new one if only the folder could not be synced; FAULT_ARG
 * is a name too long or with a slash.
 */
must_check int atomicfile_write(int dirfd, const char *name, const void *p,
    size_t n);

/*
 * Read the file `name' of `dirfd' into the `size' bytes at `p': how many
 * there were.  FAULT_TOOBIG if it holds more, FAULT_SYS (ENOENT) if there is
 * none.
 */
must_check long atomicfile_read(int dirfd, const char *name, void *p,
    size_t size);

#endif
