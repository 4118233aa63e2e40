/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "crawler/coredoor.h"

int
core_seed(struct core *c, const char *s, size_t len, int64_t now,
    struct url_span *host)
{
	uint64_t before = c->count.admitted;
	struct coredoor d;
	int rc;

	memset(&d, 0, sizeof d);
	rc = url_normalise(c->url, s, len, &d.url);
	if (rc == 0)
		rc = url_split(d.url, &d.parts);
	if (rc < 0)
		return rc;
	if (host != NULL) {
		host->s = d.url.s + d.parts.host;
		host->len = d.parts.host_end - d.parts.host;
	}
	d.key = urlkey_of(filter_hasher(c->seen), d.url.s, d.url.len);
	d.word = COREWORD_SEED;
	d.flags = RECORD_SEED;
	d.revive = 1;
	rc = coredoor_scope(c, &d, "seed", now);
	if (rc < 0)
		return rc;
	rc = coredoor_take(c, &d, 1, now);
	if (rc <= 0)
		return rc < 0 ? rc : FAULT_FULL;
	if (c->count.admitted == before)
		return 0;
	c->count.seeds++;
	return 1;
}
