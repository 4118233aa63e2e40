/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>

#include "tests/webtimer.h"

static void
place(struct webtimer_heap *h, struct webtimer *t, size_t at)
{
	h->t[at] = t;
	t->at = at;
}

/* Let `t', at a free place, rise or sink to where it belongs. */
static void
settle(struct webtimer_heap *h, struct webtimer *t, size_t at)
{
	size_t next;

	for (; at > 1 && h->t[at / 2]->due > t->due; at /= 2)
		place(h, h->t[at / 2], at);
	for (; at * 2 <= h->count; at = next) {
		next = at * 2;
		if (next < h->count && h->t[next + 1]->due < h->t[next]->due)
			next++;
		if (h->t[next]->due >= t->due)
			break;
		place(h, h->t[next], at);
	}
	place(h, t, at);
}

int
webtimer_set(struct webtimer_heap *h, struct webtimer *t, uint64_t due)
{
	struct webtimer **grown;
	size_t room = h->room == 0 ? 64 : h->room * 2;

	t->due = due;
	if (t->at != 0) {
		settle(h, t, t->at);
		return 0;
	}
	if (h->count + 1 >= h->room) {
		grown = realloc(h->t, room * sizeof *grown);
		if (grown == NULL)
			return -1;
		h->t = grown;
		h->room = room;
	}
	h->count++;
	settle(h, t, h->count);
	return 0;
}

void
webtimer_stop(struct webtimer_heap *h, struct webtimer *t)
{
	struct webtimer *last;
	size_t at = t->at;

	if (at == 0)
		return;
	t->at = 0;
	last = h->t[h->count--];
	if (last != t)
		settle(h, last, at);
}

struct webtimer *
webtimer_first(const struct webtimer_heap *h)
{
	return h->count == 0 ? NULL : h->t[1];
}

void
webtimer_free(struct webtimer_heap *h)
{
	free(h->t);
	h->t = NULL;
	h->count = h->room = 0;
}
