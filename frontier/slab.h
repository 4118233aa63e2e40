/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * slab.h - large pieces of memory, for what is used all over the place
 *
 * SLAB bytes each, aligned to as much, so that the kernel can back one with a
 * single huge page: with a million hosts most accesses miss the TLB otherwise
 * (measured: 1.15 times the CPU).
 */

#ifndef FRONTIER_SLAB_H
#define FRONTIER_SLAB_H

#include <stddef.h>

#define SLAB ((size_t)2 * 1024 * 1024) /* bytes */

/* Slab number `n' (from 0) of its owner, or NULL; free() ends it.  The first
   few are left to small pages: a small frontier does not touch all of it. */
void *slab_new(size_t n);

#endif
