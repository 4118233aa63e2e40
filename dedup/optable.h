/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * optable.h - a command line as a table
 *
 * A program says once what its options are: letter, name, argument, what
 * takes the value, where it goes, help.  From that come parsing, --help, the
 * messages and "did you mean", and the reading of files with a NAME=VALUE a
 * line.
 *
 * Memory	Strings that are taken point into argv or the line.
 * Errors	FAULT_ARG with one line that says what is wrong and what would
 *		be right.
 */

#ifndef DEDUP_OPTABLE_H
#define DEDUP_OPTABLE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "snapshot/fault.h"

struct optable_row;

/* Where a row's function says what is wrong: either of these. */
struct optable_error {
	const char *right; /* what the option takes, or NULL */
	char *text;        /* the whole message */
	size_t size;       /* bytes of it */
};

/*
 * Put the value `s' (NULL: there is none) into `obj'.  0; 1 and the rest of
 * the line is not looked at; FAULT_ARG and `e' filled.
 */
typedef int optable_fn(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e);

struct optable_row {
	int letter;       /* or 0 */
	const char *name; /* NULL: a letter alone */
	const char *arg;  /* its name in --help, "[=...]" if optional */
	optable_fn *take;
	size_t at;                /* of its field in `obj' */
	int64_t value;            /* of optable_set() */
	unsigned int given;       /* bits for the table's `given' */
	const char *const *words; /* that it takes, NULL at the end */
	const char *help;         /* NULL: not in --help */
};

struct optable {
	const struct optable_row *row;
	size_t rows;  /* at most OPTABLE_ROWS */
	size_t given; /* offset in `obj' of an unsigned int, or SIZE_MAX */
};

#define OPTABLE_ROWS 128

/* The field is ...  an int becomes `value'; 2: and the line ends there. */
optable_fn optable_set;
optable_fn optable_last;
/* ... an int that becomes `value', unless it is another one that isn't 0 */
optable_fn optable_mode;
/* ... a const char *, not empty */
optable_fn optable_string;
/* ... a uint64_t with k, M, G, T, from 1; from 0; bytes; without letters */
optable_fn optable_count;
optable_fn optable_count0;
optable_fn optable_bytes;
optable_fn optable_whole;
/* ... a double between 0 and 1 */
optable_fn optable_rate;
/* ... an int64_t in ms, given in seconds */
optable_fn optable_seconds;
/* ... an unsigned int: the filter kind of one of `words' */
optable_fn optable_kind;
/* ... a char: one byte, or "\t", "\0" */
optable_fn optable_char;
/* ... an int: the index of one of `words' */
optable_fn optable_word;
/* ... a uint32_t: rules of enum url_rule, comma-separated */
optable_fn optable_rules;

/* What optable_mode() does, for a row that fills another field, too. */
must_check int optable_set_mode(const struct optable_row *r, int *mode,
    int value, struct optable_error *e);

/* Write a message and return FAULT_ARG. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
int
optable_wrong(char *err, size_t size, const char *fmt, ...);

/*
 * Read the command line into `obj'.  0 and `*rest' is the index of the first
 * word that is no option (the options have been moved before it); 1 if a
 * row's function ended it; FAULT_ARG.  May be called again.
 */
must_check int optable_parse(const struct optable *t, void *obj, int argc,
    char **argv, int *rest, char *err, size_t size);

/* Read "name = value", which is cut up in place.  0 or FAULT_ARG. */
must_check int optable_line(const struct optable *t, void *obj, char *line,
    char *err, size_t size);

/* The lines of --help. */
void optable_help(const struct optable *t, FILE *out);

#endif
