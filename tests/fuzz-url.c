/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Input: two bytes of rules (little-endian), a base and the URL, a newline
 * between them; no newline, no base.  Whatever comes out must be in normal
 * form: the same again under the same rules, and with parts where url_split()
 * says they are.
 */

#include "config.h"

#include <string.h>

#include "dedup/url.h"
#include "snapshot/limits.h"
#include "tests/fuzz.h"

/* Without a base, as the result is absolute. */
static void
same_again(uint32_t rules, struct url_span got)
{
	struct url *u = url_new(rules);
	struct url_span again;
	int rc;

	fuzz_check(u != NULL);
	rc = url_normalise(u, got.s, got.len, &again);
	if (got.len > LIMIT_LINE) {
		fuzz_check(rc == FAULT_URL_TOOLONG);
	} else {
		fuzz_check(rc == 0);
		fuzz_check(again.len == got.len);
		fuzz_check(memcmp(again.s, got.s, got.len) == 0);
		fuzz_check(again.s == got.s);
	}
	url_free(u);
}

static void
well_formed(uint32_t rules, struct url_span got)
{
	struct url_parts p;
	size_t i;

	fuzz_check(got.len <= LIMIT_URL);
	for (i = 0; i < got.len; i++)
		fuzz_check(got.s[i] > ' ' && got.s[i] <= '~');
	fuzz_check(url_split(got, &p) == 0);
	fuzz_check(p.host < p.host_end && p.host_end <= p.path);
	fuzz_check(p.path < p.query && p.query <= p.end);
	fuzz_check(p.end == got.len);
	fuzz_check(got.s[p.path] == '/');
	fuzz_check(p.https == (got.s[4] == 's'));
	fuzz_check(
	    p.query == p.end || got.s[p.query] == '?' || got.s[p.query] == '#');
	if (!(rules & URL_KEEP_FRAGMENT))
		fuzz_check(memchr(got.s, '#', got.len) == NULL);
	if (rules & URL_FOLD_SCHEME)
		fuzz_check(!p.https);
	if (rules & URL_DROP_USERINFO)
		fuzz_check(memchr(got.s, '@', p.host) == NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *s = (const char *)data + 2, *nl;
	struct url_span got;
	struct url *u;
	uint32_t rules;
	size_t len;

	if (size < 2)
		return 0;
	len = size - 2;
	rules = (data[0] | (uint32_t)data[1] << 8) &
	    ((UINT32_C(1) << URL_RULES) - 1);
	u = url_new(rules);
	fuzz_check(u != NULL);
	nl = memchr(s, '\n', len);
	if (nl != NULL) {
		if (url_base(u, s, (size_t)(nl - s)) < 0)
			goto out;
		len -= (size_t)(nl + 1 - s);
		s = nl + 1;
	}
	if (url_normalise(u, s, len, &got) == 0) {
		well_formed(rules, got);
		same_again(rules, got);
	}
out:
	url_free(u);
	return 0;
}
