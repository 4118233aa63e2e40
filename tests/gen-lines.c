/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * gen-lines N [SEED [REPEATS [FIRST [STEP]]]] - N lines of URLs of some 80
 * bytes, of which REPEATS in a thousand (default 600) came before.  The same
 * arguments give the same lines.  New lines are numbered from FIRST (0) by
 * STEP (1).  What a line says depends on its number alone, so this takes no
 * memory, and distinct numbers give distinct URLs.
 */

#include "config.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Steele, Lea & Flood 2014, "Fast splittable pseudorandom number generators" */
static uint64_t
mix(uint64_t z)
{
	z += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static void
put_url(uint64_t id, uint64_t seed)
{
	static const char *const words[] = { "news", "article", "wiki", "shop",
		"category", "archive", "docs", "blog" };
	uint64_t r = mix(id ^ seed << 40);

	printf("%s://www.host%" PRIu64 ".example/%s/%04u/%s-%" PRIu64
	       "-%08x.html?page=%u\n",
	    r & 1 ? "https" : "http", (r >> 8) % 50000, words[r >> 1 & 7],
	    (unsigned int)(r >> 24) % 3000, words[r >> 4 & 7], id,
	    (unsigned int)(r >> 32), (unsigned int)(r >> 40) % 100);
}

int
main(int argc, char **argv)
{
	uint64_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
	uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	uint64_t repeats = argc > 3 ? strtoull(argv[3], NULL, 10) : 600;
	uint64_t first = argc > 4 ? strtoull(argv[4], NULL, 10) : 0;
	uint64_t step = argc > 5 ? strtoull(argv[5], NULL, 10) : 1;
	uint64_t i, next = 0, r;

	for (i = 0; i < n; i++) {
		r = mix(seed * 31 + i);
		if (next > 0 && r % 1000 < repeats)
			put_url(first + (r >> 10) % next * step, seed);
		else
			put_url(first + next++ * step, seed);
	}
	fprintf(stderr, "%" PRIu64 " distinct\n", next);
	return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
