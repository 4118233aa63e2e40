/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <assert.h>
#include <getopt.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "dedup/filter.h"
#include "dedup/number.h"
#include "dedup/options.h"
#include "dedup/suggest.h"
#include "dedup/url.h"
#include "snapshot/limits.h"

enum type {
	SET,     /* an int becomes `value' */
	STRING,  /* a text, not empty */
	COUNT,   /* a uint64_t with k, M, G, T; at least 1 */
	WHOLE,   /* a uint64_t */
	RATE,    /* a double between 0 and 1 */
	KIND,    /* a filter kind */
	RULES,   /* url rules */
	CHAR,    /* one byte */
	INVALID, /* drop, pass or fail */
	STATS,   /* nothing or json */
};

struct option_row {
	int letter; /* or 0 */
	const char *name;
	const char *arg; /* its name in --help, "[=...]" if optional */
	enum type type;
	size_t at; /* in struct options */
	int value; /* of SET; else the enum options_given bit */
	const char *help;
};

#define AT(field) offsetof(struct options, field)

/* clang-format off */
static const struct option_row table[] = {
{ 'f', "filter", "FILE", STRING, AT(filter), 0,
    "keep the seen set in FILE (made if absent)" },
{ 'n', "capacity", "N", COUNT, AT(capacity), GIVEN_CAPACITY,
    "make room for N distinct URLs (with -f: 10M)" },
{ 'p', "fp-rate", "P", RATE, AT(fp_rate), GIVEN_FP_RATE,
    "promised false-positive rate at that capacity (0.001)" },
{ 'K', "kind", "KIND", KIND, AT(kind), GIVEN_KIND,
    "blocked (default), bloom or exact" },
{ 'd', "repeated", NULL, SET, AT(repeated), 1,
    "print the seen ones instead" },
{ 0, "dry-run", NULL, SET, AT(dry_run), 1,
    "look, add nothing to FILE" },
{ 0, "load", NULL, SET, AT(load), 1,
    "add everything, print nothing" },
{ 'N', "normalized", NULL, SET, AT(normalised), 1,
    "print the normalised URL in place of the line" },
{ 'r', "raw", NULL, SET, AT(raw), 1,
    "a line's bytes are the key: no URL parsing" },
{ 'R', "rules", "LIST", RULES, AT(rules), GIVEN_RULES,
    "further rules, comma-separated; 'help' explains each" },
{ 'b', "base", "URL", STRING, AT(base), 0,
    "resolve relative lines against URL" },
{ 'k', "field", "N", COUNT, AT(field), 0,
    "the URL is the Nth field of the line" },
{ 't', "field-separator", "C", CHAR, AT(separator), 0,
    "fields are separated by C (tab)" },
{ 'z', "zero-terminated", NULL, SET, AT(zero), 1,
    "lines end in NUL" },
{ '0', NULL, NULL, SET, AT(zero), 1, NULL },
{ 0, "default-scheme", "S", STRING, AT(default_scheme), 0,
    "a line without a scheme gets S (http or https)" },
{ 'o', "output", "FILE", STRING, AT(output), 0,
    "write to FILE instead of standard output" },
{ 0, "invalid", "HOW", INVALID, AT(invalid), 0,
    "drop (default), pass or fail: lines that are no URL" },
{ 0, "rejects", "FILE", STRING, AT(rejects), 0,
    "write the dropped lines to FILE" },
{ 'j', "threads", "N", COUNT, AT(threads), 0,
    "use N threads (as many as there are cores)" },
{ 0, "no-grow", NULL, SET, AT(no_grow), 1,
    "never add a layer; warn once past the capacity" },
{ 'w', "wait", NULL, SET, AT(wait), 1,
    "wait for the lock of FILE" },
{ 0, "sync", NULL, SET, AT(sync), 1,
    "make output durable before remembering it" },
{ 0, "line-buffered", NULL, SET, AT(line_buffered), 1,
    "write each line by itself" },
{ 0, "stats", "[=json]", STATS, AT(stats), 0,
    "counts and rates on standard error at the end" },
{ 'q', "quiet", NULL, SET, AT(quiet), 1,
    "say nothing but errors" },
{ 0, "progress", NULL, SET, AT(progress), 1,
    "a live line on standard error" },
{ 0, "seed", "N", WHOLE, AT(seed), GIVEN_SEED,
    "hash seed of a new filter (random)" },
{ 0, "info", NULL, SET, AT(mode), MODE_INFO,
    "show what the header of -f FILE says, and the estimate" },
{ 0, "verify", NULL, SET, AT(mode), MODE_VERIFY,
    "check the header and the sums of -f FILE" },
{ 'h', "help", NULL, SET, AT(mode), MODE_HELP,
    "show this" },
{ 'V', "version", NULL, SET, AT(mode), MODE_VERSION,
    "show the version" },
};
/* clang-format on */

