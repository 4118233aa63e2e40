/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "crawler/links.h"
#include "snapshot/limits.h"

#define FIRST_ENTRIES 64
#define FIRST_BYTES   8192

void
links_init(struct links *l, uint64_t seed)
{
	memset(l, 0, sizeof *l);
	urlkey_init(&l->hasher, seed);
}

static void
release(struct links *l)
{
	free(l->entry);
	free(l->slot);
	free(l->bytes);
	l->entry = NULL;
	l->slot = NULL;
	l->bytes = NULL;
	l->room = l->mask = l->size = 0;
}

void
links_free(struct links *l)
{
	release(l);
	l->count = l->used = 0;
}

void
links_clear(struct links *l)
{
	l->count = l->used = 0;
	if (l->size > LIMIT_PAGE_KEEP ||
	    l->room > LIMIT_PAGE_KEEP / sizeof *l->entry)
		release(l);
	else if (l->slot != NULL)
		memset(l->slot, 0, (l->mask + 1) * sizeof *l->slot);
}

char *
links_text(struct links *l, size_t len, int *fault)
{
	size_t size = l->size == 0 ? FIRST_BYTES : l->size;
	char *grown;

	*fault = FAULT_FULL;
	if (len > LIMIT_PAGE_LINK_BYTES - l->used)
		return NULL;
	while (size - l->used < len)
		size *= 2;
	if (size != l->size) {
		*fault = FAULT_NOMEM;
		grown = realloc(l->bytes, size);
		if (grown == NULL)
			return NULL;
		l->bytes = grown;
		l->size = size;
	}
	*fault = 0;
	return l->bytes + l->used;
}

/* The slot of `k', or the empty one where it would go. */
static uint32_t *
probe(const struct links *l, struct urlkey k)
{
	size_t i = k.lo & l->mask;

	while (l->slot[i] != 0 && !urlkey_same(l->entry[l->slot[i] - 1].key, k))
		i = (i + 1) & l->mask;
	return &l->slot[i];
}

/* Make room for more entries, and for their slots. */
static int
grow(struct links *l)
{
	size_t room = l->room == 0 ? FIRST_ENTRIES : 2 * l->room, i;
	struct link_entry *entry;
	uint32_t *slot;

	entry = realloc(l->entry, room * sizeof *entry);
	if (entry == NULL)
		return FAULT_NOMEM;
	l->entry = entry;
	slot = calloc(2 * room, sizeof *slot);
	if (slot == NULL)
		return FAULT_NOMEM;
	free(l->slot);
	l->slot = slot;
	l->mask = 2 * room - 1;
	l->room = room;
	for (i = 0; i < l->count; i++)
		*probe(l, entry[i].key) = (uint32_t)i + 1;
	return 0;
}

/* One more occurrence of `old'. */
static void
merge(struct link_entry *old, const struct link_entry *e)
{
	/* what keeps a link from being followed like any other */
	const uint32_t lesser = LINK_NOFOLLOW | LINK_EMBED;
	uint32_t both = old->flags & e->flags & lesser;

	if (both != (old->flags & lesser) && both == (e->flags & lesser)) {
		old->element = e->element;
		old->attribute = e->attribute;
		old->from = e->from;
	}
	old->flags = ((old->flags | e->flags) & ~lesser) | both;
}

int
links_add(struct links *l, size_t len, unsigned int kind,
    const struct link_entry *e)
{
	struct urlkey key;
	struct link_entry *new;
	uint32_t *slot;
	int rc;

	key = urlkey_of(&l->hasher, l->bytes + l->used, len);
	key.hi ^= kind;
	if (l->count > 0) {
		slot = probe(l, key);
		if (*slot != 0) {
			merge(&l->entry[*slot - 1], e);
			return 0;
		}
	}
	if (l->count == LIMIT_PAGE_LINKS)
		return FAULT_FULL;
	if (l->count == l->room) {
		rc = grow(l);
		if (rc < 0)
			return rc;
	}
	new = &l->entry[l->count++];
	*new = *e;
	new->key = key;
	new->at = l->used;
	new->len = len;
	l->used += len;
	*probe(l, key) = (uint32_t)l->count;
	return 1;
}
