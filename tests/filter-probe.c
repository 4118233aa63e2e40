/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * filter-probe.c - is it in the filter?  The library's answer
 *
 * filter-probe FILE <lines: prints the lines whose bytes were added, as
 * filter-ask does, and adds nothing on the way (urlseen --dry-run does so
 * privately, and its later answers show it).
 */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include "dedup/filter.h"

int
main(int argc, char **argv)
{
	struct filter *f = NULL;
	char line[65536];
	struct urlkey key;
	uint8_t seen;
	int rc;

	if (argc != 2)
		return 2;
	rc = filter_open(&f, argv[1], FILTER_LOOK);
	if (rc < 0) {
		fprintf(stderr, "filter-probe: %s: %s\n", argv[1],
		    fault_str(rc));
		return 2;
	}
	while (fgets(line, sizeof line, stdin) != NULL) {
		key = urlkey_of(filter_hasher(f), line, strcspn(line, "\n"));
		filter_probe(f, &key, 1, &seen);
		if (seen)
			fputs(line, stdout);
	}
	filter_abandon(f);
	return fflush(stdout) == 0 ? 0 : 2;
}
