/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * workerspeed.c - CPU a page in the workers, beside the floor
 *
 *	workerspeed [PAGES [ROUNDS]]
 *
 * In one run and in turn, because the machine's speed changes: fetchfloor (its
 * program beside this one), a worker without an archive, a worker with one in
 * a folder of the current directory.  One worker each, 16 connections, the
 * same server.  Every measure is a process of its own; CPU of all its threads,
 * and the best of the rounds.
 */

#include "config.h"

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <curl/curl.h>

#include "bench/pageserver.h"
#include "crawler/worker.h"

#define CONNECTIONS 16
#define FLIGHT      (2 * CONNECTIONS) /* jobs given and not yet fetched */
#define FOLDER      "workerspeed.tmp"

static void
die(const char *what)
{
	perror(what);
	exit(2);
}

/* ---- the worker ---- */

struct tally {
	unsigned long given, fetched, done, links, bad;
};

static void
give(struct worker_pool *p, struct tally *t, unsigned long pages, uint16_t port)
{
	char url[FLIGHT][64];
	struct worker_job j[FLIGHT];
	size_t n = 0;

	memset(j, 0, sizeof j);
	while (
	    t->given < pages && t->given - t->fetched < FLIGHT && n < FLIGHT) {
		j[n].url_len = (size_t)snprintf(url[n], sizeof url[n],
		    "http://127.0.0.1:%u/", (unsigned int)port);
		/* the number comes first: the server looks for digits */
		j[n].url_len += (size_t)snprintf(url[n] + j[n].url_len, 24,
		    "%lu", t->given++);
		j[n].url = url[n];
		n++;
	}
	if (n > 0 && worker_submit(p, 0, j, n) < 0)
		die("worker_submit");
}

static void
work(unsigned long pages, uint16_t port, enum archive_kind kind)
{
	struct urlkey_hasher h;
	struct worker_conf c;
	struct worker_pool *p;
	struct worker_msg m[64];
	struct tally t = { 0, 0, 0, 0, 0 };
	struct pollfd fd;
	size_t n, i;

	(void)prctl(PR_SET_NAME, kind == ARCHIVE_NONE ? "w-none" : "w-archive");
	memset(&c, 0, sizeof c);
	urlkey_init(&h, 1);
	c.workers = 1;
	c.hasher = &h;
	c.fetch.agent = "bench/1";
	c.fetch.max_active = CONNECTIONS;
	c.fetch.budget = 64 * 1024 * 1024;
	c.fetch.timeout_ms = 30000;
	c.max_body = 8 * 1024 * 1024;
	c.archive.kind = kind;
	c.archive.dirfd = open(FOLDER, O_RDONLY | O_DIRECTORY);
	c.archive.info = "software: bench\r\n";
	if (worker_pool_open(&p, &c) < 0)
		die("worker_pool_open");
	fd.fd = worker_pool_fd(p);
	fd.events = POLLIN;
	while (t.done < pages) {
		give(p, &t, pages, port);
		(void)poll(&fd, 1, -1);
		n = worker_collect(p, m, 64);
		for (i = 0; i < n; i++) {
			if (m[i].kind == WORKER_FETCHED) {
				t.fetched++;
				continue;
			}
			t.done++;
			t.links += m[i].page->links;
			t.bad += m[i].page->error != FETCH_OK;
			worker_page_free(m[i].page);
		}
	}
	if (worker_pool_close(p) < 0 || t.bad > 0 || t.links < pages)
		die("pages failed");
	printf("%lu pages, %lu failed, %lu links\n", t.done, t.bad, t.links);
	(void)fflush(stdout);
	_exit(0);
}

/* ---- measures ---- */

