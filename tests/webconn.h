/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webconn.h - one client's connection
 *
 * It is in one of two states: it reads a head, or it sends an answer, at
 * once, later, or little by little.  Bytes that arrive while it sends stay
 * in the socket, or in `in' if they were read with the head before them, so
 * pipelined requests are answered in order.
 *
 * Errors	What ends a connection is no error of the server: functions
 *		say -1 and the caller closes it.
 */

#ifndef TESTS_WEBCONN_H
#define TESTS_WEBCONN_H

#include <stddef.h>
#include <stdint.h>

#include "tests/webanswer.h"
#include "tests/webbuf.h"
#include "tests/webcount.h"
#include "tests/webhttp.h"
#include "tests/weblog.h"
#include "tests/webreply.h"
#include "tests/webtimer.h"

#define WEBCONN_READ (64 * 1024) /* bytes read at once */

/* What all connections of a server share. */
struct webconn_shared {
	int epoll;
	unsigned int latency; /* ms before each answer */
	unsigned long opened; /* connections so far */
	struct webconn *all;  /* a list of those that are open */
	struct weblog log;
	struct webtimer_heap timers;
	struct webcount count;
	/* of the request in hand */
	struct webhttp request;
	struct webanswer answer;
	struct webreply reply;
	char buf[WEBCONN_READ];
};

struct webconn {
	int fd;
	int sending;          /* 1: `out' holds an answer to be sent */
	uint32_t want;        /* what epoll is asked for */
	unsigned long number; /* for the log */
	uint32_t addr;        /* our address, host order */
	struct webbuf in;     /* what was read and not yet used */
	struct webbuf out;    /* the answer */
	size_t sent;          /* bytes of `out' that are on their way */
	size_t allowed;       /* bytes of `out' that may go by now */
	size_t step;          /* as in struct webreply */
	unsigned int tick;
	enum webreply_end end;
	struct webtimer timer;
	struct webconn *next, *prev;
};

/* epoll_ctl() with a pointer.  0, or -1 with errno set. */
int webconn_watch(int epoll, int op, int fd, void *ptr, uint32_t events);

/* Take on an accepted socket.  0, or -1 and it is closed. */
int webconn_open(struct webconn_shared *s, int fd);

void webconn_close(struct webconn_shared *s, struct webconn *c);

/* Do what these epoll events ask for.  0, or -1: close it. */
int webconn_event(struct webconn_shared *s, struct webconn *c, uint32_t events);

/* Its timer ran out.  0, or -1: close it. */
int webconn_timer(struct webconn_shared *s, struct webconn *c);

void webconn_shared_free(struct webconn_shared *s);

#endif
