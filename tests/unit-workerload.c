/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Workers when things go wrong or there is much to do: full disks, cores that
 * don't collect, slow hosts, deadlines, ends in the middle.
 */

#include "config.h"

#include <sys/resource.h>

#include <errno.h>
#include <signal.h>

#include "tests/workbench.h"

#define LINKS 40000 /* of the page with many */

static char many[LINKS * 20];
static char noise[60000];

static struct faultpage site[] = {
	{ NULL, "/many", "HTTP/1.1 200 OK\r\nContent-Type: text/html", many,
	    0 },
	{ NULL, "/noise", "HTTP/1.1 200 OK\r\nContent-Type: image/png", noise,
	    sizeof noise },
	{ "hop.test", "/robots.txt",
	    "HTTP/1.1 302 M\r\nLocation: http://to.test/noise", "", 0 },
	{ NULL, NULL, NULL, NULL, 0 },
};

static void
make_pages(void)
{
	unsigned int r = 1;
	size_t i, n = 0;

	for (i = 0; i < LINKS; i++)
		n += (size_t)snprintf(many + n, sizeof many - n,
		    "<a href=/%zu>", i);
	for (i = 0; i < sizeof noise; i++) {
		r = r * 1664525 + 1013904223;
		noise[i] = (char)(r >> 24);
	}
}

/* Let `ms' go by, looking at nothing. */
static void
pass(int ms)
{
	usleep((useconds_t)ms * 1000);
}

/* How many jobs a worker takes, and all or none. */
static void
room(struct tap *t, struct faultserver *s)
{
	static struct workbench b;
	static struct worker_job j[LIMIT_WORKER_PAGES + 1];
	struct worker_msg m;
	size_t i;

	workbench_init(&b, ARCHIVE_NONE);
	workbench_route(&b, s);
	workbench_open(&b);
	for (i = 0; i < sizeof j / sizeof j[0]; i++) {
		j[i].kind = WORKER_RESOLVE;
		j[i].url = "http://127.0.0.1/";
		j[i].url_len = 17;
		j[i].tag[0] = i;
		j[i].tag[1] = ~(uint64_t)i;
	}
	tap_ok(t, worker_room(b.pool, 0) == LIMIT_WORKER_PAGES,
	    "room at first");
	tap_ok(t,
	    worker_submit(b.pool, 0, j, LIMIT_WORKER_PAGES + 1) == FAULT_FULL &&
		worker_room(b.pool, 0) == LIMIT_WORKER_PAGES,
	    "one job more than there is room for: none is taken");
	tap_ok(t,
	    worker_submit(b.pool, 0, j, LIMIT_WORKER_PAGES) == 0 &&
		worker_room(b.pool, 0) == 0 &&
		worker_room(b.pool, 1) == LIMIT_WORKER_PAGES,
	    "all the room, of this worker");
	b.given = LIMIT_WORKER_PAGES;
	pass(50);
	tap_ok(t, worker_room(b.pool, 0) == 0, "done is not yet collected");
	tap_ok(t,
	    worker_collect(b.pool, &m, 1) == 1 && m.kind == WORKER_FETCHED &&
		worker_room(b.pool, 0) == 0,
	    "nor is fetched done");
	workbench_message(&b, &m);
	tap_ok(t,
	    workbench_run(&b, LIMIT_WORKER_PAGES, 20000) && b.wrong == 0 &&
		worker_room(b.pool, 0) == LIMIT_WORKER_PAGES,
	    "all collected");
	tap_ok(t, worker_collect(b.pool, &m, 1) == 0, "and no more");
	if (workbench_close(&b) != 0)
		tap_ok(t, 0, "close");
}

/* Wait until no further page has been fetched for two seconds. */
static void
settle(struct workbench *b)
{
	struct worker_stat st;
	uint64_t last = 0;
	int i, still = 0;

	for (i = 0; i < 600 && still < 20; i++) { /* slow under a sanitizer */
		pass(100);
		worker_stat(b->pool, &st);
		still = st.fetch.finished == last ? still + 1 : 0;
		last = st.fetch.finished;
	}
}

