/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <inttypes.h>

#include "dedup/number.h"
#include "dedup/suggest.h"
#include "tests/tap.h"

#define NONE UINT64_MAX

struct row {
	const char *text;
	uint64_t count, bytes; /* NONE: refused */
};

/* clang-format off */
static const struct row rows[] = {
	{ "0", 0, 0 },
	{ "1", 1, 1 },
	{ "500", 500, 500 },
	{ "10k", 10000, 10240 },
	{ "10K", 10000, 10240 },
	{ "1M", 1000000, 1048576 },
	{ "2g", 2000000000, 2147483648 },
	{ "1T", 1000000000000, 1099511627776 },
	{ "1.5k", 1500, 1536 },
	{ "1e6", 1000000, 1000000 },
	{ "1e-1", NONE, NONE },
	{ "0.3", NONE, NONE },
	{ "64MB", NONE, 67108864 },
	{ "64B", NONE, 64 },
	{ "", NONE, NONE },
	{ "k", NONE, NONE },
	{ "-1", NONE, NONE },
	{ "+1", NONE, NONE },
	{ " 1", NONE, NONE },
	{ "1 ", NONE, NONE },
	{ "1x", NONE, NONE },
	{ "1kk", NONE, NONE },
	{ "0x10", NONE, NONE },
	{ "nan", NONE, NONE },
	{ "inf", NONE, NONE },
	{ "1e400", NONE, NONE },
	{ "99999999999999999999", NONE, NONE },
	{ "9000000T", NONE, NONE },
};
/* clang-format on */

static uint64_t
value(int (*parse)(const char *, uint64_t *), const char *s)
{
	uint64_t v = 0;

	return parse(s, &v) < 0 ? NONE : v;
}

static void
table(struct tap *t)
{
	size_t i;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct row *r = &rows[i];

		tap_ok(t, value(number_count, r->text) == r->count,
		    "count '%s'", r->text);
		tap_ok(t, value(number_bytes, r->text) == r->bytes,
		    "bytes '%s'", r->text);
	}
}

static void
others(struct tap *t)
{
	double d = 0;
	uint64_t v = 0;

	tap_ok(t,
	    number_whole("18446744073709551615", &v) == 0 && v == UINT64_MAX,
	    "2^64 - 1 is whole");
	tap_ok(t, number_whole("18446744073709551616", &v) < 0,
	    "2^64 is too much");
	tap_ok(t, number_whole("0xff", &v) == 0 && v == 255, "hexadecimal");
	tap_ok(t, number_whole("12a", &v) < 0, "no rubbish behind");
	tap_ok(t, number_real("0.01", &d) == 0 && d == 0.01, "a real number");
	tap_ok(t, number_real(".5", &d) == 0 && d == 0.5, "with a bare point");
	tap_ok(t,
	    number_real("nan", &d) < 0 && number_real("-1", &d) < 0 &&
		number_real("1e999", &d) < 0 && number_real("", &d) < 0 &&
		number_real("0x10", &d) < 0,
	    "none of these is one");
}

static const char *
nearest(const char *word)
{
	static const char *const known[] = { "repeated", "rejects", "rules",
		"raw", "dry-run" };
	struct suggest s;
	size_t i;

	suggest_init(&s, word, strlen(word));
	for (i = 0; i < sizeof known / sizeof known[0]; i++)
		suggest_try(&s, known[i]);
	return suggest_best(&s) == NULL ? "" : suggest_best(&s);
}

static void
suggestions(struct tap *t)
{
	char longer[200];

	tap_ok(t, strcmp(nearest("repaeted"), "repeated") == 0, "swapped");
	tap_ok(t, strcmp(nearest("ruls"), "rules") == 0, "left out");
	tap_ok(t, strcmp(nearest("dryrun"), "dry-run") == 0, "without hyphen");
	tap_ok(t, strcmp(nearest("quark"), "") == 0, "nothing is near");
	tap_ok(t, strcmp(nearest(""), "") == 0, "an empty word");
	memset(longer, 'r', sizeof longer - 1);
	longer[sizeof longer - 1] = '\0';
	tap_ok(t, strcmp(nearest(longer), "") == 0, "a very long word");
}

int
main(void)
{
	struct tap t = { 0, 0 };

	table(&t);
	others(&t);
	suggestions(&t);
	return tap_done(&t);
}
