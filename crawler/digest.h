/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * digest.h - the labelled digests of WARC records
 *
 * SHA-1 in base 32 (RFC 4648, no padding), as WARC 1.1 section 5.8 shows it
 * and as replay tools and CDX servers compare it.  It tells copies of a
 * payload and damage apart; it is no defence against forgery and need not be.
 * From libcrypto, which libcurl has loaded anyway.
 *
 * Threads	One per thread.
 */

#ifndef CRAWLER_DIGEST_H
#define CRAWLER_DIGEST_H

#include <stddef.h>

#include "snapshot/fault.h"

#define DIGEST_TEXT 33 /* bytes: 32 characters and the NUL */

struct digest;

must_check int digest_new(struct digest **d);

/* `d' may be NULL. */
void digest_free(struct digest *d);

/*
 * The digest of two runs of bytes one after the other (either may be empty),
 * without its "sha1:" label.  FAULT_NOMEM if the library fails.
 */
must_check int digest_of(struct digest *d, const void *a, size_t a_len,
    const void *b, size_t b_len, char out[DIGEST_TEXT]);

/* The same in pieces: begin, any number of bytes, the text. */
must_check int digest_begin(struct digest *d);
must_check int digest_more(struct digest *d, const void *s, size_t len);
must_check int digest_end(struct digest *d, char out[DIGEST_TEXT]);

#endif
