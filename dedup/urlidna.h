/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlidna.h - international domain names
 *
 * "Domain to ASCII" of the WHATWG URL Standard, section 3.3, for domains
 * with bytes beyond ASCII: UTS 46 ToASCII, non-transitional, CheckHyphens
 * false, CheckBidi true, CheckJoiners true, UseSTD3ASCIIRules false,
 * VerifyDnsLength false.  (Domains in ASCII are left alone by the standard,
 * A-labels and all.)
 */

#ifndef DEDUP_URLIDNA_H
#define DEDUP_URLIDNA_H

#include <stddef.h>

#include "snapshot/fault.h"

/*
 * Write the ASCII form of the domain `s' in at most `room' bytes at `out'
 * (which may be `s' itself).  The length written, FAULT_URL_HOST if there is
 * no such form, FAULT_URL_TOOLONG beyond LIMIT_IDN or `room', FAULT_NOMEM.
 */
must_check int urlidna_ascii(char *out, size_t room, const char *s, size_t len);

/*
 * 1 if the label "xn--" `s' is the code of nothing but squared and circled
 * letters (U+3200 to U+33FF), which UTS 46 maps to others: a name that
 * nobody can hold.
 */
int urlidna_squared(const char *s, size_t len);

#endif
