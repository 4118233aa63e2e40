/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * unpack.h - frames to records: reading an archive file through
 *
 * One frame or member after the other, each holding one record.  What comes
 * out is never held as a whole: the first LIMIT_UNPACK_HEAD bytes of a record
 * are kept (its head and that of its HTTP message), the rest goes through the
 * digests.  So a file that lies about its sizes costs no memory.
 *
 * Threads	One per thread.
 * Errors	FAULT_SYS, FAULT_NOMEM, FAULT_MAGIC (neither zstd nor gzip),
 *		FAULT_DAMAGED, FAULT_TRUNCATED.
 */

#ifndef CRAWLER_UNPACK_H
#define CRAWLER_UNPACK_H

#include <stdint.h>

#include "crawler/warc.h"
#include "snapshot/fault.h"

struct unpack;

/* A record and where it is; good until the next call. */
struct unpack_record {
	uint64_t offset; /* of its frame in the file */
	uint64_t length; /* bytes of that frame */
	struct warc_record head;
	const char *http; /* head of the HTTP message, if there is one */
	size_t http_len;
};

/* Read `fd' from its beginning.  `fd' stays open. */
must_check int unpack_new(struct unpack **u, int fd);

/* `u' may be NULL. */
void unpack_free(struct unpack *u);

/*
 * The next record: 1, or 0 at the end of the file, or a fault, after which
 * unpack_good() is where the last whole frame ended.  A record is whole if
 * its frame is, its checksum is right, its block is as long as its head says
 * and its digests (the block's, and a response's payload's) are true.
 */
must_check int unpack_next(struct unpack *u, struct unpack_record *r);

/* One past the last whole frame. */
uint64_t unpack_good(const struct unpack *u);

#endif
