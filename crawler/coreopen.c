/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * coreopen.c - start and end of a core
 *
 * In this order: the lock; the journal's torn end; archive files that a kill
 * left open; the newest snapshot; the seen set, made anew where it can't be
 * trusted; the journal from the snapshot's place on; and from then on it is
 * written.
 */

#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "crawler/coreload.h"
#include "crawler/corereplay.h"
#include "crawler/coreseen.h"
#include "crawler/coresnap.h"
#include "crawler/robots.h"
#include "frontier/image.h"
#include "snapshot/file.h"
#include "snapshot/journal_mend.h"

#define CLOSE_MS (60 * 1000) /* to write out the journal */

static int
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    word(struct core_error *err, int rc, const char *fmt, ...)
{
	int saved = errno;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err->text, sizeof err->text, fmt, ap);
	va_end(ap);
	errno = saved;
	return rc;
}

/* The fault `rc' of what is called `name' in the directory, what to do. */
static int
word_fault(const struct core *c, struct core_error *err, int rc,
    const char *name)
{
	return word(err, rc, "%s%s%s: %s%s", c->o.dir,
	    name[0] == '\0' ? "" : "/", name, fault_why(rc),
	    statedir_advice(rc));
}

/* ---- the directory ---- */

static int
open_state(struct core *c, struct core_error *err)
{
	pid_t holder = 0;
	int rc;

	rc = statedir_open(&c->state, c->o.dir,
	    c->look ? STATEDIR_LOOK : STATEDIR_CREATE, &holder);
	if (rc == FAULT_LOCKED && holder > 0)
		return word(err, rc,
		    "%s: process %ld is crawling into it: wait for it, stop "
		    "it, or give another -d DIR",
		    c->o.dir, (long)holder);
	if (rc == FAULT_LOCKED)
		return word(err, rc,
		    "%s: another process is crawling into it: wait for it, or "
		    "give another -d DIR",
		    c->o.dir);
	if (rc == FAULT_MAGIC)
		return word(err, rc,
		    "%s: is not empty and no state directory of crawl: give "
		    "another -d DIR",
		    c->o.dir);
	if (rc == FAULT_VERSION)
		return word(err, rc,
		    "%s: a newer crawl made it: use that one, or give another "
		    "-d DIR",
		    c->o.dir);
	if (rc == FAULT_NOTFILE)
		return word_fault(c, err, rc, STATEDIR_LOCK);
	if (rc == FAULT_DAMAGED)
		return word_fault(c, err, rc, STATEDIR_FORMAT);
	return rc < 0 ? word_fault(c, err, rc, "") : 0;
}

static int
open_folders(struct core *c, struct core_error *err)
{
	struct {
		int *fd;
		const char *name;
	} rows[] = {
		{ &c->journal_dir, CORE_JOURNAL },
		{ &c->snapshot_dir, CORE_SNAPSHOT },
		{ &c->frontier_dir, CORE_FRONTIER },
		{ &c->archive_dir, CORE_ARCHIVE },
	};
	size_t i;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		*rows[i].fd = statedir_folder(c->state, rows[i].name);
		if (*rows[i].fd < 0)
			return word_fault(c, err, FAULT_SYS, rows[i].name);
	}
	return 0;
}

static int
mend(struct core *c, struct core_error *err)
{
	struct journal_mended m;
	uint64_t cut;
	int rc;

	memset(&m, 0, sizeof m);
	rc =
	    journal_mend(c->journal_dir, coreload_durable(c->snapshot_dir), &m);
	if (rc == FAULT_DAMAGED)
		return word(err, rc,
		    "%s/" CORE_JOURNAL ": %s: restore it from a copy, or "
		    "begin again with another -d DIR",
		    c->o.dir, m.detail);
	if (rc < 0)
		return word(err, rc, "%s/" CORE_JOURNAL ": %s: %s%s", c->o.dir,
		    m.detail, fault_why(rc), statedir_advice(rc));
	if (m.cut > 0)
		core_tell(c, CORE_NOTE_TORN, "%" PRIu64 " bytes", m.cut);
	c->resumed = m.segment > 0;
	rc = archive_recover_all(c->archive_dir, &cut);
	return rc < 0 ? word_fault(c, err, rc, CORE_ARCHIVE) : 0;
}

