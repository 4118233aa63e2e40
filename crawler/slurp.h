/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * slurp.h - a whole file, or standard input, in memory
 */

#ifndef CRAWLER_SLURP_H
#define CRAWLER_SLURP_H

#include <stddef.h>

#include "snapshot/fault.h"

/*
 * Read at most `max' bytes of the file `path' ("-": standard input).  0 and
 * `*buf' with `*len' bytes, which the caller frees, and room for one more; a
 * longer file gives `max' bytes.  FAULT_SYS, FAULT_NOMEM.
 */
must_check int slurp_file(const char *path, size_t max, char **buf,
    size_t *len);

#endif
