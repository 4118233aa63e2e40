/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * blob.h - byte strings of any length in a table
 *
 * Long host names and robots rules, as chains of records.  The length is the
 * owner's to keep; an empty string is number 0.
 */

#ifndef FRONTIER_BLOB_H
#define FRONTIER_BLOB_H

#include <stddef.h>
#include <stdint.h>

#include "frontier/table.h"

/* Make `t' a table for blobs. */
void blob_init(struct table *t, struct pager *p);

/* Store `len' bytes: *id, 0 for none of them.  FAULT_NOMEM. */
must_check int blob_put(struct table *t, const void *s, size_t len,
    uint32_t *id);

/* Copy the `len' bytes of blob `id' to `to'. */
void blob_get(struct table *t, uint32_t id, size_t len, void *to);

/* 1 if blob `id' of `len' bytes is `s'. */
int blob_same(struct table *t, uint32_t id, const void *s, size_t len);

void blob_free(struct table *t, uint32_t id);

#endif
