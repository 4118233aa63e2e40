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

#define FIELDS 9

enum {
	IN_TRUTH = 1,
	IN_FORBIDDEN = 2,
	IN_ROBOTS = 4
};

/* A URL or a host, by name. */
struct entry {
	char *name;
	unsigned int sets;
	unsigned long fetched;  /* requests in all */
	unsigned long finished; /* those with an answer that is final */
	double last;            /* host: ms of the latest request, < 0: none */
	double wait_until;      /* host: ms, from Retry-After */
	int robots;             /* host: 1 once robots.txt was asked for */
};

struct table {
	struct entry *e;
	size_t room, count; /* room is a power of two */
};

struct options {
	const char *truth, *robots, *forbidden, *log;
	unsigned long allow_again; /* repeated fetches, as after a kill */
	double gap, slack;         /* ms */
	int by_address, no_robots, any_missing;
	unsigned long show;
};

struct counts {
	unsigned long requests, robots, distinct, missed, again, forbidden,
	    unknown, before_robots, too_soon, too_early, retries, bad;
	double least_gap;
};

static void
die(const char *what)
{
	fprintf(stderr, "weblog-check: %s: %s\n", what, strerror(errno));
	exit(2);
}

static uint64_t
hash(const char *s)
{
	uint64_t x = UINT64_C(0xcbf29ce484222325);

	for (; *s != '\0'; s++)
		x = (x ^ (unsigned char)*s) * UINT64_C(0x100000001b3);
	return x ^ x >> 31;
}

static struct entry *
slot(struct entry *e, size_t room, const char *name)
{
	size_t i = hash(name) & (room - 1);

	while (e[i].name != NULL && strcmp(e[i].name, name) != 0)
		i = (i + 1) & (room - 1);
	return &e[i];
}

static void
grow(struct table *t)
{
	size_t room = t->room == 0 ? 4096 : t->room * 2, i;
	struct entry *e = calloc(room, sizeof *e);

	if (e == NULL)
		die("memory");
	for (i = 0; i < t->room; i++)
		if (t->e[i].name != NULL)
			*slot(e, room, t->e[i].name) = t->e[i];
	free(t->e);
	t->e = e;
	t->room = room;
}

/* The entry of this name, made if `make'; else NULL where there is none. */
static struct entry *
find(struct table *t, const char *name, int make)
{
	struct entry *e;

	if (t->count * 2 >= t->room)
		grow(t);
	e = slot(t->e, t->room, name);
	if (e->name != NULL)
		return e;
	if (!make)
		return NULL;
	e->name = strdup(name);
	if (e->name == NULL)
		die("memory");
	e->last = -1;
	t->count++;
	return e;
}

/* A file of URLs, each up to the first tab, into a set. */
static void
read_set(struct table *t, const char *file, unsigned int set)
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
		line[strcspn(line, "\t\n")] = '\0';
		if (line[0] != '\0')
			find(t, line, 1)->sets |= set;
	}
	if (ferror(f))
		die(file);
	free(line);
	fclose(f);
}

/* One line of explanation, up to `show' of each kind. */
static void
tell(const struct options *o, unsigned long *count, const char *kind,
    const char *what)
{
	if ((*count)++ < o->show)
		printf("%s\t%s\n", kind, what);
}

/* Does this answer leave the URL to be fetched again? */
static int
unfinished(int status, const char *fate)
{
	return status == 0 || status == 429 || status >= 500 ||
	    strncmp(fate, "cut", 3) == 0;
}

