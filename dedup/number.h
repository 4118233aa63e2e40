/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * number.h - numbers as users write them
 *
 * Counts and sizes are whole numbers, perhaps with a point or an exponent
 * (1.5M, 1e9), and one of k, M, G, T (or K, m ... ; B may follow a size).
 *
 * Errors	FAULT_ARG: not a number, or out of range.
 */

#ifndef DEDUP_NUMBER_H
#define DEDUP_NUMBER_H

#include <stdint.h>

#include "snapshot/fault.h"

/* A count; k, M, G, T are powers of 1000. */
must_check int number_count(const char *s, uint64_t *out);

/* Bytes; k, M, G, T are powers of 1024. */
must_check int number_bytes(const char *s, uint64_t *out);

/* A plain whole number, decimal or 0x hexadecimal. */
must_check int number_whole(const char *s, uint64_t *out);

/* A finite number, in "C" notation whatever the locale. */
must_check int number_real(const char *s, double *out);

#endif
