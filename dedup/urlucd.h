/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlucd.h - what the checks of UTS 46 need to know of a code point
 *
 * The tables are made by urlucd.py.  They answer for code points that are
 * valid in a name (those that mapping leaves alone); for others they say
 * anything.
 */

#ifndef DEDUP_URLUCD_H
#define DEDUP_URLUCD_H

#include <stddef.h>
#include <stdint.h>

/* Bidi_Class, as far as RFC 5893 tells them apart. */
enum urlucd_bidi {
	URLUCD_L,
	URLUCD_R,
	URLUCD_AL,
	URLUCD_AN,
	URLUCD_EN,
	URLUCD_ES,
	URLUCD_ET,
	URLUCD_CS,
	URLUCD_NSM,
	URLUCD_BN,
	URLUCD_ON,
	URLUCD_OTHER,
};

/* Joining_Type, but for the viramas, which are all transparent. */
enum urlucd_join {
	URLUCD_JOIN_NONE,
	URLUCD_JOIN_LEFT,
	URLUCD_JOIN_RIGHT,
	URLUCD_JOIN_DUAL,
	URLUCD_TRANSPARENT,
	URLUCD_VIRAMA, /* Canonical_Combining_Class 9 */
};

/* How a code point is mapped that libidn2 has otherwise. */
struct urlucd_new {
	uint32_t first;
	uint32_t last;
	uint32_t to; /* what `first' becomes, the others accordingly, or: */
};

#define URLUCD_IGNORED 0 /* nothing */
#define URLUCD_VALID   1 /* itself */

/* Code point << 8 | flags, where a run of the same flags starts. */
extern const size_t urlucd_runs;
extern const uint32_t urlucd_run[];
extern const size_t urlucd_news;
extern const struct urlucd_new urlucd_new[];

/* The flags of `c', for the three below. */
unsigned int urlucd_flags(uint32_t c);

static inline enum urlucd_bidi
urlucd_bidi(unsigned int flags)
{
	return (enum urlucd_bidi)(flags & 15);
}

static inline enum urlucd_join
urlucd_join(unsigned int flags)
{
	return (enum urlucd_join)(flags >> 4 & 7);
}

/* General_Category M. */
static inline int
urlucd_mark(unsigned int flags)
{
	return (flags & 0x80) != 0;
}

/*
 * What the letter `c' is mapped to, if it is one of those that most names are
 * made of; else 0.
 */
uint32_t urlucd_common(uint32_t c);

/* NULL if libidn2 maps `c' as Unicode does now. */
const struct urlucd_new *urlucd_find(uint32_t c);

#endif
