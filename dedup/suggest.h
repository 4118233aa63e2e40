/* SPDX-License-Identifier: BSD-2-Clause */

/* suggest.h - "did you mean": the known word nearest to a mistyped one */

#ifndef DEDUP_SUGGEST_H
#define DEDUP_SUGGEST_H

#include <stddef.h>

/*
 * Keeps the nearest of the words shown to it, by the number of letters
 * inserted, deleted, replaced or swapped with a neighbour (the optimal string
 * alignment distance).
 */
struct suggest {
	const char *word; /* what was typed */
	size_t len;       /* of it */
	const char *best; /* nearest so far, or NULL */
	unsigned int distance;
};

/* Start with `len' bytes at `word', which must stay. */
void suggest_init(struct suggest *s, const char *word, size_t len);

/* Show it one known word, which must stay. */
void suggest_try(struct suggest *s, const char *known);

/* The nearest word, or NULL if none is near enough to be meant. */
const char *suggest_best(const struct suggest *s);

#endif
