/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "crawler/crawltop.h"

#define AT_A_TIME 4096 /* hosts: less than a millisecond */

static int
slower(const struct crawltop_host *a, const struct crawltop_host *b)
{
	uint64_t x = crawltop_left(a), y = crawltop_left(b);

	return x != y ? x > y : a->queued > b->queued;
}

/* Where a host belongs among those found so far. */
static size_t
place(const struct crawltop *t, const struct crawltop_host *h)
{
	size_t i = t->swept;

	while (i > 0 && slower(h, &t->sweep[i - 1]))
		i--;
	return i;
}

static int
show(void *ctx, const struct frontier_host *h)
{
	struct crawltop *t = ctx;
	struct crawltop_host *to,
	    one = { .queued = h->queued, .delay = h->delay };
	size_t len = h->origin.len, i;

	if (h->queued == 0 && h->flight == 0)
		return 0;
	i = place(t, &one);
	if (i == CRAWLTOP_HOSTS)
		return 0;
	if (t->swept < CRAWLTOP_HOSTS)
		t->swept++;
	to = &t->sweep[i];
	memmove(to + 1, to, (t->swept - i - 1) * sizeof *to);
	if (len > sizeof to->name - 1)
		len = sizeof to->name - 1;
	memcpy(to->name, h->origin.s, len);
	to->name[len] = '\0';
	to->queued = h->queued;
	to->pages = h->pages;
	to->failed = h->failed;
	to->flight = h->flight;
	to->delay = h->delay;
	return 0;
}

int
crawltop_look(struct crawltop *t, struct core *c, int64_t now)
{
	int rc = core_hosts_some(c, &t->cursor, AT_A_TIME, now, show, t);

	if (rc != 0)
		return rc < 0 ? rc : 0;
	memcpy(t->host, t->sweep, sizeof t->host);
	t->n = t->swept;
	t->swept = 0;
	t->cursor = 0;
	return 0;
}
