/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * unit-extract.c - pages that want too much, and what must not differ
 *
 * What is extracted from which markup is in data/links.tsv.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "crawler/extract.h"
#include "crawler/extractfile.h"
#include "snapshot/limits.h"
#include "tests/tap.h"

#define MIB ((size_t)1 << 20)

/* A page under construction. */
struct page {
	char *s;
	size_t len, room;
};

static void
add(struct page *p, const char *s, size_t times)
{
	size_t n = strlen(s);

	while (times-- > 0) {
		if (p->room - p->len < n) {
			p->room = 2 * p->room + n;
			p->s = realloc(p->s, p->room);
			if (p->s == NULL)
				abort();
		}
		memcpy(p->s + p->len, s, n);
		p->len += n;
	}
}

static struct extract *
make(int64_t (*clock)(void *), void *arg)
{
	struct extract_options o = { .clock = clock,
		.clock_arg = arg,
		.seed = 7 };
	struct extract *x = extract_new(&o);

	if (x == NULL)
		abort();
	return x;
}

static struct extract_result
run(struct extract *x, const char *type, const struct page *p)
{
	struct extract_result r;
	int rc;

	memset(&r, 0, sizeof r);
	rc = extract_begin(x, "http://h/", 9, EXTRACT_EMBEDS);
	if (rc == 0 && type != NULL)
		rc = extract_header(x, "Content-Type", 12, type, strlen(type));
	if (rc == 0)
		rc = extract_html(x, p->s, p->len);
	if (rc == 0)
		rc = extract_end(x, &r);
	if (rc < 0)
		tap_diag("fault: %s", fault_str(rc));
	return r;
}

static double
cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* MiB that the process has held at most. */
static size_t
peak(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (size_t)u.ru_maxrss / 1024;
}

static int
is(struct url_span s, const char *text)
{
	return s.len == strlen(text) && memcmp(s.s, text, s.len) == 0;
}

/* A clock that stands still, so that slow machines read pages to the end. */
static int64_t
still(void *arg)
{
	(void)arg;
	return 0;
}

/* Seconds that a page may take: ten times the limit, because tests also run
   under sanitizers.  What is hostile here would take far longer. */
#define PATIENCE (10.0 * LIMIT_PAGE_MS / 1000)

/*
 * A link, then `middle' so often: the link is kept, the cut is the one
 * given, and it does not take long.
 */
static void
hostile(struct tap *t, const char *name, const char *middle, size_t times,
    enum markup_cut cut)
{
	struct page p = { NULL, 0, 0 };
	struct extract_result r;
	struct extract *x = make(cut == MARKUP_WHOLE ? still : NULL, NULL);
	double start;

	add(&p, "<a href=first>1</a>", 1);
	add(&p, middle, times);
	start = cpu();
	r = run(x, NULL, &p);
	start = cpu() - start;
	tap_ok(t, r.links > 0 && is(r.link[0].url, "http://h/first"),
	    "%s: the link before it is kept", name);
	tap_ok(t, r.cut == cut, "%s: %s", name,
	    cut == MARKUP_WHOLE ? "read to its end" : extract_cut_str(cut));
	tap_ok(t, start < PATIENCE, "%s: %zu bytes in time", name, p.len);
	tap_diag("%.3f s, %zu links, %zu MiB", start, r.links, peak());
	extract_free(x);
	free(p.s);
}

static void
hostile_pages(struct tap *t)
{
	hostile(t, "deep", "<div></b>", 200000, MARKUP_CUT_DEPTH);
	hostile(t, "deep inline", "<b><i>", 400000, MARKUP_CUT_DEPTH);
	hostile(t, "flat end tags", "</b>", MIB / 2, MARKUP_WHOLE);
	hostile(t, "ten MB of one link", "<a href=x>", MIB, MARKUP_WHOLE);
	hostile(t, "an endless comment", "<!--x", 2 * MIB, MARKUP_WHOLE);
	hostile(t, "an endless title", "<title><a href=y>", MIB / 2,
	    MARKUP_WHOLE);
	hostile(t, "references", "<a href='&amp;&zz;&#1;'>", MIB / 4,
	    MARKUP_WHOLE);
}

