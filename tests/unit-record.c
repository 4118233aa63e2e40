/* SPDX-License-Identifier: BSD-2-Clause */

/* The lines of the journal.  Each row of tests/data/record.tsv is one. */

#include "config.h"

#include "snapshot/limits.h"
#include "snapshot/record.h"
#include "tests/tap.h"

/*
 * A row: "good" or "unknown" or "bad", a tab, the line.  A good one must be
 * written again as it stands.
 */
static void
row(struct tap *t, char *verdict, char *line)
{
	char copy[4096], again[4096];
	struct record r;
	long n;
	int rc;

	snprintf(copy, sizeof copy, "%s", line);
	rc = record_parse(&r, copy, strlen(copy));
	if (strcmp(verdict, "bad") == 0) {
		tap_ok(t, rc == FAULT_DAMAGED, "bad: %s", line);
		return;
	}
	if (strcmp(verdict, "unknown") == 0) {
		tap_ok(t, rc == 0 && r.type == line[0], "unknown: %s", line);
		return;
	}
	if (!tap_ok(t, rc == 1, "%s", line))
		return;
	n = record_put(&r, again, sizeof again);
	again[n > 0 ? n - 1 : 0] = '\0';
	if (strcmp(verdict, "more") == 0)
		tap_ok(t, n > 0 && strncmp(line, again, (size_t)n - 1) == 0,
		    "further fields are left out");
	else if (!tap_ok(t, strcmp(line, again) == 0, "the same again"))
		tap_diag("%s", again);
}

static struct record_span
span(const char *s)
{
	return (struct record_span){ s, strlen(s) };
}

static void
fields(struct tap *t)
{
	char a[] = "A\t7\thttp://x/\t3\t1\ters";
	char d[] = "D\t18446744073709551615\thttp://x/\t200\tok\t"
		   "arc\\x09\\x5cive\t12\t34";
	struct record r;

	tap_ok(t,
	    record_parse(&r, a, sizeof a - 1) == 1 &&
		r.type == RECORD_ADMITTED && r.ordinal == 7 && r.depth == 3 &&
		r.lane == 1 && r.url.len == 9 &&
		r.flags == (RECORD_EMBED | RECORD_REDIRECT | RECORD_SEED),
	    "an admission's fields");
	tap_ok(t,
	    record_parse(&r, d, sizeof d - 1) == 1 && r.ordinal == UINT64_MAX &&
		r.status == 200 && r.word.len == 2 && r.text.len == 8 &&
		memcmp(r.text.s, "arc\t\\ive", 8) == 0 && r.offset == 12 &&
		r.length == 34,
	    "a page's fields");
}

static void
refused(struct tap *t)
{
	static char big[LIMIT_URL + 1], line[LIMIT_RECORD + 8];
	struct record r = { .type = 'H',
		.url = span("http://x/"),
		.word = span("robots"),
		.text = span("a\\b") };
	struct record bad;
	long n;
	size_t i;

	n = record_put(&r, line, sizeof line);
	for (i = 0; i < (size_t)n; i++) {
		if (record_put(&r, line, i) != FAULT_FULL)
			break;
	}
	tap_ok(t, n > 0 && i == (size_t)n && record_put(&r, line, i) == n,
	    "no more than there is room for");
	bad = r;
	bad.type = 'q';
	tap_ok(t, record_put(&bad, line, sizeof line) == FAULT_ARG, "letter");
	bad = r;
	bad.word = span("two words");
	tap_ok(t, record_put(&bad, line, sizeof line) == FAULT_ARG, "word");
	bad.word = span("");
	tap_ok(t, record_put(&bad, line, sizeof line) == FAULT_ARG, "no word");
	bad.word = (struct record_span){ big, LIMIT_RECORD_WORD + 1 };
	memset(big, 'a', sizeof big);
	tap_ok(t, record_put(&bad, line, sizeof line) == FAULT_TOOBIG,
	    "a word too long");
	bad = r;
	bad.url = span("http://x/ y");
	tap_ok(t, record_put(&bad, line, sizeof line) == FAULT_ARG, "URL");
	bad.url = (struct record_span){ big, sizeof big };
	tap_ok(t, record_put(&bad, line, sizeof line) == FAULT_TOOBIG,
	    "a URL too long");
	memset(big, '\1', LIMIT_RECORD_TEXT + 1);
	bad = r;
	bad.text = (struct record_span){ big, LIMIT_RECORD_TEXT + 1 };
	tap_ok(t, record_put(&bad, line, sizeof line) == FAULT_TOOBIG,
	    "a text too long");
	bad.flags = RECORD_FLAGS + 1;
	bad.text = span("");
	tap_ok(t, record_put(&bad, line, sizeof line) == FAULT_ARG, "flags");
}

