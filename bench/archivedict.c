/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * archivedict.c - what the dictionary of an archive saves, on real pages
 *
 *	find /usr/share/doc -name '*.html' | bench/archivedict [-z]
 *
 * Archives the files named on stdin in an order drawn by lot, once without
 * dictionary, once with (files as long as the first thousand pages make one),
 * and prints bytes and CPU of those behind the first thousand.  With -z the
 * pages come as gzip, as most servers send them.  The files stay, to look at.
 */

#include "config.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <zlib.h>

#include "crawler/archive.h"
#include "snapshot/limits.h"

#define MOST 20000 /* pages */

struct page {
	char url[512];
	char *body;
	size_t len;
};

static struct page page[MOST];
static size_t pages;

static void
die(const char *what)
{
	perror(what);
	exit(2);
}

static double
cpu(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* The page as a gzip member. */
static void
squeeze(struct page *p)
{
	char *out = malloc(p->len + 1000);
	z_stream z;

	memset(&z, 0, sizeof z);
	if (out == NULL || deflateInit2(&z, 6, Z_DEFLATED, 31, 8, 0) != Z_OK)
		die("gzip");
	z.next_in = (Bytef *)p->body;
	z.avail_in = (uInt)p->len;
	z.next_out = (Bytef *)out;
	z.avail_out = (uInt)(p->len + 1000);
	(void)deflate(&z, Z_FINISH);
	free(p->body);
	p->body = out;
	p->len = z.total_out;
	(void)deflateEnd(&z);
}

static void
load(int gzip)
{
	char line[400];
	struct page t;
	FILE *f;
	size_t i, j;

	while (pages < MOST && fgets(line, sizeof line, stdin) != NULL) {
		line[strcspn(line, "\n")] = '\0';
		f = fopen(line, "rb");
		if (f == NULL)
			continue;
		(void)snprintf(page[pages].url, sizeof page[pages].url,
		    "https://docs.example%s", line);
		page[pages].body = malloc(LIMIT_HEAD * 8);
		if (page[pages].body == NULL)
			die("memory");
		page[pages].len = fread(page[pages].body, 1, LIMIT_HEAD * 8, f);
		page[pages].body =
		    realloc(page[pages].body, page[pages].len + 1);
		(void)fclose(f);
		if (gzip)
			squeeze(&page[pages]);
		pages++;
	}
	srandom(1);
	for (i = pages; i > 1; i--) {
		j = (size_t)random() % i;
		t = page[i - 1];
		page[i - 1] = page[j];
		page[j] = t;
	}
}

static void
put(struct archive *a, const struct page *p, size_t n, int gzip)
{
	char head[600], request[900];
	struct archive_at at;
	struct warc_capture c;

	memset(&c, 0, sizeof c);
	c.url = p->url;
	c.url_len = strlen(p->url);
	c.start_us = INT64_C(1767225600000000) + (int64_t)n * 7919;
	(void)ip_parse(&c.ip, "192.0.2.1", 9);
	c.request = request;
	c.request_len = (size_t)snprintf(request, sizeof request,
	    "GET %s HTTP/1.1\r\nHost: docs.example\r\nUser-Agent: crawl/1\r\n"
	    "Accept: */*\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n\r\n",
	    p->url + 20);
	c.head = head;
	c.head_len = (size_t)snprintf(head, sizeof head,
	    "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\n"
	    "Date: Thu, 01 Jan 2026 00:%02zu:%02zu GMT\r\n"
	    "Content-Type: text/html\r\n%sContent-Length: %zu\r\n"
	    "Last-Modified: Mon, 20 Oct 2025 08:00:00 GMT\r\n"
	    "ETag: \"%zx-%zx\"\r\nConnection: keep-alive\r\n\r\n",
	    n / 60 % 60, n % 60, gzip ? "Content-Encoding: gzip\r\n" : "",
	    p->len, n * 7919, p->len);
	c.body = p->body;
	c.body_len = p->len;
	if (archive_put(a, &c, &at) < 0)
		die("archive_put");
}

/* Bytes of the first thousand; what the others took is printed. */
static uint64_t
run(const char *name, int dir, uint64_t rotate, int gzip)
{
	const size_t first = LIMIT_DICT_RECORDS + 100;
	struct archive_opts o;
	struct archive *a = NULL;
	uint64_t begin = 0;
	double sum = 0, from, train = 0;
	size_t i;

	memset(&o, 0, sizeof o);
	o.dirfd = dir;
	o.kind = ARCHIVE_ZST;
	o.rotate = rotate;
	if (archive_open(&a, &o) < 0)
		die("archive_open");
	for (i = 0; i < pages; i++) {
		if (i == first)
			begin = archive_bytes(a);
		from = cpu();
		put(a, &page[i], i, gzip);
		if (i >= first)
			sum += cpu() - from;
		from = cpu();
		if (i % 50 == 49 && archive_sync(a) < 0)
			die("archive_sync");
		from = cpu() - from;
		train = from > train ? from : train;
	}
	printf("%s: %.0f bytes and %.1f us a page; longest sync %.3f s CPU\n",
	    name, (double)(archive_bytes(a) - begin) / (double)(pages - first),
	    sum * 1e6 / (double)(pages - first), train);
	if (archive_close(a) < 0)
		die("archive_close");
	return begin;
}

int
main(int argc, char **argv)
{
	int gzip = argc > 1 && strcmp(argv[1], "-z") == 0, dir;
	char name[] = "/tmp/archivedict-XXXXXX";
	uint64_t begin;
	double sum = 0;
	size_t i;

	load(gzip);
	if (pages < 2 * LIMIT_DICT_RECORDS) {
		fprintf(stderr, "archivedict: too few pages on stdin\n");
		return 2;
	}
	if (mkdtemp(name) == NULL)
		die(name);
	dir = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (i = 0; i < pages; i++)
		sum += (double)page[i].len;
	printf("%zu pages of %.0f bytes, in %s\n", pages, sum / (double)pages,
	    name);
	begin = run("without", dir, 0, gzip);
	(void)run("with", dir, begin, gzip);
	return 0;
}
