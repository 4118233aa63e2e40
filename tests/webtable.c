/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/webtable.h"

/* FNV-1a. */
static uint64_t
hash(const char *s)
{
	uint64_t x = UINT64_C(0xcbf29ce484222325);

	for (; *s != '\0'; s++)
		x = (x ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
	return x ^ x >> 31;
}

static struct webtable_entry *
slot(struct webtable_entry *e, size_t room, const char *name)
{
	size_t i = hash(name) & (room - 1);

	while (e[i].name != NULL && strcmp(e[i].name, name) != 0)
		i = (i + 1) & (room - 1);
	return &e[i];
}

/* What calloc() or strdup() gave: checks have no use for less memory. */
static void *
got(void *p)
{
	if (p == NULL) {
		perror("memory");
		exit(2);
	}
	return p;
}

static void
grow(struct webtable *t)
{
	size_t room = t->room == 0 ? 4096 : t->room * 2, i;
	struct webtable_entry *e = got(calloc(room, sizeof *e));

	for (i = 0; i < t->room; i++)
		if (t->e[i].name != NULL)
			*slot(e, room, t->e[i].name) = t->e[i];
	free(t->e);
	t->e = e;
	t->room = room;
}

struct webtable_entry *
webtable_find(struct webtable *t, const char *name)
{
	struct webtable_entry *e;

	if (t->count * 2 >= t->room)
		grow(t);
	e = slot(t->e, t->room, name);
	if (e->name != NULL)
		return e;
	e->name = got(strdup(name));
	t->count++;
	return e;
}

void
webtable_free(struct webtable *t)
{
	size_t i;

	for (i = 0; i < t->room; i++)
		free(t->e[i].name);
	free(t->e);
}
