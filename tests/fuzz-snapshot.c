/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fuzz-snapshot.c - reading snapshots
 *
 * The first byte says what follows: 's' the bytes of a snapshot, anything
 * else frames (fuzzdir.h), which get past the checksums.
 */

#include "config.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "snapshot/limits.h"
#include "snapshot/snapfile_read.h"
#include "tests/fuzz.h"
#include "tests/fuzzdir.h"

/* Read all chunks of what was checked: no fault may come any more. */
static uint64_t
chunks(struct snapfile_read *r)
{
	struct snapfile_chunk c;
	uint64_t n = 0;
	int rc;

	for (;;) {
		rc = snapfile_read_next(r, &c);
		fuzz_check(rc >= 0);
		if (rc == 0)
			return n;
		fuzz_check(c.len > 0 && c.data[c.len] == '\0');
		fuzz_check(strlen(c.section) > 0 &&
		    strlen(c.section) <= LIMIT_SNAP_NAME);
		memset(c.data, 'x', c.len); /* it is ours */
		n++;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct snapfile_read *r = NULL;
	uint64_t n;
	int dir, rc;

	if (size == 0)
		return 0;
	dir = fuzzdir_open();
	if (data[0] == 's')
		fuzzdir_raw(dir, 1, data + 1, size - 1);
	else
		fuzzdir_files(dir, data, size);
	rc = snapfile_read_newest(&r, dir);
	fuzz_check(rc >= 0 || snapfile_read_detail(r)[0] != '\0');
	if (rc > 0) {
		fuzz_check(snapfile_read_number(r) > 0);
		n = chunks(r);
		snapfile_read_rewind(r);
		fuzz_check(chunks(r) == n);
	}
	snapfile_read_close(r);
	(void)close(dir);
	return 0;
}
