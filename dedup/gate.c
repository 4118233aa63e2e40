/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>

#include "dedup/gate.h"
#include "dedup/pending.h"

struct gate {
	struct filter *filter;
	struct pending *pending;
};

struct gate *
gate_new(struct filter *f)
{
	struct gate *g = malloc(sizeof *g);

	if (g == NULL)
		return NULL;
	g->filter = f;
	g->pending = pending_new();
	if (g->pending == NULL) {
		free(g);
		return NULL;
	}
	return g;
}

void
gate_swap(struct gate *g, struct filter *f)
{
	g->filter = f;
}

void
gate_free(struct gate *g)
{
	if (g == NULL)
		return;
	pending_free(g->pending);
	free(g);
}

/* The keys that the filter is to be asked for, in `list': their number. */
struct list {
	struct urlkey key[GATE_BATCH];
	uint8_t answer[GATE_BATCH];
	uint16_t where[GATE_BATCH];
};

static size_t
unseen(struct list *l, const struct urlkey *key, size_t n, const uint8_t *seen)
{
	size_t i, m = 0;

	for (i = 0; i < n; i++) {
		if (seen[i])
			continue;
		l->where[m] = (uint16_t)i;
		l->key[m++] = key[i];
	}
	return m;
}

void
gate_look(const struct gate *g, const struct urlkey *key, size_t n,
    uint8_t *seen)
{
	struct list l;
	size_t i, m = unseen(&l, key, n, seen);

	if (m == 0)
		return;
	filter_probe(g->filter, l.key, m, l.answer);
	for (i = 0; i < m; i++)
		seen[l.where[i]] = l.answer[i];
}

int
gate_remove(struct gate *g, const struct urlkey *key, size_t n, uint8_t *seen)
{
	struct list l;
	size_t i, m = unseen(&l, key, n, seen);
	long rc;

	if (m == 0)
		return 0;
	rc = filter_delete(g->filter, l.key, m, l.answer);
	if (rc < 0)
		return (int)rc;
	for (i = 0; i < m; i++)
		seen[l.where[i]] = !l.answer[i];
	return 0;
}

uint64_t
gate_now(const struct gate *g)
{
	return pending_now(g->pending);
}

int
gate_recalls(const struct gate *g, uint64_t since, size_t n)
{
	return pending_recalls(g->pending, since, n);
}

int
gate_has(const struct gate *g, struct urlkey k)
{
	return pending_has(g->pending, k, pending_now(g->pending));
}

void
gate_expect(const struct gate *g, const struct urlkey *key,
    const uint16_t *where, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		pending_fetch(g->pending, key[where[i]]);
}

int
gate_admit(struct gate *g, struct urlkey k, uint64_t since, uint64_t end)
{
	int rc;

	if (pending_has(g->pending, k, since))
		return 0;
	rc = pending_add(g->pending, k, end);
	return rc < 0 ? rc : 1;
}

size_t
gate_room(const struct gate *g)
{
	return pending_room(g->pending);
}

size_t
gate_waiting(const struct gate *g)
{
	return pending_count(g->pending);
}

int
gate_safe(struct gate *g, uint64_t safe)
{
	struct urlkey key[GATE_BATCH];
	size_t n;
	long rc;

	for (;;) {
		n = pending_peek(g->pending, safe, key, GATE_BATCH);
		if (n == 0)
			return 0;
		rc = filter_add(g->filter, key, n);
		if (rc < 0)
			return (int)rc;
		pending_drop(g->pending, n);
	}
}
