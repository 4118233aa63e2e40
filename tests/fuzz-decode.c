/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fuzz-decode.c - Content-Encoding: its value up to the first line end, then
 * the body
 */

#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "crawler/decode.h"
#include "tests/fuzz.h"

#define MAX 100000

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *nl = size == 0 ? NULL : memchr(data, '\n', size);
	struct decode *d = NULL;
	const void *out, *again;
	size_t n, len, len2;
	void *kept;
	int rc;

	if (nl == NULL || decode_new(&d) < 0)
		return 0;
	n = (size_t)(nl - data);
	rc = decode_body(d, (const char *)data, n, nl + 1, size - n - 1, MAX,
	    &out, &len);
	if (rc >= 0) {
		/* within bounds, unless nothing had to be done */
		if (len > MAX && out != nl + 1)
			abort();
		if ((rc & DECODE_CUT) && len > MAX)
			abort();
		/* the same again gives the same: no state is left behind */
		kept = malloc(len + 1);
		if (kept == NULL)
			abort();
		if (len > 0)
			memcpy(kept, out, len);
		if (decode_body(d, (const char *)data, n, nl + 1, size - n - 1,
			MAX, &again, &len2) != rc ||
		    len2 != len || (len > 0 && memcmp(kept, again, len) != 0))
			abort();
		free(kept);
	}
	decode_free(d);
	return 0;
}
