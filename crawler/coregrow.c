/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crawler/coreint.h"
#include "crawler/coreseen.h"
#include "snapshot/file.h"

#define FULL 3     /* times the capacity: some three layers */
#define ROOM 4     /* times what there is */
#define REST 10000 /* records that the owner reads itself */

void
coregrow_from(struct core *c, uint64_t capacity)
{
	c->grow.at =
	    capacity > UINT64_MAX / FULL ? UINT64_MAX : capacity * FULL;
}

/*
 * Add what the journal has, at most up to record number `below', and at its
 * present end whatever it is: 0 or a fault.
 */
static int
read_on(struct coregrow *g, uint64_t below)
{
	struct coreseen_keys keys;
	struct record rec;
	int rc = 0;

	keys.filter = g->fresh;
	keys.n = 0;
	while (rc >= 0 && journal_read_end(g->in).seq < below) {
		if (atomic_load_explicit(&g->stop, memory_order_relaxed))
			return FAULT_SYS;
		rc = journal_read_next(g->in, &rec, NULL);
		if (rc == 0)
			break;
		if (rc > 0 && rec.type == RECORD_ADMITTED)
			rc = coreseen_put(&keys, &rec);
	}
	return rc < 0 ? rc : coreseen_flush(&keys);
}

/* In the helper's thread. */
static void
fill(void *arg)
{
	struct coregrow *g = arg;

	g->rc = 0;
	if (g->fresh == NULL)
		g->rc = filter_create(&g->fresh, g->path, &g->spec, 0);
	if (g->rc == 0 && g->in == NULL)
		g->rc = journal_read_open(&g->in, g->journal_dir, NULL);
	if (g->rc == 0)
		g->rc = read_on(g, UINT64_MAX);
	if (g->rc == 0)
		g->rc = filter_sync(g->fresh);
}

/* The helper is idle, or there is none. */
static void
forget(struct coregrow *g)
{
	journal_read_close(g->in);
	g->in = NULL;
	filter_abandon(g->fresh);
	g->fresh = NULL;
	free(g->path);
	g->path = NULL;
}

static void
give_up(struct core *c)
{
	struct coregrow *g = &c->grow;

	forget(g);
	/* If it can't be removed a later start does it. */
	if (file_remove(statedir_fd(c->state), COREGROW_NAME) == 0)
		g->rc = 0;
	g->at = c->count.admitted * 2;
}

static int
begin(struct core *c)
{
	struct coregrow *g = &c->grow;
	size_t n = strlen(c->o.dir) + sizeof "/" COREGROW_NAME;
	int rc = file_remove(statedir_fd(c->state), COREGROW_NAME);

	if (rc < 0)
		return rc;
	g->spec = *filter_spec(c->seen);
	g->spec.capacity = c->count.admitted * ROOM;
	g->journal_dir = c->journal_dir;
	g->path = malloc(n);
	if (g->path == NULL)
		return FAULT_NOMEM;
	snprintf(g->path, n, "%s/" COREGROW_NAME, c->o.dir);
	if (g->helper == NULL)
		rc = helper_new(&g->helper);
	if (rc == 0)
		helper_give(g->helper, fill, g);
	return rc;
}

/*
 * Put it in place.  Whether the new name is durable does not matter: the old
 * file is no worse after a power cut than it was, and is found unclean.
 */
static int
swap(struct core *c)
{
	struct coregrow *g = &c->grow;
	int dir = statedir_fd(c->state);
	int rc = filter_sync(g->fresh);

	if (rc == 0)
		rc = file_rename(dir, COREGROW_NAME, CORE_SEEN);
	if (rc < 0)
		return rc;
	if (file_sync_dir(dir) < 0)
		g->rc = 0;
	gate_swap(c->gate, g->fresh);
	filter_abandon(c->seen);
	c->seen = g->fresh;
	g->fresh = NULL;
	forget(g);
	coregrow_from(c, g->spec.capacity);
	return 0;
}

/*
 * The helper came to an end of the journal: 0 or a fault.  What was read may
 * be ahead of what is durable; then the next turn looks again.
 */
static int
go_on(struct core *c)
{
	struct coregrow *g = &c->grow;
	uint64_t durable = journal_durable(c->journal);
	uint64_t reached;
	int rc = g->rc;

	if (rc < 0 || c->safe != durable)
		return rc;
	reached = journal_read_end(g->in).seq;
	if (reached + REST < durable) {
		helper_give(g->helper, fill, g);
		return 0;
	}
	if (reached < durable)
		rc = read_on(g, durable);
	if (rc == 0 && journal_read_end(g->in).seq == durable)
		rc = swap(c);
	return rc;
}

void
coregrow_step(struct core *c)
{
	struct coregrow *g = &c->grow;
	int rc;

	if (g->path == NULL)
		rc = c->count.admitted < g->at || c->stopped ? 0 : begin(c);
	else if (helper_busy(g->helper))
		return;
	else
		rc = go_on(c);
	if (rc < 0)
		give_up(c);
}

void
coregrow_free(struct core *c)
{
	atomic_store_explicit(&c->grow.stop, 1, memory_order_relaxed);
	helper_free(c->grow.helper);
	c->grow.helper = NULL;
	if (c->grow.path != NULL)
		give_up(c);
}
