/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * weblog-check.c - was that crawl right?
 *
 * Reads what testweb logged and what testweb says is true, and prints a
 * table.  Right is: every URL of the truth fetched and no other, none twice
 * (but an answer that asks for another attempt may have one), nothing that
 * is forbidden, each host's robots.txt before its pages, and the requests
 * to a host far enough apart.
 */

#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/webtable.h"

#define FIELDS 9

enum {
	IN_TRUTH = 1,
	IN_FORBIDDEN = 2,
	IN_ROBOTS = 4,
	IN_MAYBE = 8,
};

struct options {
	const char *truth, *robots, *forbidden, *maybe, *traps, *delays, *log;
	unsigned long allow_again, allow_trapped;
	double gap, slack; /* ms */
	int by_address, no_robots, partial;
	unsigned long show;
};

struct counts {
	unsigned long requests, robots, hosts, distinct, missed, again,
	    forbidden, unknown, maybe, trapped, before_robots, too_soon,
	    too_early, retries, bad;
	double least_gap;
};

struct check {
	struct options o;
	struct counts c;
	struct webtable urls, hosts;
	char **trap; /* what the URLs of traps begin with */
	size_t traps;
};

static void
die(const char *what)
{
	fprintf(stderr, "weblog-check: %s: %s\n", what, strerror(errno));
	exit(2);
}

