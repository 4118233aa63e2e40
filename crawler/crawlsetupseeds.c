/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlsetupseeds.c - the seeds, before the first page is asked for
 */

#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "crawler/addrguard.h"
#include "crawler/crawlrun.h"
#include "crawler/crawlseeds.h"
#include "dedup/url.h"

/* The journal has no room: let its helper work.  0, or a fault. */
static int
room_again(struct crawlrun *r)
{
	int rc = core_turn(r->core, crawlrun_now(r));

	if (rc < 0)
		return rc;
	if (atomic_load(&r->signal.stop) != 0) {
		errno = EINTR;
		return FAULT_SYS;
	}
	usleep(1000);
	return 0;
}

static int
take_seed(void *ctx, const char *s, size_t len)
{
	struct crawlrun *r = ctx;
	struct url_span host;
	int rc;

	for (;;) {
		rc = core_seed(r->core, s, len, crawlrun_now(r), &host);
		if (rc != FAULT_FULL)
			break;
		rc = room_again(r);
		if (rc < 0)
			return rc;
	}
	if (rc < 0)
		return rc;
	if (host.len > 2 && host.s[0] == '[') {
		host.s++;
		host.len -= 2;
	}
	return addrguard_allow_host(r->guard, host.s, host.len);
}

/* What has failed in earlier runs, into the queue again. */
static int
retry(struct crawlrun *r)
{
	struct core_again *a = NULL;
	uint64_t n = 0;
	int rc = core_again_open(&a, r->core);

	while (rc >= 0) {
		rc = core_again_next(a, crawlrun_now(r));
		if (rc == 0)
			break;
		n += rc > 0;
		if (rc == FAULT_FULL)
			rc = room_again(r);
	}
	core_again_close(a);
	if (rc < 0 && atomic_load(&r->signal.stop) != 0) {
		r->stopping = CRAWLRUN_INTERRUPT;
		return -crawlsay("%s: interrupted while what has failed was "
				 "queued again, nothing was fetched: run it "
				 "again with --retry-failed",
		    r->dir);
	}
	if (rc < 0)
		return -crawlsay("%s/" CORE_JOURNAL ": --retry-failed: %s",
		    r->dir, fault_why(rc));
	if (!r->o.quiet)
		crawlsay("%s: %" PRIu64 " URL%s had failed %s tried again",
		    r->dir, n, n == 1 ? " that" : "s that",
		    n == 1 ? "is" : "are");
	return 0;
}

/* How many URLs the patterns have refused. */
static uint64_t
refused(const struct core_stat *st)
{
	return st->count.scope[SCOPE_EXCLUDED] + st->count.scope[SCOPE_MISSED] +
	    st->count.scope[SCOPE_COSTLY];
}

/* Not all seeds passed: `before' is how things stood before them. */
static int
judge_seeds(const struct crawlrun *r, uint64_t given, uint64_t before)
{
	struct core_stat st;
	uint64_t n;

	core_stat(r->core, &st);
	n = refused(&st) - before;
	if (given > 0 && st.count.seeds == 0)
		return -crawlsay("none of the seeds is let in: %s",
		    n > 0 ? "--include and --exclude refuse them" :
			    "crawl --status tells why");
	if (n > 0 && !r->o.quiet)
		crawlsay("%" PRIu64 " seed%s refused by --include or --exclude",
		    n, n == 1 ? " is" : "s are");
	return 0;
}

int
crawlsetup_nothing(const struct crawlrun *r)
{
	return -crawlsay("%s: there is no crawl to go on with: give a seed",
	    r->dir);
}

/* Tell of what is no seed; those given on the command line have no line. */
static void
tell_invalid(const struct crawlseeds *s)
{
	char line[32] = "";

	if (s->line > 0)
		(void)snprintf(line, sizeof line, ":%" PRIu64, s->line);
	crawlsay("%" PRIu64 " seed%s no http or https URL, the first %s%.200s"
		 "%s: %s",
	    s->invalid, s->invalid == 1 ? " is" : "s are",
	    s->line > 0 ? "at " : "is ", s->where, line, fault_str(s->fault));
}

/* Seeds were given, and there is none among them. */
static int
no_seed(const struct crawlrun *r, const struct crawlseeds *s)
{
	if (s->invalid == 0)
		return -crawlsay("%s: there is no seed in it: it takes a URL a "
				 "line",
		    r->o.seeds[0]);
	tell_invalid(s);
	return -CRAWL_ERROR;
}

/* The first that is a URL is enough. */
static int
look_at(void *ctx, const char *s, size_t len)
{
	struct url_span to;
	int rc = url_normalise(ctx, s, len, &to);

	return rc < 0 ? rc : FAULT_FULL;
}

int
crawlsetup_look(const struct crawlrun *r)
{
	struct crawlseeds s;
	struct url *url;
	int rc;

	if (r->o.n == 0 || !crawlseeds_twice(r->o.seeds, r->o.n))
		return 0;
	url = url_new(r->o.rules);
	if (url == NULL)
		return -crawlsay("%s", fault_str(FAULT_NOMEM));
	rc = crawlseeds_read(r->o.seeds, r->o.n, look_at, url, r->signal.fd,
	    &r->signal.stop, &s);
	url_free(url);
	return rc == 0 ? no_seed(r, &s) : 0; /* crawlsetup_seeds() will tell */
}

int
crawlsetup_seeds(struct crawlrun *r)
{
	struct crawlseeds s;
	struct core_stat st;
	int rc;

	rc = r->o.retry_failed ? retry(r) : 0;
	if (rc < 0)
		return rc;
	core_stat(r->core, &st);
	rc = crawlseeds_read(r->o.seeds, r->o.n, take_seed, r, r->signal.fd,
	    &r->signal.stop, &s);
	if (rc < 0 && atomic_load(&r->signal.stop) != 0) {
		r->stopping = CRAWLRUN_INTERRUPT;
		return -crawlsay("%s: interrupted while the seeds were read, "
				 "nothing was fetched: run it again with them",
		    s.where);
	}
	if (rc < 0)
		return -crawlsay("%s: %s", s.where, fault_why(rc));
	if (r->o.n > 0 && s.given == 0)
		return no_seed(r, &s);
	if (s.invalid > 0 && !r->o.quiet)
		tell_invalid(&s);
	if (r->o.n == 0 && st.journal_seq == 0)
		return crawlsetup_nothing(r);
	return judge_seeds(r, s.given, refused(&st));
}