/* The longest line there can be, there and back. */
static void
longest(struct tap *t)
{
	static char url[LIMIT_URL], text[LIMIT_RECORD_TEXT];
	static char line[LIMIT_RECORD];
	struct record r = { .type = 'D',
		.ordinal = UINT64_MAX,
		.status = UINT32_MAX,
		.offset = UINT64_MAX,
		.length = UINT64_MAX };
	struct record got;
	long n;

	memset(url, 'u', sizeof url);
	memset(text, '\\', sizeof text);
	r.url = (struct record_span){ url, sizeof url };
	r.text = (struct record_span){ text, sizeof text };
	r.word = span("0123456789abcdefghijklmnopqrstuv");
	n = record_put(&r, line, sizeof line);
	tap_ok(t, n > 0, "the longest line fits: %ld", n);
	tap_ok(t,
	    n > 0 && record_parse(&got, line, (size_t)n - 1) == 1 &&
		got.url.len == sizeof url && got.text.len == sizeof text &&
		memcmp(got.text.s, text, sizeof text) == 0 &&
		got.status == UINT32_MAX && got.length == UINT64_MAX,
	    "and comes back");
}

static void
folding(struct tap *t)
{
	static const uint64_t want[] = { 5, 6, 7, 39, 40, 72, 73 + (1 << 10),
		UINT64_C(1) << 40, UINT64_MAX - 1, UINT64_MAX };
	char text[sizeof want / sizeof want[0] * RECORD_GAP], line[4096];
	struct record r = { .type = 'd', .ordinal = 5 }, got;
	size_t i, n = 0, at = 0;
	uint64_t o = 0;
	long len;
	int bad = 0;

	for (i = 1; i < sizeof want / sizeof want[0]; i++)
		n += record_gap(text + n, want[i] - want[i - 1] - 1);
	r.text = (struct record_span){ text, n };
	len = record_put(&r, line, sizeof line);
	tap_ok(t, len > 0 && record_parse(&got, line, (size_t)len - 1) == 1,
	    "a folded record: %.*s", (int)len - 1, line);
	for (i = 0; i < sizeof want / sizeof want[0]; i++)
		bad |= record_unfold(&got, &at, &o) != 1 || o != want[i];
	tap_ok(t, !bad && record_unfold(&got, &at, &o) == 0, "unfolds");
	got.ordinal = 5;
	got.text = span("0Ba1");
	at = o = 0;
	for (i = 0; i < 4; i++)
		bad |= record_unfold(&got, &at, &o) != 1;
	tap_ok(t, !bad && o == 51, "the manual's example");
	got.text = span("zz");
	at = o = 0;
	tap_ok(t,
	    record_unfold(&got, &at, &o) == 1 &&
		record_unfold(&got, &at, &o) == FAULT_DAMAGED,
	    "a cut gap");
	got.text = span("(");
	at = o = 0;
	tap_ok(t,
	    record_unfold(&got, &at, &o) == 1 &&
		record_unfold(&got, &at, &o) == FAULT_DAMAGED,
	    "no digit");
	got.ordinal = UINT64_MAX;
	got.text = span("0");
	at = o = 0;
	tap_ok(t,
	    record_unfold(&got, &at, &o) == 1 &&
		record_unfold(&got, &at, &o) == FAULT_DAMAGED,
	    "beyond 64 bits");
	got.ordinal = 0;
	got.text = span("zzzzzzzzzzzzzz0");
	at = o = 0;
	tap_ok(t,
	    record_unfold(&got, &at, &o) == 1 &&
		record_unfold(&got, &at, &o) == FAULT_DAMAGED,
	    "a gap too long");
}

int
main(void)
{
	struct tap t = { 0, 0 };
	const char *src = getenv("top_srcdir");
	char path[512];
	char line[4096], *tab;
	FILE *f;

	snprintf(path, sizeof path, "%s/tests/data/record.tsv",
	    src == NULL ? "." : src);
	f = fopen(path, "r");
	tap_ok(&t, f != NULL, "rows in %s", path);
	while (f != NULL && fgets(line, sizeof line, f) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		tab = strchr(line, '\t');
		if (line[0] == '#' || tab == NULL)
			continue;
		*tab = '\0';
		row(&t, line, tab + 1);
	}
	if (f != NULL)
		fclose(f);
	fields(&t);
	refused(&t);
	longest(&t);
	folding(&t);
	return tap_done(&t);
}
