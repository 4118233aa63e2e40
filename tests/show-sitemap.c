/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * show-sitemap.c - what a sitemap on stdin holds, for shell tests
 *
 * A line for each entry: its location, date in seconds since 1970 (-1 if it
 * has none) and priority in thousandths (the protocol's 500 if it has none),
 * with tabs between; then the fault, if there is one.
 */

#include "config.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "crawler/sitemap.h"
#include "crawler/slurp.h"
#include "snapshot/limits.h"

static int
show(void *arg, const struct sitemap_entry *e)
{
	(void)arg;
	printf("%.*s\t%" PRId64 "\t%d\n", (int)e->len, e->loc, e->lastmod,
	    e->priority < 0 ? 500 : e->priority);
	return 0;
}

int
main(void)
{
	char *body;
	size_t len;
	int rc;

	rc = slurp_file("-", LIMIT_SITEMAP + 1, &body, &len);
	if (rc < 0)
		return 2;
	rc = sitemap_parse(body, len, show, NULL);
	free(body);
	if (rc < 0)
		printf("fault: %s\n", fault_str(rc));
	return 0;
}
