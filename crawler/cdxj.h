/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * cdxj.h - the index beside an archive file
 *
 * A line per response, revisit or failure: the URL's sort key (SURT: the host
 * turned round, in lower case, "www." gone, query parameters sorted), a blank,
 * the time as 14 digits, a blank, and a JSON object with url, mime, status,
 * digest, length, offset and filename, the fields that replay tools read.
 * Sorted by byte, so that a look-up is a binary search (look(1) does it).
 *
 * Threads	No state.
 * Errors	FAULT_NOMEM, FAULT_TOOBIG, FAULT_SYS.
 */

#ifndef CRAWLER_CDXJ_H
#define CRAWLER_CDXJ_H

#include <stddef.h>
#include <stdint.h>

#include "crawler/buf.h"
#include "snapshot/fault.h"

/* One line's content. */
struct cdxj_entry {
	const char *url; /* normalised */
	size_t url_len;
	int64_t start_us; /* since 1970 */
	const char *mime; /* "text/html"; "warc/revisit" for a revisit */
	size_t mime_len;
	int status;         /* HTTP status; 0 = none */
	const char *digest; /* without label, NULL = none */
	uint64_t length;    /* bytes of the record's frame */
	uint64_t offset;    /* of that frame in the file */
	const char *file;   /* the archive file's name, NUL-terminated */
};

/* Append the sort key of `url'. */
must_check int cdxj_key(struct buf *out, const char *url, size_t len);

/* Append the whole line with its line end. */
must_check int cdxj_line(struct buf *out, const struct cdxj_entry *e);

/*
 * Sort the lines of the file `from' into the new file `to' under the folder
 * `dirfd' (written beside and renamed, synced), then remove `from'.  At most
 * LIMIT_CDXJ bytes.
 */
must_check int cdxj_sort(int dirfd, const char *from, const char *to);

/* Of lines in any order. */
struct cdxj_sum {
	uint64_t lines;
	uint64_t low; /* of the sum of their XXH3 hashes of 128 bits */
	uint64_t high;
};

/* Add the lines in `len' bytes at `s'. */
void cdxj_add(struct cdxj_sum *sum, const char *s, size_t len);

/*
 * The sum of an index.  FAULT_DAMAGED if its lines are not in order or the
 * last one has no end; FAULT_TOOBIG above LIMIT_CDXJ bytes.
 */
must_check int cdxj_read(int dirfd, const char *name, struct cdxj_sum *sum);

#endif
