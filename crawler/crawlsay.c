/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlsay.c - what crawl tells its user beside the pages
 */

#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "crawler/crawlrun.h"
#include "snapshot/statedir.h"

int
crawlsay(const char *fmt, ...)
{
	char line[2048], *s;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof line, fmt, ap);
	va_end(ap);
	/* What others wrote can't break the line, nor drive the terminal. */
	for (s = line; *s != '\0'; s++)
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			*s = '?';
	fprintf(stderr, "crawl: %s\n", line); /* one write: one line */
	return CRAWL_ERROR;
}

int
crawlsay_dir(const char *dir, int rc)
{
	if (rc == FAULT_MAGIC)
		return crawlsay("%s: it is no state directory of crawl", dir);
	return crawlsay("%s%s: %s%s", dir,
	    rc == FAULT_DAMAGED ? "/" STATEDIR_FORMAT : "", fault_why(rc),
	    statedir_advice(rc));
}

/* What a note says before its detail; NULL: only with -v. */
static const char *
note_text(enum core_note what)
{
	switch (what) {
	case CORE_NOTE_REBUILD:
		return "the seen set is made anew from the journal";
	case CORE_NOTE_SNAPSHOT:
		return "a damaged snapshot is passed over";
	case CORE_NOTE_REPLAY:
		return "no snapshot is good, all of the journal is read";
	case CORE_NOTE_QUEUES:
		return "a queue on disk is damaged, the next run makes them "
		       "anew from the journal";
	case CORE_NOTE_TORN:
		return "the last run was cut off, so was the journal's torn "
		       "end";
	case CORE_NOTE_PAUSED:
		return "paused, goes on by itself once that has passed";
	case CORE_NOTE_GOES_ON:
		return "goes on";
	case CORE_NOTE_NO_SNAP:
		return "no snapshot this time (nothing is lost)";
	case CORE_NOTE_RETRY:
	case CORE_NOTE_ROBOTS:
	case CORE_NOTE_DROPPED:
		break;
	}
	return NULL;
}

void
crawlsay_note(void *ctx, enum core_note what, const char *detail)
{
	static const char *const more[] = { "again later", "robots",
		"left out" };
	struct crawlrun *r = ctx;
	const char *text = note_text(what);

	crawlsay_live(r, 1);
	if (text == NULL) {
		if (r->o.verbose && !r->o.quiet)
			crawlsay("%s: %s", more[what - CORE_NOTE_RETRY],
			    detail);
		return;
	}
	/* Trouble is told even if quiet: nobody likes a silent halt. */
	if (r->o.quiet && what != CORE_NOTE_PAUSED && what != CORE_NOTE_QUEUES)
		return;
	crawlsay("%s: %s%s%s", r->dir, text, detail[0] == '\0' ? "" : ": ",
	    detail);
}

void
crawlsay_start(struct crawlrun *r)
{
	struct core_stat st;
	uint64_t left;

	core_stat(r->core, &st);
	if (!st.resumed || r->o.quiet)
		return;
	left = st.count.admitted - st.count.done - st.count.failed -
	    st.count.dropped;
	r->was_complete = left == 0;
	if (left == 0)
		crawlsay("%s: complete already: %" PRIu64 " pages", r->dir,
		    st.count.done + st.count.failed);
	if (left == 0 && r->changed[0] != '\0')
		crawlsay("%s: %s: not for links in pages fetched before; give "
			 "another -d DIR to follow these anew",
		    r->dir, r->changed);
	if (left > 0)
		crawlsay("%s: goes on: %" PRIu64 " pages done, %" PRIu64
			 " URLs to go",
		    r->dir, st.count.done + st.count.failed, left);
}

void
crawlsay_end(struct crawlrun *r, int status)
{
	int64_t ms = crawlrun_now(r) - r->started;
	struct core_stat st;
	uint64_t left;

	if (r->o.quiet)
		return;
	core_stat(r->core, &st);
	left = st.count.admitted - st.count.done - st.count.failed -
	    st.count.dropped;
	/* "Complete already" was said at the start. */
	if (!r->was_complete || left > 0 || st.run_pages > 0)
		crawlsay("%s: %" PRIu64 " pages in %.1f s (%" PRIu64
			 " failed, %" PRIu64 " left out in all), %s",
		    r->dir, st.run_pages, (double)ms / 1000, st.count.failed,
		    st.count.dropped,
		    left == 0 ? "complete" :
			status == CRAWL_OK ?
				"a bound is reached" :
			status == CRAWL_MORE ?
				"stopped with more to do: run it again" :
				"stopped");
	if (status == CRAWL_FAILED)
		crawlsay("%s: every seed failed", r->dir);
}

/* One line of where things stand. */
static void
word_status(struct crawlrun *r, char *out, size_t size)
{
	int64_t ms = crawlrun_now(r) - r->started;
	struct core_stat st;

	core_stat(r->core, &st);
	snprintf(out, size,
	    "%" PRIu64 " pages (%.1f/s), %" PRIu64 " queued, %u in flight, "
	    "%" PRIu64 " failed, %" PRIu64 " hosts%s",
	    st.count.done + st.count.failed,
	    ms > 0 ? (double)st.run_pages * 1000 / (double)ms : 0.0,
	    st.frontier.queued, st.flight, st.count.failed, st.frontier.hosts,
	    st.paused != 0 ? ", paused" : "");
}

void
crawlsay_status(struct crawlrun *r)
{
	char line[512];

	word_status(r, line, sizeof line);
	crawlsay_live(r, 1);
	crawlsay("%s: %s", r->dir, line);
}

/* What matters most comes first: a narrow terminal shows less. */
static void
word_live(struct crawlrun *r, char *line, size_t size)
{
	const struct crawltop_host *h = r->top.host;
	struct core_stat st;
	int64_t next;

	core_stat(r->core, &st);
	line[0] = '\0';
	if (st.paused != 0)
		live_part(line, size, "paused");
	live_part(line, size, "%.1f pages/s", crawlhist_pages(&r->hist, 60));
	live_part(line, size, "%" PRIu64 " done", st.count.done);
	live_part(line, size, "%" PRIu64 " queued", st.frontier.queued);
	live_part(line, size, "%" PRIu64 " failed", st.count.failed);
	live_part(line, size, "%.2f MB/s", crawlhist_bytes(&r->hist, 60) / 1e6);
	live_part(line, size, "%" PRIu64 " hosts", st.frontier.active);
	if (r->top.n > 0)
		live_part(line, size, "slowest %.40s %" PRIu64 " s", h->name,
		    crawltop_left(h));
	live_part(line, size, "%u in flight", st.flight);
	live_part(line, size, "%.1f GB left",
	    (double)crawlsay_disk_left(r) / 1e9);
	next = (st.snapshot_at > st.started ? st.snapshot_at : st.started) +
	    r->o.snapshot - crawlrun_now(r);
	if (r->o.snapshot > 0)
		live_part(line, size, "snapshot in %.0f s",
		    next > 0 ? (double)next / 1000 : 0.0);
}

void
crawlsay_live(struct crawlrun *r, int last)
{
	char line[LIVE_LINE];

	if (last || r->live.out == NULL) {
		live_clear(&r->live);
		return;
	}
	word_live(r, line, live_room(&r->live));
	live_draw(&r->live, line);
}
