/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "crawler/robots.h"
#include "crawler/robotscheck.h"
#include "crawler/slurp.h"
#include "dedup/url.h"
#include "snapshot/limits.h"

static int
check(struct url *u, const struct robots *r, const char *url, FILE *out)
{
	struct url_span norm;
	struct url_parts parts;
	uint32_t line;
	int rc;

	rc = url_normalise(u, url, strlen(url), &norm);
	if (rc == 0)
		rc = url_split(norm, &parts);
	if (rc < 0)
		return rc;
	rc = robots_allowed(r, norm.s + parts.path, parts.end - parts.path,
	    &line);
	if (rc < 0)
		return rc;
	fprintf(out, "%s\t%s\t%u\n", rc ? "allow" : "disallow", url,
	    (unsigned int)line);
	return 0;
}

int
robotscheck_run(const char *agent, const char *file, char *const urls[], int n,
    FILE *out, int *bad)
{
	unsigned char *flat = NULL;
	char *text = NULL;
	size_t len, flat_len;
	struct robots r;
	struct url *u = NULL;
	int i, rc;

	*bad = -1;
	/* one byte more than is parsed, so that the parser sees the cut */
	rc = slurp_file(file, LIMIT_ROBOTS + 1, &text, &len);
	if (rc < 0)
		goto out;
	rc = robots_parse(agent, strlen(agent), text, len, &flat, &flat_len);
	if (rc == 0)
		rc = robots_view(&r, flat, flat_len);
	if (rc < 0)
		goto out;
	rc = FAULT_NOMEM;
	u = url_new(0);
	if (u == NULL)
		goto out;
	rc = 0;
	for (i = 0; i < n && rc == 0; i++) {
		rc = check(u, &r, urls[i], out);
		if (rc < 0)
			*bad = i;
	}
out:
	url_free(u);
	free(flat);
	free(text);
	return rc;
}
