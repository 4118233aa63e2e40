/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * testweb.c - a web of our own, and the truth about it
 *
 * Without --truth it serves on loopback until it is told to stop, and
 * writes "port N" to stdout once it listens.  Its hosts exist by their Host
 * header only: reach them with `--connect-to ::127.0.0.1:PORT', or use it
 * as an HTTP proxy.  With --truth it prints what a right crawl of just this
 * web fetches; tests/weblog-check compares that with the server's log.
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/web.h"
#include "tests/webserve.h"
#include "tests/webtruth.h"

struct options {
	struct web web;
	struct webtruth truth;
	int hosts_given, want_truth;
	enum webtruth_print set;
	const char *log, *port_file;
	unsigned int addresses, latency;
	int port;
};

enum opt {
	OPT_HOSTS = 256,
	OPT_PAGES,
	OPT_SEED,
	OPT_PROFILE,
	OPT_FEATURES,
	OPT_PAGE_BYTES,
	OPT_LINKS,
	OPT_TRAP,
	OPT_LOG,
	OPT_PORT,
	OPT_PORT_FILE,
	OPT_URL_PORT,
	OPT_ADDRESSES,
	OPT_LATENCY,
	OPT_SITE,
	OPT_AGENT,
	OPT_TRUTH,
	OPT_SCOPE,
	OPT_SEEDS,
	OPT_EMBEDS,
	OPT_NOFOLLOW,
	OPT_IGNORE_ROBOTS,
	OPT_SITEMAPS,
	OPT_REASONS,
	OPT_HELP,
};

/* clang-format off */
static const struct option long_options[] = {
	{ "hosts", required_argument, NULL, OPT_HOSTS },
	{ "pages", required_argument, NULL, OPT_PAGES },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "profile", required_argument, NULL, OPT_PROFILE },
	{ "features", required_argument, NULL, OPT_FEATURES },
	{ "page-bytes", required_argument, NULL, OPT_PAGE_BYTES },
	{ "links", required_argument, NULL, OPT_LINKS },
	{ "trap", required_argument, NULL, OPT_TRAP },
	{ "log", required_argument, NULL, OPT_LOG },
	{ "port", required_argument, NULL, OPT_PORT },
	{ "port-file", required_argument, NULL, OPT_PORT_FILE },
	{ "url-port", required_argument, NULL, OPT_URL_PORT },
	{ "addresses", required_argument, NULL, OPT_ADDRESSES },
	{ "latency", required_argument, NULL, OPT_LATENCY },
	{ "site", required_argument, NULL, OPT_SITE },
	{ "agent", required_argument, NULL, OPT_AGENT },
	{ "truth", optional_argument, NULL, OPT_TRUTH },
	{ "scope", required_argument, NULL, OPT_SCOPE },
	{ "seeds", required_argument, NULL, OPT_SEEDS },
	{ "embeds", required_argument, NULL, OPT_EMBEDS },
	{ "nofollow", required_argument, NULL, OPT_NOFOLLOW },
	{ "ignore-robots", no_argument, NULL, OPT_IGNORE_ROBOTS },
	{ "sitemaps", required_argument, NULL, OPT_SITEMAPS },
	{ "reasons", no_argument, NULL, OPT_REASONS },
	{ "help", no_argument, NULL, OPT_HELP },
	{ NULL, 0, NULL, 0 },
};
/* clang-format on */

static const char usage[] =
    "usage: testweb [OPTION]...\n"
    "The web:\n"
    "  --hosts=H --pages=P    hosts, and pages over all of them (8, 200)\n"
    "  --seed=S               another seed, another web (1)\n"
    "  --profile=NAME         clean (default) or hostile\n"
    "  --features=LIST        switch features: a,-b; \"help\" lists them\n"
    "  --page-bytes=N         least size of a page (20000)\n"
    "  --links=N              random links on a page (30)\n"
    "  --trap=N               pages deep that traps are; 0: no end (60)\n"
    "  --agent=TOKEN          whom robots.txt files speak to (crawl)\n"
    "  --url-port=N           port within URLs (80, which is not written)\n"
    "  --site=DIR             files for every host that is not generated;\n"
    "                         without --hosts there are no others\n"
    "Serving:\n"
    "  --port=N               0 (default) chooses one\n"
    "  --port-file=FILE       write the port there once it listens\n"
    "  --addresses=N          listen on 127.0.0.1 and the N - 1 after it\n"
    "  --log=FILE             a line per request: see weblog.h\n"
    "  --latency=MS           wait before each answer\n"
    "The truth:\n"
    "  --truth[=SET]          print one of\n"
    "      fetch (default)    what a right crawl fetches\n"
    "      robots             the robots.txt files that it asks for\n"
    "      forbidden          what it meets and must leave alone\n"
    "      maybe, traps       what it may fetch; prefixes of such\n"
    "      delays             hosts and their Crawl-delay, ms\n"
    "      seeds              where it begins\n"
    "  --scope=S              host, domain or any (default)\n"
    "  --seeds=N              the first N hosts' roots are the seeds (1)\n"
    "  --embeds=yes --nofollow=ignore --ignore-robots --sitemaps=no\n"
    "                         as the crawl is told\n"
    "  --reasons              after each forbidden URL, a tab and why\n";

/* The place of `s' in a NULL-terminated list, or exit. */
static int
word(const char *option, const char *s, const char *const *list)
{
	int i;

	for (i = 0; list[i] != NULL; i++)
		if (strcmp(s, list[i]) == 0)
			return i;
	fprintf(stderr, "testweb: --%s: unknown word '%s'\n", option, s);
	exit(2);
}

