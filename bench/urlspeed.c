/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlspeed.c - what one spelling for each URL costs
 *
 *	urlspeed [FILE...]	(lines of FILE; always: sets of our own)
 *
 * In one run, in turn, because the machine's speed changes from minute to
 * minute: url_normalise(); the same with a blank in front, which leads past
 * the fast scan into the long way; and libcurl's parser and printer of URLs,
 * which does less (no dot segments of escapes, no IDNA unless asked, no
 * address spellings but IPv4's).  CPU time of this thread per URL, the best
 * of the rounds.
 */

#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <curl/curl.h>

#include "dedup/url.h"
#include "snapshot/limits.h"

#define ROUNDS 5
#define URLS   2000 /* of a set: all stay in the cache */
#define TIMES  20   /* over them in a round */
#define ROOM   512  /* bytes: a URL that we make */

enum way {
	WAY_OURS,
	WAY_LONG,
	WAY_CURL,
	WAYS,
};

/* A set: `format' takes a number up to three times. */
static const struct set {
	const char *name;
	const char *format;
	uint32_t rules;
	const char *base; /* NULL: none */
} sets[] = {
	{ "in normal form",
	    "https://www.host%u.example/news/%04u/some-words-of-a-title-%u."
	    "html?page=3",
	    0, NULL },
	{ "with a fragment",
	    "https://www.host%u.example/news/%04u/some-words-of-a-title-%u."
	    "html#part-3",
	    0, NULL },
	{ "a host only", "https://www.host%u.example", 0, NULL },
	{ "capitals in the host",
	    "https://www.Host%u.Example/news/%04u/some-words-of-a-title-%u."
	    "html?page=3",
	    0, NULL },
	{ "the default port",
	    "https://www.host%u.example:443/news/%04u/some-words-of-a-title-"
	    "%u.html",
	    0, NULL },
	{ "small escapes",
	    "https://www.host%u.example/wiki/%%c3%%a9t%%c3%%a9_%u_%%28%u%%29",
	    0, NULL },
	{ "needless escapes",
	    "https://www.host%u.example/%%7Euser/some%%2Dwords/%u/%u.html", 0,
	    NULL },
	{ "beyond ASCII, blanks",
	    "https://www.host%u.example/wiki/\xc3\xa9t\xc3\xa9 %u/\xe6\x9d\xb1"
	    "\xe4\xba\xac_%u",
	    0, NULL },
	{ "dot segments",
	    "https://www.host%u.example/news/./a/../%04u/some-words-%u.html", 0,
	    NULL },
	{ "relative", "../%04u/some-words-of-a-title-%u.html?page=%u", 0,
	    "https://www.example.com/news/2000/index.html" },
	{ "IPv4 address", "http://10.%u.1/news/%04u/some-words-%u.html", 0,
	    NULL },
	{ "IPv6 address", "http://[2001:db8::%u]/news/%04u/some-words-%u.html",
	    0, NULL },
	{ "A-label", "https://xn--bcher-kva%u.example/news/%04u/%u.html", 0,
	    NULL },
	{ "IDNA",
	    "https://www.b\xc3\xbc"
	    "cher%u.example/news/%04u/some-words-%u.html",
	    0, NULL },
	{ "IDNA, Chinese",
	    "https://\xe4\xbe\x8b\xe5\xad\x90%u.\xe6\xb5\x8b\xe8\xaf\x95/news/"
	    "%04u/some-words-%u.html",
	    0, NULL },
	{ "rules, nothing to do",
	    "https://www.host%u.example/news/%04u/some-words-of-a-title-%u."
	    "html",
	    URL_STRIP_PARAMS | URL_SORT_QUERY | URL_STRIP_SESSION, NULL },
	{ "rules, parameters",
	    "https://www.host%u.example/news/%04u?id=%u&cat=a&utm_source=b&"
	    "utm_medium=c&page=1",
	    URL_STRIP_PARAMS | URL_SORT_QUERY | URL_STRIP_SESSION, NULL },
};

struct list {
	size_t n;
	char **s; /* each with a blank in front */
	size_t *len;
};

static double
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void
die(const char *what)
{
	perror(what);
	exit(2);
}

static void
append(struct list *l, const char *s, size_t len)
{
	char *own = malloc(len + 2);

	if (l->s == NULL) {
		l->s = malloc(URLS * sizeof *l->s);
		l->len = malloc(URLS * sizeof *l->len);
	}
	if (own == NULL || l->s == NULL || l->len == NULL)
		die("malloc");
	own[0] = ' ';
	memcpy(own + 1, s, len);
	own[len + 1] = '\0';
	l->s[l->n] = own;
	l->len[l->n++] = len;
}

static void
clear(struct list *l)
{
	while (l->n > 0)
		free(l->s[--l->n]);
	free(l->s);
	free(l->len);
	l->s = NULL;
	l->len = NULL;
}

static void
make(struct list *l, const struct set *set)
{
	char s[ROOM];
	unsigned int i;
	int n;

	for (i = 0; i < URLS; i++) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		n = snprintf(s, sizeof s, set->format, i % 250, i * 7919 % 3000,
		    i * 104729);
#pragma GCC diagnostic pop
		append(l, s, (size_t)n);
	}
}

