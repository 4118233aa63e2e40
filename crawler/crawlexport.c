/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlexport.c - crawl --export: lists of what a crawl knows
 *
 * All but the hosts come from the journal: one pass finds how each URL ended
 * (a bit each), another prints.  The first field of a line is always the URL,
 * so the lists go into `urlseen', `cut -f1' or another crawl.
 */

#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crawler/buf.h"
#include "crawler/coreagain.h"
#include "crawler/coreload.h"
#include "crawler/crawlmodes.h"
#include "crawler/crawlrun.h"
#include "crawler/ordinals.h"
#include "snapshot/file.h"
#include "snapshot/journal_read.h"
#include "snapshot/statedir.h"

struct export
{
	const struct crawlopts *o;
	const char *dir;
	int journal; /* descriptor of the folder */
	struct ordinals ended, failed, folded;
	struct buf line;
	uint64_t least; /* records that a snapshot relies on */
};

/* ---- how each URL ended ---- */

static int
note_end(struct export *x, const struct record *r)
{
	int rc;

	switch (r->type) {
	case RECORD_FOLDED:
		return ordinals_fold(&x->ended, r);
	case RECORD_DONE:
	case RECORD_FAILED:
	case RECORD_DROPPED:
	case RECORD_AGAIN:
		rc = ordinals_put(&x->ended, r->ordinal,
		    r->type != RECORD_AGAIN);
		if (rc == 0)
			rc = ordinals_put(&x->failed, r->ordinal,
			    coreagain_failed(r));
		return rc;
	default:
		return 0;
	}
}

/* What is done and has no record of its own any more. */
static int
note_folded(struct export *x, const struct record *r)
{
	return r->type == RECORD_FOLDED ? ordinals_fold(&x->folded, r) : 0;
}

/* ---- the lines ---- */

static int
add_member(struct buf *b, const char *key, const char *s, size_t len)
{
	int rc = buf_fmt(b, ",\"%s\":", key);

	return rc < 0 ? rc : crawlout_json(b, s, len);
}

static int
line_json(struct buf *b, const struct record *r, int folded)
{
	int rc = buf_str(b, "{\"url\":");

	if (rc == 0)
		rc = crawlout_json(b, r->url.s, r->url.len);
	if (rc == 0 && r->type == RECORD_ADMITTED && !folded)
		rc = buf_fmt(b, ",\"depth\":%" PRIu32, r->depth);
	if (rc == 0 && r->type != RECORD_ADMITTED)
		rc = buf_fmt(b, ",\"status\":%" PRIu32, r->status);
	if (rc == 0 && coreagain_failed(r))
		rc = add_member(b, "error", r->word.s, r->word.len);
	if (rc == 0 && coreagain_failed(r))
		rc = buf_fmt(b, ",\"attempts\":%" PRIu32, r->attempts);
	if (rc == 0 && r->type == RECORD_DONE && r->text.len > 0)
		rc = add_member(b, "archive", r->text.s, r->text.len);
	if (rc == 0 && r->type == RECORD_DONE && r->text.len > 0)
		rc = buf_fmt(b, ",\"offset\":%" PRIu64 ",\"length\":%" PRIu64,
		    r->offset, r->length);
	return rc == 0 ? buf_str(b, "}\n") : rc;
}

static int
line_text(struct buf *b, const struct record *r)
{
	int rc = buf_add(b, r->url.s, r->url.len);

	if (rc == 0 && coreagain_failed(r))
		rc = buf_fmt(b, "\t%.*s\t%" PRIu32, (int)r->word.len, r->word.s,
		    r->attempts);
	return rc == 0 ? buf_str(b, "\n") : rc;
}

