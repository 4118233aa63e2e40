/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * clock.h - a clock that only goes on, whatever becomes of the date
 */

#ifndef SNAPSHOT_CLOCK_H
#define SNAPSHOT_CLOCK_H

#include <stdint.h>

/* ms since some moment before this process began (CLOCK_MONOTONIC). */
int64_t clock_ms(void);

#endif
