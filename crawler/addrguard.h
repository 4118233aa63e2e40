/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * addrguard.h - may a page lead us to this address?
 *
 * A link, a redirect or a name that somebody else controls must not make the
 * crawler ask for what stands behind the user's own firewall.  So an address
 * that is not globally reachable is refused, unless the user named it: as a
 * seed, with --resolve or --connect-to, or all of them by --allow-private.
 * The check stands in curl's open-socket callback, on the very address that
 * is then connected to, so that a name that changes between two look-ups
 * (DNS rebinding) gains nothing.
 *
 * The table follows the IANA IPv4 and IPv6 Special-Purpose Address Registries
 * (RFC 6890, RFC 8190) and the multicast blocks (RFC 5771, RFC 4291).
 * Addresses that carry an IPv4 address (mapped, compatible, NAT64, 6to4) are
 * judged by that one too.
 *
 * Threads	Filled before the workers start, read-only from then on.
 * Errors	FAULT_NOMEM, FAULT_FULL past LIMIT_GUARD_NAMES.
 */

#ifndef CRAWLER_ADDRGUARD_H
#define CRAWLER_ADDRGUARD_H

#include <stddef.h>

#include "crawler/ip.h"
#include "snapshot/fault.h"

enum addrguard_class {
	ADDR_GLOBAL,
	ADDR_UNSPECIFIED, /* "this network", :: */
	ADDR_LOOPBACK,
	ADDR_PRIVATE, /* RFC 1918, unique local */
	ADDR_CGNAT,   /* shared address space, RFC 6598 */
	ADDR_LINKLOCAL,
	ADDR_MULTICAST,
	ADDR_BROADCAST,
	ADDR_DOCUMENTATION,
	ADDR_BENCHMARK,
	ADDR_RESERVED, /* everything else that is not globally reachable */
};

struct addrguard;

/* What kind of address `ip' is; ADDR_RESERVED for none. */
enum addrguard_class addrguard_class(const struct ip *ip);

/* "private", "loopback", ...; never NULL. */
const char *addrguard_name(enum addrguard_class c);

must_check int addrguard_new(struct addrguard **g);

/* `g' may be NULL. */
void addrguard_free(struct addrguard *g);

/* --allow-private: everything passes from now on. */
void addrguard_allow_all(struct addrguard *g);

/*
 * The user named this host (normalised, without brackets: a name, or a
 * literal address): it may be at any address.
 */
must_check int addrguard_allow_host(struct addrguard *g, const char *host,
    size_t len);

/* The user named this address, whatever host is there. */
must_check int addrguard_allow_ip(struct addrguard *g, const struct ip *ip);

/* 1 if `host' may be asked at `ip', 0 if that is refused. */
int addrguard_ok(const struct addrguard *g, const char *host, size_t len,
    const struct ip *ip);

#endif