/* Does `r' belong to the list? */
static int
listed(struct export *x, const struct record *r)
{
	switch ((enum crawlopts_export)x->o->what) {
	case CRAWLOPTS_URLS:
		return r->type == RECORD_ADMITTED;
	case CRAWLOPTS_PENDING:
		return r->type == RECORD_ADMITTED &&
		    !ordinals_has(&x->ended, r->ordinal);
	case CRAWLOPTS_DONE:
		return r->type == RECORD_DONE ||
		    (r->type == RECORD_ADMITTED &&
			ordinals_has(&x->folded, r->ordinal));
	case CRAWLOPTS_FAILED:
		if (!coreagain_failed(r) ||
		    !ordinals_has(&x->failed, r->ordinal))
			return 0;
		/* It may have failed before it was tried again. */
		return ordinals_put(&x->failed, r->ordinal, 0) == 0;
	case CRAWLOPTS_HOSTS:
		break;
	}
	return 0;
}

static int
print(struct export *x, const struct record *r)
{
	int rc;

	if (!listed(x, r))
		return 0;
	buf_clear(&x->line);
	rc = x->o->json ? line_json(&x->line, r, x->o->what == CRAWLOPTS_DONE) :
			  line_text(&x->line, r);
	if (rc == 0 && fwrite(x->line.s, 1, x->line.len, stdout) != x->line.len)
		rc = FAULT_SYS;
	return rc;
}

/* The journal's fault `rc', where it is, and what to do about it. */
static int
say_journal(const struct export *x, int rc, const char *detail)
{
	return crawlsay("%s/" CORE_JOURNAL ": %s%s%s%s", x->dir, detail,
	    detail[0] == '\0' ? "" : ": ", fault_why(rc), statedir_advice(rc));
}

/* Show all records to `fn'. */
static int
walk(struct export *x, int (*fn)(struct export *x, const struct record *r))
{
	struct journal_read *j;
	struct record r;
	int rc;

	rc = journal_read_open(&j, x->journal, NULL);
	while (rc >= 0) {
		rc = journal_read_next(j, &r, NULL);
		if (rc == 0)
			break;
		if (rc > 0 && fn(x, &r) < 0)
			rc = FAULT_SYS;
	}
	if (ferror(stdout))
		rc = crawlsay("standard output: %s", strerror(errno));
	else if (rc < 0)
		rc =
		    say_journal(x, rc, j == NULL ? "" : journal_read_detail(j));
	else if (journal_read_end(j).seq < x->least)
		rc = crawlsay("%s/" CORE_JOURNAL ": %" PRIu64
			      " records that were there are damaged or gone%s",
		    x->dir, x->least - journal_read_end(j).seq,
		    statedir_advice(FAULT_DAMAGED));
	journal_read_close(j);
	return rc;
}

static int
from_journal(struct export *x, struct statedir *d)
{
	int status = CRAWL_OK, fd = statedir_folder(d, CORE_SNAPSHOT);

	/* Before the journal is read, which may be growing. */
	x->least = fd < 0 ? 0 : coreload_durable(fd);
	file_close(fd);
	if (x->o->what == CRAWLOPTS_PENDING || x->o->what == CRAWLOPTS_FAILED)
		status = walk(x, note_end);
	if (x->o->what == CRAWLOPTS_DONE)
		status = walk(x, note_folded);
	if (status == CRAWL_OK)
		status = walk(x, print);
	return status;
}

/* ---- hosts ---- */

