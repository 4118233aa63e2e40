/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * workbench.h - a pool of workers for tests, every host at one server
 *
 * Jobs are numbered as they are given; what came of each is kept until the
 * bench is closed, and the order of the messages is checked on the way.
 */

#ifndef TESTS_WORKBENCH_H
#define TESTS_WORKBENCH_H

#include <sys/stat.h>

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <time.h>

#include <curl/curl.h>

#include "crawler/addrguard.h"
#include "crawler/route.h"
#include "crawler/worker.h"
#include "tests/faultserver.h"
#include "tests/tap.h"

#define BENCH_JOBS 8192

struct workbench {
	struct worker_pool *pool;
	struct worker_conf conf;
	struct urlkey_hasher hasher;
	struct route *route;
	char dir[64]; /* the archive's */
	int stale;    /* pages that came again: see FETCH_STALE */
	int given, fetched, done;
	int wrong; /* messages that came out of order */
	int seen_fetched[BENCH_JOBS];
	struct worker_page *page[BENCH_JOBS]; /* by job, once done */
	int64_t done_ms[BENCH_JOBS];
	int keep; /* 0: pages are freed at once */
};

static inline int64_t
bench_ms(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Settings that a test may change before workbench_open(). */
static inline void
workbench_init(struct workbench *b, enum archive_kind kind)
{
	struct worker_conf *c = &b->conf;

	memset(b, 0, sizeof *b);
	urlkey_init(&b->hasher, 42);
	c->workers = 2;
	c->hasher = &b->hasher;
	c->fetch.agent = "TestBot/1.0 (+http://example.com/bot)";
	c->fetch.max_active = 64;
	c->fetch.budget = 32 * 1024 * 1024;
	c->fetch.timeout_ms = 5000;
	c->fetch.stall_rate = 100;
	c->max_body = 1024 * 1024;
	c->archive.kind = kind;
	c->archive.dirfd = -1;
	c->archive.info = "software: test\r\n";
	b->keep = 1;
}

/* Every host is reached at the port, on loopback, as the user's wish. */
static inline void
workbench_route(struct workbench *b, const struct faultserver *s)
{
	char text[64];

	(void)snprintf(text, sizeof text, "::127.0.0.1:%u", s->port);
	if (route_new(&b->route) < 0 || route_connect(b->route, text) < 0)
		exit(99);
	b->conf.route = b->route;
}

static inline void
workbench_open(struct workbench *b)
{
	if (b->conf.archive.kind != ARCHIVE_NONE) {
		(void)snprintf(b->dir, sizeof b->dir, "/tmp/workbench.XXXXXX");
		if (mkdtemp(b->dir) == NULL)
			exit(99);
		b->conf.archive.dirfd = open(b->dir, O_RDONLY | O_DIRECTORY);
	}
	if (worker_pool_open(&b->pool, &b->conf) < 0)
		exit(99);
}

/* Job number of `url'. */
static inline int
workbench_give(struct workbench *b, unsigned int w, enum worker_kind kind,
    unsigned int flags, const char *url)
{
	struct worker_job j;

	memset(&j, 0, sizeof j);
	j.kind = kind;
	j.flags = flags;
	j.url = url;
	j.url_len = strlen(url);
	j.tag[0] = (uint64_t)b->given;
	j.tag[1] = ~(uint64_t)b->given;
	if (worker_submit(b->pool, w, &j, 1) < 0)
		exit(99);
	return b->given++;
}

static inline void
workbench_message(struct workbench *b, const struct worker_msg *m)
{
	struct worker_page *p = m->page;
	int n = (int)p->tag[0];

	if (n < 0 || n >= b->given || p->tag[1] != ~(uint64_t)n)
		exit(99);
	if (m->kind == WORKER_FETCHED) {
		b->wrong += b->seen_fetched[n]++ != 0;
		b->fetched++;
		return;
	}
	b->wrong += b->seen_fetched[n] != 1 || b->page[n] != NULL;
	b->done++;
	b->done_ms[n] = bench_ms();
	if (b->keep)
		b->page[n] = p;
	else
		worker_page_free(p);
}

/* Collect until `until' pages are done or `ms' have gone by: 1 if they are. */
static inline int
workbench_run(struct workbench *b, int until, int ms)
{
	int64_t end = bench_ms() + ms, left;
	struct pollfd p = { worker_pool_fd(b->pool), POLLIN, 0 };
	struct worker_msg m[16];
	size_t i, n;

	while (b->done < until) {
		left = end - bench_ms();
		if (left <= 0)
			return 0;
		(void)poll(&p, 1, (int)left);
		n = worker_collect(b->pool, m, 16);
		for (i = 0; i < n; i++)
			workbench_message(b, &m[i]);
	}
	return 1;
}

/* One page; a connection that was kept and is over does not count. */
static inline struct worker_page *
workbench_one(struct workbench *b, enum worker_kind kind, unsigned int flags,
    const char *url)
{
	int n, again;

	do {
		n = workbench_give(b, (unsigned int)b->given % b->conf.workers,
		    kind, flags, url);
		if (!workbench_run(b, b->done + 1, 20000))
			exit(99);
		again = b->page[n]->error == FETCH_STALE;
		b->stale += again;
	} while (again);
	return b->page[n];
}

/*
 * Close the pool, check every archive file, take the folder away.  The number
 * of records, or below zero.
 */
static inline int64_t
workbench_close(struct workbench *b)
{
	int64_t sum = 0, n;
	uint64_t where;
	struct dirent *e;
	DIR *d;
	int i;

	if (worker_pool_close(b->pool) < 0)
		sum = -1;
	for (i = 0; i < b->given; i++)
		worker_page_free(b->page[i]);
	route_free(b->route);
	if (b->dir[0] == '\0')
		return sum;
	d = opendir(b->dir);
	for (;;) {
		e = d == NULL ? NULL : readdir(d);
		if (e == NULL)
			break;
		if (e->d_name[0] == '.')
			continue;
		if (strstr(e->d_name, ".warc.") != NULL) {
			n = archive_verify(b->conf.archive.dirfd, e->d_name,
			    &where);
			sum = n < 0 || sum < 0 ? -1 : sum + n;
		} else if (strstr(e->d_name, ".open") != NULL) {
			sum = -1;
		}
		(void)unlinkat(b->conf.archive.dirfd, e->d_name, 0);
	}
	if (d != NULL)
		(void)closedir(d);
	(void)close(b->conf.archive.dirfd);
	(void)rmdir(b->dir);
	return sum;
}

/* The links as text: "kind url" and blanks between. */
static inline char *
workbench_links(const struct worker_page *p, char *out, size_t size)
{
	static const char kind[] = "prse"; /* page redirect sitemap entry */
	size_t i, n = 0;

	out[0] = '\0';
	for (i = 0; i < p->links && n < size; i++)
		n += (size_t)snprintf(out + n, size - n, "%s%c %.*s",
		    i == 0 ? "" : " ", kind[p->link[i].kind],
		    (int)p->link[i].len, p->link[i].url);
	return out;
}

#endif
