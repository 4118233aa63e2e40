/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include "dedup/urlucd.h"

unsigned int
urlucd_flags(uint32_t c)
{
	size_t lo = 0, hi = urlucd_runs, mid;

	/* the last run that starts at or before `c'; the first starts at 0 */
	while (hi - lo > 1) {
		mid = lo + (hi - lo) / 2;
		if (urlucd_run[mid] >> 8 <= c)
			lo = mid;
		else
			hi = mid;
	}
	return urlucd_run[lo] & 255;
}

const struct urlucd_new *
urlucd_find(uint32_t c)
{
	size_t lo = 0, hi = urlucd_news, mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (c > urlucd_new[mid].last)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == urlucd_news || c < urlucd_new[lo].first)
		return NULL;
	return &urlucd_new[lo];
}

/*
 * The letters of most names, and what is to be added to map them: asking
 * libidn2 takes half a microsecond each.  tests/unit-urlidna.c asks it for
 * all of them.
 */
static const struct {
	uint32_t first;
	uint32_t last;
	uint32_t add;
} common[] = {
	{ 0xc0, 0xd6, 0x20 }, /* Latin */
	{ 0xd8, 0xde, 0x20 }, { 0xe0, 0xf6, 0 }, { 0xf8, 0xff, 0 },
	{ 0x391, 0x3a1, 0x20 }, /* Greek */
	{ 0x3a3, 0x3a9, 0x20 }, { 0x3ac, 0x3c1, 0 }, { 0x3c3, 0x3ce, 0 },
	{ 0x400, 0x40f, 0x50 }, /* Cyrillic */
	{ 0x410, 0x42f, 0x20 }, { 0x430, 0x45f, 0 },
	{ 0x5d0, 0x5ea, 0 },                      /* Hebrew */
	{ 0x620, 0x63f, 0 },                      /* Arabic */
	{ 0x641, 0x64a, 0 }, { 0x904, 0x939, 0 }, /* Devanagari */
	{ 0xe01, 0xe32, 0 },                      /* Thai */
	{ 0x3041, 0x3096, 0 },                    /* Hiragana */
	{ 0x30a1, 0x30fa, 0 },                    /* Katakana */
	{ 0x4e00, 0x9fef, 0 },                    /* CJK ideographs */
	{ 0xac00, 0xd7a3, 0 },                    /* Hangul */
};

uint32_t
urlucd_common(uint32_t c)
{
	size_t i;

	for (i = 0; i < sizeof common / sizeof *common; i++)
		if (c <= common[i].last)
			return c < common[i].first ? 0 : c + common[i].add;
	return 0;
}
