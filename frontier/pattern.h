/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * pattern.h - a list of regular expressions on URLs (PCRE2, on bytes)
 *
 * A pattern is the user's but the URL is anybody's, so a match has a limit
 * on its steps and its memory: past these it has given up, which is neither a
 * match nor a miss.
 *
 * Threads	Matching only reads the list; a scratch is one thread's.
 */

#ifndef FRONTIER_PATTERN_H
#define FRONTIER_PATTERN_H

#include <stddef.h>

#include "snapshot/fault.h"

/* All zeroes is an empty list. */
struct pattern_list {
	void **code; /* pcre2_code, for pattern.c alone */
	size_t n;
};

/* What a thread needs for matching. */
struct pattern_scratch {
	void *data;    /* pcre2_match_data */
	void *context; /* pcre2_match_context */
	void *stack;   /* pcre2_jit_stack, or NULL */
};

/*
 * Compile `pattern' to the end of the list.  FAULT_ARG for a bad one, and
 * then *offset and `text' (of `room' bytes) say where and why; FAULT_TOOBIG,
 * FAULT_FULL at LIMIT_PATTERNS, FAULT_NOMEM.
 */
must_check int pattern_add(struct pattern_list *l, const char *pattern,
    size_t *offset, char *text, size_t room);

void pattern_clear(struct pattern_list *l);

/* FAULT_NOMEM, and there is nothing to clear. */
must_check int pattern_scratch_init(struct pattern_scratch *x);
void pattern_scratch_clear(struct pattern_scratch *x);

/* 1 if any pattern matches somewhere in the `len' bytes at `s'; else 0, or
   FAULT_FULL if one of them gave up. */
must_check int pattern_match(const struct pattern_list *l,
    struct pattern_scratch *x, const char *s, size_t len);

#endif
