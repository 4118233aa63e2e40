/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * entry.h - a queued URL, and its packed form
 *
 * The host knows scheme, name and port, so an entry is what follows them:
 * path and query, after "user:password@" where a URL has that (it begins with
 * "/" if not, as a "/" in userinfo is written %2F).
 *
 * Packed, entries come in groups.  The first of a group is whole; each other
 * one names how many bytes it shares with the start of the first (not of the
 * one before it), so any of them can be unpacked with nothing but the first
 * at hand, and one can be added knowing nothing else.  Links of one page
 * share their directory, so that costs little against the usual chain.
 *
 *	meta	bits 0-3 depth, bits 4-7 tries; 15: a varint follows
 *	ordinal	varint; in others, zigzag of the difference to the first's
 *	shared	varint, not in the first
 *	rest	varint length and the bytes
 *
 * Varints are little-endian groups of 7 bits, the last without its high bit
 * (as in DWARF's ULEB128).
 */

#ifndef FRONTIER_ENTRY_H
#define FRONTIER_ENTRY_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"
#include "snapshot/limits.h"

/* bytes that packing adds to an entry's own, at most */
#define ENTRY_HEAD 32

struct entry {
	uint64_t ordinal;
	uint32_t depth;
	uint32_t tries;   /* that failed */
	uint32_t len;     /* <= LIMIT_URL */
	const char *text; /* not terminated */
};

/* Varints: put returns one past, get NULL if it does not end before `end' or
   is too large. */
unsigned char *entry_put_varint(unsigned char *p, uint64_t v);
const unsigned char *entry_get_varint(const unsigned char *p,
    const unsigned char *end, uint64_t *v);

/* What `e' takes as the first of its group, and among others: bytes. */
size_t entry_size(const struct entry *e, const struct entry *first);

/*
 * Pack `e' (`first' NULL: as the first) to `p', which has room for
 * entry_size() bytes, and return one past.
 */
unsigned char *entry_pack(unsigned char *p, const struct entry *e,
    const struct entry *first);

/*
 * Unpack to `e' what lies at `p' and return one past; NULL if it is
 * damaged.  The text of a first one points into the packed bytes; of others
 * it is put together at `text', which has room for LIMIT_URL bytes.
 */
const unsigned char *entry_unpack(const unsigned char *p,
    const unsigned char *end, struct entry *e, const struct entry *first,
    char *text);

#endif
