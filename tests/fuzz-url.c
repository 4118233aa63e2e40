/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Input: two bytes of rules (little-endian), a base and the URL, a newline
 * between them; no newline, no base.  Whatever comes out must be in normal
 * form: the same again under the same rules, and with parts where url_split()
 * says they are.  It must be what the long way gives too, what each make of
 * the scan takes, what the same rules make of the form under none, and what
 * comes out if a fragment or a tab is added.
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "dedup/url.h"
#include "dedup/urlfast.h"
#include "snapshot/limits.h"
#include "tests/fuzz.h"

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

/* Bytes that went into a normaliser and, unless `rc' says why not, out. */
struct trial {
	struct url *u; /* with its rules and base */
	uint32_t rules;
	const char *s;
	size_t len;
	int rc;
	char *out;
	size_t out_len;
};

static void
try(struct trial *t)
{
	struct url_span got;

	t->rc = url_normalise(t->u, t->s, t->len, &got);
	t->out = NULL;
	if (t->rc < 0)
		return;
	t->out = malloc(got.len);
	fuzz_check(t->out != NULL);
	t->out_len = got.len;
	memcpy(t->out, got.s, got.len);
}

/* `u' makes what `t' made, of `len' bytes at `s'. */
static void
alike(const struct trial *t, struct url *u, const char *s, size_t len)
{
	struct url_span got;

	fuzz_check(url_normalise(u, s, len, &got) == t->rc);
	if (t->rc < 0)
		return;
	fuzz_check(got.len == t->out_len);
	fuzz_check(memcmp(got.s, t->out, got.len) == 0);
	/* what did not change was not copied */
	fuzz_check(got.s == s || got.len != len || memcmp(got.s, s, len) != 0);
}

/* `with' put in at `at' changes nothing. */
static void
added(const struct trial *t, size_t at, const char *with)
{
	size_t n = strlen(with);
	char *s;

	if (t->len + n > LIMIT_LINE)
		return;
	s = malloc(t->len + n);
	fuzz_check(s != NULL);
	memcpy(s, t->s, at);
	memcpy(s + at, with, n);
	memcpy(s + at + n, t->s + at, t->len - at);
	alike(t, t->u, s, t->len + n);
	free(s);
}

/* All makes of the scan say the same. */
static void
makes(const struct trial *t)
{
	unsigned int keep = t->rules & URL_KEEP_FRAGMENT, i;
	size_t n = urlfast_pick("portable")(t->s, t->len, keep);
	urlfast_fn *fast;

	for (i = 0; urlfast_name(i) != NULL; i++) {
		fast = urlfast_pick(urlfast_name(i));
		fuzz_check(fast == NULL || fast(t->s, t->len, keep) == n);
	}
}

/* Without further rules; then `t', which has some, of that. */
static void
plain(const struct trial *t, struct url *u)
{
	struct trial p = { .u = u, .s = t->s, .len = t->len };

	try(&p);
	fuzz_check(p.rc == t->rc);
	/* the long way round */
	added(&p, 0, "\n ");
	if (p.rc == 0 && p.out_len <= LIMIT_LINE)
		alike(t, t->u, p.out, p.out_len);
	free(p.out);
}

static void
results(const struct trial *t)
{
	struct url_span form = { t->out, t->out_len };

	well_formed(t->rules, form);
	added(t, t->len / 2, "\t");
	if (!(t->rules & URL_KEEP_FRAGMENT) && t->len > 0 &&
	    (unsigned char)t->s[t->len - 1] > ' ')
		added(t, t->len, "#a%zz ?");
	/* the form of the form, for which no base is needed */
	fuzz_check(url_base(t->u, NULL, 0) == 0);
	if (t->out_len <= LIMIT_LINE)
		alike(t, t->u, t->out, t->out_len);
}

static struct url *
with_base(uint32_t rules, const char *base, size_t len)
{
	struct url *u = url_new(rules);

	fuzz_check(u != NULL);
	if (url_base(u, base, len) == 0)
		return u;
	url_free(u);
	return NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *base = (const char *)data + 2, *nl;
	struct trial t = { .s = base, .len = size - 2 };
	struct url *u;

	if (size < 2)
		return 0;
	t.rules = (data[0] | (uint32_t)data[1] << 8) &
	    ((UINT32_C(1) << URL_RULES) - 1);
	nl = memchr(base, '\n', t.len);
	if (nl != NULL) {
		t.s = nl + 1;
		t.len -= (size_t)(t.s - base);
	}
	size = nl == NULL ? 0 : (size_t)(nl - base);
	t.u = with_base(t.rules, base, size);
	u = with_base(t.rules & URL_KEEP_FRAGMENT, base, size);
	if (t.u != NULL) {
		fuzz_check(u != NULL);
		try(&t);
		makes(&t);
		plain(&t, u);
		if (t.rc == 0)
			results(&t);
		free(t.out);
	}
	url_free(t.u);
	url_free(u);
	return 0;
}
