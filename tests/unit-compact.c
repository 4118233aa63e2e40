/* SPDX-License-Identifier: BSD-2-Clause */

/* Compaction: smaller, and what a replay learns stays the same. */

#include "config.h"

#include <sys/wait.h>

#include <errno.h>
#include <signal.h>

#include "snapshot/journal_compact.h"
#include "snapshot/limits.h"
#include "tests/faultdisk.h"
#include "tests/journals.h"
#include "tests/scratch.h"
#include "tests/tap.h"

#define N   20000 /* ordinals */
#define DIR "journal"

/* What a replay makes of an ordinal: '.' not met, p to be fetched, d done,
   f failed, x dropped. */
struct world {
	char state[N];
	unsigned long long urls; /* a sum over the admitted ones */
	unsigned int hosts;      /* H and S records */
};

static void
meet(struct world *w, const struct record *r)
{
	size_t i;

	switch (r->type) {
	case RECORD_ADMITTED:
		w->state[r->ordinal] = 'p';
		for (i = 0; i < r->url.len; i++)
			w->urls = w->urls * 31 + (unsigned char)r->url.s[i];
		w->urls += r->depth + r->flags;
		break;
	case RECORD_DONE:
		w->state[r->ordinal] = 'd';
		break;
	case RECORD_FAILED:
		w->state[r->ordinal] = 'f';
		break;
	case RECORD_DROPPED:
		w->state[r->ordinal] = 'x';
		break;
	case RECORD_AGAIN:
		w->state[r->ordinal] = 'p';
		break;
	default:
		w->hosts++;
		break;
	}
}

/* Replay from the start.  0, or what was wrong. */
static int
replay(int dir, struct world *w)
{
	struct journal_read *r = NULL;
	struct record rec;
	uint64_t ordinal = 0;
	size_t at = 0;
	int rc;

	memset(w, 0, sizeof *w);
	memset(w->state, '.', sizeof w->state);
	rc = journal_read_open(&r, dir, NULL);
	while (rc == 0) {
		rc = journal_read_next(r, &rec, NULL);
		if (rc <= 0)
			break;
		rc = 0;
		if (rec.type != RECORD_FOLDED) {
			meet(w, &rec);
			continue;
		}
		at = 0;
		ordinal = 0;
		while (record_unfold(&rec, &at, &ordinal) > 0)
			w->state[ordinal] = 'd';
	}
	if (rc < 0)
		tap_diag("%d: %s", rc, journal_read_detail(r));
	journal_read_close(r);
	return rc;
}

static unsigned int
next_random(unsigned int *seed)
{
	*seed = *seed * 1103515245 + 12345;
	return *seed >> 16;
}

static void
append(struct journal *j, struct record *r, uint64_t ordinal, const char *url)
{
	struct pollfd p = { .fd = journal_fd(j), .events = POLLIN };
	uint64_t seq;

	r->ordinal = ordinal;
	r->url = (struct record_span){ url, strlen(url) };
	while (journal_append(j, 0, r, &seq) == FAULT_FULL) {
		(void)poll(&p, 1, JOURNALS_WAIT);
		if (journal_poll(j, 0) < 0)
			abort();
	}
}

/* What comes next for some ordinal below `i', `state' being all there are. */
static void
fate(struct journal *j, char *state, uint64_t i, unsigned int *seed)
{
	struct record done = { .type = 'D',
		.status = 200,
		.word = { "ok", 2 },
		.text = { "0000000001.warc.zst", 19 } };
	struct record failed = { .type = 'F',
		.word = { "timeout", 7 },
		.attempts = 3 };
	struct record dropped = { .type = 'X', .word = { "robots", 6 } };
	struct record again = { .type = 'R', .word = { "retry", 5 } };
	struct record host = { .type = 'H', .word = { "delay", 5 } };
	uint64_t o = (next_random(seed) * 65536U + next_random(seed)) % i;
	unsigned int what = next_random(seed) % 100;
	struct record *r;
	char url[64];

	snprintf(url, sizeof url, "http://host%u.example/page/%u",
	    (unsigned int)o % 50, (unsigned int)o);
	done.offset = o * 12345;
	done.length = what * 1000;
	/* only what is queued is fetched, only what was is put back */
	if (state[o] != 'p')
		r = what < 10 ? &again : &host;
	else if (what < 90)
		r = &done;
	else
		r = what < 95 ? &failed : &dropped;
	append(j, r, o, url);
	if (r != &host)
		state[o] = r == &again ? 'p' : 'd';
}

