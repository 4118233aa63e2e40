/* SPDX-License-Identifier: BSD-2-Clause */

/* setup.h - the filter that a command line asks for */

#ifndef DEDUP_SETUP_H
#define DEDUP_SETUP_H

#include <stddef.h>

#include "dedup/filter.h"
#include "dedup/options.h"

/*
 * Open or make the filter of `o', and check that what was given agrees with
 * its header.  0, or a fault with one line in `err'.
 */
must_check int setup_filter(struct filter **f, const struct options *o,
    char *err, size_t err_size);

/* Bytes that the filter may use: --memory, or what is free; 0: not known. */
uint64_t setup_memory(const struct options *o);

/*
 * The first parameter in which two filters differ: "-n 100 and -n 200".
 * Without one `out' is empty.
 */
void setup_word_mismatch(const struct filter_spec *a,
    const struct filter_spec *b, char *out, size_t out_size);

/* The faults of a filter's file, as one line that says what would be right. */
void setup_word_fault(const char *path, int fault, char *err, size_t err_size);

#endif