/* ---- what decides ---- */

/* May the host with these packed rules be asked for this path? */
static int
allowed(void *ctx, const void *rules, size_t len, const char *path,
    size_t path_len)
{
	struct robots r;
	uint32_t line;

	(void)ctx;
	if (robots_view(&r, rules, len) < 0)
		return 0;
	return robots_allowed(&r, path, path_len, &line);
}

/* Patterns may have come since it was queued. */
static int
wanted(void *ctx, struct url_span url)
{
	return core_wanted(ctx, url);
}

int
core_wanted(struct core *c, struct url_span url)
{
	return c->o.includes + c->o.excludes == 0 ||
	    scope_patterns(c->scope, c->scratch, url) == SCOPE_IN;
}

static int
make_frontier(struct core *c)
{
	struct frontier_opts o = c->o.frontier;

	frontier_free(c->frontier);
	c->frontier = NULL;
	o.dirfd = c->frontier_dir;
	o.keep = SNAPFILE_KEEP;
	o.readonly = c->look;
	o.allowed = c->o.ignore_robots ? NULL : allowed;
	o.wanted = wanted;
	o.ctx = c;
	if (getrandom(&o.seed, sizeof o.seed, 0) != (ssize_t)sizeof o.seed)
		return FAULT_SYS;
	return frontier_new(&c->frontier, &o);
}

/* The patterns of `o' into the scope; after a fault it has its old ones. */
static int
make_patterns(struct core *c, const struct core_opts *o, struct core_error *err)
{
	struct scope *fresh = scope_new(SCOPE_ANY, 0);
	struct scope_error bad;
	const char *p = "";
	size_t i;
	int rc = fresh == NULL ? FAULT_NOMEM : 0;

	for (i = 0; i < o->includes && rc == 0; i++) {
		p = o->include[i];
		rc = scope_include(fresh, p, &bad);
	}
	for (i = 0; i < o->excludes && rc == 0; i++) {
		p = o->exclude[i];
		rc = scope_exclude(fresh, p, &bad);
	}
	if (rc == FAULT_ARG)
		word(err, rc,
		    "pattern '%.200s': %s at byte %zu: it takes a regular "
		    "expression (PCRE2)",
		    p, bad.text, bad.offset);
	else if (rc < 0)
		word(err, rc, "pattern '%.200s': %s", p, fault_str(rc));
	else
		scope_swap(c->scope, fresh);
	scope_free(fresh);
	return rc;
}

static int
make_parts(struct core *c, struct core_error *err)
{
	uint64_t seed[2];

	if (getrandom(seed, sizeof seed, 0) != (ssize_t)sizeof seed)
		return word_fault(c, err, FAULT_SYS, "");
	trap_defaults(&c->trap_opts);
	c->trap = trap_new(&c->trap_opts, LIMIT_TRAP_BITS, seed[0]);
	c->scope = scope_new(c->o.scope, seed[1]);
	c->scratch = scope_scratch_new();
	c->url = url_new(c->o.rules);
	if (c->trap == NULL || c->scope == NULL || c->scratch == NULL ||
	    c->url == NULL)
		return word_fault(c, err, FAULT_NOMEM, "");
	return make_patterns(c, &c->o, err);
}

int
core_tune(struct core *c, const struct core_opts *o, struct core_error *err)
{
	int rc = make_patterns(c, o, err);

	if (rc < 0)
		return rc;
	c->o.include = o->include;
	c->o.includes = o->includes;
	c->o.exclude = o->exclude;
	c->o.excludes = o->excludes;
	c->o.frontier = o->frontier;
	c->o.connections = o->connections;
	frontier_tune(c->frontier, &o->frontier);
	return 0;
}

/* ---- start ---- */

