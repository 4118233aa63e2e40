/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "crawler/coredoor.h"
#include "crawler/corelinks.h"
#include "crawler/links.h"

/* Where a redirect, or a sitemap's entry, leads: one hop more. */
static int
hop(struct core *c, uint32_t *word, unsigned int most)
{
	if (COREWORD_HOPS(*word) >= most) {
		c->count.refused[CORE_TOO_MANY_HOPS]++;
		return 0;
	}
	*word += COREWORD_HOP;
	return 1;
}

/* A link of a page: one link further from the seeds. */
static int
page_link(struct core *c, const struct worker_link *l, struct coredoor *d)
{
	uint32_t depth = (d->word & COREWORD_DEPTH) + 1;

	if (depth > c->o.depth) {
		c->count.refused[CORE_TOO_DEEP]++;
		return 0;
	}
	d->word = depth < COREWORD_DEPTH ? depth : COREWORD_DEPTH;
	d->lane = 1;
	if (l->flags & LINK_EMBED)
		d->flags |= RECORD_EMBED;
	if (l->flags & LINK_FRAME)
		d->flags |= RECORD_FRAME;
	if (l->kind == WORKER_LINK_ENTRY)
		d->flags |= RECORD_SITEMAP;
	return 1;
}

/* Make `d' of link `l' of a page with `word'.  0: it is turned away here. */
static int
door_of(struct core *c, const struct worker_link *l, uint32_t word,
    struct coredoor *d)
{
	memset(d, 0, sizeof *d);
	d->url.s = l->url;
	d->url.len = l->len;
	d->parts = l->parts;
	d->key = l->key;
	d->word = word;
	switch (l->kind) {
	case WORKER_LINK_REDIRECT:
		d->flags = RECORD_REDIRECT;
		if (word & COREWORD_SEED)
			d->flags |= RECORD_SEED;
		if (word & COREWORD_MAP)
			d->flags |= CORE_MAP;
		return hop(c, &d->word, LIMIT_REDIRECTS);
	case WORKER_LINK_SITEMAP:
		if (!c->o.sitemaps) {
			c->count.refused[CORE_NO_SITEMAPS]++;
			return 0;
		}
		d->word = (word & COREWORD_HOP_BITS) | COREWORD_MAP;
		d->flags = RECORD_SITEMAP | CORE_MAP;
		return hop(c, &d->word, LIMIT_SITEMAP_NEST);
	case WORKER_LINK_PAGE:
	case WORKER_LINK_ENTRY:
		break;
	}
	return page_link(c, l, d);
}

/* The scope takes in where a seed leads. */
static int
seed_moved(struct core *c, const struct worker_link *l, uint32_t word,
    int64_t now)
{
	struct coredoor d;

	if (l->kind != WORKER_LINK_REDIRECT || !(word & COREWORD_SEED) ||
	    !door_of(c, l, word, &d))
		return 0;
	return coredoor_scope(c, &d, "redirect", now);
}

int
corelinks_take(struct core *c, struct coreflight *f,
    const struct worker_page *p, int64_t now)
{
	struct coredoor d[GATE_BATCH];
	uint32_t from[GATE_BATCH + 1];
	size_t n, i;
	int rc;

	if (p->links > 0 && f->link == 0) {
		rc = seed_moved(c, &p->link[0], f->word, now);
		if (rc < 0)
			return rc == FAULT_FULL ? 0 : rc;
	}
	while (f->link < p->links) {
		for (n = 0, i = f->link; i < p->links && n < GATE_BATCH; i++) {
			from[n] = (uint32_t)i;
			n += (size_t)door_of(c, &p->link[i], f->word, &d[n]);
		}
		from[n] = (uint32_t)i;
		rc = coredoor_take(c, d, n, now);
		if (rc < 0)
			return rc;
		f->link = from[rc];
		if ((size_t)rc < n)
			return 0;
	}
	return 1;
}
