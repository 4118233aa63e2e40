/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * memory.h - how much memory is free for us
 */

#ifndef DEDUP_MEMORY_H
#define DEDUP_MEMORY_H

#include <stdint.h>

/*
 * Bytes that could be used now without anybody's paging: what the system has
 * available, and no more than the memory cgroups that we are in leave (both
 * versions).  0 if it can't be known.
 */
uint64_t memory_free(void);

#endif