static int
print_host(void *ctx, const struct frontier_host *h)
{
	struct export *x = ctx;
	const char *state = h->dead        ? "given-up" :
	    h->queued > 0 || h->flight > 0 ? "active" :
					     "idle";
	int rc;

	buf_clear(&x->line);
	if (x->o->json) {
		rc = buf_str(&x->line, "{\"host\":");
		if (rc == 0)
			rc =
			    crawlout_json(&x->line, h->origin.s, h->origin.len);
		if (rc == 0)
			rc = buf_fmt(&x->line,
			    ",\"pages\":%" PRIu64 ",\"queued\":%" PRIu64
			    ",\"failed\":%" PRIu64 ",\"delay\":%" PRIu32
			    ",\"state\":\"%s\",\"deferred\":%" PRIu32
			    ",\"refused\":%" PRIu32 "}\n",
			    h->pages, h->queued, h->failed, h->delay, state,
			    h->deferred, h->refused);
	} else {
		rc = buf_add(&x->line, h->origin.s, h->origin.len);
		if (rc == 0)
			rc = buf_fmt(&x->line,
			    "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
			    "\t%.3f\t%s\t%" PRIu32 "\t%" PRIu32 "\n",
			    h->pages, h->queued, h->failed,
			    (double)h->delay / 1000, state, h->deferred,
			    h->refused);
	}
	if (rc == 0 && fwrite(x->line.s, 1, x->line.len, stdout) != x->line.len)
		rc = FAULT_SYS;
	return rc;
}

/* The delays that the crawl is run with; what --export itself was given has
   no part in it. */
static int
kept_delays(const struct export *x, int dirfd, struct core_opts *to)
{
	char why[512];
	struct crawlopts kept;
	int rc = crawlopts_made(&kept, dirfd, why, sizeof why);

	if (rc == 0)
		rc = crawlopts_file(&kept, dirfd, CORE_TUNING, CRAWLOPTS_TUNING,
		    why, sizeof why);
	if (rc < 0) {
		crawlopts_free(&kept);
		return crawlsay("%s: %s", x->dir, why);
	}
	to->frontier.delay = (uint32_t)kept.delay;
	to->frontier.ip_delay = kept.ip_delay;
	crawlopts_free(&kept);
	return CRAWL_OK;
}

static int
hosts(struct export *x, int dirfd)
{
	struct core_opts o;
	struct core_ops ops;
	struct core_error err;
	struct core *c;
	int64_t now = (int64_t)time(NULL) * 1000;
	int rc;

	memset(&o, 0, sizeof o);
	memset(&ops, 0, sizeof ops);
	o.dir = x->dir;
	o.scope = SCOPE_ANY;
	if (kept_delays(x, dirfd, &o) != CRAWL_OK)
		return CRAWL_ERROR;
	o.frontier.retries = (unsigned int)x->o->retries;
	o.frontier.memory = x->o->memory;
	if (core_look(&c, &o, &ops, now, &err) < 0)
		return crawlsay("%s", err.text);
	rc = core_hosts(c, now, print_host, x);
	core_abandon(c);
	if (ferror(stdout))
		return crawlsay("standard output: %s", strerror(errno));
	if (rc < 0)
		return crawlsay("%s/" CORE_FRONTIER ": %s", x->dir,
		    fault_why(rc));
	return CRAWL_OK;
}

int
crawlmodes_export(const struct crawlopts *o, const char *dir)
{
	struct statedir *d;
	struct export x;
	int rc, status;

	rc = statedir_open(&d, dir, STATEDIR_LOOK, NULL);
	if (rc < 0)
		return crawlsay_dir(dir, rc);
	memset(&x, 0, sizeof x);
	x.o = o;
	x.dir = dir;
	buf_init(&x.line, LIMIT_OUTPUT);
	x.journal = statedir_folder(d, CORE_JOURNAL);
	if (x.journal < 0)
		status =
		    crawlsay("%s/" CORE_JOURNAL ": %s", dir, strerror(errno));
	else if (o->what == CRAWLOPTS_HOSTS)
		status = hosts(&x, statedir_fd(d));
	else
		status = from_journal(&x, d);
	if (status == CRAWL_OK && (fflush(stdout) != 0 || ferror(stdout)))
		status = crawlsay("standard output: %s", strerror(errno));
	file_close(x.journal);
	statedir_close(d);
	ordinals_free(&x.ended);
	ordinals_free(&x.failed);
	ordinals_free(&x.folded);
	buf_free(&x.line);
	return status;
}