/* Pages that hold much stop the worker until they are collected. */
static void
uncollected(struct tap *t, struct faultserver *s)
{
	static struct workbench b;
	struct worker_stat st;
	uint64_t before;
	size_t each;
	int i, good = 1;

	workbench_init(&b, ARCHIVE_NONE);
	workbench_route(&b, s);
	b.conf.workers = 1;
	b.conf.fetch.timeout_ms = 700; /* holding must cost no deadline */
	b.conf.fetch.stall_ms = 300;
	workbench_open(&b);
	each = workbench_one(&b, WORKER_PAGE, 0, "http://a.test/many")->links *
	    sizeof(struct worker_link);
	for (i = 0; i < 40; i++)
		(void)workbench_give(&b, 0, WORKER_PAGE, 0,
		    "http://a.test/many");
	settle(&b);
	worker_stat(b.pool, &st);
	before = st.fetch.finished;
	pass(300);
	worker_stat(b.pool, &st);
	if (!tap_ok(t,
		st.fetch.finished == before &&
		    before * each <= LIMIT_WORKER_BYTES + 2 * each,
		"not collected: the worker holds"))
		tap_diag("%d pages of %zu", (int)before, each);
	tap_ok(t, workbench_run(&b, 41, 90000), "collected: it goes on");
	for (i = 0; i < 41 && b.page[i] != NULL; i++)
		good = good && b.page[i]->error == FETCH_OK &&
		    b.page[i]->links == LINKS;
	tap_ok(t, i == 41 && good && b.wrong == 0,
	    "and nothing is lost or late");
	if (workbench_close(&b) != 0)
		tap_ok(t, 0, "close");
}

/* A full disk (here: a limit on files) keeps everything waiting. */
static void
full_disk(struct tap *t, struct faultserver *s)
{
	static struct workbench b;
	struct rlimit old, small;
	int i, good = 1, before;

	(void)signal(SIGXFSZ, SIG_IGN);
	workbench_init(&b, ARCHIVE_ZST);
	workbench_route(&b, s);
	b.conf.workers = 1;
	workbench_open(&b);
	(void)workbench_one(&b, WORKER_PAGE, 0, "http://a.test/ok");
	(void)getrlimit(RLIMIT_FSIZE, &old);
	small = old;
	small.rlim_cur = 20000;
	(void)setrlimit(RLIMIT_FSIZE, &small);
	(void)workbench_give(&b, 0, WORKER_ROBOTS, 0,
	    "http://hop.test/robots.txt");
	for (i = 0; i < 20; i++)
		(void)workbench_give(&b, 0, WORKER_PAGE, 0,
		    "http://a.test/noise");
	for (i = 0; i < 100 && worker_trouble(b.pool) == 0; i++)
		(void)workbench_run(&b, 1000, 20);
	tap_ok(t,
	    worker_trouble(b.pool) == EFBIG && worker_room(b.pool, 0) == 0,
	    "no room on the disk: trouble, and no jobs");
	before = b.done;
	(void)workbench_run(&b, 1000, 300);
	tap_ok(t, b.done == before && b.done < 5, "no page is done meanwhile");
	worker_abandon(b.pool);
	(void)workbench_run(&b, 1000, 300);
	tap_ok(t, b.done > 15 && b.done < 22,
	    "what was not fetched can still be abandoned (%d)", b.done);
	(void)setrlimit(RLIMIT_FSIZE, &old);
	tap_ok(t,
	    workbench_run(&b, 22, 5000) && worker_trouble(b.pool) == 0 &&
		worker_room(b.pool, 0) > 0,
	    "room again: it goes on by itself");
	for (i = 0; i < 22; i++)
		good = good &&
		    (b.page[i]->error == FETCH_STOPPED) ==
			(b.page[i]->at.file[0] == '\0') &&
		    b.page[i]->fault == 0;
	tap_ok(t, good && b.wrong == 0, "everything fetched is archived");
	tap_ok(t, workbench_close(&b) > 0, "in a whole archive");
}

