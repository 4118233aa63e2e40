/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include "dedup/urlucd.h"

unsigned int
urlucd_flags(uint32_t c)
{
	size_t lo = 0, hi = urlucd_runs, mid;

	/* the last run that starts at or before `c'; the first starts at 0 */
	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (urlucd_run[mid] >> 8 <= c)
			lo = mid;
		else
			hi = mid;
	}
	return urlucd_run[lo] & 255;
}

const struct urlucd_new *
urlucd_find(uint32_t c)
{
	size_t lo = 0, hi = urlucd_news, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (c > urlucd_new[mid].last)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == urlucd_news || c < urlucd_new[lo].first)
		return NULL;
	return &urlucd_new[lo];
}
