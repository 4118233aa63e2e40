/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlidna.h - international domain names
 *
 * "Domain to ASCII" of the WHATWG URL Standard, section 3.3: UTS 46 ToASCII,
 * non-transitional, CheckHyphens false, CheckBidi true, CheckJoiners true,
 * UseSTD3ASCIIRules false, VerifyDnsLength false.
 */

#ifndef DEDUP_URLIDNA_H
#define DEDUP_URLIDNA_H

#include <stddef.h>

#include "snapshot/fault.h"

/*
 * Write the ASCII form of the domain `s' at `out' (room: LIMIT_HOST bytes;
 * may be `s' itself).  `s' has no NUL in it but one behind it.  The length
 * written, FAULT_URL_HOST if there is no such form, FAULT_URL_TOOLONG or
 * FAULT_NOMEM.
 */
must_check int urlidna_ascii(char *out, const char *s, size_t len);

#endif
