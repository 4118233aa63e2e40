/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urladdr.h - IPv4 and IPv6 addresses as hosts
 *
 * The parsers are those of the WHATWG URL Standard, section 3.5: IPv4 in one
 * to four numbers, each decimal, octal ("0...") or hexadecimal ("0x...");
 * IPv6 as in RFC 4291 section 2.2 without a zone.  The printed forms are the
 * dotted one, and the one of RFC 5952 (an address that embeds an IPv4 one is
 * printed in hexadecimal like any other, as the standard wants it).
 */

#ifndef DEDUP_URLADDR_H
#define DEDUP_URLADDR_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"

/*
 * One number of an IPv4 address: 0 and `n', UINT64_MAX if it is beyond 32
 * bits, or FAULT_URL_HOST.
 */
must_check int urladdr_number(const char *s, size_t len, uint64_t *n);

/* 0 and the address, or FAULT_URL_HOST.  One trailing dot is allowed. */
must_check int urladdr_ipv4(const char *s, size_t len, uint32_t *addr);

/* What stands between the brackets.  0 and the address, or FAULT_URL_HOST. */
must_check int urladdr_ipv6(const char *s, size_t len, uint16_t addr[8]);

/* Write it at `out' (room: 15 bytes; 39 bytes).  The end of it. */
char *urladdr_put4(char *out, uint32_t addr);
char *urladdr_put6(char *out, const uint16_t addr[8]);

#endif
