/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "snapshot/journal_head.h"
#include "snapshot/record.h"

size_t
journal_head_put(char to[JOURNAL_HEAD], const struct journal_head *h)
{
	const uint64_t v[4] = { JOURNAL_VERSION, h->first, h->next,
		h->time < 0 ? 0 : (uint64_t)h->time };
	size_t n = 0, i;

	to[n++] = 'J';
	for (i = 0; i < 4; i++) {
		to[n++] = '\t';
		n += record_number(to + n, v[i]);
	}
	to[n++] = '\t';
	to[n++] = h->compacted ? 'c' : 'w';
	to[n++] = '\n';
	return n;
}

/* A tab and a number at `*at'. */
static int
number(const char **at, const char *end, uint64_t *v)
{
	if (*at >= end || **at != '\t')
		return FAULT_DAMAGED;
	++*at;
	return record_digits(at, end, v);
}

long
journal_head_parse(const char *s, size_t len, struct journal_head *h)
{
	const char *nl = memchr(s, '\n', len), *at = s + 1;
	uint64_t version, time;

	if (nl == NULL || nl == s || *s != 'J' ||
	    number(&at, nl, &version) < 0 || version == 0)
		return FAULT_DAMAGED;
	if (version > JOURNAL_VERSION)
		return FAULT_VERSION;
	if (number(&at, nl, &h->first) < 0 || number(&at, nl, &h->next) < 0 ||
	    number(&at, nl, &time) < 0 || time > INT64_MAX ||
	    h->next < h->first)
		return FAULT_DAMAGED;
	if (nl - at < 2 || at[0] != '\t' || (at[1] != 'w' && at[1] != 'c') ||
	    (nl - at > 2 && at[2] != '\t'))
		return FAULT_DAMAGED;
	h->time = (int64_t)time;
	h->compacted = at[1] == 'c';
	return nl + 1 - s;
}