#define ROWS       (sizeof table / sizeof table[0])
#define FIRST_LONG 256 /* getopt's value of row i is FIRST_LONG + i */

static int
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    wrong(char *err, size_t size, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err, size, fmt, ap);
	va_end(ap);
	return FAULT_ARG;
}

/* Make getopt_long()'s tables from ours. */
static void
make_getopt(struct option *longs, char *shorts)
{
	size_t i, n = 0;

	*shorts++ = ':'; /* tell a missing argument from a wrong option */
	for (i = 0; i < ROWS; i++) {
		const struct option_row *r = &table[i];
		int has = r->arg == NULL ? no_argument :
		    r->arg[0] == '['     ? optional_argument :
					   required_argument;

		if (r->letter != 0) {
			*shorts++ = (char)r->letter;
			if (has == required_argument)
				*shorts++ = ':';
		}
		if (r->name != NULL)
			longs[n++] = (struct option){ r->name, has, NULL,
				FIRST_LONG + (int)i };
	}
	*shorts = '\0';
	longs[n] = (struct option){ NULL, 0, NULL, 0 };
}

static const struct option_row *
row_of(int got)
{
	size_t i;

	if (got >= FIRST_LONG)
		return &table[got - FIRST_LONG];
	for (i = 0; i < ROWS; i++)
		if (table[i].letter == got)
			return &table[i];
	return NULL; /* getopt_long() knows no others */
}

/* The option as it was written: "-n" or "--capacity". */
static void
word_option(const struct option_row *r, int got, char *out, size_t size)
{
	if (got < FIRST_LONG)
		snprintf(out, size, "-%c", got);
	else
		snprintf(out, size, "--%s", r->name);
}

static int
parse_rules(struct options *o, const char *s, char *err, size_t size)
{
	struct suggest near;
	size_t len;
	uint32_t rule;
	unsigned int i;

	if (strcmp(s, "help") == 0) {
		o->mode = MODE_RULES;
		return 0;
	}
	for (;; s += len + 1) {
		len = strcspn(s, ",");
		rule = url_rule(s, len);
		if (rule == 0)
			break;
		o->rules |= rule;
		if (s[len] == '\0')
			return 0;
	}
	suggest_init(&near, s, len);
	for (i = 0; i < URL_RULES; i++)
		suggest_try(&near, url_rule_name(i));
	if (suggest_best(&near) != NULL)
		return wrong(err, size,
		    "no rule is called '%.*s'; did you mean '%s'?",
		    (int)(len < 80 ? len : 80), s, suggest_best(&near));
	return wrong(err, size,
	    "no rule is called '%.*s'; --rules=help lists them",
	    (int)(len < 80 ? len : 80), s);
}

static int
parse_char(char *c, const char *s)
{
	static const char from[] = "t0\\", to[] = "\t\0\\";
	const char *at;

	if (s[0] == '\\' && s[1] != '\0' && s[2] == '\0') {
		at = strchr(from, s[1]);
		if (at == NULL)
			return FAULT_ARG;
		*c = to[at - from];
		return 0;
	}
	*c = s[0];
	return s[0] == '\0' || s[1] != '\0' ? FAULT_ARG : 0;
}

