/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "crawler/ordinals.h"

#define ORDINALS (UINT64_C(1) << 38) /* more is damage, or 32 GB of bits */

static int
reach(struct ordinals *o, uint64_t i)
{
	size_t n = o->words == 0 ? 1024 : o->words, want = (size_t)(i / 64) + 1;
	uint64_t *word;

	if (i >= ORDINALS)
		return FAULT_DAMAGED;
	if (want <= o->words)
		return 0;
	while (n < want)
		n *= 2;
	word = realloc(o->word, n * sizeof *word);
	if (word == NULL)
		return FAULT_NOMEM;
	memset(word + o->words, 0, (n - o->words) * sizeof *word);
	o->word = word;
	o->words = n;
	return 0;
}

int
ordinals_put(struct ordinals *o, uint64_t i, int on)
{
	int rc = reach(o, i);

	if (rc < 0)
		return rc;
	if (on)
		o->word[i / 64] |= UINT64_C(1) << i % 64;
	else
		o->word[i / 64] &= ~(UINT64_C(1) << i % 64);
	return 0;
}

int
ordinals_fold(struct ordinals *o, const struct record *r)
{
	uint64_t ordinal = 0;
	size_t at = 0;
	int rc;

	for (;;) {
		rc = record_unfold(r, &at, &ordinal);
		if (rc > 0)
			rc = ordinals_put(o, ordinal, 1);
		else
			return rc;
		if (rc < 0)
			return rc;
	}
}

int
ordinals_has(const struct ordinals *o, uint64_t i)
{
	return i / 64 < o->words && (o->word[i / 64] >> i % 64 & 1) != 0;
}

void
ordinals_free(struct ordinals *o)
{
	free(o->word);
	memset(o, 0, sizeof *o);
}
