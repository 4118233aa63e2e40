/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * completion.h - a shell's completion script, made from a table of options
 *
 * What an option's value may be follows from its row: `words', or by the name
 * of its argument: FILE and DIR are paths, LIST is rules.  Any other value
 * completes to nothing.  What is no option is a file.
 */

#ifndef DEDUP_COMPLETION_H
#define DEDUP_COMPLETION_H

#include <stdio.h>

#include "dedup/optable.h"

enum completion_shell {
	COMPLETION_BASH,
	COMPLETION_ZSH,
	COMPLETION_FISH,
};

/* Their names in this order, NULL at the end. */
extern const char *const completion_shells[];

/* Write the script for `program' and its options. */
void completion_write(const struct optable *t, const char *program,
    enum completion_shell shell, FILE *out);

#endif