static int
parse_invalid(enum options_invalid *how, const char *s)
{
	static const char *const names[] = { "drop", "pass", "fail" };
	unsigned int i;

	for (i = 0; i < 3; i++) {
		if (strcmp(s, names[i]) != 0)
			continue;
		*how = (enum options_invalid)i;
		return 0;
	}
	return FAULT_ARG;
}

static int
parse_rate(double *p, const char *s)
{
	int rc = number_real(s, p);

	return rc < 0 || !(*p > 0 && *p < 1) ? FAULT_ARG : 0;
}

static int
parse_count(uint64_t *n, const char *s)
{
	int rc = number_count(s, n);

	return rc < 0 || *n == 0 ? FAULT_ARG : 0;
}

/* Put the value `s' of row `r' at `p'.  What would be right if it is not. */
static const char *
parse_value(const struct option_row *r, void *p, const char *s)
{
	static const char *const kinds = "blocked, bloom or exact";

	switch (r->type) {
	case SET:
		*(int *)p = r->value;
		return NULL;
	case STRING:
		*(const char **)p = s;
		return *s == '\0' ? "something that is not empty" : NULL;
	case COUNT:
		return parse_count(p, s) < 0 ?
		    "a whole number from 1, such as 500, 10M or 1G" :
		    NULL;
	case WHOLE:
		return number_whole(s, p) < 0 ? "a whole number below 2^64" :
						NULL;
	case RATE:
		return parse_rate(p, s) < 0 ?
		    "a number between 0 and 1, such as 0.001" :
		    NULL;
	case KIND:
		*(unsigned int *)p = filter_kind(s);
		return *(unsigned int *)p == 0 ? kinds : NULL;
	case CHAR:
		return parse_char(p, s) < 0 ? "one byte, or '\\t'" : NULL;
	case INVALID:
		return parse_invalid(p, s) < 0 ? "drop, pass or fail" : NULL;
	case STATS:
		*(enum options_stats *)p = s == NULL ? STATS_TEXT : STATS_JSON;
		return s == NULL || strcmp(s, "json") == 0 ? NULL : "json";
	case RULES:
		break; /* has messages of its own */
	}
	return NULL;
}

static int
take(struct options *o, const struct option_row *r, int got, const char *s,
    char *err, size_t size)
{
	const char *right;
	char name[40];

	assert(r != NULL);
	if (r->type != SET)
		o->given |= (unsigned int)r->value;
	if (r->type == RULES)
		return parse_rules(o, s, err, size);
	right = parse_value(r, (char *)o + r->at, s);
	if (right == NULL)
		return 0;
	word_option(r, got, name, sizeof name);
	return wrong(err, size, "%s '%.80s' is wrong: it takes %s", name, s,
	    right);
}

static int
unknown_long(const char *word, char *err, size_t size)
{
	struct suggest near;
	size_t i, len = strcspn(word, "=");

	suggest_init(&near, word, len);
	for (i = 0; i < ROWS; i++)
		if (table[i].name != NULL)
			suggest_try(&near, table[i].name);
	if (suggest_best(&near) != NULL)
		return wrong(err, size,
		    "no option is called --%.*s; did you mean --%s?",
		    (int)(len < 80 ? len : 80), word, suggest_best(&near));
	return wrong(err, size,
	    "no option is called --%.*s, or it is short for several; "
	    "--help lists them",
	    (int)(len < 80 ? len : 80), word);
}

/* Word what getopt_long() refused: `got' is ':' or '?'. */
static int
refused(int got, const char *word, char *err, size_t size)
{
	const struct option_row *r = optopt == 0 ? NULL : row_of(optopt);
	char name[40];

	if (r == NULL && optopt != 0)
		return wrong(err, size,
		    "no option is called -%c; --help lists them", optopt);
	if (r == NULL)
		return unknown_long(word + 2, err, size);
	word_option(r, optopt, name, sizeof name);
	if (got == ':')
		return wrong(err, size, "%s needs an argument: %s %s", name,
		    name, r->arg);
	return wrong(err, size, "%s takes no argument", name);
}

