/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include "crawler/crawlhist.h"

#define ROOM (CRAWLHIST_SECONDS + 1)

void
crawlhist_add(struct crawlhist *h, const struct crawlhist_at *at)
{
	h->at[h->next] = *at;
	h->next = (h->next + 1) % ROOM;
	if (h->n < ROOM)
		h->n++;
}

const struct crawlhist_at *
crawlhist_get(const struct crawlhist *h, size_t i)
{
	return &h->at[(h->next + ROOM - h->n + i) % ROOM];
}

/* The sample that the last `seconds' begin with; NULL if it is the last. */
static const struct crawlhist_at *
begin(const struct crawlhist *h, unsigned int seconds)
{
	int64_t from;
	size_t i;

	if (h->n < 2)
		return NULL;
	from = crawlhist_get(h, h->n - 1)->time - (int64_t)seconds * 1000;
	/* They are a second apart, so a few steps from there find it. */
	i = h->n > seconds + 2 ? h->n - seconds - 2 : 0;
	while (i > 0 && crawlhist_get(h, i)->time > from)
		i--;
	while (i < h->n - 2 && crawlhist_get(h, i)->time < from)
		i++;
	return crawlhist_get(h, i);
}

static double
rate(uint64_t n, int64_t ms)
{
	return ms > 0 ? (double)n * 1000 / (double)ms : 0;
}

double
crawlhist_pages(const struct crawlhist *h, unsigned int seconds)
{
	const struct crawlhist_at *a = begin(h, seconds), *b;

	if (a == NULL)
		return 0;
	b = crawlhist_get(h, h->n - 1);
	return rate(b->pages - a->pages, b->time - a->time);
}

double
crawlhist_bytes(const struct crawlhist *h, unsigned int seconds)
{
	const struct crawlhist_at *a = begin(h, seconds), *b;

	if (a == NULL)
		return 0;
	b = crawlhist_get(h, h->n - 1);
	return rate(b->bytes - a->bytes, b->time - a->time);
}
