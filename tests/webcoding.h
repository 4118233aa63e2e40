/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webcoding.h - content codings: gzip, deflate in both readings, br, zstd
 */

#ifndef TESTS_WEBCODING_H
#define TESTS_WEBCODING_H

#include "tests/webanswer.h"

enum webcoding {
	WEBCODING_GZIP,
	WEBCODING_GZIP_MEMBERS, /* two gzip members, one after the other */
	WEBCODING_ZLIB, /* "deflate" as RFC 9110 section 8.4.1.2 has it */
	WEBCODING_RAW_DEFLATE, /* "deflate" as some servers send it */
	WEBCODING_BROTLI,
	WEBCODING_ZSTD,
	WEBCODINGS
};

/*
 * Replace `body' by its coded form; `scratch' is overwritten.  The name for
 * Content-Encoding, or NULL if it could not be done (memory).
 */
const char *webcoding_pack(enum webcoding c, struct webbuf *body,
    struct webbuf *scratch);

/* Code an answer's body, for HTML answers of the feature, by its bytes. */
void webcoding_apply(struct webanswer *a);

#endif
