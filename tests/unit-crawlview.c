/* SPDX-License-Identifier: BSD-2-Clause */

/* Rates of the last minutes, and the reading of DIR/status. */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "crawler/crawlhist.h"
#include "crawler/crawlview.h"
#include "tests/tap.h"

static int
near(double a, double b)
{
	return a > b - 1e-6 && a < b + 1e-6;
}

/* A sample a second: 10 pages a second, and 40 in the last 100 seconds. */
static void
rates(struct tap *t)
{
	struct crawlhist *h = calloc(1, sizeof *h);
	struct crawlhist_at at = { 0 };
	unsigned int i;

	if (h == NULL)
		abort();
	tap_ok(t, crawlhist_pages(h, 60) == 0, "no sample: no rate");
	for (i = 0; i <= 2000; i++) {
		crawlhist_add(h, &at);
		if (i == 0)
			tap_ok(t, crawlhist_pages(h, 60) == 0, "nor of one");
		if (i == 10)
			tap_ok(t, near(crawlhist_pages(h, 900), 10),
			    "a young run's rate is over what there is");
		at.time += 1000;
		at.pages += i < 1900 ? 10 : 40;
		at.bytes += 500;
	}
	tap_ok(t, h->n == CRAWLHIST_SECONDS + 1,
	    "a quarter of an hour is kept");
	tap_ok(t, near(crawlhist_pages(h, 60), 40), "over one minute");
	tap_ok(t, near(crawlhist_pages(h, 300), (40. * 100 + 10 * 200) / 300),
	    "over five");
	tap_ok(t, near(crawlhist_pages(h, 900), (40. * 100 + 10 * 800) / 900),
	    "over fifteen");
	tap_ok(t, near(crawlhist_bytes(h, 300), 500), "bytes");
	tap_ok(t,
	    crawlhist_get(h, 0)->time + 900 * 1000 ==
		crawlhist_get(h, h->n - 1)->time,
	    "the oldest is the first");
	free(h);
}

/* Samples that come late: what counts is their time, not their number. */
static void
gaps(struct tap *t)
{
	struct crawlhist *h = calloc(1, sizeof *h);
	struct crawlhist_at at = { 0 };
	unsigned int i;

	if (h == NULL)
		abort();
	for (i = 0; i < 100; i++) {
		at.time += 10000;
		at.pages += 50;
		crawlhist_add(h, &at);
	}
	tap_ok(t, near(crawlhist_pages(h, 60), 5), "a minute of six samples");
	tap_ok(t, near(crawlhist_pages(h, 300), 5), "five of thirty");
	at.time += 60000;
	crawlhist_add(h, &at);
	tap_ok(t, near(crawlhist_pages(h, 60), 0), "a minute without a page");
	free(h);
}

static int
has(const struct buf *b, const char *s)
{
	return memmem(b->s, b->len, s, strlen(s)) != NULL;
}

static void
reading(struct tap *t)
{
	char text[] = "state running\ntime 5000\nstarted 1000\ndone 7\n"
		      "unknown 3\nstatus.2xx 6\nother.x 1\ndrop.robots 2\n"
		      "host 9 1 3 0 250 http://a.test\nhost 1 x\nend\n"
		      "done 99\n";
	char odd[] = "state run\"ning\nstatus.2\"xx 6\ndrop.\\ 2\n"
		     "status.2xx 1\nhost 9 1 3 0 250 http://a\"b\nend\n";
	struct crawlview v;
	struct buf b;
	int rc;

	crawlview_read(&v, text);
	tap_ok(t, v.whole && v.counts == 2 && v.hosts == 1,
	    "what is known is taken");
	crawlview_judge(&v, 0);
	tap_ok(t, strcmp(v.state, "killed") == 0, "no process has it: killed");
	crawlview_judge(&v, 12);
	buf_init(&b, 1 << 20);
	rc = crawlview_json(&v, &b);
	tap_ok(t, rc == 0 && has(&b, "\"done\":7,"),
	    "what follows the end is not");
	tap_ok(t,
	    has(&b, "\"left_out\":{\"robots\":2}") &&
		has(&b, "{\"host\":\"http://a.test\",\"queued\":9,"),
	    "JSON");
	buf_clear(&b);
	rc = crawlview_metrics(&v, &b);
	tap_ok(t, rc == 0 && has(&b, "crawl_pages_total{status=\"2xx\"} 6\n"),
	    "metrics");
	buf_clear(&b);
	rc = crawlview_text(&v, 65000, &b);
	tap_ok(t, rc == 0 && has(&b, "(60 s ago), after a run of 4 s\n"),
	    "text");
	buf_clear(&b);
	crawlview_read(&v, odd);
	rc = crawlview_json(&v, &b);
	tap_ok(t,
	    rc == 0 && v.whole && v.counts == 1 &&
		has(&b, "{\"state\":\"run\",\"pid\":") &&
		has(&b, "\"host\":\"http://a\\\"b\""),
	    "what is no word of ours does not get into JSON as it is");
	buf_free(&b);
}

/* Whatever stands there, nothing breaks: under the sanitizers this bites. */
static void
damage(struct tap *t)
{
	char *text = malloc(70000);
	struct crawlview v;
	unsigned int i, n;

	if (text == NULL)
		abort();
	for (i = 0; i < 300; i++) {
		for (n = 0; n < 60000; n += 12)
			memcpy(text + n,
			    i % 3 == 0     ? "host 1 2 3 4\n" :
				i % 3 == 1 ? "status.x 1 \n" :
					     "state   xxx\n",
			    12);
		text[60000] = '\0';
		text[i * 7] = (char)(i % 2 == 0 ? 0xff : ' ');
		crawlview_read(&v, text);
	}
	tap_ok(t, v.counts <= CRAWLVIEW_COUNTS && v.hosts <= CRAWLTOP_HOSTS,
	    "too much of everything");
	free(text);
}

int
main(void)
{
	struct tap t = { 0 };

	rates(&t);
	gaps(&t);
	reading(&t);
	damage(&t);
	return tap_done(&t);
}
