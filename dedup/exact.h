/* SPDX-License-Identifier: BSD-2-Clause */

/* exact.h - the keys themselves, in a table with open addressing */

#ifndef DEDUP_EXACT_H
#define DEDUP_EXACT_H

#include "dedup/layer.h"

extern const struct layer_kind exact_kind;

/*
 * Call `take' with the keys of `from', in the order of their slots and at
 * most LIMIT_KEYS at a time, until it returns a fault, which is returned.
 * With `drop' the (anonymous) memory behind it is given back on the way.
 */
must_check int exact_drain(struct layer *from, int drop,
    int (*take)(void *arg, const struct urlkey *key, size_t n), void *arg);

#endif
