/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlsayfile.c - DIR/status, written each second
 */

#include "config.h"

#include <inttypes.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "crawler/crawlhttp.h"
#include "crawler/crawlrun.h"
#include "snapshot/limits.h"

/* Take what is new of the last second into account. */
static void
sample(struct crawlrun *r, const struct core_stat *st, int64_t now)
{
	struct crawlhist_at at;

	at.time = now;
	at.pages = st->run_pages;
	at.bytes = st->run_bytes;
	at.failed = st->count.failed;
	at.queued = st->frontier.queued;
	at.hosts = st->frontier.active;
	crawlhist_add(&r->hist, &at);
	/* A host that can't be read is the frontier's to complain about. */
	if (crawltop_look(&r->top, r->core, now) < 0)
		r->top.swept = 0;
}

static int
put_numbers(struct crawlrun *r, const struct core_stat *st, struct buf *out)
{
	const struct core_count *c = &st->count;
	const struct frontier_stat *f = &st->frontier;

	return buf_fmt(out,
	    "admitted %" PRIu64 "\n"
	    "done %" PRIu64 "\n"
	    "failed %" PRIu64 "\n"
	    "dropped %" PRIu64 "\n"
	    "queued %" PRIu64 "\n"
	    "flight %u\n"
	    "hosts %" PRIu64 "\n"
	    "active %" PRIu64 "\n"
	    "dead %" PRIu64 "\n"
	    "bytes %" PRIu64 "\n"
	    "run_pages %" PRIu64 "\n"
	    "run_bytes %" PRIu64 "\n"
	    "seen %" PRIu64 "\n"
	    "snapshot %" PRIu64 "\n"
	    "snapshot_at %" PRId64 "\n"
	    "paused %d\n"
	    "robots %" PRIu64 "\n"
	    "retried %" PRIu64 "\n"
	    "memory %" PRIu64 "\n"
	    "disk_left %" PRIu64 "\n",
	    c->admitted, c->done, c->failed, c->dropped, f->queued, st->flight,
	    f->hosts, f->active, f->dead, c->bytes, st->run_pages,
	    st->run_bytes, st->seen.count, st->snapshot, st->snapshot_at,
	    st->paused, c->robots, f->retried, f->memory,
	    crawlsay_disk_left(r));
}

static int
put_rates(const struct crawlhist *h, struct buf *out)
{
	static const unsigned int minutes[] = { 1, 5, 15 };
	size_t i;
	int rc = 0;

	for (i = 0; i < 3 && rc == 0; i++)
		rc = buf_fmt(out, "pages_%um %.0f\nbytes_%um %.0f\n",
		    minutes[i], crawlhist_pages(h, minutes[i] * 60) * 1000,
		    minutes[i], crawlhist_bytes(h, minutes[i] * 60));
	return rc;
}

/* A counter; a reason of several words becomes one. */
static int
put_count(struct buf *out, const char *prefix, const char *name, uint64_t n)
{
	size_t from = out->len + strlen(prefix), i;
	int rc = buf_fmt(out, "%s%s", prefix, name);

	for (i = from; rc == 0 && i < out->len; i++)
		if (out->s[i] == ' ')
			out->s[i] = '-';
	return rc == 0 ? buf_fmt(out, " %" PRIu64 "\n", n) : rc;
}

static int
put_counts(const struct core_stat *st, struct buf *out)
{
	static const char *const class[] = { "none", "1xx", "2xx", "3xx", "4xx",
		"5xx" };
	const struct core_count *c = &st->count;
	unsigned int i;
	int rc = 0;

	for (i = 0; i < 6 && rc == 0; i++)
		rc = put_count(out, "status.", class[i], c -> status[i]);
	for (i = 0; i < CORE_CODES && rc == 0; i++)
		if (c->code[i] > 0)
			rc = buf_fmt(out, "code.%u %" PRIu64 "\n",
			    i + CORE_CODE, c->code[i]);
	for (i = 1; i < FRONTIER_REASONS && rc == 0; i++)
		rc = put_count(out, "drop.",
		    frontier_reason_str((enum frontier_reason)i),
		    st->frontier.dropped[i]);
	for (i = 0; i < CORE_REFUSALS && rc == 0; i++)
		rc = put_count(out, "refused.",
		    core_refusal_str((enum core_refusal)i), c->refused[i]);
	for (i = 1; i < SCOPE_VERDICTS && rc == 0; i++)
		rc = put_count(out, "scope.",
		    scope_verdict_str((enum scope_verdict)i), c->scope[i]);
	for (i = 1; i < TRAP_VERDICTS && rc == 0; i++)
		rc = put_count(out, "trap.",
		    trap_verdict_str((enum trap_verdict)i), c->trap[i]);
	return rc;
}

static int
put_hosts(const struct crawltop *t, struct buf *out)
{
	const struct crawltop_host *h = t->host;
	size_t i;
	int rc = 0;

	for (i = 0; i < t->n && rc == 0; i++, h++)
		rc = buf_fmt(out,
		    "host %" PRIu64 " %u %" PRIu64 " %" PRIu64 " %" PRIu32
		    " %s\n",
		    h->queued, h->flight, h->pages, h->failed, h->delay,
		    h->name);
	return rc;
}

uint64_t
crawlsay_disk_left(const struct crawlrun *r)
{
	struct statvfs v;

	if (fstatvfs(core_dir_fd(r->core), &v) < 0)
		return 0;
	return (uint64_t)v.f_bavail * v.f_frsize;
}

static int
put_all(struct crawlrun *r, const char *state, int64_t now, struct buf *out)
{
	struct core_stat st;
	int rc;

	core_stat(r->core, &st);
	sample(r, &st, now);
	rc = buf_fmt(out,
	    "state %s\npid %ld\ntime %" PRId64 "\nstarted %" PRId64 "\n", state,
	    (long)getpid(), now, r->started);
	if (rc == 0)
		rc = put_numbers(r, &st, out);
	if (rc == 0)
		rc = put_rates(&r->hist, out);
	if (rc == 0)
		rc = put_counts(&st, out);
	if (rc == 0)
		rc = put_hosts(&r->top, out);
	return rc == 0 ? buf_str(out, "end\n") : rc;
}

void
crawlsay_file(struct crawlrun *r, const char *state)
{
	struct buf b;
	ssize_t got;
	size_t n;
	int rc;

	buf_init(&b, LIMIT_STATUS);
	rc = put_all(r, state, crawlrun_now(r), &b);
	n = b.len;
	/* One write of one size: what an older one left would follow else. */
	if (rc == 0)
		rc = buf_room(&b, LIMIT_STATUS - b.len);
	if (rc == 0) {
		memset(b.s + n, '\n', LIMIT_STATUS - n);
		crawlhttp_show(r->http, b.s, n, &r->hist);
	}
	/* Losing it costs nothing: the journal knows all of this. */
	if (rc == 0 && r->status_fd >= 0) {
		got = pwrite(r->status_fd, b.s, LIMIT_STATUS, 0);
		(void)got;
	}
	buf_free(&b);
}