static unsigned long
number(const char *option, const char *s, unsigned long max)
{
	char *end;
	unsigned long n;

	errno = 0;
	n = strtoul(s, &end, 10);
	if (errno != 0 || end == s || *end != '\0' || n > max) {
		fprintf(stderr, "testweb: --%s: '%s' is not 0 to %lu\n", option,
		    s, max);
		exit(2);
	}
	return n;
}

static void
features_help(void)
{
	unsigned int i;

	for (i = 0; i < WEB_FEATURES; i++)
		printf("%-12s %s\n", web_feature_name(i), web_feature_help(i));
	exit(0);
}

/* Options that say which web it is.  1 if `c' was one of them. */
static int
web_option(struct options *o, int c, const char *name)
{
	struct web *w = &o->web;

	switch (c) {
	case OPT_HOSTS:
		w->hosts = (uint32_t)number(name, optarg, 10000000);
		o->hosts_given = 1;
		return 1;
	case OPT_PAGES:
		w->pages = (uint32_t)number(name, optarg, 4000000000);
		return 1;
	case OPT_SEED:
		w->seed = number(name, optarg, ~0ul);
		return 1;
	case OPT_PROFILE:
		if (web_profile(w, optarg) == 0)
			return 1;
		break;
	case OPT_FEATURES:
		if (strcmp(optarg, "help") == 0)
			features_help();
		if (web_switch(w, optarg) == 0)
			return 1;
		break;
	case OPT_PAGE_BYTES:
		w->page_bytes = (uint32_t)number(name, optarg, 16000000);
		return 1;
	case OPT_LINKS:
		w->links = (uint32_t)number(name, optarg, 10000);
		return 1;
	case OPT_TRAP:
		w->trap = (uint32_t)number(name, optarg, 1000000000);
		return 1;
	case OPT_AGENT:
		w->agent = optarg;
		return 1;
	case OPT_URL_PORT:
		w->port = (unsigned int)number(name, optarg, 65535);
		return 1;
	case OPT_SITE:
		w->site = optarg;
		return 1;
	default:
		return 0;
	}
	fprintf(stderr, "testweb: --%s: unknown name in '%s'\n", name, optarg);
	exit(2);
}

static int
serve_option(struct options *o, int c, const char *name)
{
	switch (c) {
	case OPT_PORT:
		o->port = (int)number(name, optarg, 65535);
		return 1;
	case OPT_PORT_FILE:
		o->port_file = optarg;
		return 1;
	case OPT_ADDRESSES:
		o->addresses = (unsigned int)number(name, optarg, 256);
		return 1;
	case OPT_LOG:
		o->log = optarg;
		return 1;
	case OPT_LATENCY:
		o->latency = (unsigned int)number(name, optarg, 60000);
		return 1;
	default:
		return 0;
	}
}