/* Two options of which one makes the other pointless. */
static int
clash(const struct options *o, char *err, size_t size)
{
	const struct {
		int both;
		const char *text;
	} rows[] = {
		{ o->load && o->repeated,
		    "--load prints nothing: it goes without -d" },
		{ o->load && o->dry_run,
		    "--load adds and --dry-run does not: give one of them" },
		{ o->load && o->normalised,
		    "--load prints nothing: it goes without -N" },
		{ o->load && o->output != NULL,
		    "--load prints nothing: it goes without -o" },
		{ o->raw && o->normalised,
		    "-r takes lines as they are: it goes without -N" },
		{ o->raw && (o->given & GIVEN_RULES),
		    "-r takes lines as they are: it goes without -R" },
		{ o->raw && o->base != NULL,
		    "-r takes lines as they are: it goes without -b" },
		{ o->raw && o->default_scheme != NULL,
		    "-r takes lines as they are: it goes without "
		    "--default-scheme" },
		{ o->base != NULL && o->default_scheme != NULL,
		    "-b resolves lines without a scheme: it goes without "
		    "--default-scheme" },
		{ o->separator != '\t' && o->field == 0,
		    "-t separates fields: give the URL's field with -k N" },
		{ o->rejects != NULL && o->invalid != INVALID_DROP,
		    "--rejects takes dropped lines: it goes with "
		    "--invalid=drop" },
		{ o->no_grow && o->filter == NULL && o->capacity == 0,
		    "--no-grow needs a capacity: give -n N" },
		{ o->mode != MODE_FILTER && o->filter == NULL,
		    "--info and --verify need a filter: give -f FILE" },
		{ o->mode != MODE_FILTER && o->n > 0,
		    "--info and --verify read no input: give no FILE "
		    "but -f FILE" },
		{ o->wait && o->filter == NULL,
		    "-w waits for a filter's lock: give -f FILE" },
	};
	size_t i;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].both)
			return wrong(err, size, "%s", rows[i].text);
	return 0;
}

int
options_parse(struct options *o, int argc, char **argv, char *err, size_t size)
{
	struct option longs[ROWS + 1];
	char shorts[2 * ROWS + 2];
	int got, rc;

	memset(o, 0, sizeof *o);
	o->kind = FILTER_BLOCKED;
	o->fp_rate = 0.001;
	o->separator = '\t';
	make_getopt(longs, shorts);
	opterr = 0;
	for (;;) {
		got = getopt_long(argc, argv, shorts, longs, NULL);
		if (got == -1)
			break;
		if (got == '?' || got == ':')
			return refused(got, argv[optind - 1], err, size);
		rc = take(o, row_of(got), got, optarg, err, size);
		if (rc < 0)
			return rc;
		if (o->mode == MODE_HELP || o->mode == MODE_VERSION ||
		    o->mode == MODE_RULES)
			return 0;
	}
	o->names = argv + optind;
	o->n = (unsigned int)(argc - optind);
	return clash(o, err, size);
}

static void
help_row(FILE *out, const struct option_row *r)
{
	char left[48];
	int n;

	n = snprintf(left, sizeof left, r->letter != 0 ? "-%c, " : "    ",
	    r->letter);
	snprintf(left + n, sizeof left - (size_t)n, "--%s%s%s", r->name,
	    r->arg == NULL || r->arg[0] == '[' ? "" : "=",
	    r->arg == NULL ? "" : r->arg);
	fprintf(out, "  %-27s %s\n", left, r->help);
}

void
options_help(FILE *out)
{
	size_t i;

	fputs("usage: urlseen [OPTION]... [FILE]...\n"
	      "Print the lines whose normalised URL was not seen before, "
	      "unchanged and in order.\n"
	      "Without FILE, or where it is -, read standard input.\n\n",
	    out);
	for (i = 0; i < ROWS; i++)
		if (table[i].name != NULL)
			help_row(out, &table[i]);
	fputs("\nN takes k, M, G, T (powers of 1000).  Status: 0 success, "
	      "1 --verify failed, 2 error.\n"
	      "Killed at any point, no URL is swallowed: what is in FILE has "
	      "been written out.\n"
	      "See urlseen(1) for the whole manual.\n",
	    out);
}
