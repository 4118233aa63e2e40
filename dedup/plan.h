/* SPDX-License-Identifier: BSD-2-Clause */

/* plan.h - what each kind of filter would cost, for urlseen --plan */

#ifndef DEDUP_PLAN_H
#define DEDUP_PLAN_H

#include <stdint.h>
#include <stdio.h>

#include "snapshot/fault.h"

/*
 * Write a table (or a JSON object) of the kinds that can hold `n' URLs at a
 * rate of `p'.  FAULT_ARG or FAULT_TOOBIG, and nothing is written, if none can.
 */
must_check int plan_show(FILE *out, uint64_t n, double p, int json);

#endif
