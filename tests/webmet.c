/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "tests/webmet.h"

void
webmets_init(struct webmets *m, const struct web *w)
{
	memset(m, 0, sizeof *m);
	m->web = w;
	m->page = calloc(w->pages / 8 + 1, 1);
	m->failed = m->page == NULL;
}

void
webmets_free(struct webmets *m)
{
	size_t i;

	for (i = 0; i < m->count; i++)
		free(m->met[i].host);
	free(m->met);
	free(m->slot);
	free(m->page);
}

void *
webmets_grown(struct webmets *m, void *old, size_t n, size_t *room, size_t size)
{
	size_t want = *room == 0 ? 1024 : *room * 2;
	void *p;

	if (n < *room)
		return old;
	p = realloc(old, want * size);
	if (p == NULL) {
		m->failed = 1;
		return old;
	}
	*room = want;
	return p;
}

/* FNV-1a over both strings. */
static uint64_t
name_hash(const char *host, const char *path)
{
	uint64_t x = UINT64_C(0xcbf29ce484222325);

	for (; *host != '\0'; host++)
		x = (x ^ (unsigned char)*host) * UINT64_C(0x100000001b3);
	for (; *path != '\0'; path++)
		x = (x ^ (unsigned char)*path) * UINT64_C(0x100000001b3);
	return x ^ x >> 29;
}

/* The slot of a named URL, or the empty one where it would go. */
static size_t *
slot_of(struct webmets *m, const char *host, const char *path)
{
	size_t i = name_hash(host, path) & (m->slots - 1);
	const struct webmet *e;

	for (; m->slot[i] != 0; i = (i + 1) & (m->slots - 1)) {
		e = &m->met[m->slot[i] - 1];
		if (strcmp(e->host, host) == 0 && strcmp(e->path, path) == 0)
			break;
	}
	return &m->slot[i];
}

/* Twice as many slots as `met' has room. */
static void
rehash(struct webmets *m)
{
	size_t i;

	if (m->slots >= 2 * m->room)
		return;
	free(m->slot);
	m->slots = 2 * m->room;
	m->slot = calloc(m->slots, sizeof *m->slot);
	if (m->slot == NULL) {
		m->slots = 0;
		m->failed = 1;
		return;
	}
	for (i = 0; i < m->count; i++)
		if (m->met[i].host != NULL)
			*slot_of(m, m->met[i].host, m->met[i].path) = i + 1;
}

static struct webmet *
append(struct webmets *m)
{
	m->met = webmets_grown(m, m->met, m->count, &m->room, sizeof *m->met);
	if (!m->failed)
		rehash(m);
	if (m->failed)
		return NULL;
	memset(&m->met[m->count], 0, sizeof m->met[0]);
	return &m->met[m->count++];
}

struct webmet *
webmets_page(struct webmets *m, uint32_t h, uint32_t n)
{
	uint64_t i = (uint64_t)n * m->web->hosts + h;
	struct webmet *e;

	if (m->page[i / 8] >> (i % 8) & 1)
		return NULL;
	m->page[i / 8] |= (unsigned char)(1u << (i % 8));
	e = append(m);
	if (e != NULL) {
		e->h = h;
		e->n = n;
	}
	return e;
}

struct webmet *
webmets_find(struct webmets *m, const char *host, const char *path)
{
	size_t at = m->slots == 0 ? 0 : *slot_of(m, host, path);

	return at == 0 ? NULL : &m->met[at - 1];
}

struct webmet *
webmets_add(struct webmets *m, const char *host, const char *path)
{
	size_t n = strlen(host) + 1, k = strlen(path) + 1;
	char *name = malloc(n + k);
	struct webmet *e = NULL;

	if (name != NULL)
		e = append(m);
	if (e == NULL) {
		free(name);
		m->failed = 1;
		return NULL;
	}
	memcpy(name, host, n);
	memcpy(name + n, path, k);
	e->host = name;
	e->path = name + n;
	*slot_of(m, host, path) = (size_t)(e - m->met) + 1;
	return e;
}
