/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * The public suites: rows of web-platform-tests, of Unicode's IdnaTestV2 and
 * of real URLs.  They are not part of the source; the folder is $SUITES.
 */

#include "config.h"

#include "dedup/url.h"
#include "tests/tap.h"
#include "tests/tsv.h"

#define SHOWN 30 /* rows of a table that are named when they fail */

/* percent: see HACKING.md, "IDNA differences" */
#define IDNA_LEAST 99

struct tally {
	unsigned int rows;
	unsigned int bad;
};

/* Does `in' become `want', or nothing where that is "!"? */
static int
becomes(struct url *u, const char *in, size_t len, const char *want,
    size_t want_len, struct url_span *got)
{
	int rc = url_normalise(u, in, len, got);

	if (rc < 0) {
		got->s = "!";
		got->len = 1;
	}
	return got->len == want_len && memcmp(got->s, want, want_len) == 0;
}

static void
count(struct tally *n, int good, const struct tsv *t, struct url_span got)
{
	n->rows++;
	if (good)
		return;
	n->bad++;
	if (n->bad > SHOWN && getenv("ALL") == NULL)
		return;
	printf("# line %u: ", t->row);
	tsv_print(stdout, t->col[0], t->len[0]);
	fputs("  ", stdout);
	tsv_print(stdout, t->col[1], t->len[1]);
	fputs("  gives ", stdout);
	tsv_print(stdout, got.s, got.len);
	putchar('\n');
}

static void
urls(struct tap *t, struct url *u, const char *dir)
{
	struct tally n = { 0, 0 };
	struct url_span got;
	struct tsv v;
	int rc;

	if (tsv_open(&v, dir, "url.tsv") < 0) {
		tap_skip(t, "no url.tsv in $SUITES");
		return;
	}
	while (tsv_next(&v)) {
		rc = url_base(u, v.col[0], v.len[0]);
		if (rc < 0)
			tap_diag("line %u: base: %s", v.row, fault_str(rc));
		count(&n,
		    rc == 0 &&
			becomes(u, v.col[1], v.len[1], v.col[2], v.len[2],
			    &got),
		    &v, got);
	}
	tsv_close(&v);
	rc = url_base(u, NULL, 0);
	tap_ok(t, rc == 0 && n.bad == 0 && n.rows > 0, "url.tsv: %u of %u rows",
	    n.rows - n.bad, n.rows);
}

static void
hosts(struct tap *t, struct url *u, const char *dir)
{
	struct tally n = { 0, 0 };
	struct url_span got;
	struct tsv v;
	char in[8192], want[8192];
	int len, want_len;

	if (tsv_open(&v, dir, "idna.tsv") < 0) {
		tap_skip(t, "no idna.tsv in $SUITES");
		return;
	}
	while (tsv_next(&v)) {
		len = snprintf(in, sizeof in, "http://%.*s/", (int)v.len[0],
		    v.col[0]);
		want_len = snprintf(want, sizeof want,
		    v.col[1][0] == '!' && v.len[1] == 1 ? "!" : "http://%.*s/",
		    (int)v.len[1], v.col[1]);
		count(&n,
		    becomes(u, in, (size_t)len, want, (size_t)want_len, &got),
		    &v, got);
	}
	tsv_close(&v);
	tap_ok(t, (n.rows - n.bad) * 100 >= n.rows * IDNA_LEAST && n.rows > 0,
	    "idna.tsv: %u of %u rows", n.rows - n.bad, n.rows);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	const char *src = getenv("top_srcdir"), *dir = getenv("SUITES");
	struct url *u = url_new(0);
	char def[4096];

	if (dir == NULL || *dir == '\0') {
		snprintf(def, sizeof def, "%s/../shared/suites",
		    src == NULL ? "." : src);
		dir = def;
	}
	if (tap_ok(&t, u != NULL, "a normaliser")) {
		urls(&t, u, dir);
		hosts(&t, u, dir);
	}
	url_free(u);
	return tap_done(&t);
}
