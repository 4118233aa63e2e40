/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * journalsize.c - what the journal costs: bytes and CPU time a URL
 *
 *	genurls 3000000 1 0 | journalsize DIR [PERCENT]
 *
 * Each line is admitted, and PERCENT of them (30) are done some thousand
 * records later, with a place in an archive.  Then all segments but the last
 * are compacted, as crawl does behind its snapshots.  The folder DIR must be
 * empty; it keeps the journal.
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "snapshot/journal.h"
#include "snapshot/journal_compact.h"
#include "snapshot/limits.h"
#include "snapshot/series.h"

#define LAG     4096              /* URLs between admission and end */
#define SEGMENT (4 * 1024 * 1024) /* bytes: so that nearly all get cold */

struct bench {
	struct journal *j;
	int dir;
	unsigned long percent;
	uint64_t urls, done, bytes, offset;
	char *late[LAG];
};

static void
die(const char *what, int rc)
{
	fprintf(stderr, "journalsize: %s: %s (%s)\n", what, fault_str(rc),
	    strerror(errno));
	exit(2);
}

static double
cpu(void)
{
	return (double)clock() / CLOCKS_PER_SEC;
}

static int64_t
now_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void
put(struct bench *b, const struct record *r)
{
	struct pollfd p = { .fd = journal_fd(b->j), .events = POLLIN };
	uint64_t seq;
	int rc;

	for (;;) {
		rc = journal_append(b->j, now_ms(), r, &seq);
		if (rc != FAULT_FULL)
			break;
		(void)poll(&p, 1, 1000);
		rc = journal_poll(b->j, now_ms());
		if (rc < 0)
			break;
	}
	if (rc < 0)
		die("append", rc);
	if (seq % 64 == 0 && journal_poll(b->j, now_ms()) < 0)
		die("poll", FAULT_SYS);
}

/* The URL admitted LAG URLs ago has been fetched, or not. */
static void
end(struct bench *b, uint64_t ordinal, const char *url)
{
	static const char kind[] = "page";
	char file[64];
	struct record r = { .type = RECORD_DONE, .ordinal = ordinal };
	uint64_t h = ordinal * UINT64_C(0x9e3779b97f4a7c15) >> 32;

	if (h % 100 >= b->percent)
		return;
	r.url.s = url;
	r.url.len = strlen(url);
	r.status = 200;
	r.word.s = kind;
	r.word.len = sizeof kind - 1;
	r.text.s = file;
	r.text.len = (size_t)snprintf(file, sizeof file,
	    "20261202161652-%02u-00001.warc.zst", (unsigned int)(h & 1));
	r.offset = b->offset;
	r.length = 3000 + h % 20000;
	b->offset += r.length;
	put(b, &r);
	b->done++;
}

static void
admit(struct bench *b, const char *url, size_t len)
{
	struct record r = { .type = RECORD_ADMITTED, .ordinal = b->urls };
	char **late = &b->late[b->urls % LAG];

	if (*late != NULL)
		end(b, b->urls - LAG, *late);
	free(*late);
	*late = strdup(url);
	r.url.s = url;
	r.url.len = len;
	r.depth = 1 + (uint32_t)(b->urls % 7);
	r.lane = 1;
	put(b, &r);
	b->urls++;
	b->bytes += len;
}

/* Bytes of all segments; with `compact' they are first made small. */
static uint64_t
size(struct bench *b, int compact)
{
	char name[SERIES_NAME];
	struct journal_compact c;
	uint64_t n = 0, next, sum = 0;
	struct stat st;

	memset(&c, 0, sizeof c);
	while (series_next(b->dir, n, &n) > 0) {
		if (compact && series_next(b->dir, n, &next) > 0 &&
		    journal_compact_segment(b->dir, n, &c) < 0)
			die(c.detail, FAULT_SYS);
		series_name(name, n);
		if (fstatat(b->dir, name, &st, 0) == 0)
			sum += (uint64_t)st.st_size;
	}
	return sum;
}

static void
report(const struct bench *b, const char *what, uint64_t bytes, double s)
{
	printf("%-10s %6.2f bytes and %6.3f us of CPU a URL\n", what,
	    (double)bytes / (double)b->urls, s * 1e6 / (double)b->urls);
}

int
main(int argc, char **argv)
{
	const struct journal_pos from = { 0, 0, 0 };
	struct journal_config conf = { .sync_ms = 500,
		.segment_bytes = SEGMENT };
	struct bench b;
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	uint64_t bytes;
	double t;
	int rc;

	memset(&b, 0, sizeof b);
	b.dir = argc > 1 ? open(argv[1], O_RDONLY | O_DIRECTORY) : -1;
	if (b.dir < 0) {
		fprintf(stderr, "usage: journalsize DIR [PERCENT] <URLS\n");
		return 2;
	}
	b.percent = argc > 2 ? strtoul(argv[2], NULL, 10) : 30;
	conf.dirfd = b.dir;
	rc = journal_open(&b.j, &conf, &from);
	if (rc < 0)
		die(argv[1], rc);
	t = cpu();
	for (n = getline(&line, &room, stdin); n > 0;
	     n = getline(&line, &room, stdin)) {
		line[n - 1] = '\0';
		admit(&b, line, (size_t)n - 1);
	}
	rc = journal_close(b.j, now_ms(), 60000);
	if (rc < 0)
		die("close", rc);
	printf("%" PRIu64 " URLs of %.1f bytes, %" PRIu64 " done\n", b.urls,
	    (double)b.bytes / (double)b.urls, b.done);
	report(&b, "written", size(&b, 0), cpu() - t);
	t = cpu();
	bytes = size(&b, 1);
	report(&b, "compacted", bytes, cpu() - t);
	free(line);
	return 0;
}
