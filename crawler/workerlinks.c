/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "crawler/workerlinks.h"
#include "snapshot/limits.h"

void
workerlinks_init(struct workerlinks *l)
{
	memset(l, 0, sizeof *l);
	buf_init(&l->text, LIMIT_PAGE_LINK_BYTES);
}

void
workerlinks_free(struct workerlinks *l)
{
	free(l->one);
	buf_free(&l->text);
}

void
workerlinks_begin(struct workerlinks *l, size_t max)
{
	l->count = 0;
	l->max = max;
	l->full = 0;
	buf_clear(&l->text);
	if (l->text.size > LIMIT_PAGE_KEEP)
		buf_free(&l->text);
	if (l->room > LIMIT_PAGE_KEEP / sizeof *l->one) {
		free(l->one);
		l->one = NULL;
		l->room = 0;
	}
}

static int
grow(struct workerlinks *l)
{
	size_t room = l->room == 0 ? 256 : 2 * l->room;
	struct workerlinks_one *one;

	one = realloc(l->one, room * sizeof *one);
	if (one == NULL)
		return FAULT_NOMEM;
	l->one = one;
	l->room = room;
	return 0;
}

int
workerlinks_add(struct workerlinks *l, enum worker_link_kind kind,
    uint32_t flags, const char *url, size_t len)
{
	struct workerlinks_one *o;
	size_t at = l->text.len;
	int rc = 0;

	if (l->count == l->max) {
		l->full = 1;
		return 0;
	}
	if (l->count == l->room)
		rc = grow(l);
	if (rc == 0)
		rc = buf_add(&l->text, url, len);
	if (rc == FAULT_TOOBIG) {
		l->full = 1;
		return 0;
	}
	if (rc < 0)
		return rc;
	o = &l->one[l->count++];
	o->at = (uint32_t)at;
	o->len = (uint32_t)len;
	o->flags = flags;
	o->kind = kind;
	return 0;
}

int
workerlinks_end(struct workerlinks *l, const struct urlkey_hasher *h,
    struct worker_page *page, void **mem, size_t *bytes)
{
	size_t size = l->count * sizeof(struct worker_link), i, n = 0;
	const struct workerlinks_one *o;
	struct worker_link *link, *k;
	struct url_span url;
	char *text;

	*mem = NULL;
	*bytes = 0;
	if (l->count == 0)
		return 0;
	link = malloc(size + l->text.len);
	if (link == NULL)
		return FAULT_NOMEM;
	text = (char *)link + size;
	memcpy(text, l->text.s, l->text.len);
	for (i = 0; i < l->count; i++) {
		o = &l->one[i];
		k = &link[n];
		url.s = text + o->at;
		url.len = o->len;
		if (url_split(url, &k->parts) < 0) /* can't be: it is normal */
			continue;
		k->key = urlkey_of(h, url.s, url.len);
		k->url = url.s;
		k->len = o->len;
		k->flags = o->flags;
		k->kind = o->kind;
		n++;
	}
	page->link = link;
	page->links = n;
	*mem = link;
	*bytes = size + l->text.len;
	return 0;
}
