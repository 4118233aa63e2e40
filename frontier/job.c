/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "frontier/job.h"
#include "snapshot/limits.h"

#define SLOTS_FIRST 64
#define TEXT_FIRST  256  /* bytes */
#define TEXT_KEEP   4096 /* bytes: more is given back with the slot */

_Static_assert(LIMIT_JOBS <= 1 << 16, "a slot is half of a job's number");

void
job_init(struct jobs *j)
{
	memset(j, 0, sizeof *j);
}

void
job_clear(struct jobs *j)
{
	for (uint32_t i = 0; i < j->slots; i++)
		free(j->slot[i].text);
	free(j->slot);
	free(j->spare);
	memset(j, 0, sizeof *j);
}

static int
slots_grow(struct jobs *j)
{
	uint32_t n = j->slots == 0 ? SLOTS_FIRST : j->slots * 2;
	struct job *slot;
	uint32_t *spare;

	if (j->slots == LIMIT_JOBS)
		return FAULT_FULL;
	slot = realloc(j->slot, n * sizeof(*slot));
	if (slot == NULL)
		return FAULT_NOMEM;
	j->slot = slot;
	spare = realloc(j->spare, n * sizeof(*spare));
	if (spare == NULL)
		return FAULT_NOMEM;
	j->spare = spare;
	memset(slot + j->slots, 0, (n - j->slots) * sizeof(*slot));
	for (uint32_t i = n; i-- > j->slots;)
		spare[j->spares++] = i + 1;
	j->slots = n;
	return 0;
}

int
job_room(struct job *o, size_t len)
{
	char *text;
	uint32_t room;

	if (o->room >= len)
		return 0;
	for (room = TEXT_FIRST; room < len; room *= 2)
		continue;
	text = realloc(o->text, room);
	if (text == NULL)
		return FAULT_NOMEM;
	o->text = text;
	o->room = room;
	return 0;
}

int
job_reserve(struct jobs *j, size_t len, uint32_t *slot)
{
	int rc;

	if (j->spares == 0) {
		rc = slots_grow(j);
		if (rc < 0)
			return rc;
	}
	*slot = j->spare[j->spares - 1];
	return job_room(job_at(j, *slot), len);
}

void
job_start(struct jobs *j, uint32_t slot, enum frontier_kind kind)
{
	j->spares--;
	job_at(j, slot)->kind = (uint8_t)kind;
	j->flight[kind]++;
}

void
job_over(struct jobs *j, uint32_t slot)
{
	struct job *o = job_at(j, slot);

	if (o->over == JOB_FLIES)
		j->flight[o->kind]--;
	else if (o->over == JOB_WAITS)
		j->hops--;
	o->over = JOB_OVER;
}

void
job_wait(struct jobs *j, uint32_t slot)
{
	struct job *o = job_at(j, slot);

	job_over(j, slot);
	o->over = JOB_WAITS;
	o->uses++;
	j->hops++;
}

void
job_again(struct jobs *j, uint32_t slot)
{
	struct job *o = job_at(j, slot);

	j->hops--;
	o->over = JOB_FLIES;
	j->flight[o->kind]++;
}

void
job_end(struct jobs *j, uint32_t slot)
{
	struct job *o = job_at(j, slot);

	job_over(j, slot);
	o->over = JOB_FLIES;
	o->kind = 0;
	o->uses++;
	if (o->room > TEXT_KEEP) {
		free(o->text);
		o->text = NULL;
		o->room = 0;
	}
	j->spare[j->spares++] = slot;
}

uint32_t
job_slot(const struct jobs *j, uint32_t id)
{
	uint32_t i = id & 0xffff;

	if (i >= j->slots || j->slot[i].kind == 0 ||
	    j->slot[i].uses != id >> 16)
		return 0;
	return i + 1;
}

uint32_t
job_id(const struct jobs *j, uint32_t slot)
{
	return (slot - 1) | (uint32_t)j->slot[slot - 1].uses << 16;
}

uint64_t
job_memory(const struct jobs *j)
{
	uint64_t n = j->slots * (sizeof *j->slot + sizeof *j->spare);

	for (uint32_t i = 0; i < j->slots; i++)
		n += j->slot[i].room;
	return n;
}
