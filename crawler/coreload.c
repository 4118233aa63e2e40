/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * coreload.c - a core from its newest snapshot; the other end of coresnap.c
 */

#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "crawler/coreload.h"
#include "snapshot/file.h"
#include "snapshot/record.h"
#include "snapshot/series.h"

/* A snapshot's sections as streams: each is read to its end. */
struct stream {
	struct snapfile_read *r;
	struct snapfile_chunk chunk;
	size_t at;   /* bytes of it that were taken */
	int pending; /* the chunk at hand is not looked at yet */
};

/* Is there a chunk of `section' at hand?  1, 0, or a fault. */
static int
at_hand(struct stream *s, const char *section)
{
	int rc;

	if (!s->pending || s->at == s->chunk.len) {
		rc = snapfile_read_next(s->r, &s->chunk);
		if (rc <= 0) {
			s->pending = 0;
			return rc;
		}
		s->pending = 1;
		s->at = 0;
	}
	return strcmp(s->chunk.section, section) == 0;
}

/* Fill `n' bytes from `section'. */
static int
pull(struct stream *s, const char *section, void *p, size_t n)
{
	size_t m;
	int rc;

	while (n > 0) {
		rc = at_hand(s, section);
		if (rc <= 0)
			return rc < 0 ? rc : FAULT_TRUNCATED;
		m = s->chunk.len - s->at;
		if (m > n)
			m = n;
		memcpy(p, s->chunk.data + s->at, m);
		s->at += m;
		p = (char *)p + m;
		n -= m;
	}
	return 0;
}

static int
pull_frontier(void *ctx, void *p, size_t n)
{
	return pull(ctx, "frontier", p, n);
}

static int
pull_trap(void *ctx, void *p, size_t n)
{
	return pull(ctx, "trap", p, n);
}

static int
pull_scope(void *ctx, void *p, size_t n)
{
	return pull(ctx, "scope", p, n);
}

/* Skip what is left before `section'. */
static int
skip_to(struct stream *s, const char *section)
{
	int rc;

	for (;;) {
		rc = at_hand(s, section);
		if (rc != 0 || !s->pending)
			return rc < 0 ? rc : 0;
		s->at = s->chunk.len;
	}
}

/* All of a small section, with a NUL behind it. */
static int
pull_text(struct stream *s, const char *section, struct buf *b)
{
	int rc;

	for (;;) {
		rc = at_hand(s, section);
		if (rc <= 0)
			break;
		rc = buf_add(b, s->chunk.data + s->at, s->chunk.len - s->at);
		if (rc < 0)
			break;
		s->at = s->chunk.len;
	}
	return rc < 0 ? rc : buf_add(b, "", 1);
}

/* ---- section "core" ---- */

/* Up to `n' numbers of a line after its name; what is absent stays. */
static int
numbers(const char *s, const char *end, uint64_t *v, size_t n)
{
	size_t i;

	for (i = 0; i < n && s < end && *s == ' '; i++) {
		s++;
		if (record_digits(&s, end, &v[i]) < 0)
			return FAULT_DAMAGED;
	}
	return 0;
}

static int
read_line(struct core *c, struct coreload *l, const char *s, const char *end)
{
	struct core_count *n = &c->count;
	uint64_t from[3] = { 0, 0, 0 }, seeds[2] = { 0, 0 }, code[2] = { 0 };
	const struct {
		const char *name;
		uint64_t *to;
		size_t n;
	} rows[] = {
		{ "from", from, 3 },
		{ "counted", &l->counted, 1 },
		{ "admitted", &n->admitted, 1 },
		{ "done", &n->done, 1 },
		{ "failed", &n->failed, 1 },
		{ "dropped", &n->dropped, 1 },
		{ "seeds", seeds, 2 },
		{ "bytes", &n->bytes, 1 },
		{ "robots", &n->robots, 1 },
		{ "status", n->status, 6 },
		{ "code", code, 2 },
		{ "refused", n->refused, CORE_REFUSALS },
		{ "scope", n->scope, SCOPE_VERDICTS },
		{ "trap", n->trap, TRAP_VERDICTS },
	};
	size_t i, len;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		len = strlen(rows[i].name);
		if ((size_t)(end - s) <= len || s[len] != ' ' ||
		    memcmp(s, rows[i].name, len) != 0)
			continue;
		if (numbers(s + len, end, rows[i].to, rows[i].n) < 0)
			return FAULT_DAMAGED;
		if (i == 0) {
			l->from.seq = from[0];
			l->from.segment = from[1];
			l->from.offset = from[2];
		}
		if (rows[i].to == code && code[0] < CORE_CODES)
			n->code[code[0]] = code[1];
		if (rows[i].to == seeds) {
			n->seeds = seeds[0];
			n->seeds_ok = seeds[1];
		}
		return 0;
	}
	return 0; /* of a later version */
}

static int
read_core(struct core *c, struct coreload *l, const char *text)
{
	const char *end;
	int rc = 0;

	for (; *text != '\0' && rc == 0; text = end + 1) {
		end = strchr(text, '\n');
		if (end == NULL)
			return FAULT_DAMAGED;
		rc = read_line(c, l, text, end);
	}
	return rc;
}

