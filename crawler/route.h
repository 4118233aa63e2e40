/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * route.h - the user's --resolve and --connect-to
 *
 * As in curl: `--resolve=HOST:PORT:ADDR[,ADDR]...' gives a host's addresses
 * instead of the DNS, `--connect-to=HOST1:PORT1:HOST2:PORT2' sends what is
 * meant for the first pair to the second (an empty part of the first pair
 * matches any, an empty part of the second means "the same").  We do not hand
 * --connect-to to libcurl: with CURLOPT_CONNECT_TO all hosts share one
 * connection bundle.  The port is put right in the open-socket callback.
 *
 * Threads	Filled before the workers start, read-only from then on.
 * Errors	FAULT_ARG for text that makes no sense, FAULT_NOMEM,
 *		FAULT_FULL past LIMIT_ROUTES.
 */

#ifndef CRAWLER_ROUTE_H
#define CRAWLER_ROUTE_H

#include <stddef.h>
#include <stdint.h>

#include "crawler/ip.h"
#include "snapshot/fault.h"
#include "snapshot/limits.h"

struct addrguard;
struct route;

/* Where to connect to for a host and port. */
struct route_to {
	const char *host; /* whose addresses are wanted, no brackets */
	size_t host_len;
	uint16_t port;       /* to connect to */
	const struct ip *ip; /* the user's addresses, or NULL: ask the DNS */
	unsigned int ips;
	int named; /* 1 if a --connect-to named the host: it may be private */
};

must_check int route_new(struct route **r);

/* `r' may be NULL. */
void route_free(struct route *r);

/* "H:P:A[,A]"; H may be "*", IPv6 addresses stand in brackets or not. */
must_check int route_resolve(struct route *r, const char *text);

/* "H1:P1:H2:P2"; IPv6 addresses stand in brackets. */
must_check int route_connect(struct route *r, const char *text);

/* Allow every host and address that was named, in `g'. */
must_check int route_allow(const struct route *r, struct addrguard *g);

/*
 * Fill `to' for `host' (normalised, no brackets) and `port'; without a rule
 * it is the pair itself.  `r' may be NULL.  `to' points into `r' or at `host'.
 */
void route_find(const struct route *r, const char *host, size_t len,
    uint16_t port, struct route_to *to);

#endif