/* The first lines of a file. */
static void
load(struct list *l, const char *path)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	if (f == NULL)
		die(path);
	while (l->n < URLS) {
		n = getline(&line, &cap, f);
		if (n <= 0)
			break;
		if (line[n - 1] == '\n')
			n--;
		append(l, line, (size_t)n);
	}
	free(line);
	fclose(f);
}

static size_t
by_curl(const char *s)
{
	CURLU *h = curl_url();
	char *out = NULL;
	size_t n = 0;

	if (h == NULL)
		die("curl_url");
	if (curl_url_set(h, CURLUPART_URL, s, 0) == CURLUE_OK &&
	    curl_url_get(h, CURLUPART_URL, &out, 0) == CURLUE_OK)
		n = strlen(out);
	curl_free(out);
	curl_url_cleanup(h);
	return n;
}

/* Once over the list, one way.  Bytes that came out: for the compiler. */
static size_t
once(struct url *u, const struct list *l, enum way way)
{
	struct url_span out;
	size_t i, sum = 0;

	for (i = 0; i < l->n; i++) {
		const char *s = l->s[i];

		if (way == WAY_CURL)
			sum += by_curl(s + 1);
		else if (way == WAY_OURS &&
		    url_normalise(u, s + 1, l->len[i], &out) == 0)
			sum += out.len;
		else if (way == WAY_LONG &&
		    url_normalise(u, s, l->len[i] + 1, &out) == 0)
			sum += out.len;
	}
	return sum;
}

static void
measure(const char *name, const struct list *l, struct url *u, int curl)
{
	double best[WAYS] = { 1e18, 1e18, 1e18 }, t;
	size_t bytes = 0, i;
	volatile size_t sum = 0;
	int round, way, time;

	for (round = 0; round < ROUNDS; round++) {
		for (way = 0; way < (curl ? WAYS : WAY_CURL); way++) {
			t = now_ns();
			for (time = 0; time < TIMES; time++)
				sum += once(u, l, (enum way)way);
			t = (now_ns() - t) / TIMES / (double)l->n;
			best[way] = t < best[way] ? t : best[way];
		}
	}
	(void)sum;
	for (i = 0; i < l->n; i++)
		bytes += l->len[i];
	printf("%-22s %6zu %8.1f %8.1f ", name, bytes / l->n, best[WAY_OURS],
	    best[WAY_LONG]);
	if (curl)
		printf("%8.1f\n", best[WAY_CURL]);
	else
		printf("%8s\n", "-");
}

static void
one(const char *name, struct list *l, uint32_t rules, const char *base)
{
	struct url *u = url_new(rules);

	if (u == NULL)
		die("url_new");
	if (base != NULL && url_base(u, base, strlen(base)) < 0)
		die(base);
	if (l->n > 0)
		measure(name, l, u, rules == 0 && base == NULL);
	url_free(u);
	clear(l);
}

int
main(int argc, char **argv)
{
	struct list l = { 0, NULL, NULL };
	size_t i;

	printf("%-22s %6s %8s %8s %8s\n", "ns per URL", "bytes", "ours", "long",
	    "libcurl");
	for (i = 0; i < sizeof sets / sizeof *sets; i++) {
		make(&l, &sets[i]);
		one(sets[i].name, &l, sets[i].rules, sets[i].base);
	}
	for (; argc > 1; argc--) {
		argv++;
		load(&l, *argv);
		one(*argv, &l, 0, NULL);
	}
	return fflush(stdout) == 0 ? 0 : 2;
}
