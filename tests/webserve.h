/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webserve.h - one thread, one epoll, many connections
 *
 * Loopback only.  Runs until SIGTERM or SIGINT, which it takes through a
 * signalfd, so there is no handler and no global.
 *
 * Memory	Some 200 bytes for an idle connection; one that is in the
 *		midst of a head or an answer holds these bytes too.
 * Errors	Functions return -1 with errno set.
 */

#ifndef TESTS_WEBSERVE_H
#define TESTS_WEBSERVE_H

#include "tests/web.h"
#include "tests/weblog.h"

struct webserve;

/* A server for `w' with its log at `log_fd' (-1: none), or NULL. */
struct webserve *webserve_new(const struct web *w, int log_fd);
void webserve_free(struct webserve *s);

/*
 * Listen on 127.0.0.1 and the `addresses' - 1 addresses after it, all with
 * one port; 0 chooses it.  The port, or -1.
 */
int webserve_listen(struct webserve *s, unsigned int addresses, int port);

/* Each answer waits this long, milliseconds. */
void webserve_latency(struct webserve *s, unsigned int ms);

/* Serve until told to stop.  0, or -1. */
int webserve_run(struct webserve *s);

#endif