/* A pool that is closed in the middle of everything. */
static void
middle(struct tap *t, struct faultserver *s)
{
	static const char *const url[] = { "http://a.test/hang",
		"http://b.test/many", "http://c.test/noise",
		"http://[::1]/drip", "http://hop.test/robots.txt" };
	static struct workbench b;
	int round, i, bad = 0;

	for (round = 0; round < 6; round++) {
		workbench_init(&b, round % 2 == 0 ? ARCHIVE_ZST : ARCHIVE_GZ);
		workbench_route(&b, s);
		workbench_open(&b);
		for (i = 0; i < 60; i++)
			(void)workbench_give(&b, (unsigned int)i % 2,
			    i % 7 == 0 ? WORKER_ROBOTS : WORKER_PAGE, 0,
			    url[i % 5]);
		(void)workbench_run(&b, 5 * round, 200);
		bad += workbench_close(&b) < 0;
	}
	tap_ok(t, bad == 0, "closed at any moment, the archive is whole");
}

static void
abandon(struct tap *t, struct faultserver *s)
{
	static struct workbench b;
	int64_t start;
	int i, good = 1;

	workbench_init(&b, ARCHIVE_ZST);
	b.conf.dns.servers = "127.0.0.1:9"; /* nobody answers there */
	workbench_open(&b);
	for (i = 0; i < 20; i++)
		(void)workbench_give(&b, (unsigned int)i % 2, WORKER_PAGE, 0,
		    "http://slow.test/");
	pass(20);
	worker_abandon(b.pool);
	tap_ok(t, workbench_run(&b, 20, 1000), "names are abandoned");
	for (i = 0; i < 20; i++)
		good = good &&
		    (b.page[i]->error == FETCH_STOPPED ||
			b.page[i]->error == FETCH_NAME_LATER);
	tap_ok(t, good, "and say so");
	(void)workbench_close(&b);

	workbench_init(&b, ARCHIVE_ZST);
	workbench_route(&b, s);
	workbench_open(&b);
	for (i = 0; i < 200; i++)
		(void)workbench_give(&b, (unsigned int)i % 2, WORKER_PAGE, 0,
		    "http://slow.test/hang");
	pass(100);
	start = bench_ms();
	worker_abandon(b.pool);
	(void)workbench_give(&b, 0, WORKER_PAGE, 0, "http://slow.test/ok");
	tap_ok(t, workbench_run(&b, 201, 1000) && bench_ms() - start < 1000,
	    "so are fetches");
	for (good = 1, i = 0; i < 200; i++)
		good = good && b.page[i]->error == FETCH_STOPPED &&
		    b.page[i]->at.file[0] == '\0';
	tap_ok(t, good && b.wrong == 0, "without a record of it");
	tap_ok(t, b.page[200]->error == FETCH_OK,
	    "and what is given afterwards is fetched");
	(void)workbench_close(&b);
}

/* Fast hosts beside some that take as long as they are let. */
static void
slow_hosts(struct tap *t, struct faultserver *s)
{
	static const char *const tar[] = { "hang", "drip", "stall",
		"driphead" };
	static struct workbench b;
	struct worker_stat st;
	int64_t start, last = 0;
	char url[64];
	int i, good = 1;

	workbench_init(&b, ARCHIVE_ZST);
	workbench_route(&b, s);
	b.conf.fetch.timeout_ms = 1200;
	b.conf.fetch.stall_ms = 1000;
	b.conf.fetch.stall_rate = 1000;
	workbench_open(&b);
	start = bench_ms();
	for (i = 0; i < 12; i++) {
		(void)snprintf(url, sizeof url, "http://tar%d.test/%s", i,
		    tar[i % 4]);
		(void)workbench_give(&b, (unsigned int)i % 2, WORKER_PAGE, 0,
		    url);
	}
	for (; i < 412; i++) {
		(void)snprintf(url, sizeof url, "http://fast%d.test/ok",
		    i % 20);
		(void)workbench_give(&b, (unsigned int)i % 2, WORKER_PAGE, 0,
		    url);
	}
	tap_ok(t, workbench_run(&b, 412, 10000), "slow and fast hosts end");
	for (i = 12; i < 412; i++) {
		good = good && b.page[i]->error == FETCH_OK;
		last = b.done_ms[i] > last ? b.done_ms[i] : last;
	}
	tap_ok(t, good && last - start < 900,
	    "fast ones don't wait for slow ones (%d ms)", (int)(last - start));
	worker_stat(b.pool, &st);
	tap_ok(t,
	    st.fetch.connections + st.fetch.reused == 412 &&
		st.fetch.reused > 250,
	    "connections are used again, and counted (%d opened, %d reused)",
	    (int)st.fetch.connections, (int)st.fetch.reused);
	(void)workbench_close(&b);
}

