/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * A target with a known bug, for the test of the driver: three right bytes
 * at the start end it.
 */

#include "config.h"

#include <string.h>

#include "tests/fuzz.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_check(size < 3 || memcmp(data, "bug", 3) != 0);
	return 0;
}