/* Call `take' for each line of a file (NULL: none), without its end. */
static void
each_line(struct check *k, const char *file,
    void (*take)(struct check *k, char *line, unsigned int arg),
    unsigned int arg)
{
	char *line = NULL;
	size_t room = 0;
	FILE *f;

	if (file == NULL)
		return;
	f = fopen(file, "r");
	if (f == NULL)
		die(file);
	while (getline(&line, &room, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if (line[0] != '\0')
			take(k, line, arg);
	}
	if (ferror(f))
		die(file);
	free(line);
	fclose(f);
}

/* A URL, up to a tab, into a set. */
static void
take_url(struct check *k, char *line, unsigned int set)
{
	line[strcspn(line, "\t")] = '\0';
	webtable_find(&k->urls, line)->sets |= set;
}

static void
take_trap(struct check *k, char *line, unsigned int arg)
{
	char **grown = realloc(k->trap, (k->traps + 1) * sizeof *grown);

	(void)arg;
	if (grown == NULL)
		die("memory");
	k->trap = grown;
	k->trap[k->traps] = strdup(line);
	if (k->trap[k->traps++] == NULL)
		die("memory");
}

static void
take_delay(struct check *k, char *line, unsigned int arg)
{
	char *tab = strchr(line, '\t');

	(void)arg;
	if (tab == NULL)
		return;
	*tab = '\0';
	webtable_find(&k->hosts, line)->delay = strtod(tab + 1, NULL);
}

/* One line of explanation, up to `show' of each kind. */
static void
tell(const struct check *k, unsigned long *count, const char *kind,
    const char *what)
{
	if ((*count)++ < k->o.show)
		printf("%s\t%s\n", kind, what);
}

/* Does this answer leave the URL to be fetched again? */
static int
unfinished(int status, const char *fate)
{
	return status == 0 || status == 408 || status == 425 || status == 429 ||
	    status >= 500 || strncmp(fate, "cut", 3) == 0;
}

static int
in_trap(const struct check *k, const char *url)
{
	size_t i;

	for (i = 0; i < k->traps; i++)
		if (strncmp(url, k->trap[i], strlen(k->trap[i])) == 0)
			return 1;
	return 0;
}

/* A URL's first request: was it to be fetched at all? */
static void
check_first(struct check *k, const char *url, unsigned int sets)
{
	struct counts *c = &k->c;

	if (sets & IN_TRUTH)
		c->distinct++;
	else if (sets & IN_MAYBE)
		c->maybe++;
	else if (in_trap(k, url))
		c->trapped++;
	else if (sets & IN_FORBIDDEN)
		tell(k, &c->forbidden, "forbidden", url);
	else if ((sets & IN_ROBOTS) == 0)
		tell(k, &c->unknown, "unknown", url);
}

static void
check_url(struct check *k, const char *url, int robots, int status,
    const char *fate)
{
	struct webtable_entry *e = webtable_find(&k->urls, url);

	if (e->fetched++ == 0)
		check_first(k, url, robots ? IN_ROBOTS : e->sets);
	else if (!robots && e->finished > 0)
		tell(k, &k->c.again, "again", url);
	else if (!robots)
		k->c.retries++;
	if (!unfinished(status, fate))
		e->finished++;
}

/* Politeness: of a host, or of an address. */
static void
check_host(struct check *k, char **field, double ms, const char *url,
    int robots)
{
	const struct options *o = &k->o;
	struct counts *c = &k->c;
	const char *name = o->by_address ? field[7] : field[1];
	const char *wait = strstr(field[8], "retry-after=");
	struct webtable_entry *h = webtable_find(&k->hosts, name);
	double gap, least = h->delay > o->gap ? h->delay : o->gap;

	if (h->seen) {
		gap = ms - h->last;
		if (c->least_gap < 0 || gap < c->least_gap)
			c->least_gap = gap;
		if (gap + o->slack < least)
			tell(k, &c->too_soon, "too-soon", url);
	} else
		c->hosts++;
	if (ms + o->slack < h->wait_until)
		tell(k, &c->too_early, "before-retry-after", url);
	h->last = ms;
	h->seen = 1;
	if (wait != NULL)
		h->wait_until = ms + strtod(wait + 12, NULL);
	if (robots)
		h->robots = 1;
	else if (!o->no_robots && !o->by_address && !h->robots)
		tell(k, &c->before_robots, "before-robots", url);
}

static int
split(char *line, char **field)
{
	int n = 0;

	line[strcspn(line, "\n")] = '\0';
	while (n < FIELDS) {
		field[n++] = line;
		line += strcspn(line, "\t");
		if (*line == '\0')
			return n;
		*line++ = '\0';
	}
	return n;
}

static void
take_request(struct check *k, char *line, unsigned int arg)
{
	char *field[FIELDS], *url;
	size_t n;
	int robots;

	(void)arg;
	if (split(line, field) != FIELDS) {
		tell(k, &k->c.bad, "bad-line", line);
		return;
	}
	n = strlen(field[1]) + strlen(field[3]) + 8;
	url = malloc(n);
	if (url == NULL)
		die("memory");
	snprintf(url, n, "http://%s%s", field[1], field[3]);
	/* robots.txt may be what a redirect of one leads to */
	robots = strcmp(field[3], "/robots.txt") == 0 ||
	    (webtable_find(&k->urls, url)->sets & IN_ROBOTS) != 0;
	k->c.requests++;
	k->c.robots += robots;
	check_url(k, url, robots, (int)strtol(field[4], NULL, 10), field[8]);
	check_host(k, field, strtod(field[0], NULL), url, robots);
	free(url);
}

static void
check_missing(struct check *k)
{
	const struct webtable_entry *e = k->urls.e;
	size_t i;

	for (i = 0; i < k->urls.room; i++)
		if (e[i].name != NULL && e[i].fetched == 0 &&
		    (e[i].sets & (IN_TRUTH | IN_ROBOTS)) != 0)
			tell(k, &k->c.missed, "missed", e[i].name);
}

static void
row(const char *name, unsigned long n)
{
	printf("%-15s %lu\n", name, n);
}

static int
verdict(const struct check *k)
{
	const struct options *o = &k->o;
	const struct counts *c = &k->c;
	int good;

	row("requests", c->requests);
	row("robots.txt", c->robots);
	row(o->by_address ? "addresses" : "hosts", c->hosts);
	row("of the truth", c->distinct);
	row("at will", c->maybe);
	row("in traps", c->trapped);
	row("retries", c->retries);
	row("missed", c->missed);
	row("again", c->again);
	row("forbidden", c->forbidden);
	row("unknown", c->unknown);
	row("before robots", c->before_robots);
	row("too soon", c->too_soon);
	row("too early", c->too_early);
	printf("%-15s %.3f ms\n", "least gap", c->least_gap);
	good = c->again <= o->allow_again && c->forbidden == 0 &&
	    c->unknown == 0 && c->before_robots == 0 && c->too_soon == 0 &&
	    c->too_early == 0 && c->bad == 0 &&
	    c->trapped <= o->allow_trapped && (o->partial || c->missed == 0);
	printf("%-15s %s\n", "verdict", good ? "right" : "WRONG");
	return good ? 0 : 1;
}

static const char usage[] =
    "usage: weblog-check --truth=FILE [OPTION]... LOG\n"
    "What testweb --truth=... prints:\n"
    "  --truth=FILE       URLs that must have been fetched\n"
    "  --robots=FILE      robots.txt files that must have been asked for\n"
    "  --forbidden=FILE   URLs to be called forbidden, not just unknown\n"
    "  --maybe=FILE       URLs that may have been fetched\n"
    "  --traps=FILE       what the URLs of traps begin with\n"
    "  --delays=FILE      hosts and the least ms between their requests\n"
    "What else is no fault:\n"
    "  --allow-again=N    so many repeated fetches, as after a kill (0)\n"
    "  --allow-trapped=N  so many URLs of traps (any number)\n"
    "  --gap=MS           least time between two requests to a host (0)\n"
    "  --slack=MS         the clocks' tolerance (5)\n"
    "  --by-address       gaps are between requests to an address\n"
    "  --no-robots        robots.txt need not come first\n"
    "  --partial          an unfinished crawl may have missed URLs\n"
    "  --show=N           examples of each kind of fault (5)\n"
    "Status 0: right, 1: wrong, 2: usage or a file that can't be read.\n";

static void
set_option(struct options *o, int c)
{
	switch (c) {
	case 'a':
		o->allow_again = strtoul(optarg, NULL, 10);
		break;
	case 'T':
		o->allow_trapped = strtoul(optarg, NULL, 10);
		break;
	case 'g':
		o->gap = strtod(optarg, NULL);
		break;
	case 's':
		o->slack = strtod(optarg, NULL);
		break;
	case 'S':
		o->show = strtoul(optarg, NULL, 10);
		break;
	case 'A':
		o->by_address = 1;
		break;
	case 'n':
		o->no_robots = 1;
		break;
	case 'p':
		o->partial = 1;
		break;
	default:
		fputs(usage, stderr);
		exit(2);
	}
}

/* The name of a file that an option gives, or NULL: not such an option. */
static const char **
file_of(struct options *o, int c)
{
	switch (c) {
	case 't':
		return &o->truth;
	case 'r':
		return &o->robots;
	case 'f':
		return &o->forbidden;
	case 'm':
		return &o->maybe;
	case 'x':
		return &o->traps;
	case 'd':
		return &o->delays;
	default:
		return NULL;
	}
}

static void
parse(struct options *o, int argc, char **argv)
{
	static const struct option list[] = {
		{ "truth", required_argument, NULL, 't' },
		{ "robots", required_argument, NULL, 'r' },
		{ "forbidden", required_argument, NULL, 'f' },
		{ "maybe", required_argument, NULL, 'm' },
		{ "traps", required_argument, NULL, 'x' },
		{ "delays", required_argument, NULL, 'd' },
		{ "allow-again", required_argument, NULL, 'a' },
		{ "allow-trapped", required_argument, NULL, 'T' },
		{ "gap", required_argument, NULL, 'g' },
		{ "slack", required_argument, NULL, 's' },
		{ "by-address", no_argument, NULL, 'A' },
		{ "no-robots", no_argument, NULL, 'n' },
		{ "partial", no_argument, NULL, 'p' },
		{ "show", required_argument, NULL, 'S' },
		{ NULL, 0, NULL, 0 },
	};
	const char **file;
	int c;

	o->slack = 5;
	o->show = 5;
	o->allow_trapped = ~0ul;
	for (;;) {
		c = getopt_long(argc, argv, "", list, NULL);
		if (c == -1)
			break;
		file = file_of(o, c);
		if (file != NULL)
			*file = optarg;
		else
			set_option(o, c);
	}
	if (optind + 1 != argc || o->truth == NULL) {
		fputs(usage, stderr);
		exit(2);
	}
	o->log = argv[optind];
}

int
main(int argc, char **argv)
{
	struct check k;
	size_t i;
	int rc;

	memset(&k, 0, sizeof k);
	k.c.least_gap = -1;
	parse(&k.o, argc, argv);
	each_line(&k, k.o.truth, take_url, IN_TRUTH);
	each_line(&k, k.o.robots, take_url, IN_ROBOTS);
	each_line(&k, k.o.forbidden, take_url, IN_FORBIDDEN);
	each_line(&k, k.o.maybe, take_url, IN_MAYBE);
	each_line(&k, k.o.traps, take_trap, 0);
	each_line(&k, k.o.delays, take_delay, 0);
	each_line(&k, k.o.log, take_request, 0);
	check_missing(&k);
	rc = verdict(&k);
	webtable_free(&k.urls);
	webtable_free(&k.hosts);
	for (i = 0; i < k.traps; i++)
		free(k.trap[i]);
	free(k.trap);
	if (fflush(stdout) != 0 || ferror(stdout))
		die("stdout");
	return rc;
}
