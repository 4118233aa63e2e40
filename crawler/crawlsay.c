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
#include <unistd.h>

#include "crawler/crawlrun.h"
#include "snapshot/statedir.h"

#define STATUS_BYTES 4096 /* of DIR/status: one page, one write */

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
	return crawlsay("%s: %s%s%s", dir,
	    rc == FAULT_SYS ? strerror(errno) : fault_str(rc),
	    statedir_advice(rc)[0] == '\0' ? "" : ": ", statedir_advice(rc));
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

	if (text == NULL) {
		if (r->o.verbose && !r->o.quiet)
			crawlsay("%s: %s", more[what - CORE_NOTE_RETRY],
			    detail);
		return;
	}
	/* Trouble is told even if quiet: nobody likes a silent halt. */
	if (r->o.quiet && what != CORE_NOTE_PAUSED)
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
	else
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
	crawlsay("%s: %s", r->dir, line);
}

void
crawlsay_live(struct crawlrun *r, int last)
{
	char line[512];

	if (!r->tty)
		return;
	if (last) {
		fputs("\r\033[K", stderr);
		return;
	}
	word_status(r, line, sizeof line);
	fprintf(stderr, "\r\033[K%.*s", 79, line);
	fflush(stderr);
}

/* Lines of name and value, as --status reads them. */
void
crawlsay_file(struct crawlrun *r, const char *state)
{
	char text[STATUS_BYTES];
	struct core_stat st;
	ssize_t got;
	int n;

	if (r->status_fd < 0)
		return;
	core_stat(r->core, &st);
	memset(text, '\n', sizeof text);
	n = snprintf(text, sizeof text,
	    "state %s\n"
	    "pid %ld\n"
	    "time %" PRId64 "\n"
	    "started %" PRId64 "\n"
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
	    "paused %d\n"
	    "end\n",
	    state, (long)getpid(), crawlrun_now(r), r->started,
	    st.count.admitted, st.count.done, st.count.failed, st.count.dropped,
	    st.frontier.queued, st.flight, st.frontier.hosts,
	    st.frontier.active, st.frontier.dead, st.count.bytes, st.run_pages,
	    st.run_bytes, st.seen.count, st.snapshot, st.paused);
	if (n > 0 && (size_t)n < sizeof text)
		text[n] = '\n';
	/* Losing it costs nothing: the journal knows all of this. */
	got = pwrite(r->status_fd, text, sizeof text, 0);
	(void)got;
}
