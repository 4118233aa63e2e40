/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * weblog.h - the server's log: a request a line, tab-separated
 *
 *	ms	CLOCK_MONOTONIC when the request's head was complete, in
 *		milliseconds with three decimals
 *	host	as sent
 *	method
 *	target	path and query as sent; bytes up to space, and DEL, as \xHH
 *	status	of the answer; 0 where none was meant to come
 *	agent	User-Agent
 *	conn	number of the connection, from 1
 *	addr	the server's address that was asked
 *	fate	"ok", or what was done to the answer: see testweb.c
 *
 * Lines are written before the server next waits, so that whoever sees an
 * idle server sees a whole log.
 */

#ifndef TESTS_WEBLOG_H
#define TESTS_WEBLOG_H

#include <stdint.h>

#include "tests/webbuf.h"
#include "tests/webhttp.h"

struct weblog {
	int fd; /* -1: no log */
	struct webbuf buf;
};

/* Microseconds of CLOCK_MONOTONIC. */
uint64_t weblog_now(void);

/* `addr' is the server's IPv4 address in host order. */
void weblog_add(struct weblog *l, uint64_t us, const struct webhttp *r,
    int status, unsigned long conn, uint32_t addr, const char *fate);

/* Write what is held.  0, or -1 with errno set. */
int weblog_flush(struct weblog *l);

#endif
