/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * pageserver.h - pages of 20 KB, all different, for benches
 *
 * An epoll server of one thread that answers every GET at once; it is meant
 * for a process of its own, so that its CPU is nobody else's.
 */

#ifndef BENCH_PAGESERVER_H
#define BENCH_PAGESERVER_H

#include <stdint.h>

/* A listening socket on loopback; its port in `*port'.  Ends on errors. */
int pageserver_listen(uint16_t *port);

/* Serve until killed. */
_Noreturn void pageserver_run(int fd);

#endif
