/* SPDX-License-Identifier: BSD-2-Clause */

/* All makes of the scan for ends of lines give what memchr() gives. */

#include "config.h"

#include "dedup/linescan.h"
#include "tests/pieces.h"
#include "tests/tap.h"

#define ROOM 700

/* Ends one in `rare' bytes; all of `s' is in memory of its own. */
static int
compare(struct pieces *g, linescan_fn *scan, unsigned int rare)
{
	uint32_t want[ROOM + LINESCAN_SLACK], got[ROOM + LINESCAN_SLACK];
	size_t len = pieces_next(g) % ROOM, i, n, m, from, max;
	char *s = malloc(len + 1);
	int good;

	if (s == NULL)
		abort();
	for (i = 0; i < len; i++)
		s[i] = (char)(pieces_once(g, rare) ? '\n' : pieces_next(g));
	from = pieces_next(g) % (len + 1);
	max = pieces_once(g, 2) ? ROOM : pieces_next(g) % 70;
	for (n = 0, i = from; i < len && n < max; i++)
		if (s[i] == '\n')
			want[n++] = (uint32_t)i + 1;
	m = scan(s, from, len, '\n', got, max);
	good = m == n && memcmp(want, got, n * sizeof *got) == 0;
	free(s);
	return good;
}

int
main(void)
{
	struct tap t = { 0, 0 };
	struct pieces g = { 1 };
	unsigned int i, j, bad;
	linescan_fn *scan;

	for (i = 0; linescan_name(i) != NULL; i++) {
		scan = linescan_pick(linescan_name(i));
		if (scan == NULL) {
			tap_skip(&t, linescan_name(i));
			continue;
		}
		for (bad = j = 0; j < 20000; j++)
			bad += !compare(&g, scan, 1 + j % 100);
		tap_ok(&t, bad == 0, "%s: buffers of all kinds",
		    linescan_name(i));
	}
	tap_ok(&t, linescan_pick("abacus") == NULL, "no other make");
	return tap_done(&t);
}
