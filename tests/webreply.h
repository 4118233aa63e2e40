/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webreply.h - an answer as bytes of HTTP/1.1, and what is done to them
 */

#ifndef TESTS_WEBREPLY_H
#define TESTS_WEBREPLY_H

#include "tests/webanswer.h"
#include "tests/webbuf.h"

/* What follows the last byte. */
enum webreply_end {
	WEBREPLY_KEEP,  /* the next request */
	WEBREPLY_CLOSE, /* FIN */
	WEBREPLY_RESET, /* RST */
	WEBREPLY_HANG,  /* nothing, until the client has had enough */
};

struct webreply {
	struct webbuf head;
	int split; /* 1: the body follows, as it is; 0: all is in `head' */
	enum webreply_end end;
	size_t step;       /* bytes at a time; 0: all at once */
	unsigned int tick; /* ms between two steps */
};

/*
 * Put an answer into `r' (whose memory is used again).  `keep': the client
 * would like the connection to stay; `body': it was no HEAD request.
 */
void webreply_make(struct webreply *r, const struct webanswer *a, int keep,
    int body);

#endif