static int
truth_option(struct options *o, int c, const char *name)
{
	static const char *const sets[] = { "fetch", "robots", "forbidden",
		"maybe", "traps", "delays", "seeds", NULL };
	static const char *const scopes[] = { "host", "domain", "any", NULL };
	static const char *const yes[] = { "no", "yes", NULL };
	static const char *const nofollow[] = { "obey", "ignore", NULL };
	struct webtruth *t = &o->truth;

	switch (c) {
	case OPT_TRUTH:
		o->want_truth = 1;
		if (optarg != NULL)
			o->set = (enum webtruth_print)word(name, optarg, sets);
		return 1;
	case OPT_SCOPE:
		t->scope = (enum webtruth_scope)word(name, optarg, scopes);
		return 1;
	case OPT_SEEDS:
		t->seeds = (uint32_t)number(name, optarg, 10000000);
		return 1;
	case OPT_EMBEDS:
		t->embeds = word(name, optarg, yes);
		return 1;
	case OPT_NOFOLLOW:
		t->ignore_nofollow = word(name, optarg, nofollow);
		return 1;
	case OPT_IGNORE_ROBOTS:
		t->ignore_robots = 1;
		return 1;
	case OPT_SITEMAPS:
		t->no_sitemaps = !word(name, optarg, yes);
		return 1;
	case OPT_REASONS:
		t->reasons = 1;
		return 1;
	default:
		return 0;
	}
}

static void
defaults(struct options *o)
{
	memset(o, 0, sizeof *o);
	o->web.seed = 1;
	o->web.hosts = 8;
	o->web.pages = 200;
	o->web.page_bytes = 20000;
	o->web.links = 30;
	o->web.trap = 60;
	o->web.port = 80;
	o->web.agent = "crawl";
	o->truth.scope = WEBTRUTH_ANY;
	o->truth.seeds = 1;
	o->addresses = 1;
	web_profile(&o->web, "clean");
}

static void
parse(struct options *o, int argc, char **argv)
{
	int c, at = 0;

	defaults(o);
	for (;;) {
		c = getopt_long(argc, argv, "", long_options, &at);
		if (c == -1)
			break;
		if (c == OPT_HELP) {
			fputs(usage, stdout);
			exit(0);
		}
		if (!web_option(o, c, long_options[at].name) &&
		    !serve_option(o, c, long_options[at].name) &&
		    !truth_option(o, c, long_options[at].name))
			exit(2);
	}
	if (o->web.site != NULL && !o->hosts_given)
		o->web.hosts = o->web.pages = 0;
	if (optind < argc || o->web.pages < o->web.hosts) {
		fprintf(stderr, "testweb: %s\n",
		    optind < argc ? "it takes options only" :
				    "every host needs a page: more --pages");
		exit(2);
	}
}

/* Tell that we listen: on stdout, and by a file that appears whole. */
static int
announce(const struct options *o, int port)
{
	char temporary[4096];
	FILE *f;

	printf("port %d\n", port);
	if (fflush(stdout) != 0)
		return -1;
	if (o->port_file == NULL)
		return 0;
	snprintf(temporary, sizeof temporary, "%s.new", o->port_file);
	f = fopen(temporary, "w");
	if (f == NULL)
		return -1;
	fprintf(f, "%d\n", port);
	if (fclose(f) != 0)
		return -1;
	return rename(temporary, o->port_file);
}

static int
serve(const struct options *o)
{
	struct webserve *s;
	int fd = -1, port, rc = -1;

	if (o->log != NULL) {
		fd = open(o->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
		    0666);
		if (fd < 0) {
			perror(o->log);
			return -1;
		}
	}
	s = webserve_new(&o->web, fd);
	if (s == NULL)
		goto out;
	webserve_latency(s, o->latency);
	port = webserve_listen(s, o->addresses, o->port);
	if (port < 0 || announce(o, port) != 0)
		goto out;
	rc = webserve_run(s);
out:
	if (rc != 0)
		perror("testweb");
	webserve_free(s);
	if (fd >= 0)
		close(fd);
	return rc;
}

int
main(int argc, char **argv)
{
	struct options o;
	int rc;

	parse(&o, argc, argv);
	if (!o.want_truth)
		return serve(&o) == 0 ? 0 : 2;
	rc = webtruth_print(&o.web, &o.truth, o.set, stdout);
	if (rc != 0 || fflush(stdout) != 0 || ferror(stdout)) {
		perror("testweb");
		return 2;
	}
	return 0;
}
