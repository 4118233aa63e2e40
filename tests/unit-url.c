/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * The normaliser: tests/data/url.tsv, and rules that keep each other's
 * results.  Every result, under whatever rules, must be one that the same
 * rules leave alone.
 */

#include "config.h"

#include "dedup/url.h"
#include "tests/pieces.h"
#include "tests/tap.h"
#include "tests/tsv.h"

#define ROOM 1024
#define ALL  ((UINT32_C(1) << URL_RULES) - 1)

/* Faults by the names that the table has for them. */
static const struct {
	const char *name;
	int fault;
} faults[] = {
	{ "!empty", FAULT_URL_EMPTY },
	{ "!scheme", FAULT_URL_SCHEME },
	{ "!host", FAULT_URL_HOST },
	{ "!port", FAULT_URL_PORT },
	{ "!toolong", FAULT_URL_TOOLONG },
	{ "!relative", FAULT_URL_RELATIVE },
};

static const char *
fault_name(int rc)
{
	size_t i;

	for (i = 0; i < sizeof faults / sizeof *faults; i++)
		if (faults[i].fault == rc)
			return faults[i].name;
	return "?";
}

/* A column that says "none"? */
static int
none(const char *s)
{
	return strcmp(s, "-") == 0;
}

/* The rules of a row, or 0 with a word that is none. */
static int
rules_of(const char *s, uint32_t *rules)
{
	size_t len;
	uint32_t rule;

	*rules = 0;
	if (none(s))
		return 1;
	if (strcmp(s, "all") == 0)
		*rules = ALL;
	if (*rules != 0)
		return 1;
	for (; *s != '\0'; s += len + (s[len] == ',')) {
		len = strcspn(s, ",");
		rule = url_rule(s, len);
		if (rule == 0)
			return 0;
		*rules |= rule;
	}
	return 1;
}

/* Do `rules' leave `s' as it is, without a copy, and does it have parts? */
static int
stays(uint32_t rules, const char *s, size_t len)
{
	struct url *u = url_new(rules);
	struct url_span got;
	struct url_parts parts;
	int good;

	good = u != NULL && url_normalise(u, s, len, &got) == 0 && got.s == s &&
	    got.len == len && url_split(got, &parts) == 0 && parts.end == len;
	url_free(u);
	return good;
}

/* One row; `got' points into `u' or is the name of a fault. */
static int
row(struct url *u, const struct tsv *v, uint32_t rules, struct url_span *got)
{
	int rc = 0;

	if (!none(v->col[1]))
		rc = url_base(u, v->col[1], v->len[1]);
	if (rc == 0 && !none(v->col[2]))
		rc = url_default_scheme(u, v->col[2]);
	if (rc == 0)
		rc = url_normalise(u, v->col[3], v->len[3], got);
	if (rc < 0) {
		got->s = fault_name(rc);
		got->len = strlen(got->s);
	}
	if (got->len != v->len[4] || memcmp(got->s, v->col[4], got->len) != 0)
		return 0;
	return rc < 0 || stays(rules, v->col[4], v->len[4]);
}

static void
show(const struct tsv *v, struct url_span got)
{
	printf("# line %u: ", v->row);
	tsv_print(stdout, v->col[3], v->len[3]);
	fputs(" gives ", stdout);
	tsv_print(stdout, got.s, got.len);
	putchar('\n');
}

static void
table(struct tap *t)
{
	const char *top = getenv("top_srcdir");
	struct url_span got = { "", 0 };
	unsigned int n = 0, bad = 0;
	uint32_t rules;
	char dir[1024];
	struct url *u;
	struct tsv v;

	snprintf(dir, sizeof dir, "%s/tests/data", top == NULL ? "." : top);
	if (!tap_ok(t, tsv_open(&v, dir, "url.tsv") == 0, "the table"))
		return;
	while (tsv_next(&v)) {
		n++;
		if (v.n != 5 || !rules_of(v.col[0], &rules)) {
			tap_diag("line %u is no row", v.row);
			bad++;
			continue;
		}
		u = url_new(rules);
		if (u == NULL)
			abort();
		if (!row(u, &v, rules, &got)) {
			bad++;
			show(&v, got);
		}
		url_free(u);
	}
	tsv_close(&v);
	tap_ok(t, bad == 0 && n > 600, "%u of %u rows, each stays as it is",
	    n - bad, n);
}

static const char *const front[] = { "http://", "https://",
	"HTTP:", "http://u:p@", "https://u@" };
static const char *const host[] = { "a.example", "www.a.example", "www.www.a",
	"www.b", "WWW.B.C.", "www.1.2.3.4", "www.0x1", "1.2", "[::1]",
	"www.www.", "www..a" };
static const char *const port[] = { "", "", "", ":", ":80", ":443", ":8080",
	":0" };
