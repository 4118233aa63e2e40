/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * record.h - the lines of the journal
 *
 * A record is a line of fields, separated by tabs.  The first three are the
 * same in all of them: a letter, the ordinal of an admission, the URL.  So
 * `cut -f3' and `urlseen -k3' work whatever the letter.  New fields may come
 * at the end of a line and new letters at any time: readers of the same
 * major version skip what they don't know (crawl-state(5)).
 *
 *	A ordinal url depth lane flags		admitted
 *	D ordinal url status kind file offset length	done
 *	F ordinal url reason status attempts	failed for good
 *	X ordinal url reason			dropped without a fetch
 *	R ordinal url reason			put back into the queue
 *	S ordinal url why			the scope takes in this URL
 *	H ordinal url key text			a fact about the URL's host
 *	d ordinal - gaps			done, folded by compaction
 *
 * A URL has no byte below 0x21 and no 0x7f, which normalised URLs have not
 * anyway, and stands as it is.  A word (kind, reason, why, key) is made of
 * letters, digits and "._-".  In a text (file, value) a backslash and the
 * bytes below 0x20 and 0x7f are written \xHH.  Numbers are decimal.  "-"
 * stands for a URL, text or set of flags that is empty, and a text of one
 * hyphen is written \x2D.
 *
 * Memory	None: records point into the caller's bytes.
 */

#ifndef SNAPSHOT_RECORD_H
#define SNAPSHOT_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"

/* The letters stand in files: never change one. */
enum record_type {
	RECORD_ADMITTED = 'A',
	RECORD_DONE = 'D',
	RECORD_FAILED = 'F',
	RECORD_DROPPED = 'X',
	RECORD_AGAIN = 'R',
	RECORD_SCOPE = 'S',
	RECORD_HOST = 'H',
	RECORD_FOLDED = 'd',
};

/*
 * Flags of an admission: how the URL was met.  Bit i is written as the i-th
 * small letter; the others are free.
 */
#define RECORD_FLAG(letter) (UINT32_C(1) << ((letter) - 'a'))
#define RECORD_EMBED        RECORD_FLAG('e') /* image, script, style sheet */
#define RECORD_FRAME        RECORD_FLAG('f') /* frame or iframe */
#define RECORD_SITEMAP      RECORD_FLAG('m') /* named in a sitemap */
#define RECORD_REDIRECT     RECORD_FLAG('r') /* target of a redirect */
#define RECORD_SEED         RECORD_FLAG('s') /* given by the user */
#define RECORD_FLAGS        (RECORD_FLAG('z' + 1) - 1)

#define RECORD_GAP 13 /* bytes: the longest gap of a folded record */

/* Bytes that somebody else owns; not NUL-terminated. */
struct record_span {
	const char *s;
	size_t len;
};

/* One record.  Fields that its letter does not have are 0. */
struct record {
	char type; /* enum record_type, or a letter we don't know */
	uint64_t ordinal;
	struct record_span url;
	uint32_t depth;          /* A, R: links from a seed */
	uint32_t lane;           /* A, R: 0 is served first */
	uint32_t flags;          /* A, R: RECORD_SEED ... */
	uint32_t status;         /* D, F: HTTP status, 0 = none */
	uint32_t attempts;       /* F: fetches tried */
	uint64_t offset;         /* D: bytes into `text', the archive file */
	uint64_t length;         /* D: bytes there */
	struct record_span word; /* D kind; F, X, R reason; S why; H key */
	struct record_span text; /* D archive file; H value; d gaps */
};

/*
 * Write `r' as a line with its newline into the `size' bytes at `to': the
 * length, or FAULT_FULL if it does not fit.  FAULT_ARG if a letter is
 * unknown or a field is outside of its set, FAULT_TOOBIG if the URL is
 * longer than LIMIT_URL, the text than LIMIT_RECORD_TEXT or the word than
 * LIMIT_RECORD_WORD.  A line is never longer than LIMIT_RECORD.
 */
must_check long record_put(const struct record *r, char *to, size_t size);

/*
 * Read the line of `len' bytes at `line', without its newline.  1; 0 if its
 * letter is unknown (only `type' is set then); FAULT_DAMAGED.  Escapes in
 * texts are resolved in place, so `r' points into `line' and `line' changes.
 */
must_check int record_parse(struct record *r, char *line, size_t len);

/*
 * Step through the ordinals of a folded record `r'.  `*at' and `*ordinal'
 * start at 0.  1 and the next ordinal, 0 after the last, FAULT_DAMAGED.
 */
must_check int record_unfold(const struct record *r, size_t *at,
    uint64_t *ordinal);

/*
 * Write what a folded record says of one more ordinal, `gap' + 1 above the
 * one before it: how many bytes, to go at the end of its text.
 */
size_t record_gap(char to[RECORD_GAP], uint64_t gap);

/* Write `v' in decimal to `to' (at least 20 bytes): how many bytes. */
size_t record_number(char *to, uint64_t v);

/*
 * Read a decimal number that ends at `end' or at a byte that is no digit,
 * from `*at' on.  0 and `*at' moved, or FAULT_DAMAGED (no digit, overflow).
 */
must_check int record_digits(const char **at, const char *end, uint64_t *v);

#endif
