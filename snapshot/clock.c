/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <time.h>

#include "snapshot/clock.h"

int64_t
clock_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