static void
check_url(struct table *urls, const struct options *o, struct counts *c,
    const char *url, int robots, int status, const char *fate)
{
	struct entry *e = find(urls, url, 1);
	unsigned int sets = e->sets;

	if (robots)
		sets |= IN_ROBOTS;
	if (e->fetched++ == 0) {
		c->distinct += (sets & IN_TRUTH) != 0;
		if ((sets & (IN_TRUTH | IN_ROBOTS)) == 0)
			tell(o,
			    sets & IN_FORBIDDEN ? &c->forbidden : &c->unknown,
			    sets & IN_FORBIDDEN ? "forbidden" : "unknown", url);
	} else if (e->finished > 0 && (sets & IN_ROBOTS) == 0)
		tell(o, &c->again, "again", url);
	else if ((sets & IN_ROBOTS) == 0)
		c->retries++;
	if (!unfinished(status, fate))
		e->finished++;
}

/* Politeness: of a host, or of an address. */
static void
check_host(struct table *hosts, const struct options *o, struct counts *c,
    char **field, double ms, int robots)
{
	const char *name = o->by_address ? field[7] : field[1];
	struct entry *h = find(hosts, name, 1);
	const char *wait = strstr(field[8], "retry-after=");
	double gap;

	if (h->last >= 0) {
		gap = ms - h->last;
		if (c->least_gap < 0 || gap < c->least_gap)
			c->least_gap = gap;
		if (gap + o->slack < o->gap)
			tell(o, &c->too_soon, "too-soon", field[3]);
	}
	if (ms + o->slack < h->wait_until)
		tell(o, &c->too_early, "before-retry-after", field[3]);
	h->last = ms;
	if (wait != NULL)
		h->wait_until = ms + strtod(wait + 12, NULL);
	if (robots)
		h->robots = 1;
	else if (!o->no_robots && !o->by_address && !h->robots)
		tell(o, &c->before_robots, "before-robots", field[3]);
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
check_line(struct table *urls, struct table *hosts, const struct options *o,
    struct counts *c, char *line)
{
	char *field[FIELDS], *url;
	size_t n;
	int robots;

	if (split(line, field) != FIELDS) {
		tell(o, &c->bad, "bad-line", line);
		return;
	}
	n = strlen(field[1]) + strlen(field[3]) + 8;
	url = malloc(n);
	if (url == NULL)
		die("memory");
	snprintf(url, n, "http://%s%s", field[1], field[3]);
	robots = strcmp(field[3], "/robots.txt") == 0;
	c->requests++;
	c->robots += robots;
	check_url(urls, o, c, url, robots, (int)strtol(field[4], NULL, 10),
	    field[8]);
	check_host(hosts, o, c, field, strtod(field[0], NULL), robots);
	free(url);
}

static void
check_log(struct table *urls, struct table *hosts, const struct options *o,
    struct counts *c)
{
	char *line = NULL;
	size_t room = 0;
	FILE *f = fopen(o->log, "r");

	if (f == NULL)
		die(o->log);
	while (getline(&line, &room, f) > 0)
		check_line(urls, hosts, o, c, line);
	if (ferror(f))
		die(o->log);
	free(line);
	fclose(f);
}

static void
check_missing(struct table *urls, const struct options *o, struct counts *c)
{
	size_t i;

	for (i = 0; i < urls->room; i++)
		if (urls->e[i].name != NULL && urls->e[i].fetched == 0 &&
		    (urls->e[i].sets & (IN_TRUTH | IN_ROBOTS)) != 0)
			tell(o, &c->missed, "missed", urls->e[i].name);
}

static int
verdict(const struct options *o, const struct counts *c, size_t hosts)
{
	int good;

	printf("requests        %lu\nrobots.txt      %lu\n"
	       "of the truth    %lu\n%-15s %zu\n",
	    c->requests, c->robots, c->distinct,
	    o->by_address ? "addresses" : "hosts", hosts);
	printf("missed          %lu\nagain           %lu (%lu allowed)\n"
	       "retries         %lu\nforbidden       %lu\n"
	       "unknown         %lu\n",
	    c->missed, c->again, o->allow_again, c->retries, c->forbidden,
	    c->unknown);
	printf("before robots   %lu\ntoo soon        %lu\n"
	       "too early       %lu\nleast gap       %.3f ms\n",
	    c->before_robots, c->too_soon, c->too_early, c->least_gap);
	good = c->again <= o->allow_again && c->forbidden == 0 &&
	    c->unknown == 0 && c->before_robots == 0 && c->too_soon == 0 &&
	    c->too_early == 0 && c->bad == 0 &&
	    (o->any_missing || c->missed == 0);
	printf("verdict         %s\n", good ? "right" : "WRONG");
	return good ? 0 : 1;
}

static const char usage[] =
    "usage: weblog-check --truth=FILE [OPTION]... LOG\n"
    "  --truth=FILE       URLs that must have been fetched\n"
    "  --robots=FILE      robots.txt files that must have been asked for\n"
    "  --forbidden=FILE   URLs to be called forbidden, not just unknown\n"
    "  --allow-again=N    so many repeated fetches are no fault (0)\n"
    "  --gap=MS           least time between two requests to a host (0)\n"
    "  --slack=MS         the clocks' tolerance (5)\n"
    "  --by-address       gaps are between requests to an address\n"
    "  --no-robots        robots.txt need not come first\n"
    "  --partial          an unfinished crawl: missing URLs are no fault\n"
    "  --show=N           examples of each kind of fault (5)\n"
    "Status 0: right, 1: wrong, 2: usage or a file that can't be read.\n";

static void
parse(struct options *o, int argc, char **argv)
{
	static const struct option list[] = {
		{ "truth", required_argument, NULL, 't' },
		{ "robots", required_argument, NULL, 'r' },
		{ "forbidden", required_argument, NULL, 'f' },
		{ "allow-again", required_argument, NULL, 'a' },
		{ "gap", required_argument, NULL, 'g' },
		{ "slack", required_argument, NULL, 's' },
		{ "by-address", no_argument, NULL, 'A' },
		{ "no-robots", no_argument, NULL, 'n' },
		{ "partial", no_argument, NULL, 'p' },
		{ "show", required_argument, NULL, 'S' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	memset(o, 0, sizeof *o);
	o->slack = 5;
	o->show = 5;
	for (;;) {
		c = getopt_long(argc, argv, "", list, NULL);
		if (c == -1)
			break;
		if (c == 't')
			o->truth = optarg;
		else if (c == 'r')
			o->robots = optarg;
		else if (c == 'f')
			o->forbidden = optarg;
		else if (c == 'a')
			o->allow_again = strtoul(optarg, NULL, 10);
		else if (c == 'g')
			o->gap = strtod(optarg, NULL);
		else if (c == 's')
			o->slack = strtod(optarg, NULL);
		else if (c == 'A')
			o->by_address = 1;
		else if (c == 'n')
			o->no_robots = 1;
		else if (c == 'p')
			o->any_missing = 1;
		else if (c == 'S')
			o->show = strtoul(optarg, NULL, 10);
		else
			exit(2);
	}
	if (optind + 1 != argc || o->truth == NULL) {
		fputs(usage, stderr);
		exit(2);
	}
	o->log = argv[optind];
}

static void
free_table(struct table *t)
{
	size_t i;

	for (i = 0; i < t->room; i++)
		free(t->e[i].name);
	free(t->e);
}

int
main(int argc, char **argv)
{
	struct table urls = { NULL, 0, 0 }, hosts = { NULL, 0, 0 };
	struct options o;
	struct counts c;
	int rc;

	memset(&c, 0, sizeof c);
	c.least_gap = -1;
	parse(&o, argc, argv);
	read_set(&urls, o.truth, IN_TRUTH);
	read_set(&urls, o.robots, IN_ROBOTS);
	read_set(&urls, o.forbidden, IN_FORBIDDEN);
	check_log(&urls, &hosts, &o, &c);
	check_missing(&urls, &o, &c);
	rc = verdict(&o, &c, hosts.count);
	free_table(&urls);
	free_table(&hosts);
	if (fflush(stdout) != 0 || ferror(stdout))
		die("stdout");
	return rc;
}
