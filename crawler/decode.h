/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * decode.h - undo Content-Encoding (RFC 9110 section 8.4)
 *
 * gzip (any number of members), deflate (zlib-wrapped as the RFC says, or raw
 * as some servers send), br and zstd, chained up to LIMIT_CODINGS in the
 * reverse of the order listed.  Output never grows past the buffer's ceiling
 * at any stage, so that a bomb costs no more than a page of that size.
 *
 * Threads	A decoder keeps its contexts between bodies: one per thread.
 * Errors	FAULT_NOMEM only; what is wrong with the body is a flag, and
 *		what could be decoded before it is kept.
 */

#ifndef CRAWLER_DECODE_H
#define CRAWLER_DECODE_H

#include <stddef.h>

#include "crawler/buf.h"
#include "snapshot/fault.h"

struct decode;

enum decode_flag {
	DECODE_CUT = 1 << 0,     /* the ceiling was reached */
	DECODE_DAMAGED = 1 << 1, /* broken or short: the part before that */
	DECODE_UNKNOWN = 1 << 2, /* unknown coding: still in that coding */
};

must_check int decode_new(struct decode **d);

/* `d' may be NULL. */
void decode_free(struct decode *d);

/*
 * Decode `len' bytes at `in' by `codings', the value of Content-Encoding
 * (`codings_len' bytes; several fields joined by commas; empty = identity).
 * `out' points at the result: `in' itself where there was nothing to do, else
 * memory of `d' good until the next call; at most `max' bytes.  A body that is
 * plainly not in the coding it claims (gzip without its magic) is left as it
 * is.  A set of enum decode_flag, or FAULT_NOMEM.
 */
must_check int decode_body(struct decode *d, const char *codings,
    size_t codings_len, const void *in, size_t len, size_t max,
    const void **out, size_t *out_len);

#endif