static void
build(int dir, uint64_t segment_bytes)
{
	struct journal_pos start = { 0, 0, 0 };
	struct journal *j = journals_open(dir, &start, segment_bytes);
	struct record r = { .type = 'A', .depth = 2, .flags = RECORD_FRAME };
	char *state = malloc(N), url[64];
	unsigned int seed = 1;
	uint64_t i;

	for (i = 0; i < N; i++) {
		snprintf(url, sizeof url, "http://host%u.example/page/%u",
		    (unsigned int)i % 50, (unsigned int)i);
		append(j, &r, i, url);
		state[i] = 'p';
		fate(j, state, i + 1, &seed);
		fate(j, state, i + 1, &seed);
		if (i % 100 == 0 && journal_drain(j, 0, JOURNALS_WAIT) < 0)
			abort();
	}
	if (journal_close(j, 0, JOURNALS_WAIT) < 0)
		abort();
	free(state);
}

static void
whole(struct tap *t, int dir, const struct world *before)
{
	struct journal_compact c = { .level = 0 };
	uint64_t n = 0, last = 0, was = 0, is = 0, lines = 0, left = 0;
	struct world after;
	int rc = 1;

	if (series_prev(dir, UINT64_MAX, &last) != 1)
		abort();
	while (rc == 1 && series_next(dir, n, &n) == 1 && n < last) {
		rc = journal_compact_segment(dir, n, &c);
		if (rc != 1)
			tap_diag("%d: %s", rc, c.detail);
		was += c.bytes_before;
		is += c.bytes_after;
		lines += c.records_before;
		left += c.records_after;
	}
	tap_ok(t, rc == 1 && last > 3 && is < was * 2 / 3,
	    "%d segments: %d to %d bytes, %d to %d records", (int)last - 1,
	    (int)was, (int)is, (int)lines, (int)left);
	tap_ok(t,
	    replay(dir, &after) == 0 &&
		memcmp(before, &after, sizeof after) == 0,
	    "a replay learns the same");
	tap_ok(t, journal_compact_segment(dir, 1, &c) == 0, "only once");
	tap_ok(t, journal_compact_segment(dir, last, &c) == FAULT_ARG,
	    "not the last one: %s", c.detail);
	tap_ok(t,
	    journal_compact_segment(dir, 0, &c) == FAULT_ARG &&
		journal_compact_segment(dir, SERIES_MAX + 1, &c) == FAULT_ARG,
	    "no such number");
}

static int
stop_soon(void *arg)
{
	unsigned int *left = arg;

	return (*left)-- == 0;
}

static void
given_up(struct tap *t, int dir, const struct world *before)
{
	unsigned int left = 3;
	struct journal_compact c = { .stop = stop_soon, .stop_arg = &left };
	struct world after;

	tap_ok(t,
	    journal_compact_segment(dir, 1, &c) == 0 &&
		faccessat(dir, "0000000001.zst.tmp", F_OK, 0) != 0,
	    "stopped");
	tap_ok(t,
	    replay(dir, &after) == 0 &&
		memcmp(before, &after, sizeof after) == 0,
	    "nothing changed");
}

/* Compacting fails or is killed anywhere: one file or the other is there. */
static void
faults(struct tap *t, const struct scratch *s, const struct world *before)
{
	struct faultdisk f = { .how = FAULTDISK_TORN, .err = ENOSPC };
	int dir = scratch_folder(s, "faults"), status;
	struct journal_compact c = { .level = 1 };
	unsigned int bad = 0, told = 0;
	struct world after;
	pid_t pid;

	build(dir, 100000);
	for (f.at = 1; f.at < 40; f.at++) {
		f.count = f.hits = 0;
		faultdisk_use(&f);
		told += journal_compact_segment(dir, 1, &c) < 0;
		faultdisk_use(NULL);
		bad += replay(dir, &after) != 0 ||
		    memcmp(before, &after, sizeof after) != 0;
		if (c.bytes_after > 0)
			break;
	}
	tap_ok(t, bad == 0 && told >= 4, "%u operations fail", told);
	f.how = FAULTDISK_WITHIN;
	f.count = 0;
	for (f.at = 1; f.at < 40; f.at++) {
		pid = fork();
		if (pid == 0) {
			faultdisk_use(&f);
			_exit(journal_compact_segment(dir, 2, &c) < 0);
		}
		(void)waitpid(pid, &status, 0);
		bad += replay(dir, &after) != 0 ||
		    memcmp(before, &after, sizeof after) != 0;
		if (!WIFSIGNALED(status))
			break;
	}
	tap_ok(t, bad == 0 && f.at >= 5 && WEXITSTATUS(status) == 0,
	    "killed at each of %lu operations", f.at - 1);
	close(dir);
}