/* Attributes with names of their own: quadratic in libxml2. */
static void
attributes(struct tap *t, size_t n, enum markup_cut cut)
{
	struct page p = { NULL, 0, 0 };
	struct extract *x = make(cut == MARKUP_WHOLE ? still : NULL, NULL);
	struct extract_result r;
	char name[32];
	double start;
	size_t i;

	add(&p, "<a href=first>1</a><p ", 1);
	for (i = 0; i < n; i++) {
		snprintf(name, sizeof name, "a%zx ", i);
		add(&p, name, 1);
	}
	add(&p, "><a href=last>", 1);
	start = cpu();
	r = run(x, NULL, &p);
	start = cpu() - start;
	tap_ok(t, r.cut == cut && r.links == (cut == MARKUP_WHOLE ? 2 : 1),
	    "%zu attributes", n);
	tap_ok(t, start < PATIENCE, "%zu attributes in time", n);
	tap_diag("%.3f s, %zu MiB", start, peak());
	extract_free(x);
	free(p.s);
}

/* More links than one page may have, each different. */
static void
many_links(struct tap *t)
{
	struct page p = { NULL, 0, 0 };
	struct extract *x = make(still, NULL);
	struct extract_result r;
	char link[64];
	size_t i;

	for (i = 0; i < LIMIT_PAGE_LINKS + 10; i++) {
		snprintf(link, sizeof link, "<a href=%zu>", i);
		add(&p, link, 1);
	}
	r = run(x, NULL, &p);
	tap_ok(t, r.cut == MARKUP_CUT_LINKS && r.links == LIMIT_PAGE_LINKS,
	    "no more than %d links", LIMIT_PAGE_LINKS);
	snprintf(link, sizeof link, "http://h/%d", LIMIT_PAGE_LINKS - 1);
	tap_ok(t, r.links > 0 && is(r.link[r.links - 1].url, link),
	    "and those are the first");
	p.len = 0;
	add(&p, "<a href=x>", 1);
	r = run(x, NULL, &p);
	tap_ok(t, r.links == 1 && r.cut == MARKUP_WHOLE,
	    "the next page is not touched by that");
	extract_free(x);
	free(p.s);
}

/* A base that makes short links long. */
static void
long_links(struct tap *t)
{
	struct page p = { NULL, 0, 0 };
	struct extract *x = make(still, NULL);
	struct extract_result r;
	char link[32];
	size_t i, bytes = 0;

	add(&p, "<base href='/", 1);
	add(&p, "0123456789", 6000);
	add(&p, "/'>", 1);
	for (i = 0; i < 2000; i++) {
		snprintf(link, sizeof link, "<a href=%zu>", i);
		add(&p, link, 1);
	}
	r = run(x, NULL, &p);
	for (i = 0; i < r.links; i++)
		bytes += r.link[i].url.len;
	tap_ok(t,
	    r.cut == MARKUP_CUT_LINKS && bytes <= LIMIT_PAGE_LINK_BYTES &&
		bytes > LIMIT_PAGE_LINK_BYTES - 70000,
	    "no more than %zu bytes of links", (size_t)LIMIT_PAGE_LINK_BYTES);
	p.len = 0;
	add(&p, "<a href=x><a href='", 1);
	add(&p, "0123456789", 7000);
	add(&p, "'><img src='data:", 1);
	add(&p, "0123456789", 7000);
	add(&p, "'><img srcset='y 1x'><a href=z>", 1);
	r = run(x, NULL, &p);
	tap_ok(t, r.links == 3 && r.invalid == 2,
	    "a value beyond the limit is left out");
	extract_free(x);
	free(p.s);
}

/* A clock that a test turns. */
static int64_t
tick(void *arg)
{
	int64_t *now = arg;

	return *now += INT64_C(100000000);
}

/* The time limit, with a clock of our own: 0.1 s for each look at it. */
static void
time_limit(struct tap *t)
{
	struct page p = { NULL, 0, 0 };
	int64_t now = 0;
	struct extract *x = make(tick, &now);
	struct extract_result r;
	char link[64];
	size_t i;

	for (i = 0; i < 20000; i++) {
		snprintf(link, sizeof link, "<a href=%zu>", i);
		add(&p, link, 1);
	}
	r = run(x, NULL, &p);
	tap_ok(t, r.cut == MARKUP_CUT_TIME && r.links > 100 && r.links < 20000,
	    "out of time: what was read so far is kept");
	tap_ok(t, now >= INT64_C(1000000) * LIMIT_PAGE_MS, "not before time");
	tap_diag("%zu links", r.links);
	extract_free(x);
	free(p.s);
}

/*
 * The same page with a preamble of each length, so that the pieces in which
 * it is fed to the decoder and the parser end everywhere in it.
 */
