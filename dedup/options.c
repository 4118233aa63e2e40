/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stddef.h>
#include <string.h>

#include "dedup/completion.h"
#include "dedup/filter.h"
#include "dedup/optable.h"
#include "dedup/options.h"
#include "dedup/url.h"

/* --rules=help is a mode of its own. */
static int
take_rules(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	struct options *o = obj;

	if (strcmp(s, "help") != 0)
		return optable_rules(r, obj, s, e);
	o->mode = MODE_RULES;
	return 1;
}

static int
take_stats(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	struct options *o = obj;

	(void)r;
	o->stats = s == NULL ? STATS_TEXT : STATS_JSON;
	if (s == NULL || strcmp(s, "json") == 0)
		return 0;
	e->right = "json";
	return FAULT_ARG;
}

static int
take_completion(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	struct options *o = obj;
	int rc = optable_word(r, obj, s, e);

	if (rc < 0)
		return rc;
	o->mode = MODE_COMPLETION;
	return 1;
}

static const char *const kind_words[] = { "blocked", "bloom", "counting",
	"cuckoo", "exact", NULL };
static const char *const scheme_words[] = { "http", "https", NULL };
static const char *const invalid_words[] = { "drop", "pass", "fail", NULL };

#define AT(field)              offsetof(struct options, field)
#define SET(field, to)         optable_set, AT(field), to, 0, NULL
#define MODE(to)               optable_mode, AT(mode), to, 0, NULL
#define LAST(field, to)        optable_last, AT(field), to, 0, NULL
#define TAKE(fn, field, given) fn, AT(field), 0, given, NULL

/* clang-format off */
static const struct optable_row table[] = {
{ 'f', "filter", "FILE", TAKE(optable_string, filter, 0),
    "keep the seen set in FILE (made if absent)" },
{ 'n', "capacity", "N", TAKE(optable_count, capacity, GIVEN_CAPACITY),
    "make room for N distinct URLs (with -f: 10M)" },
{ 'p', "fp-rate", "P", TAKE(optable_rate, fp_rate, GIVEN_FP_RATE),
    "promised false-positive rate at capacity (0.001)" },
{ 'K', "kind", "KIND", optable_kind, AT(kind), 0, GIVEN_KIND, kind_words,
    "blocked (default), bloom, counting, cuckoo, exact" },
{ 'd', "repeated", NULL, SET(repeated, 1),
    "print the seen ones instead" },
{ 0, "dry-run", NULL, SET(dry_run, 1),
    "look, add nothing to FILE" },
{ 0, "load", NULL, SET(load, 1),
    "add everything, print nothing" },
{ 0, "delete", NULL, SET(remove, 1),
    "take URLs out again, print nothing (some kinds)" },
{ 'N', "normalized", NULL, SET(normalised, 1),
    "print the normalised URL in place of the line" },
{ 'r', "raw", NULL, SET(raw, 1),
    "a line's bytes are the key: no URL parsing" },
{ 'R', "rules", "LIST", TAKE(take_rules, rules, GIVEN_RULES),
    "further rules, with commas; 'help' explains each" },
{ 'b', "base", "URL", TAKE(optable_string, base, 0),
    "resolve relative lines against URL" },
{ 'k', "field", "N", TAKE(optable_count, field, 0),
    "the URL is the Nth field of the line" },
{ 't', "field-separator", "C", TAKE(optable_char, separator, 0),
    "fields are separated by C (tab)" },
{ 'z', "zero-terminated", NULL, SET(zero, 1),
    "lines end in NUL" },
{ '0', NULL, NULL, SET(zero, 1), NULL },
{ 0, "default-scheme", "S", optable_string, AT(default_scheme), 0, 0,
    scheme_words,
    "a line without a scheme gets S (http or https)" },
{ 'o', "output", "FILE", TAKE(optable_string, output, 0),
    "write to FILE instead of standard output" },
{ 0, "invalid", "HOW", optable_word, AT(invalid), 0, 0, invalid_words,
    "drop (default), pass or fail lines that are no URL" },
{ 0, "rejects", "FILE", TAKE(optable_string, rejects, 0),
    "write the dropped lines to FILE" },
{ 'j', "threads", "N", TAKE(optable_count, threads, 0),
    "use N threads (as many as there are cores)" },
{ 0, "memory", "SIZE", TAKE(optable_bytes, memory, 0),
    "for the filter (what is free), else sorted batches" },
{ 0, "no-grow", NULL, SET(no_grow, 1),
    "never add a layer; warn once past the capacity" },
{ 0, "repair", NULL, SET(repair, 1),
    "take a FILE that a system crash left unclean" },
{ 'w', "wait", NULL, SET(wait, 1),
    "wait for the lock of FILE" },
{ 0, "shared", NULL, SET(shared, 1),
    "let several processes write FILE (blocked, bloom)" },
{ 0, "sync", NULL, SET(sync, 1),
    "make output durable before remembering it" },
{ 0, "line-buffered", NULL, SET(line_buffered, 1),
    "write each line by itself" },
{ 0, "stats", "[=json]", TAKE(take_stats, stats, 0),
    "counts and rates on standard error at the end" },
{ 'q', "quiet", NULL, SET(quiet, 1),
    "say nothing but errors" },
{ 0, "progress", NULL, SET(progress, 1),
    "a live line on standard error" },
{ 0, "seed", "N", TAKE(optable_whole, seed, GIVEN_SEED),
    "hash seed of a new filter (random)" },
{ 0, "info", NULL, MODE(MODE_INFO),
    "show the header of -f FILE, and the estimated rate" },
{ 0, "verify", NULL, MODE(MODE_VERIFY),
    "check the header and the sums of -f FILE" },
{ 0, "merge", NULL, MODE(MODE_MERGE),
    "make -f FILE from filters, named as inputs are" },
{ 0, "plan", NULL, MODE(MODE_PLAN),
    "show what each kind costs for -n N URLs at -p P" },
{ 0, "completion", "SHELL", take_completion, AT(shell), 0, 0,
    completion_shells,
    "print what makes bash, zsh or fish complete" },
{ 'h', "help", NULL, LAST(mode, MODE_HELP),
    "show this" },
{ 'V', "version", NULL, LAST(mode, MODE_VERSION),
    "show the version" },
};
/* clang-format on */

