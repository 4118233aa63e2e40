/* SPDX-License-Identifier: BSD-2-Clause */

/* tests/data/scope.tsv, and what a table can't say. */

#include "config.h"

#include <time.h>

#include "frontier/scope.h"
#include "snapshot/limits.h"
#include "tests/membuf.h"
#include "tests/tap.h"
#include "tests/tsv.h"

static struct url *urls;

/* Normalise `s' and find its parts. */
static int
parse(const char *s, struct url_span *u, struct url_parts *p)
{
	return url_normalise(urls, s, strlen(s), u) == 0 &&
	    url_split(*u, p) == 0;
}

static int
seed(struct scope *s, const char *url)
{
	struct url_span u;
	struct url_parts p;

	return parse(url, &u, &p) ? scope_seed(s, u, &p) : -100;
}

static enum scope_verdict
check(const struct scope *s, struct scope_scratch *x, const char *url)
{
	struct url_span u;
	struct url_parts p;

	return parse(url, &u, &p) ? scope_check(s, x, u, &p) : SCOPE_VERDICTS;
}

/* The words of a row's column, one after the other. */
static int
each(struct scope *s, char *words, int what)
{
	struct scope_error err;
	char *save = NULL, *w;
	int rc = 0;

	for (w = strtok_r(words, " ", &save); rc >= 0 && w != NULL;
	     w = strtok_r(NULL, " ", &save)) {
		if (what == 0)
			rc = seed(s, w);
		else if (what == 1)
			rc = scope_include(s, w, &err);
		else
			rc = scope_exclude(s, w, &err);
	}
	return rc;
}

static void
rows(struct tap *t, struct scope_scratch *x)
{
	const char *top = getenv("top_srcdir"), *got;
	char dir[1024];
	struct scope *s;
	struct tsv v;

	snprintf(dir, sizeof dir, "%s/tests/data", top == NULL ? "." : top);
	if (!tap_ok(t, tsv_open(&v, dir, "scope.tsv") == 0, "the table"))
		return;
	while (tsv_next(&v)) {
		s = scope_new(scope_kind(v.col[0]), 7);
		if (v.n != 6 || s == NULL) {
			tap_ok(t, 0, "row %u", v.row);
			continue;
		}
		got = "error";
		if (each(s, v.col[1], 0) >= 0 && each(s, v.col[2], 1) >= 0 &&
		    each(s, v.col[3], 2) >= 0)
			got = scope_verdict_str(check(s, x, v.col[4]));
		if (!tap_ok(t, strcmp(got, v.col[5]) == 0, "row %u: %s", v.row,
			v.col[5]))
			tap_diag("%s: %s, not %s", v.col[4], got, v.col[5]);
		scope_free(s);
	}
	tsv_close(&v);
}

static void
bad_patterns(struct tap *t)
{
	static const struct {
		const char *pattern;
		size_t offset;
	} bad[] = {
		{ "x(y", 3 },
		{ "a**", 2 },
		{ "[z-a]", 3 },
		{ "(*UTF)x", 6 },
		{ "a\\", 2 },
	};
	struct scope *s = scope_new(SCOPE_ANY, 1);
	struct scope_error err;
	int rc = 0;
	char *huge = malloc(LIMIT_PATTERN + 2);

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		rc = scope_exclude(s, bad[i].pattern, &err);
		/* Where exactly depends on the release of PCRE2. */
		tap_ok(t,
		    rc == FAULT_ARG && err.text[0] != '\0' &&
			strchr(err.text, '\n') == NULL &&
			err.offset + 1 >= bad[i].offset &&
			err.offset <= bad[i].offset + 1,
		    "%s: %s at %zu", bad[i].pattern, err.text, err.offset);
	}
	memset(huge, 'a', LIMIT_PATTERN + 1);
	huge[LIMIT_PATTERN + 1] = '\0';
	tap_ok(t, scope_include(s, huge, &err) == FAULT_TOOBIG,
	    "a pattern over the limit");
	free(huge);
	for (unsigned int i = 0; rc != FAULT_FULL && i < 2 * LIMIT_PATTERNS;
	     i++)
		rc = scope_include(s, "a", &err);
	tap_ok(t, rc == FAULT_FULL, "too many patterns");
	scope_free(s);
}

