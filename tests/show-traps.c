/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * show-traps - what trap.h says of a list of normalised URLs
 *
 * A line of stdin, a tab and the verdict for each one that is not plain, in
 * the order they come, as if all were seeds.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontier/trap.h"
#include "snapshot/limits.h"

int
main(void)
{
	struct trap_opts o;
	struct trap *c;
	enum trap_verdict v;
	struct url_parts p;
	struct url_span u;
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	trap_defaults(&o);
	c = trap_new(&o, LIMIT_TRAP_BITS, 1);
	if (c == NULL)
		return EXIT_FAILURE;
	while ((n = getline(&line, &room, stdin)) > 0) {
		u.s = line;
		u.len = strcspn(line, "\n");
		line[u.len] = '\0';
		if (url_split(u, &p) < 0) {
			printf("%s\tno URL\n", line);
			continue;
		}
		v = trap_check(&o, u, &p);
		if (v == TRAP_NONE)
			v = trap_count(c, u, &p, 0);
		if (v != TRAP_NONE)
			printf("%s\t%s\n", line, trap_verdict_str(v));
	}
	free(line);
	trap_free(c);
	return EXIT_SUCCESS;
}
