/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlpuny.h - Punycode (RFC 3492)
 *
 * libidn2 has it too, but limits a label to the 63 bytes of the DNS, which
 * the URL standard does not.
 */

#ifndef DEDUP_URLPUNY_H
#define DEDUP_URLPUNY_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"

/*
 * Write the `n' code points at `s' in at most `room' bytes at `out', without
 * a prefix.  Time grows with the square of `n'.  The length, or FAULT_FULL.
 */
must_check int urlpuny_encode(char *out, size_t room, const uint32_t *s,
    size_t n);

/*
 * Decode `n' bytes at `s' to at most `room' code points at `out'.  How many,
 * FAULT_FULL, or FAULT_URL_HOST if it is not Punycode.
 */
must_check int urlpuny_decode(uint32_t *out, size_t room, const char *s,
    size_t n);

#endif