static void
swap(struct tap *t, struct scope_scratch *x)
{
	struct scope *s = scope_new(SCOPE_HOST, 1);
	struct scope *conf = scope_new(SCOPE_ANY, 2);
	struct scope_error err;

	tap_ok(t,
	    seed(s, "http://a.example/") == 1 &&
		scope_exclude(s, "old", &err) == 0 &&
		scope_exclude(conf, "new", &err) == 0,
	    "patterns old and new");
	scope_swap(s, conf);
	scope_free(conf);
	tap_ok(t,
	    check(s, x, "http://a.example/old") == SCOPE_IN &&
		check(s, x, "http://a.example/new") == SCOPE_EXCLUDED &&
		check(s, x, "http://b.example/") == SCOPE_OUT,
	    "the new ones hold, the seeds stay");
	scope_free(s);
}

static void
image(struct tap *t, struct scope_scratch *x)
{
	struct scope *s = scope_new(SCOPE_PREFIX, 1);
	struct scope *r = scope_new(SCOPE_PREFIX, 2);
	struct membuf m = { .most = 1 << 20 };
	char url[64];
	int ok = 1;

	for (int i = 0; i < 1000; i++) {
		snprintf(url, sizeof url, "http://h%d.example/a/b%d/", i, i);
		ok &= seed(s, url) == 1;
	}
	ok &= seed(s, url) == 0;
	tap_ok(t, ok && scope_save(s, membuf_put, &m) == 0, "1000 seeds saved");
	tap_ok(t, scope_load(r, membuf_get, &m) == 0, "and loaded");
	for (int i = 0; i < 1000; i++) {
		snprintf(url, sizeof url, "http://h%d.example/a/b%d/c", i, i);
		ok &= check(r, x, url) == SCOPE_IN && seed(r, url) == 0;
		snprintf(url, sizeof url, "http://h%d.example/a/b%d/c", i,
		    i + 1);
		ok &= check(r, x, url) == SCOPE_OUT;
	}
	tap_ok(t, ok, "mean the same");
	scope_free(r);
	ok = 1;
	for (size_t cut = 0; cut < m.len; cut += 1 + cut / 7) {
		struct membuf c = m;

		c.at = 0;
		c.len = cut;
		r = scope_new(SCOPE_PREFIX, 2);
		ok &= scope_load(r, membuf_get, &c) == FAULT_TRUNCATED;
		ok &= check(r, x, "http://h1.example/a/b1/") == SCOPE_OUT;
		scope_free(r);
	}
	tap_ok(t, ok, "a cut image is a fault");
	r = scope_new(SCOPE_HOST, 2);
	m.at = 0;
	tap_ok(t, scope_load(r, membuf_get, &m) == FAULT_MISMATCH,
	    "an image of another kind is a fault");
	m.at = 0;
	m.b[0] ^= 1;
	tap_ok(t, scope_load(r, membuf_get, &m) == FAULT_MAGIC,
	    "so is another");
	scope_free(r);
	scope_free(s);
	free(m.b);
}

/* A path of slashes alone must cost time in its length, no more. */
static void
slashes(struct tap *t, struct scope_scratch *x)
{
	struct scope *s = scope_new(SCOPE_PREFIX, 1);
	size_t n = LIMIT_URL - 100;
	char *url = malloc(n + 100);
	struct url_span u;
	struct url_parts p;
	clock_t start = clock();
	int len = snprintf(url, 100, "http://a.example/x"), ok;

	memset(url + len, '/', n);
	u.s = url;
	u.len = (size_t)len + n;
	ok = url_split(u, &p) == 0 && scope_seed(s, u, &p) == 1;
	for (int i = 0; i < 20; i++)
		ok &= scope_check(s, x, u, &p) == SCOPE_IN;
	u.len -= 2;
	ok &= url_split(u, &p) == 0 && scope_check(s, x, u, &p) == SCOPE_OUT;
	tap_ok(t, ok && clock() - start < 10 * CLOCKS_PER_SEC,
	    "the deepest path there can be: %ld ms",
	    (long)((clock() - start) * 1000 / CLOCKS_PER_SEC));
	free(url);
	scope_free(s);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	struct scope_scratch *x = scope_scratch_new();

	urls = url_new(0);
	if (urls == NULL || x == NULL)
		return 99;
	rows(&t, x);
	bad_patterns(&t);
	swap(&t, x);
	image(&t, x);
	slashes(&t, x);
	tap_ok(&t,
	    scope_kind("nonsense") == 0 &&
		strcmp(scope_kind_name(SCOPE_PREFIX), "prefix") == 0,
	    "names of kinds");
	scope_scratch_free(x);
	url_free(urls);
	return tap_done(&t);
}
