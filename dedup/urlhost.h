/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlhost.h - the host of a URL in its one spelling
 *
 * The host parser of the WHATWG URL Standard, section 3.5, for special
 * schemes: "[...]" is an IPv6 address, anything else a domain, which is
 * percent-decoded, taken through UTS 46 (urlidna.h) and, if its last label
 * looks like a number, an IPv4 address.
 */

#ifndef DEDUP_URLHOST_H
#define DEDUP_URLHOST_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"

#define URLHOST_IPV6 41 /* bytes: the longest address in its brackets */

/*
 * Write the normal form of the host `s' of `len' bytes (user name and port
 * are off already) at `out', where there is room for LIMIT_HOST bytes.  The
 * length written, FAULT_URL_HOST, FAULT_URL_TOOLONG or FAULT_NOMEM.
 */
must_check int urlhost_put(char *out, const char *s, size_t len);

/*
 * 1 if the last label of `s', a dot after it aside, is a number, decimal or
 * "0x...": the standard's "ends in a number".  Then the host must be an IPv4
 * address.
 */
int urlhost_numeric(const char *s, size_t len);

#endif
