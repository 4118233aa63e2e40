/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * limits.h - every ceiling of both programs, with its unit
 *
 * A buffer, wait or loop over outside data is bounded by one of these.
 */

#ifndef SNAPSHOT_LIMITS_H
#define SNAPSHOT_LIMITS_H

/* bytes: an input line, and a URL as given; longer ones are invalid */
#define LIMIT_LINE (64 * 1024)
/* bytes: a normalised URL (every byte may become three, plus a base) */
#define LIMIT_URL (4 * LIMIT_LINE)
/* bytes: a host after conversion to ASCII (RFC 1035 gives names 253; the
   WHATWG parser sets no limit of its own) */
#define LIMIT_HOST (64 * 1024)

/* layers: how often a filter may grow; 4^20 times its first capacity */
#define LIMIT_LAYERS 20
/* bits: one layer of a filter */
#define LIMIT_LAYER_BITS (UINT64_C(1) << 46)
/* bits set or probed for one key in a layer */
#define LIMIT_PROBES 64

#endif
