/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>

#include "crawler/sitemap.h"
#include "crawler/sitemapcheck.h"
#include "crawler/slurp.h"
#include "snapshot/limits.h"

static int
print(void *arg, const struct sitemap_entry *e)
{
	FILE *out = arg;
	size_t i;

	for (i = 0; i < e->len; i++)
		if ((unsigned char)e->loc[i] >= ' ' && e->loc[i] != 0x7f)
			putc(e->loc[i], out);
	putc('\n', out);
	return 0;
}

int
sitemapcheck_run(const char *file, FILE *out)
{
	char *body;
	size_t len;
	int rc;

	rc = slurp_file(file, LIMIT_SITEMAP + 1, &body, &len);
	if (rc < 0)
		return rc;
	rc = sitemap_parse(body, len, print, out);
	free(body);
	return rc;
}
