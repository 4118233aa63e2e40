/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * outputs.h - where urlseen writes, checked before anything is cut
 *
 * Errors	A fault, with one line in `err' that says what and where.
 */

#ifndef DEDUP_OUTPUTS_H
#define DEDUP_OUTPUTS_H

#include <stddef.h>

#include "dedup/emit.h"
#include "dedup/options.h"

struct outputs {
	struct emit out, rejects;
	int out_fd, rejects_fd; /* -1 = none */
};

void outputs_init(struct outputs *t);

/* Before the filter is opened: all input files are there and may be read, and
   none of the outputs has the filter's name. */
must_check int outputs_check_inputs(const struct options *o, char *err,
    size_t err_size);

/*
 * Open what `o' names.  None may be an input or the filter: a file that is
 * read and written at once has no end, or loses its text.
 */
must_check int outputs_open(struct outputs *t, const struct options *o,
    char *err, size_t err_size);

/* Close them; some file systems tell only here that the disk is full. */
must_check int outputs_close(struct outputs *t, const struct options *o,
    char *err, size_t err_size);

/* The name of the main one, for messages. */
const char *outputs_name(const struct options *o);

#endif
