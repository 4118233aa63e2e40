/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>

#include "tests/webcount.h"

/* FNV-1a, never 0. */
static uint64_t
key_of(const char *host, const char *path)
{
	uint64_t x = UINT64_C(0xcbf29ce484222325);

	for (; *host != '\0'; host++)
		x = (x ^ (unsigned char)*host) * UINT64_C(0x100000001b3);
	for (; *path != '\0'; path++)
		x = (x ^ (unsigned char)*path) * UINT64_C(0x100000001b3);
	return x == 0 ? 1 : x;
}

static struct webcount_slot *
find(struct webcount_slot *s, size_t slots, uint64_t key)
{
	size_t i = (key ^ key >> 32) & (slots - 1);

	while (s[i].key != 0 && s[i].key != key)
		i = (i + 1) & (slots - 1);
	return &s[i];
}

static int
grow(struct webcount *t)
{
	size_t slots = t->slots == 0 ? 1024 : t->slots * 2, i;
	struct webcount_slot *s = calloc(slots, sizeof *s);

	if (s == NULL)
		return 0;
	for (i = 0; i < t->slots; i++)
		if (t->slot[i].key != 0)
			*find(s, slots, t->slot[i].key) = t->slot[i];
	free(t->slot);
	t->slot = s;
	t->slots = slots;
	return 1;
}

unsigned int
webcount_add(struct webcount *t, const char *host, const char *path)
{
	struct webcount_slot *s;
	uint64_t key = key_of(host, path);

	if (t->used * 2 >= t->slots && !grow(t))
		return ~0u;
	s = find(t->slot, t->slots, key);
	if (s->key == 0) {
		s->key = key;
		t->used++;
	}
	return s->count++;
}

void
webcount_free(struct webcount *t)
{
	free(t->slot);
	t->slot = NULL;
	t->slots = t->used = 0;
}
