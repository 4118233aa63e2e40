/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * snapfile_read.h - the newest snapshot that is whole
 *
 * A file is checked from end to end before any of it is handed out, so a
 * reader of its chunks never has to undo anything.
 *
 * Memory	That of a frame_reader.
 */

#ifndef SNAPSHOT_SNAPFILE_READ_H
#define SNAPSHOT_SNAPFILE_READ_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"

struct snapfile_read;

/* A piece of a section, as snapfile_write() put them together. */
struct snapfile_chunk {
	const char *section; /* NUL-terminated */
	char *data;          /* may be changed; good until the next call */
	size_t len;
};

/*
 * Open the newest good snapshot in the folder `dirfd'.  1; 0 if there is
 * none at all; FAULT_DAMAGED if there are some and all are damaged;
 * FAULT_VERSION if the newest is of a newer major version (we don't fall back
 * behind that one); FAULT_NOMEM, FAULT_SYS.  `*r' is set in each case but
 * FAULT_NOMEM, for snapfile_read_detail().
 */
must_check int snapfile_read_newest(struct snapfile_read **r, int dirfd);

/* Open snapshot number `n' alone: 1, or the fault that it has. */
must_check int snapfile_read_open(struct snapfile_read **r, int dirfd,
    uint64_t n);

/* `r' may be NULL. */
void snapfile_read_close(struct snapfile_read *r);

/* The next chunk: 1, 0 after the last, or a fault. */
must_check int snapfile_read_next(struct snapfile_read *r,
    struct snapfile_chunk *c);

/* Start again at the first chunk. */
void snapfile_read_rewind(struct snapfile_read *r);

uint64_t snapfile_read_number(const struct snapfile_read *r);
int64_t snapfile_read_time(const struct snapfile_read *r);

/* How many newer ones were damaged and passed over. */
unsigned int snapfile_read_skipped(const struct snapfile_read *r);

/* File, offset and what is wrong with the first bad one; "" if none was. */
const char *snapfile_read_detail(const struct snapfile_read *r);

#endif
