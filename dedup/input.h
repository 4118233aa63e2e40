/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * input.h - files of lines, cut into batches of whole lines
 *
 * A batch holds lines of one file only.  The last line of a file gets its
 * terminator if it has none.  A line longer than LIMIT_LINE that does not fit
 * into a batch comes in pieces, so that it costs no memory: its batch
 * `ends_long' and the next one `starts_long'.
 *
 * A descriptor that would block is read only while there is no whole line to
 * hand over, so a live pipe's lines go on at once.
 *
 * Threads	One thread at a time; input_stop() may come from any.
 */

#ifndef DEDUP_INPUT_H
#define DEDUP_INPUT_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"
#include "snapshot/limits.h"

#define INPUT_ROOM (LIMIT_INPUT + LIMIT_LINE + 2) /* bytes of a buffer */

struct input;

struct input_batch {
	char *data;        /* INPUT_ROOM bytes, the caller's */
	size_t len;        /* bytes there */
	unsigned int file; /* index into the names */
	int file_starts;   /* 1: line 1 of its file is the first here */
	int starts_long;   /* begins inside a line that is too long */
	int ends_long;     /* ends inside one */
};

/* What to do while input is awaited. */
struct input_idle {
	/*
	 * Called before each wait.  The longest time to wait now, in ms, or
	 * -1 for any time, or a fault, which input_next() then returns.
	 */
	int (*call)(void *arg);
	void *arg;
	int watch; /* descriptor whose reader's end stops us, or -1 */
};

/*
 * `names' (`n' of them, the caller's; "-" is standard input) are read one
 * after the other.  NULL: no memory or no descriptors.
 */
struct input *input_new(char *const *names, unsigned int n, char end,
    const struct input_idle *idle);

/* `in' may be NULL. */
void input_free(struct input *in);

/*
 * Fill `b'.  1, or 0 at the end of all input or after input_stop(), or
 * FAULT_SYS with errno and b->file (EPIPE: the watched reader went away).
 */
must_check int input_next(struct input *in, struct input_batch *b);

/* Wake input_next() and let it return 0 from now on. */
void input_stop(struct input *in);

/* Bytes read, and the bytes of all regular files (0: not all are). */
uint64_t input_bytes(const struct input *in);
uint64_t input_total(const struct input *in);

#endif
