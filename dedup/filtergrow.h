/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filtergrow.h - a filter's layers, and the exact start of one without a size
 *
 * Errors	Faults of rate_plan(), layer_new() and filterfile_grow();
 *		FAULT_FULL where a further layer may not be.
 */

#ifndef DEDUP_FILTERGROW_H
#define DEDUP_FILTERGROW_H

#include "dedup/filterint.h"

#define FILTERGROW_START 4096 /* slots of the first exact table: 64 KiB */

/* The rate that layer `i' is given. */
double filtergrow_rate(const struct filter *f, unsigned int i);

/* Shape `l' for `capacity' keys. */
must_check int filtergrow_plan(struct layer *l, const struct filter *f,
    uint64_t capacity, double rate);

/* An exact table of so many slots. */
must_check int filtergrow_table(struct layer *l, uint64_t slots);

/* Room for more: a further layer, in the file if the filter is in one. */
must_check int filtergrow_more(struct filter *f);

#endif