static void
pieces(struct tap *t, const char *type)
{
	static const char body[] = "<!--><a href='a&amp;\xc0\xc1'><!DOCTYPE x>"
				   "<!-- <a href=n> --><?x?><a href=b>"
				   "<script>\"<!-- <a href=n>\"</script>"
				   "<p><!---><a title=\"<\" href=c>";
	struct page p = { NULL, 0, 0 };
	struct extract *x = make(NULL, NULL);
	struct extract_result r;
	size_t i, bad = 0;

	for (i = 3800; i < 8400; i++) {
		p.len = 0;
		add(&p, ".", i);
		add(&p, body, 1);
		r = run(x, type, &p);
		if (r.links == 3 && r.link[0].url.len > 10 &&
		    is(r.link[1].url, "http://h/b") &&
		    is(r.link[2].url, "http://h/c"))
			continue;
		if (bad++ == 0)
			tap_diag("preamble of %zu bytes: %zu links", i,
			    r.links);
	}
	tap_ok(t, bad == 0, "wherever pieces end: %s", type);
	extract_free(x);
	free(p.s);
}

/* What a sequence of calls may not do. */
static void
calls(struct tap *t)
{
	struct extract *x = make(NULL, NULL);
	struct page p = { NULL, 0, 0 };
	struct extract_result r;
	int rc;

	rc = extract_begin(x, "nonsense", 8, 0);
	tap_ok(t, rc == FAULT_URL_RELATIVE || rc == FAULT_URL_SCHEME,
	    "a page without a URL");
	rc = extract_begin(x, "http://h/a", 10, 0);
	tap_ok(t, rc == 0, "a page");
	rc = extract_header(x, "LINK", 4, "<b>; rel=next", 13);
	tap_ok(t, rc == 0, "with a header");
	rc = extract_end(x, &r);
	tap_ok(t, rc == 0 && r.links == 1 && r.charset == NULL, "and no body");
	add(&p, "<a href=c>", 1);
	r = run(x, NULL, &p);
	tap_ok(t, r.links == 1 && is(r.link[0].url, "http://h/c"),
	    "nothing is left of it in the next");
	extract_free(NULL);
	extract_free(x);
	free(p.s);
}

/* As a filter, from file to file. */
static void
filter(struct tap *t)
{
	struct extractfile f = { .base = "http://h/d/", .max = 100000 };
	struct extractfile_end end;
	FILE *in = tmpfile(), *out = tmpfile();
	char line[256] = "";
	int rc, i;

	if (in == NULL || out == NULL)
		abort();
	for (i = 0; i < 10000; i++)
		fprintf(in, "<p>text</p>\n");
	fprintf(in, "<a href=too-late>");
	rewind(in);
	rc = extractfile_run(&f, in, out, &end);
	tap_ok(t, rc == 0 && end.cut_input && end.result.links == 0,
	    "a filter reads no more than it is told to");
	rewind(in);
	f.max = 1000000;
	rc = extractfile_run(&f, in, out, &end);
	rewind(out);
	tap_ok(t,
	    rc == 0 && !end.cut_input &&
		fgets(line, sizeof line, out) != NULL &&
		strcmp(line, "http://h/d/too-late\ta href\n") == 0,
	    "and prints a line a link");
	f.base = "x";
	tap_ok(t, extractfile_run(&f, in, out, &end) < 0, "and wants a base");
	f.base = "http://h/";
	rewind(in);
	fclose(out);
	out = fopen("/dev/full", "w");
	if (out == NULL)
		tap_skip(t, "there is no /dev/full");
	else
		tap_ok(t, extractfile_run(&f, in, out, &end) == FAULT_SYS,
		    "and says so when it can't");
	if (out != NULL)
		fclose(out);
	fclose(in);
}

int
main(void)
{
	struct tap t = { 0, 0 };

	hostile_pages(&t);
	attributes(&t, 2000, MARKUP_WHOLE);
	attributes(&t, 200000, MARKUP_CUT_TIME);
	many_links(&t);
	long_links(&t);
	time_limit(&t);
	pieces(&t, "text/html; charset=utf-8");
	pieces(&t, "text/html; charset=windows-1252");
	pieces(&t, "text/html; charset=koi8-r");
	calls(&t);
	filter(&t);
	tap_ok(&t, TAP_SANITIZED || peak() < 400, "memory: %zu MiB at most",
	    peak());
	return tap_done(&t);
}
