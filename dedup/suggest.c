/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "dedup/suggest.h"

#define SUGGEST_MAX 32 /* bytes: longer words are no typing errors of ours */

void
suggest_init(struct suggest *s, const char *word, size_t len)
{
	s->word = word;
	s->len = len;
	s->best = NULL;
	s->distance = SUGGEST_MAX;
}

static unsigned int
least(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

/* Row by row over the table of distances between prefixes. */
static unsigned int
distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned int d[3][SUGGEST_MAX + 1], *row, *up, *up2;
	size_t i, j;

	for (j = 0; j <= m; j++)
		d[0][j] = (unsigned int)j;
	for (i = 1; i <= n; i++) {
		row = d[i % 3];
		up = d[(i + 2) % 3];
		up2 = d[(i + 1) % 3];
		row[0] = (unsigned int)i;
		for (j = 1; j <= m; j++) {
			row[j] = least(up[j] + 1, row[j - 1] + 1);
			row[j] =
			    least(row[j], up[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				row[j] = least(row[j], up2[j - 2] + 1);
		}
	}
	return d[n % 3][m];
}

void
suggest_try(struct suggest *s, const char *known)
{
	size_t len = strlen(known);
	unsigned int d;

	if (s->len > SUGGEST_MAX || len > SUGGEST_MAX)
		return;
	d = distance(s->word, s->len, known, len);
	if (d >= s->distance)
		return;
	s->distance = d;
	s->best = known;
}

const char *
suggest_best(const struct suggest *s)
{
	return s->distance <= 1 + s->len / 4 ? s->best : NULL;
}
