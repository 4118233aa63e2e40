/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * options.h - urlseen's command line
 *
 * One table says each option's letter, name, argument and meaning; parsing,
 * --help and the messages are made from it.
 */

#ifndef DEDUP_OPTIONS_H
#define DEDUP_OPTIONS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "snapshot/fault.h"

enum options_mode {
	MODE_FILTER, /* lines in, lines out */
	MODE_INFO,
	MODE_VERIFY,
	MODE_MERGE,
	MODE_PLAN,
	MODE_HELP,
	MODE_VERSION,
	MODE_RULES, /* --rules=help */
	MODE_COMPLETION,
};

enum options_invalid {
	INVALID_DROP,
	INVALID_PASS,
	INVALID_FAIL,
};

enum options_stats {
	STATS_NONE,
	STATS_TEXT,
	STATS_JSON,
};

/* Options that a filter's header must agree with, if they were given. */
enum options_given {
	GIVEN_CAPACITY = 1 << 0,
	GIVEN_FP_RATE = 1 << 1,
	GIVEN_KIND = 1 << 2,
	GIVEN_SEED = 1 << 3,
	GIVEN_RULES = 1 << 4,
};

struct options {
	int mode;           /* enum options_mode */
	const char *filter; /* file, or NULL */
	const char *output; /* file, or NULL */
	const char *rejects;
	const char *base;
	const char *default_scheme;
	unsigned int given; /* set of enum options_given */
	uint64_t capacity;  /* keys; 0 = not given */
	double fp_rate;
	unsigned int kind; /* enum filter_kind */
	uint64_t seed;
	uint32_t rules;
	uint64_t field;   /* from 1; 0 = the whole line */
	uint64_t threads; /* 0 = as many as there are cores */
	uint64_t memory;  /* bytes; 0 = what is free */
	char separator;
	int invalid; /* enum options_invalid */
	int shell;   /* enum completion_shell */
	enum options_stats stats;
	int repeated, dry_run, load, normalised, raw, zero, no_grow, wait;
	int shared;
	int sync, line_buffered, quiet, progress, remove, repair;
	char *const *names; /* of input files */
	unsigned int n;
};

/*
 * Read the command line.  0, or FAULT_ARG with one line in `err' that says
 * what is wrong and what would be right.
 */
must_check int options_parse(struct options *o, int argc, char **argv,
    char *err, size_t err_size);

/* What --completion prints. */
void options_completion(const struct options *o, FILE *out);

/* The text of --help. */
void options_help(FILE *out);

#endif
