/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * live.h - one line on a terminal that is written over and over
 *
 * It is made of parts, so that a narrow terminal shows fewer of them, and
 * none cut in the middle.  Whoever writes anything else to the terminal takes
 * the line away first.
 *
 * Threads	One at a time.
 */

#ifndef DEDUP_LIVE_H
#define DEDUP_LIVE_H

#include <stddef.h>
#include <stdio.h>

#define LIVE_LINE 512 /* bytes of room for the longest */

struct live {
	FILE *out; /* NULL: there is none, and all of this does nothing */
	int up;    /* it stands there */
};

/* Make `l' one on `out', if that is a terminal that can erase a line. */
void live_start(struct live *l, FILE *out);

/* Bytes, with the NUL, that one line may have now: 1 to LIVE_LINE. */
size_t live_room(const struct live *l);

/* Append one part to `line' if all of it has room within `size' bytes. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void
live_part(char *line, size_t size, const char *fmt, ...);

/* Show `line' in place of the one before; not over a shell's prompt, that is
   while we are in the background. */
void live_draw(struct live *l, const char *line);

/* Take it away. */
void live_clear(struct live *l);

#endif