static const char *const path[] = { "/", "/", "/", "/a", "b", ".", "..", "/.",
	"/..", "%2e", "%2F", "\\", ";", "=", "(", ")", "/(S(", "(X(1)S(ab))",
	"))", ";sid=1", ";jsessionid=", ";v=1", "index.html", "/index.php",
	"/default.asp", "INDEX.HTM", "sid", "%", "%2", "%65", "4" };
static const char *const query[] = { "?", "?", "&", "&", "=", "a", "b=1", "B",
	"%61", "%26", "utm_source", "utm_", "gclid=1", "sid=1", "PHPSESSID",
	"jsessionid", "/", "//", "..", "/index.html", "%2", "%35" };
static const char *const tail[] = { "", "", "", "#", "#a", "#?utm_source=1",
	"#/../b//", "##", "#%2%35" };

/* A URL in which each rule finds work now and then. */
static size_t
make(struct pieces *g, char *s)
{
	size_t n = pieces_put(s, 0, PIECES_PICK(g, front)), i;

	n = pieces_put(s, n, PIECES_PICK(g, host));
	n = pieces_put(s, n, PIECES_PICK(g, port));
	n = pieces_put(s, n, "/");
	for (i = pieces_next(g) % 9; i > 0; i--)
		n = pieces_put(s, n, PIECES_PICK(g, path));
	for (i = pieces_next(g) % 2 * (pieces_next(g) % 9); i > 0; i--)
		n = pieces_put(s, n, PIECES_PICK(g, query));
	return pieces_put(s, n, PIECES_PICK(g, tail));
}

/* How many of `many' generated URLs come to rest under `rules'. */
static unsigned int
at_rest(uint32_t rules, unsigned int many, unsigned int *good)
{
	struct pieces g = { rules };
	struct url *u = url_new(rules);
	struct url_span got;
	char s[ROOM], once[ROOM];
	unsigned int i, bad = 0;
	size_t n;

	if (u == NULL)
		abort();
	*good = 0;
	for (i = 0; i < many; i++) {
		n = make(&g, s);
		if (url_normalise(u, s, n, &got) < 0)
			continue;
		++*good;
		memcpy(once, got.s, got.len);
		n = got.len;
		if (url_normalise(u, once, n, &got) == 0 && got.s == once &&
		    got.len == n)
			continue;
		if (bad++ < 3)
			tap_diag("rules %#x: %.*s", rules, (int)n, once);
	}
	url_free(u);
	return bad;
}

/* One rule, each pair, all but one, all. */
static void
combined(struct tap *t, unsigned int many)
{
	unsigned int i, j, bad = 0, good, least = many;
	uint32_t rules;

	for (i = 0; i <= URL_RULES; i++) {
		for (j = i; j <= URL_RULES; j++) {
			rules = (UINT32_C(1) << i | UINT32_C(1) << j) & ALL;
			bad += at_rest(rules, many, &good);
			least = good < least ? good : least;
			bad += at_rest(ALL & ~rules, many, &good);
			least = good < least ? good : least;
		}
	}
	tap_ok(t, bad == 0, "what rules made, they leave alone");
	tap_ok(t, least > many / 2, "at least %u of %u were URLs", least, many);
}

/*
 * No rule, no change: the rules but the fragment's do nothing to a URL that
 * has nothing for them.
 */
static void
untouched(struct tap *t)
{
	static const char *const plain[] = {
		"http://a.example/",
		"http://w.a.example:8080/b/c;v=1/d.html?a=1&b=2",
		"http://1.2.3.4/wwww/utm_source/sid?a&a&b",
	};
	unsigned int i, j, bad = 0;

	for (i = 0; i < sizeof plain / sizeof *plain; i++)
		for (j = 0; j < URL_RULES; j++)
			bad += !stays(UINT32_C(1) << j, plain[i],
			    strlen(plain[i]));
	tap_ok(t, bad == 0, "rules leave what is not theirs");
}

static void
names(struct tap *t)
{
	unsigned int i, bad = 0;

	for (i = 0; i < URL_RULES; i++)
		bad += url_rule(url_rule_name(i), strlen(url_rule_name(i))) !=
			UINT32_C(1) << i ||
		    *url_rule_help(i) == '\0';
	tap_ok(t, bad == 0, "each rule has a name and is found by it");
	tap_ok(t, url_rule("sort", 4) == 0 && url_rule("", 0) == 0,
	    "no rule by half a name");
}

int
main(void)
{
	const char *longer = getenv("LONG");
	unsigned int many = TAP_SANITIZED ? 500 : 2000;
	struct tap t = { 0, 0 };

	if (longer != NULL && *longer != '\0')
		many = 200000;
	table(&t);
	names(&t);
	untouched(&t);
	combined(&t, many);
	return tap_done(&t);
}
