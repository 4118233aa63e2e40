/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <assert.h>
#include <getopt.h>
#include <stdarg.h>
#include <string.h>

#include "dedup/optable.h"
#include "dedup/suggest.h"

#define FIRST_LONG 256 /* getopt's value of row i is FIRST_LONG + i */
#define SHOWN      80  /* bytes of a word in a message */

int
optable_wrong(char *err, size_t size, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err, size, fmt, ap);
	va_end(ap);
	return FAULT_ARG;
}

/* Make getopt_long()'s tables from ours. */
static void
make_getopt(const struct optable *t, struct option *longs, char *shorts)
{
	size_t i, n = 0;

	*shorts++ = ':'; /* tell a missing argument from a wrong option */
	for (i = 0; i < t->rows; i++) {
		const struct optable_row *r = &t->row[i];
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

static const struct optable_row *
row_of(const struct optable *t, int got)
{
	size_t i;

	if (got >= FIRST_LONG)
		return &t->row[got - FIRST_LONG];
	for (i = 0; i < t->rows; i++)
		if (t->row[i].letter == got)
			return &t->row[i];
	return NULL; /* getopt_long() knows no others */
}

/* The option as it was written: "-n" or "--capacity". */
static void
word_option(const struct optable_row *r, int got, char *out, size_t size)
{
	if (got < FIRST_LONG)
		snprintf(out, size, "-%c", got);
	else
		snprintf(out, size, "--%s", r->name);
}

/* Hand `s' to the row's function; `name' is the option as written. */
static int
take(const struct optable *t, void *obj, const struct optable_row *r,
    const char *name, const char *s, char *err, size_t size)
{
	struct optable_error e = { NULL, err, size };
	int rc = r->take(r, obj, s, &e);

	if (rc < 0 && e.right != NULL)
		return optable_wrong(err, size,
		    "%s '%.*s' is wrong: it takes %s", name, SHOWN,
		    s == NULL ? "" : s, e.right);
	if (rc >= 0 && t->given != SIZE_MAX)
		*(unsigned int *)(void *)((char *)obj + t->given) |= r->given;
	return rc;
}

static int
length(size_t len)
{
	return (int)(len < SHOWN ? len : SHOWN);
}

static int
unknown(const struct optable *t, const char *dashes, const char *word,
    size_t len, const char *more, char *err, size_t size)
{
	struct suggest near;
	size_t i;

	suggest_init(&near, word, len);
	for (i = 0; i < t->rows; i++)
		if (t->row[i].name != NULL)
			suggest_try(&near, t->row[i].name);
	if (suggest_best(&near) != NULL)
		return optable_wrong(err, size,
		    "no option is called %s%.*s; did you mean %s%s?", dashes,
		    length(len), word, dashes, suggest_best(&near));
	return optable_wrong(err, size, "no option is called %s%.*s%s", dashes,
	    length(len), word, more);
}

/* Word what getopt_long() refused: `got' is ':' or '?'. */
static int
refused(const struct optable *t, int got, const char *word, char *err,
    size_t size)
{
	const struct optable_row *r = optopt == 0 ? NULL : row_of(t, optopt);
	char name[40];

	if (r == NULL && optopt != 0)
		return optable_wrong(err, size,
		    "no option is called -%c; --help lists them", optopt);
	if (r == NULL)
		return unknown(t, "--", word + 2, strcspn(word + 2, "="),
		    ", or it is short for several; --help lists them", err,
		    size);
	word_option(r, optopt, name, sizeof name);
	if (got == ':')
		return optable_wrong(err, size, "%s needs an argument: %s %s",
		    name, name, r->arg);
	return optable_wrong(err, size, "%s takes no argument", name);
}

int
optable_parse(const struct optable *t, void *obj, int argc, char **argv,
    int *rest, char *err, size_t size)
{
	struct option longs[OPTABLE_ROWS + 1];
	char shorts[2 * OPTABLE_ROWS + 2], name[40];
	const struct optable_row *r;
	int got, rc;

	assert(t->rows <= OPTABLE_ROWS);
	make_getopt(t, longs, shorts);
	opterr = 0;
	optind = 0; /* glibc and musl: start anew */
	for (;;) {
		got = getopt_long(argc, argv, shorts, longs, NULL);
		if (got == -1)
			break;
		if (got == '?' || got == ':')
			return refused(t, got, argv[optind - 1], err, size);
		r = row_of(t, got);
		assert(r != NULL);
		word_option(r, got, name, sizeof name);
		rc = take(t, obj, r, name, optarg, err, size);
		if (rc != 0)
			return rc;
	}
	*rest = optind;
	return 0;
}

/* Cut the blanks off both ends of `s', in place. */
static char *
trim(char *s)
{
	char *end;

	s += strspn(s, " \t\r");
	for (end = s + strlen(s); end > s; end--)
		if (strchr(" \t\r", end[-1]) == NULL)
			break;
	*end = '\0';
	return s;
}

int
optable_line(const struct optable *t, void *obj, char *line, char *err,
    size_t size)
{
	char *value = strchr(line, '='), *name = line;
	const struct optable_row *r = NULL;
	size_t i;
	int rc;

	if (value != NULL)
		*value++ = '\0';
	name = trim(name);
	value = value == NULL ? NULL : trim(value);
	for (i = 0; i < t->rows; i++)
		if (t->row[i].name != NULL && strcmp(t->row[i].name, name) == 0)
			r = &t->row[i];
	if (r == NULL)
		return unknown(t, "", name, strlen(name), "", err, size);
	if (value == NULL && r->arg != NULL && r->arg[0] != '[')
		return optable_wrong(err, size, "%s needs a value: %s = %s",
		    name, name, r->arg);
	if (value != NULL && r->arg == NULL)
		return optable_wrong(err, size, "%s takes no value", name);
	rc = take(t, obj, r, name, value, err, size);
	return rc < 0 ? rc : 0;
}

static void
help_row(const struct optable_row *r, FILE *out)
{
	char left[64];
	int n;

	n = snprintf(left, sizeof left, r->letter != 0 ? "-%c, " : "    ",
	    r->letter);
	snprintf(left + n, sizeof left - (size_t)n, "--%s%s%s", r->name,
	    r->arg == NULL || r->arg[0] == '[' ? "" : "=",
	    r->arg == NULL ? "" : r->arg);
	fprintf(out, "  %-27s %s\n", left, r->help);
}

void
optable_help(const struct optable *t, FILE *out)
{
	size_t i;

	for (i = 0; i < t->rows; i++)
		if (t->row[i].name != NULL && t->row[i].help != NULL)
			help_row(&t->row[i], out);
}