static void
exec_floor(const char *self, unsigned long pages, uint16_t port)
{
	char path[4096], n[16];
	const char *slash = strrchr(self, '/');
	unsigned long i;
	FILE *urls = tmpfile();

	if (urls == NULL)
		die("tmpfile");
	for (i = 0; i < pages; i++)
		fprintf(urls, "http://127.0.0.1:%u/%lu\n", (unsigned int)port,
		    i);
	if (fflush(urls) != 0 || lseek(fileno(urls), 0, SEEK_SET) < 0 ||
	    dup2(fileno(urls), 0) < 0)
		die("urls");
	(void)snprintf(path, sizeof path, "%.*sfetchfloor",
	    slash == NULL ? 0 : (int)(slash + 1 - self), self);
	(void)snprintf(n, sizeof n, "%d", CONNECTIONS);
	execl(path, "fetchfloor", "-c", n, (char *)NULL);
	die(path);
}

static void
sweep(void)
{
	(void)!chdir(FOLDER);
	/* names of our own making only: see archive.h */
	pid_t pid = fork();

	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", "rm -f ./*.warc.* ./*.cdxj*",
		    (char *)NULL);
		_exit(127);
	}
	(void)waitpid(pid, NULL, 0);
	(void)!chdir("..");
}

/*
 * What the measure says it did: the number of links it found, 0 if it did not
 * get all pages.  Nobody is measured who does not do the work.
 */
static unsigned long
claim(int fd, unsigned long pages)
{
	unsigned long done, failed, links;
	FILE *f = fdopen(fd, "r");
	int n;

	if (f == NULL)
		die("fdopen");
	n = fscanf(f, "%lu pages, %lu failed, %lu links", &done, &failed,
	    &links);
	(void)fclose(f);
	return n == 3 && done == pages && failed == 0 ? links : 0;
}

/* ms of CPU a page, below zero if it failed; `*links' as claimed. */
static double
measure(const char *self, int what, unsigned long pages, uint16_t port,
    unsigned long *links)
{
	struct rusage u;
	int status, fd[2];
	pid_t pid;

	if (pipe(fd) < 0)
		die("pipe");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid == 0) {
		if (dup2(fd[1], 1) < 0)
			die("dup2");
		(void)close(fd[0]);
		(void)close(fd[1]);
		if (what == 0)
			exec_floor(self, pages, port);
		work(pages, port, what == 1 ? ARCHIVE_NONE : ARCHIVE_ZST);
	}
	(void)close(fd[1]);
	*links = claim(fd[0], pages);
	if (wait4(pid, &status, 0, &u) < 0 || status != 0 || *links == 0) {
		fprintf(stderr, "workerspeed: a measure failed\n");
		return -1;
	}
	sweep();
	return ((double)u.ru_utime.tv_sec * 1e3 +
		   (double)u.ru_utime.tv_usec / 1e3 +
		   (double)u.ru_stime.tv_sec * 1e3 +
		   (double)u.ru_stime.tv_usec / 1e3) /
	    (double)pages;
}

int
main(int argc, char **argv)
{
	static const char *const name[] = { "floor", "worker",
		"worker, archive" };
	unsigned long pages = argc > 1 ? strtoul(argv[1], NULL, 10) : 5000;
	unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 5;
	double low[3] = { 1e9, 1e9, 1e9 }, ms;
	unsigned long round, links, first = 0;
	uint16_t port;
	pid_t server;
	int fd, i, bad = 0;

	if (pages == 0 || rounds == 0) {
		fprintf(stderr, "usage: workerspeed [PAGES [ROUNDS]]\n");
		return 2;
	}
	fd = pageserver_listen(&port);
	server = fork();
	if (server < 0)
		die("fork");
	if (server == 0)
		pageserver_run(fd);
	(void)close(fd);
	(void)mkdir(FOLDER, 0700);
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0)
		die("curl");
	for (round = 0; round < rounds && !bad; round++)
		for (i = 0; i < 3; i++) {
			ms = measure(argv[0], i, pages, port, &links);
			first = first == 0 ? links : first;
			bad |= ms < 0 || links != first;
			low[i] = ms < low[i] ? ms : low[i];
		}
	(void)kill(server, SIGTERM);
	(void)rmdir(FOLDER);
	if (bad)
		fprintf(stderr, "workerspeed: not all did the same work\n");
	for (i = 0; i < 3 && !bad; i++)
		printf("%-16s %.4f ms  %.2f\n", name[i], low[i],
		    low[i] / low[0]);
	return bad;
}