/* A socket that listens and whose queue is full: connecting hangs. */
static uint16_t
deaf(int fd[4])
{
	struct sockaddr_in in;
	socklen_t len = sizeof in;
	int i;

	memset(&in, 0, sizeof in);
	in.sin_family = AF_INET;
	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	fd[0] = socket(AF_INET, SOCK_STREAM, 0);
	if (fd[0] < 0 || bind(fd[0], (struct sockaddr *)&in, len) < 0 ||
	    listen(fd[0], 0) < 0 ||
	    getsockname(fd[0], (struct sockaddr *)&in, &len) < 0)
		exit(99);
	for (i = 1; i < 4; i++) {
		fd[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
		(void)connect(fd[i], (struct sockaddr *)&in, len);
	}
	return ntohs(in.sin_port);
}

static void
deadlines(struct tap *t, struct faultserver *s)
{
	static const struct {
		const char *path;
		enum fetch_error error;
		int64_t least, most; /* ms */
	} row[] = {
		{ "", FETCH_TIMEOUT_CONNECT, 500, 1300 },
		{ "/hang", FETCH_TIMEOUT_FIRST, 500, 1300 },
		{ "/stall", FETCH_TIMEOUT_STALL, 300, 1100 },
		{ "/driphead", FETCH_TIMEOUT_STALL, 300, 1100 },
		{ "/steady", FETCH_TIMEOUT, 900, 1700 },
	};
	static struct workbench b;
	struct worker_page *p;
	char url[64];
	int64_t start;
	int fd[4], i;

	workbench_init(&b, ARCHIVE_NONE);
	b.conf.fetch.timeout_ms = 500;
	b.conf.fetch.whole_ms = 900;
	b.conf.fetch.stall_ms = 300;
	b.conf.fetch.stall_rate = 1000;
	workbench_open(&b);
	start = bench_ms();
	for (i = 0; i < 5; i++) {
		(void)snprintf(url, sizeof url, "http://127.0.0.1:%u%s",
		    i == 0 ? deaf(fd) : s->port, i == 0 ? "/" : row[i].path);
		(void)workbench_give(&b, (unsigned int)i % 2, WORKER_PAGE, 0,
		    url);
	}
	tap_ok(t, workbench_run(&b, 5, 5000), "every wait has its end");
	for (i = 0; i < 5; i++) {
		p = b.page[i];
		if (!tap_ok(t,
			p->error == row[i].error &&
			    b.done_ms[i] - start >= row[i].least &&
			    b.done_ms[i] - start < row[i].most,
			"deadline: %s", fetch_error_name(row[i].error)))
			tap_diag("%s after %d ms", fetch_error_name(p->error),
			    (int)(b.done_ms[i] - start));
	}
	for (i = 0; i < 4; i++)
		(void)close(fd[i]);
	(void)workbench_close(&b);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	struct faultserver s;

	if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0)
		return 99;
	make_pages();
	faultserver_start(&s);
	s.table = site;
	room(&t, &s);
	uncollected(&t, &s);
	full_disk(&t, &s);
	middle(&t, &s);
	abandon(&t, &s);
	slow_hosts(&t, &s);
	deadlines(&t, &s);
	faultserver_stop(&s);
	curl_global_cleanup();
	return tap_done(&t);
}
