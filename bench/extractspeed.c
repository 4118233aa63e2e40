/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * extractspeed.c - what a page costs, beside libxml2 alone
 *
 *	extractspeed [FILE...]		(none: a synthetic page of 20 KB)
 *
 * In one run, in turn, because the machine's speed changes from minute to
 * minute: libxml2 in SAX mode without a handler, and our extraction with all
 * that belongs to it (encoding, links, resolving, normalising, no repeats).
 * CPU time of this thread, the best of the rounds.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <libxml/HTMLparser.h>

#include "crawler/extract.h"

#define ROUNDS    7
#define BASE      "http://example.com/dir/page.html"
#define SYNTHETIC 20000

struct doc {
	char *s;
	size_t len;
};

static double
now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void
die(const char *what)
{
	perror(what);
	exit(2);
}

static struct doc
synthetic(void)
{
	struct doc d = { malloc(SYNTHETIC + 1000), 0 };
	int i;

	if (d.s == NULL)
		die("malloc");
	d.len = (size_t)snprintf(d.s, 1000,
	    "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>A "
	    "page</title><link rel=canonical href=\"/p\"></head><body>\n");
	for (i = 0; d.len < SYNTHETIC; i++)
		d.len += (size_t)snprintf(d.s + d.len, 1000,
		    "<div class=\"c%d\"><p>Some words of text as a page has "
		    "them, <b>bold</b> ones &amp; others behind.  <a "
		    "href=\"/section/%d/page-%d.html?id=%d\" title=\"t\">link "
		    "%d</a></p></div>\n",
		    i % 7, i % 13, i, i * 7, i);
	return d;
}

static struct doc
load(const char *path)
{
	struct doc d = { NULL, 0 };
	FILE *f = fopen(path, "rb");
	long size;

	if (f == NULL || fseek(f, 0, SEEK_END) != 0)
		die(path);
	size = ftell(f);
	rewind(f);
	d.s = malloc((size_t)size + 1);
	if (d.s == NULL)
		die(path);
	d.len = fread(d.s, 1, (size_t)size, f);
	fclose(f);
	return d;
}

/* libxml2 alone, its context kept from page to page. */
static void
bare(htmlParserCtxtPtr p, const struct doc *d)
{
	memset(p->sax, 0, sizeof *p->sax);
	htmlCtxtReadMemory(p, d->s, (int)d->len, NULL, NULL,
	    HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
		HTML_PARSE_NODEFDTD | HTML_PARSE_IGNORE_ENC);
}

static size_t
ours(struct extract *x, const struct doc *d)
{
	struct extract_result r;

	if (extract_begin(x, BASE, sizeof BASE - 1, 0) < 0 ||
	    extract_html(x, d->s, d->len) < 0 || extract_end(x, &r) < 0)
		die("extract");
	return r.links;
}

/* Best time of both over one document; adds them up. */
static void
measure(htmlParserCtxtPtr p, struct extract *x, const struct doc *d,
    double best[2], size_t *links)
{
	int reps = (int)(2000000 / (d->len + 1)) + 1, round, i;
	double low[2] = { 1e18, 1e18 }, start;

	for (round = 0; round < ROUNDS; round++) {
		start = now_us();
		for (i = 0; i < reps; i++)
			bare(p, d);
		start = (now_us() - start) / reps;
		low[0] = start < low[0] ? start : low[0];
		start = now_us();
		for (i = 0; i < reps; i++)
			*links = ours(x, d);
		start = (now_us() - start) / reps;
		low[1] = start < low[1] ? start : low[1];
	}
	best[0] += low[0];
	best[1] += low[1];
}

int
main(int argc, char **argv)
{
	struct extract_options o = { .seed = 1 };
	struct extract *x = extract_new(&o);
	htmlParserCtxtPtr p = htmlNewParserCtxt();
	double best[2] = { 0, 0 };
	size_t links, all = 0, bytes = 0;
	struct doc d;
	int i, pages = argc > 1 ? argc - 1 : 1;

	if (x == NULL || p == NULL)
		die("memory");
	for (i = 0; i < pages; i++) {
		d = argc > 1 ? load(argv[i + 1]) : synthetic();
		measure(p, x, &d, best, &links);
		all += links;
		bytes += d.len;
		free(d.s);
	}
	printf("%d pages, %zu bytes, %zu links\n", pages, bytes, all);
	printf("libxml2 alone  %9.1f us a page  %6.1f MB/s\n", best[0] / pages,
	    (double)bytes / best[0]);
	printf("extraction     %9.1f us a page  %6.1f MB/s  ratio %.3f\n",
	    best[1] / pages, (double)bytes / best[1], best[1] / best[0]);
	htmlFreeParserCtxt(p);
	extract_free(x);
	return 0;
}