/* A damaged segment is not compacted, and a torn tail only where the next
   segment has what is missing. */
static void
refused(struct tap *t, const struct scratch *s)
{
	struct journal_compact c = { .level = 1 };
	int dir = scratch_folder(s, "refused");
	char *p, *now;
	size_t n = 0, m = 0;

	build(dir, 100000);
	p = scratch_get(dir, "0000000001.zst", &n);
	p[n / 2] ^= 1;
	scratch_put(dir, "0000000001.zst", p, n);
	tap_ok(t, journal_compact_segment(dir, 1, &c) == FAULT_DAMAGED,
	    "damaged: %s", c.detail);
	now = scratch_get(dir, "0000000001.zst", &m);
	tap_ok(t, n == m && memcmp(p, now, n) == 0, "left as it was");
	free(now);
	p[n / 2] ^= 1;
	scratch_put(dir, "0000000001.zst", p, n - 1);
	tap_ok(t, journal_compact_segment(dir, 1, &c) == FAULT_DAMAGED,
	    "its last batch is torn: %s", c.detail);
	p = realloc(p, n + 100);
	memset(p + n, 'x', 100);
	scratch_put(dir, "0000000001.zst", p, n + 100);
	tap_ok(t, journal_compact_segment(dir, 1, &c) == 1,
	    "torn behind its last batch");
	scratch_put(dir, "0000000002.zst", "", 0);
	tap_ok(t, journal_compact_segment(dir, 2, &c) == FAULT_TRUNCATED,
	    "empty: %s", c.detail);
	free(p);
	close(dir);
}

/* As many done records as a batch can hold: all of them fold. */
static void
crowded(struct tap *t, const struct scratch *s)
{
	struct journal_config cf = { .batch_bytes = LIMIT_BATCH - 1000,
		.segment_bytes = 1,
		.sync_ms = 1000000,
		.dirfd = scratch_folder(s, "crowded") };
	struct journal_pos start = { 0, 0, 0 };
	struct record r = { .type = 'D', .word = { "x", 1 } };
	struct journal_compact c = { .level = 1 };
	struct journal *j = NULL;
	uint64_t seq = 0, i;
	int rc;

	if (journal_open(&j, &cf, &start) < 0)
		abort();
	for (i = 0; seq < 300000; i++) {
		r.ordinal = i * UINT64_C(0x9e3779b97f4a7c15) >> 44;
		if (journal_append(j, 0, &r, &seq) < 0 &&
		    journal_drain(j, 0, JOURNALS_WAIT) < 0)
			abort();
	}
	if (journal_close(j, 0, JOURNALS_WAIT) < 0)
		abort();
	rc = journal_compact_segment(cf.dirfd, 1, &c);
	tap_ok(t, rc == 1 && c.records_before > 180000 && c.records_after < 200,
	    "%d done records become %d, in %d bytes", (int)c.records_before,
	    (int)c.records_after, (int)c.bytes_after);
	close(cf.dirfd);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	struct world before;
	struct scratch s;
	int dir;

	scratch_make(&s);
	dir = scratch_folder(&s, DIR);
	build(dir, 100000);
	tap_ok(&t,
	    replay(dir, &before) == 0 && before.hosts > 0 &&
		memchr(before.state, 'd', N) != NULL &&
		memchr(before.state, 'p', N) != NULL &&
		memchr(before.state, 'f', N) != NULL &&
		memchr(before.state, '.', N) == NULL,
	    "a journal to compact");
	given_up(&t, dir, &before);
	whole(&t, dir, &before);
	faults(&t, &s, &before);
	refused(&t, &s);
	crowded(&t, &s);
	scratch_remove(&s);
	return tap_done(&t);
}
