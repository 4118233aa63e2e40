/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include "frontier/refs.h"

#define REFS 3

struct node {
	uint32_t next;
	uint16_t from; /* the first that is left */
	uint16_t to;   /* one past the last */
	struct ref at[REFS];
};

_Static_assert(sizeof(struct node) == 32, "a node is a table record");

void
refs_init(struct table *t, struct pager *p)
{
	table_init(t, p, sizeof(struct node), UINT32_MAX - 1);
}

int
refs_push(struct table *t, uint32_t *l, struct ref r)
{
	struct node *last = NULL, *n;
	uint32_t id;

	if (*l != 0) {
		last = table_rw(t, *l);
		if (last->to < REFS) {
			last->at[last->to++] = r;
			return 0;
		}
	}
	id = table_take(t);
	if (id == 0)
		return FAULT_NOMEM;
	n = table_rw(t, id);
	n->from = 0;
	n->to = 1;
	n->at[0] = r;
	n->next = id;
	if (last != NULL) {
		n->next = last->next;
		last->next = id;
	}
	*l = id;
	return 0;
}

struct ref
refs_first(struct table *t, uint32_t l)
{
	const struct node *last = table_ro(t, l);
	const struct node *first = table_ro(t, last->next);

	return first->at[first->from];
}

void
refs_shift(struct table *t, uint32_t *l)
{
	struct node *last = table_rw(t, *l), *first;
	uint32_t id = last->next;

	first = table_rw(t, id);
	if (++first->from < first->to)
		return;
	last->next = first->next;
	table_give(t, id);
	if (id == *l)
		*l = 0;
}

void
refs_walk(struct table *t, uint32_t l, struct refs_walk *w)
{
	w->at = 0;
	w->i = 0;
	w->last = l;
	if (l != 0)
		w->at = ((const struct node *)table_ro(t, l))->next;
	if (w->at != 0)
		w->i = ((const struct node *)table_ro(t, w->at))->from;
}

struct ref *
refs_next(struct table *t, struct refs_walk *w)
{
	struct node *n;
	struct ref *r;

	if (w->at == 0)
		return NULL;
	n = table_rw(t, w->at);
	r = &n->at[w->i++];
	if (w->i == n->to) {
		w->at = w->at == w->last ? 0 : n->next;
		w->i = 0;
	}
	return r;
}
