/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webhttp.h - the head of a request, taken apart (RFC 9112)
 *
 * Strict about what it logs and lax about the rest: host and target are
 * kept byte for byte, so that the log shows what the client really said.
 */

#ifndef TESTS_WEBHTTP_H
#define TESTS_WEBHTTP_H

#include <stddef.h>

#include "tests/web.h"

#define WEBHTTP_HEAD_MAX (32 * 1024) /* bytes of a request's head */

enum webhttp_coding {
	WEBHTTP_GZIP = 1,
	WEBHTTP_DEFLATE = 2,
	WEBHTTP_BROTLI = 4,
	WEBHTTP_ZSTD = 8,
};

struct webhttp {
	char method[16];
	char host[WEB_HOST_MAX];   /* as sent, or from an absolute target */
	char target[WEB_PATH_MAX]; /* path and query */
	char agent[256];           /* User-Agent, cut to fit */
	unsigned int codings;      /* accepted: a set of webhttp_coding */
	int keep;                  /* 1: the connection stays open */
	int has_body;              /* 1: more than a head was announced */
};

/*
 * Parse a head from `len' bytes at `s'.  Its length, 0 if more bytes are
 * needed, -1 if it is none or too long.
 */
long webhttp_parse(struct webhttp *r, const char *s, size_t len);

#endif