static const struct optable options = {
	table,
	sizeof table / sizeof table[0],
	AT(given),
};

/* Two options of which one makes the other pointless. */
struct clash {
	int both;
	const char *text;
};

static int
first_clash(const struct clash *row, size_t n, char *err, size_t size)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (row[i].both)
			return optable_wrong(err, size, "%s", row[i].text);
	return 0;
}

static int
clash_lines(const struct options *o, char *err, size_t size)
{
	const struct clash rows[] = {
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
		{ o->wait && o->filter == NULL,
		    "-w waits for a filter's lock: give -f FILE" },
	};

	return first_clash(rows, sizeof rows / sizeof rows[0], err, size);
}

static int
clash_modes(const struct options *o, char *err, size_t size)
{
	const struct clash rows[] = {
		{ o->remove && o->filter == NULL,
		    "--delete takes URLs out of a filter: give -f FILE" },
		{ o->remove && o->load,
		    "--load adds and --delete takes out: give one of them" },
		{ o->remove && o->dry_run,
		    "--delete changes FILE and --dry-run does not: give one "
		    "of them" },
		{ o->remove && (o->repeated || o->normalised),
		    "--delete prints nothing: it goes without -d and -N" },
		{ o->remove && o->output != NULL,
		    "--delete prints nothing: it goes without -o" },
		{ o->shared && o->filter == NULL,
		    "--shared is about a filter's file: give -f FILE" },
		{ o->shared && o->remove,
		    "--delete needs FILE for itself: it goes without "
		    "--shared" },
		{ o->shared && !filter_can_share(o->kind),
		    "--shared lets processes write filters of kind blocked or "
		    "bloom only: leave --shared or -K out" },
		{ o->repair && o->filter == NULL,
		    "--repair is about a filter's file: give -f FILE" },
		{ (o->mode == MODE_INFO || o->mode == MODE_VERIFY) &&
			o->filter == NULL,
		    "--info and --verify need a filter: give -f FILE" },
		{ (o->mode == MODE_INFO || o->mode == MODE_VERIFY) && o->n > 0,
		    "--info and --verify read no input: give no FILE "
		    "but -f FILE" },
		{ o->mode == MODE_MERGE && o->filter == NULL,
		    "--merge makes a filter: give -f FILE" },
		{ o->mode == MODE_MERGE && o->n == 0,
		    "--merge makes one filter from others: name them" },
		{ o->mode == MODE_MERGE && o->given != 0,
		    "--merge takes the parameters of what it merges: it goes "
		    "without -n, -p, -K, -R and --seed" },
		{ o->mode == MODE_PLAN && o->capacity == 0,
		    "--plan needs the number of URLs: give -n N" },
		{ o->mode == MODE_PLAN && (o->n > 0 || o->filter != NULL),
		    "--plan reads nothing: it goes without FILE and -f" },
	};

	return first_clash(rows, sizeof rows / sizeof rows[0], err, size);
}

int
options_parse(struct options *o, int argc, char **argv, char *err, size_t size)
{
	int rc, rest = argc;

	memset(o, 0, sizeof *o);
	o->kind = FILTER_BLOCKED;
	o->fp_rate = 0.001;
	o->separator = '\t';
	rc = optable_parse(&options, o, argc, argv, &rest, err, size);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	o->names = argv + rest;
	o->n = (unsigned int)(argc - rest);
	rc = clash_lines(o, err, size);
	return rc < 0 ? rc : clash_modes(o, err, size);
}

void
options_completion(const struct options *o, FILE *out)
{
	completion_write(&options, "urlseen", (enum completion_shell)o->shell,
	    out);
}

void
options_help(FILE *out)
{
	fputs("usage: urlseen [OPTION]... [FILE]...\n"
	      "Print lines whose normalised URL was not seen before, "
	      "unchanged and in order.\n"
	      "Without FILE, or where it is -, read standard input.\n\n",
	    out);
	optable_help(&options, out);
	fputs("\nN takes k, M, G, T (powers of 1000).\n"
	      "Status: 0 success, 1 --verify failed, 2 error.\n"
	      "Killed at any point, no URL is swallowed: what is in FILE has "
	      "been written out.\n"
	      "See urlseen(1) for the whole manual.\n",
	    out);
}
