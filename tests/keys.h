/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * keys.h - the keys of "PREFIX:0", "PREFIX:1" ... for tests of the filter
 *
 * Counts are of keys FROM to FROM + N - 1.
 */

#ifndef TESTS_KEYS_H
#define TESTS_KEYS_H

#include <stdio.h>

#include "dedup/filter.h"

#define KEYS_BATCH 256

/* How many keys a pass makes at a time: the last one is short. */
static inline size_t
keys_make(const struct filter *f, const char *prefix, uint64_t from, uint64_t n,
    struct urlkey key[KEYS_BATCH])
{
	char s[64];
	size_t i;
	int len;

	for (i = 0; i < KEYS_BATCH && i < n; i++) {
		len = snprintf(s, sizeof s, "%s:%llu", prefix,
		    (unsigned long long)(from + i));
		key[i] = urlkey_of(filter_hasher(f), s, (size_t)len);
	}
	return i;
}

/* Add them: how many were new, or a fault. */
static inline long
keys_add(struct filter *f, const char *prefix, uint64_t from, uint64_t n)
{
	struct urlkey key[KEYS_BATCH];
	long sum = 0, rc;
	size_t m;

	for (; n > 0; n -= m, from += m) {
		m = keys_make(f, prefix, from, n, key);
		rc = filter_add(f, key, m);
		if (rc < 0)
			return rc;
		sum += rc;
	}
	return sum;
}

/* How many of them are called seen. */
static inline uint64_t
keys_seen(const struct filter *f, const char *prefix, uint64_t from, uint64_t n)
{
	struct urlkey key[KEYS_BATCH];
	uint8_t seen[KEYS_BATCH];
	uint64_t sum = 0;
	size_t m, i;

	for (; n > 0; n -= m, from += m) {
		m = keys_make(f, prefix, from, n, key);
		filter_probe(f, key, m, seen);
		for (i = 0; i < m; i++)
			sum += seen[i];
	}
	return sum;
}

#endif