/* Load the snapshot, or make all that it would have filled. */
static int
load(struct core *c, struct coreload *l, int64_t now, struct core_error *err)
{
	int rc = make_frontier(c);

	if (rc < 0)
		return word_fault(c, err, rc, CORE_FRONTIER);
	rc = coreload_snapshot(c, l, now, err);
	if (rc < 0)
		return err->text[0] != '\0' ?
		    rc :
		    word_fault(c, err, rc, CORE_SNAPSHOT);
	if (l->image)
		return 0;
	if (l->broken) {
		rc = make_frontier(c);
		if (rc < 0)
			return word_fault(c, err, rc, CORE_FRONTIER);
		memset(&c->count, 0, sizeof c->count);
		memset(l, 0, sizeof *l);
	}
	rc = c->look ? 0 : frontier_fresh(c->frontier);
	return rc < 0 ? word_fault(c, err, rc, CORE_FRONTIER) : 0;
}

static int
start(struct core *c, unsigned int given, int64_t now, struct core_error *err)
{
	struct coreload l;
	int rc = open_state(c, err);

	if (rc == 0)
		rc = open_folders(c, err);
	if (rc == 0 && !c->look)
		rc = mend(c, err);
	if (rc == 0)
		rc = make_parts(c, err);
	if (rc == 0)
		rc = load(c, &l, now, err);
	if (rc == 0 && !c->look)
		rc = coreseen_open(c, given, err);
	return rc == 0 ? corereplay_run(c, &l, now, err) : rc;
}

static int
make_core(struct core **out, const struct core_opts *o, unsigned int given,
    const struct core_ops *ops, int look, int64_t now, struct core_error *err)
{
	struct core *c = calloc(1, sizeof *c);
	int rc;

	*out = NULL;
	err->text[0] = '\0';
	if (c == NULL)
		return word(err, FAULT_NOMEM, "out of memory");
	c->o = *o;
	c->ops = *ops;
	c->look = look;
	c->started = now;
	c->journal_dir = c->snapshot_dir = c->frontier_dir = -1;
	c->archive_dir = -1;
	c->snap.next = o->snapshot_ms > 0 ? now + o->snapshot_ms : -1;
	rc = start(c, given, now, err);
	if (rc < 0) {
		core_abandon(c);
		return rc;
	}
	*out = c;
	return 0;
}

int
core_open(struct core **c, const struct core_opts *o, unsigned int given,
    const struct core_ops *ops, int64_t now, struct core_error *err)
{
	return make_core(c, o, given, ops, 0, now, err);
}

int
core_look(struct core **c, const struct core_opts *o,
    const struct core_ops *ops, int64_t now, struct core_error *err)
{
	return make_core(c, o, 0, ops, 1, now, err);
}

/* ---- end ---- */

/* All but the seen set, which is closed in one of two ways. */
static void
free_rest(struct core *c)
{
	uint32_t i;

	for (i = 0; i < c->slots; i++)
		worker_page_free(c->slot[i].page);
	free(c->slot);
	coresnap_free(c);
	corecold_free(c);
	coregrow_free(c);
	gate_free(c->gate);
	frontier_free(c->frontier);
	trap_free(c->trap);
	scope_scratch_free(c->scratch);
	scope_free(c->scope);
	url_free(c->url);
	file_close(c->journal_dir);
	file_close(c->snapshot_dir);
	file_close(c->frontier_dir);
	file_close(c->archive_dir);
	statedir_close(c->state);
	free(c->seen_path);
	free(c);
}

int
core_settle(struct core *c, int64_t now)
{
	c->settled = 1;
	return coresnap_last(c, now);
}

int
core_close(struct core *c, int64_t now)
{
	int rc, end;

	rc = c->settled ? 0 : core_settle(c, now);
	end = journal_close(c->journal, now, CLOSE_MS);
	if (rc == 0)
		rc = end;
	end = filter_close(c->seen);
	if (rc == 0)
		rc = end;
	end = errno;
	free_rest(c);
	errno = end;
	return rc;
}

void
core_abandon(struct core *c)
{
	if (c == NULL)
		return;
	journal_abandon(c->journal);
	filter_abandon(c->seen);
	free_rest(c);
}