/* ---- the whole ---- */

/* One that is of another kind or size than ours is none. */
static int
optional(int rc)
{
	return rc == FAULT_MISMATCH || rc == FAULT_MAGIC ? 0 : rc;
}

static int
read_all(struct core *c, struct stream *s, struct coreload *l, int64_t now)
{
	struct buf b;
	int rc;

	buf_init(&b, LIMIT_CONFIG);
	rc = pull_text(s, "core", &b);
	if (rc == 0)
		rc = read_core(c, l, b.s);
	buf_free(&b);
	if (rc == 0)
		rc = skip_to(s, "scope");
	if (rc == 0) {
		rc = scope_load(c->scope, pull_scope, s);
		l->scope = rc == 0;
		rc = optional(rc);
	}
	if (rc == 0)
		rc = skip_to(s, "trap");
	if (rc == 0)
		rc = optional(trap_load(c->trap, pull_trap, s));
	if (rc == 0)
		rc = skip_to(s, "frontier");
	return rc < 0 ? rc : image_load(c->frontier, pull_frontier, s, now);
}

/* A queue on disk is no file: which? */
static void
name_queue(const struct core *c, struct core_error *err)
{
	char name[SERIES_NAME];
	uint64_t n = 0;
	int fd;

	while (series_next(c->frontier_dir, n, &n) > 0) {
		series_name(name, n);
		fd = file_open(c->frontier_dir, name, 0);
		file_close(fd);
		if (fd != FAULT_NOTFILE)
			continue;
		snprintf(err->text, sizeof err->text,
		    "%s/" CORE_FRONTIER "/%s: %s%s", c->o.dir, name,
		    fault_str(fd), statedir_advice(fd));
		return;
	}
}

int
coreload_snapshot(struct core *c, struct coreload *l, int64_t now,
    struct core_error *err)
{
	struct stream s;
	int rc;

	memset(&s, 0, sizeof s);
	memset(l, 0, sizeof *l);
	rc = snapfile_read_newest(&s.r, c->snapshot_dir);
	if (rc == FAULT_DAMAGED)
		core_tell(c, CORE_NOTE_REPLAY, "%s", snapfile_read_detail(s.r));
	if (rc == FAULT_VERSION)
		snprintf(err->text, sizeof err->text,
		    "%s/" CORE_SNAPSHOT ": %s: a newer crawl wrote it, use "
		    "that one",
		    c->o.dir, snapfile_read_detail(s.r));
	if (rc == FAULT_NOTFILE)
		snprintf(err->text, sizeof err->text,
		    "%s/" CORE_SNAPSHOT ": %s%s", c->o.dir,
		    snapfile_read_detail(s.r), statedir_advice(rc));
	if (rc <= 0)
		goto out;
	if (snapfile_read_skipped(s.r) > 0)
		core_tell(c, CORE_NOTE_SNAPSHOT, "%s",
		    snapfile_read_detail(s.r));
	rc = read_all(c, &s, l, now);
	if (rc == 0 && snapfile_read_skipped(s.r) > 0)
		rc = snapfile_discard(c->snapshot_dir,
		    snapfile_read_number(s.r));
	c->snap.number = snapfile_read_number(s.r);
	c->snap.time = snapfile_read_time(s.r);
	c->cold.kept = rc == 0 ? l->from.segment : 0;
	l->image = rc == 0;
	l->broken = rc != 0;
	if (rc == FAULT_NOTFILE)
		name_queue(c, err);
	else if (rc < 0 && rc != FAULT_NOMEM && rc != FAULT_SYS)
		core_tell(c, CORE_NOTE_REPLAY, "snapshot %llu: %s",
		    (unsigned long long)c->snap.number, fault_str(rc));
out:
	snapfile_read_close(s.r);
	if (rc == FAULT_DAMAGED || rc == FAULT_TRUNCATED || rc == FAULT_MAGIC)
		rc = 0; /* replay of all */
	return rc < 0 ? rc : l->image;
}

uint64_t
coreload_durable(int dirfd)
{
	struct stream s;
	struct buf b;
	uint64_t seq = 0;
	const char *at;

	memset(&s, 0, sizeof s);
	buf_init(&b, LIMIT_SNAP_CHUNK);
	if (snapfile_read_newest(&s.r, dirfd) > 0 &&
	    pull_text(&s, "core", &b) == 0 && b.len > 5 &&
	    memcmp(b.s, "from ", 5) == 0) {
		at = b.s + 5;
		if (record_digits(&at, b.s + b.len, &seq) < 0)
			seq = 0;
	}
	buf_free(&b);
	snapfile_read_close(s.r);
	return seq;
}

int
coreload_files(struct snapfile_read *r, image_file_fn *fn, void *ctx)
{
	struct stream s;
	int rc;

	memset(&s, 0, sizeof s);
	s.r = r;
	rc = skip_to(&s, "frontier");
	return rc < 0 ? rc : image_files(pull_frontier, &s, fn, ctx);
}
