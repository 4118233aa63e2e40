/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fuzz.h - what a fuzz target defines
 *
 * A target is tests/fuzz-NAME.c.  It runs one input through a parser and
 * aborts (fuzz_check) where an invariant does not hold: that nothing crashed
 * proves little.  Either libFuzzer or tests/fuzz-main.c calls it.
 */

#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Always returns 0, as libFuzzer wants it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An invariant of the target, which stays on whatever NDEBUG says. */
#define fuzz_check(cond)                                                       \
	do {                                                                   \
		if (!(cond)) {                                                 \
			fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, \
			    __LINE__, #cond);                                  \
			abort();                                               \
		}                                                              \
	} while (0)

#endif
