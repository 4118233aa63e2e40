/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * pack.h - records to frames: the compression of an archive file
 *
 * zstd frames by the IIPC rules for .warc.zst (content size and checksum in
 * each; with a dictionary its id too), or gzip members (WARC 1.1 annex D).
 *
 * Threads	One per thread.
 * Errors	FAULT_NOMEM, FAULT_ARG, FAULT_TOOBIG.
 */

#ifndef CRAWLER_PACK_H
#define CRAWLER_PACK_H

#include <stddef.h>

#include "crawler/archive.h"
#include "crawler/buf.h"
#include "snapshot/fault.h"

/* Magic number of the skippable frame that holds the dictionary. */
#define PACK_DICT_MAGIC 0x184D2A5DU

struct pack;

/*
 * A packer of `kind' at `level' (0 = default).  `dict' (may be NULL) must be
 * a zstd dictionary with an id (RFC 8878 section 5), else FAULT_ARG; it must
 * live as long as the packer.
 */
must_check int pack_new(struct pack **p, enum archive_kind kind, int level,
    const void *dict, size_t dict_len);

/* `p' may be NULL. */
void pack_free(struct pack *p);

/* Append one frame or member that holds `len' bytes at `s'. */
must_check int pack_add(struct pack *p, struct buf *out, const void *s,
    size_t len);

/*
 * Append the dictionary frame that a file starts with, if there is one.  The
 * dictionary in it is a zstd frame, whose checksum notices damage to it.
 */
must_check int pack_head(const struct pack *p, struct buf *out);

#endif
