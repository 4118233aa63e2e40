/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "crawler/archive.h"
#include "crawler/core.h"
#include "crawler/crawlopts.h"
#include "crawler/crawloptsvalue.h"
#include "dedup/completion.h"
#include "dedup/optable.h"
#include "frontier/scope.h"
#include "snapshot/atomicfile.h"
#include "snapshot/limits.h"

static const char *const scope_words[] = { "host", "domain", "prefix", "any",
	NULL };
static const char *const robots_words[] = { "obey", "ignore", NULL };
static const char *const yes_words[] = { "no", "yes", NULL };
static const char *const archive_words[] = { "none", "zst", "gz", NULL };
static const char *const kind_words[] = { "blocked", "bloom", "exact", NULL };
static const char *const export_words[] = { "urls", "pending", "done", "failed",
	"hosts", NULL };

_Static_assert(SCOPE_HOST == 1 && SCOPE_ANY == 4, "scope_words is in order");
_Static_assert(ARCHIVE_NONE == 0 && ARCHIVE_GZ == 2,
    "archive_words is in order");

/* ---- values of our own ---- */

#define AT(field) offsetof(struct crawlopts, field)

/* Rules add up within a level. */
static int
take_rules(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	struct crawlopts *o = obj;

	if (strcmp(s, "help") == 0) {
		o->mode = CRAWLOPTS_RULES;
		return 1;
	}
	if (o->rules_level != o->level)
		o->rules = 0;
	o->rules_level = o->level;
	return optable_rules(r, obj, s, e);
}

/* A mode that takes a word. */
static int
take_export(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	struct crawlopts *o = obj;
	int rc = optable_set_mode(r, &o->mode, CRAWLOPTS_EXPORT, e);

	return rc < 0 ? rc : optable_word(r, obj, s, e);
}

static int
take_completion(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	struct crawlopts *o = obj;
	int rc = optable_word(r, obj, s, e);

	if (rc < 0)
		return rc;
	o->mode = CRAWLOPTS_COMPLETION;
	return 1;
}

/* A mode that takes a file. */
static int
take_check(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	struct crawlopts *o = obj;
	int rc = optable_set_mode(r, &o->mode, (int)r->value, e);

	return rc < 0 ? rc : optable_string(r, obj, s, e);
}

#define SET(field, to)        optable_set, AT(field), to, 0, NULL
#define MODE(to)              optable_mode, AT(mode), to, 0, NULL
#define LAST(field, to)       optable_last, AT(field), to, 0, NULL
#define TAKE(fn, field)       fn, AT(field), 0, 0, NULL
#define GIVEN(fn, field, bit) fn, AT(field), 0, bit, NULL
#define WORD(field, words)    optable_word, AT(field), 0, 0, words
#define CHECK(field, mode)    take_check, AT(field), mode, 0, NULL

/* clang-format off */
static const struct optable_row table[] = {
{ 'd', "dir", "DIR", TAKE(optable_string, dir),
    "state directory (the seed file's name with .crawl)" },
{ 'S', "scope", "S", crawloptsvalue_scope, AT(scope), 0, 0, scope_words,
    "within the seeds' host, domain, prefix, or any" },
{ 0, "include", "RE", TAKE(crawloptsvalue_pattern, include),
    "only URLs that match; may be given again" },
{ 0, "exclude", "RE", TAKE(crawloptsvalue_pattern, exclude),
    "no URLs that match; wins over --include" },
{ 'D', "depth", "N", TAKE(optable_count0, depth),
    "follow at most N links from a seed" },
{ 0, "pages", "N", TAKE(optable_count, pages),
    "stop after N pages" },
{ 0, "host-pages", "N", TAKE(optable_count, host_pages),
    "at most N pages of a host" },
{ 0, "time", "S", TAKE(optable_seconds, time),
    "stop after S seconds" },
{ 'w', "delay", "S", TAKE(optable_seconds, delay),
    "seconds between two requests to a host (1)" },
{ 0, "ip-delay", "S", TAKE(optable_seconds, ip_delay),
    "to an address (delay / max(8, hosts there / 8))" },
{ 'c', "connections", "N", TAKE(optable_count, connections),
    "requests in flight in all (256)" },
{ 'j', "threads", "N", TAKE(optable_count, threads),
    "workers (as many as there are cores)" },
{ 0, "per-host", "N", TAKE(optable_count, per_host),
    "requests in flight to one host (1)" },
{ 'A', "user-agent", "STR", TAKE(crawloptsvalue_line, agent),
    "User-Agent (crawl/" PACKAGE_VERSION ")" },
{ 0, "robots", "HOW", WORD(ignore_robots, robots_words),
    "obey (default) or ignore robots.txt" },
{ 0, "connect-to", "H1:P1:H2:P2", TAKE(crawloptsvalue_list, connect_to),
    "as in curl" },
{ 0, "resolve", "H:P:A", TAKE(crawloptsvalue_list, resolve),
    "as in curl" },
{ 0, "proxy", "URL", TAKE(crawloptsvalue_proxy, proxy),
    "as in curl" },
{ 0, "cacert", "FILE", TAKE(optable_string, cacert),
    "as in curl" },
{ 0, "insecure", NULL, SET(insecure, 1),
    "as in curl" },
{ 0, "allow-private", NULL, SET(allow_private, 1),
    "fetch private and loopback addresses too" },
{ 0, "archive", "KIND", WORD(archive, archive_words),
    "WARC files: zst (default), gz or none" },
{ 0, "max-body", "SIZE", TAKE(optable_bytes, max_body),
    "bytes of a page that are read (8M)" },
{ 0, "timeout", "S", TAKE(optable_seconds, timeout),
    "seconds to connect, and for the first byte (30)" },
{ 0, "retries", "N", TAKE(optable_count0, retries),
    "further tries of a page that fails (3)" },
{ 'n', "capacity", "N", GIVEN(optable_count, capacity, CORE_GIVEN_CAPACITY),
    "make room for N URLs in the seen set (it grows)" },
{ 'p', "fp-rate", "P", GIVEN(optable_rate, fp_rate, CORE_GIVEN_FP_RATE),
    "false-positive rate of the seen set (0.000001)" },
{ 'K', "kind", "KIND", optable_kind, AT(kind), 0, CORE_GIVEN_KIND, kind_words,
    "of the seen set: blocked (default), bloom or exact" },
{ 'R', "rules", "LIST", GIVEN(take_rules, rules, CORE_GIVEN_RULES),
    "further rules for URLs; 'help' explains each" },
{ 0, "embeds", "HOW", WORD(embeds, yes_words),
    "yes: images, style sheets, scripts, media too (no)" },
{ 0, "forms", "HOW", WORD(forms, yes_words),
    "yes: what forms lead to by GET, too (no)" },
{ 0, "nofollow", "HOW", WORD(nofollow, robots_words),
    "obey (default) or ignore" },
{ 0, "memory", "SIZE", TAKE(optable_bytes, memory),
    "for the frontier (a quarter of what there is)" },
{ 0, "sync", "MS", TAKE(optable_count, sync),
    "ms that a record may wait for the disk (500)" },
{ 0, "snapshot", "S", TAKE(optable_seconds, snapshot),
    "seconds between two snapshots (300)" },
{ 0, "segment", "SIZE", TAKE(optable_bytes, segment),
    "bytes of a file of the journal (64M)" },
{ 0, "sitemaps", "HOW", WORD(sitemaps, yes_words),
    "yes (default): read what robots.txt names" },
{ 0, "json", NULL, SET(json, 1),
    "a JSON object a page on standard output" },
{ 'H', "header", "LINE", TAKE(crawloptsvalue_header, header),
    "as in curl" },
{ 0, "limit-rate", "BYTES", TAKE(optable_bytes, limit_rate),
    "bytes a second of one transfer" },
{ '4', "ipv4", NULL, SET(family, 4),
    "IPv4 addresses only" },
{ '6', "ipv6", NULL, SET(family, 6),
    "IPv6 addresses only" },
{ 'o', "output", "FILE", TAKE(optable_string, output),
    "write the lines to FILE" },
{ 0, "retry-failed", NULL, SET(retry_failed, 1),
    "put what failed earlier into the queue again" },
{ 'q', "quiet", NULL, SET(quiet, 1),
    "say nothing but errors" },
{ 'v', "verbose", NULL, SET(verbose, 1),
    "say what is tried again or left out, and why" },
{ 0, "progress", NULL, SET(progress, 1),
    "a live line on standard error" },
{ 0, "http", "ADDR:PORT", TAKE(optable_string, http),
    "a live page and numbers; PORT alone: on loopback" },
{ 0, "status", NULL, MODE(CRAWLOPTS_STATUS),
    "how far the crawl in -d DIR is, running or not" },
{ 0, "export", "WHAT", take_export, AT(what), 0, 0, export_words,
    "urls, pending, done, failed or hosts of -d DIR" },
{ 0, "extract", NULL, MODE(CRAWLOPTS_EXTRACT),
    "print the links in the HTML in FILE; needs --base" },
{ 0, "base", "URL", TAKE(optable_string, base),
    "where that HTML is from" },
{ 0, "robots-check", "FILE", CHECK(file, CRAWLOPTS_ROBOTS_CHECK),
    "may these URLs be fetched by this robots.txt?" },
{ 0, "sitemap-check", "FILE", CHECK(file, CRAWLOPTS_SITEMAP_CHECK),
    "print the URLs in this sitemap" },
{ 0, "verify", NULL, MODE(CRAWLOPTS_VERIFY),
    "check all that -d DIR holds" },
{ 0, "completion", "SHELL", take_completion, AT(shell), 0, 0,
    completion_shells,
    "print what makes bash, zsh or fish complete" },
{ 'h', "help", NULL, LAST(mode, CRAWLOPTS_HELP),
    "show this" },
{ 'V', "version", NULL, LAST(mode, CRAWLOPTS_VERSION),
    "show the version" },
/* of DIR/config */
{ 0, "hash-seed", "N", TAKE(optable_whole, hash_seed), NULL },
};
/* clang-format on */

const struct optable crawlopts_table = {
	table,
	sizeof table / sizeof table[0],
	AT(given),
};

static void
defaults(struct crawlopts *o)
{
	memset(o, 0, sizeof *o);
	o->scope = SCOPE_DOMAIN;
	o->depth = UINT64_MAX;
	o->delay = 1000;
	o->ip_delay = -1;
	o->connections = 256;
	o->per_host = 1;
	o->agent = "crawl/" PACKAGE_VERSION;
	o->archive = ARCHIVE_ZST;
	o->max_body = 8 * 1024 * 1024;
	o->timeout = 30000;
	o->retries = 3;
	o->fp_rate = 1e-6;
	o->kind = FILTER_BLOCKED;
	o->sitemaps = 1;
	o->sync = 500;
	o->snapshot = 300000;
}

int
crawlopts_check(const struct crawlopts *o, char *err, size_t size)
{
	const struct {
		int wrong;
		const char *text;
	} rows[] = {
		{ o->timeout == 0,
		    "--timeout 0 would fetch nothing: give "
		    "seconds, such as 30" },
		{ o->connections > LIMIT_CONNECTIONS,
		    "-c takes 65536 connections at most" },
		{ o->threads > LIMIT_THREADS, "-j takes 256 workers at most" },
		{ o->per_host > LIMIT_ADDR_FLIGHT,
		    "--per-host takes 64 requests at most" },
		{ o->retries > LIMIT_RETRIES,
		    "--retries takes 100 further tries at most" },
		{ o->sync > LIMIT_SYNC_MS, "--sync takes 60000 ms at most" },
	};
	size_t i;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].wrong)
			return optable_wrong(err, size, "%s", rows[i].text);
	return 0;
}

/* Two options of which one makes the other pointless. */
static int
clash(const struct crawlopts *o, char *err, size_t size)
{
	int at_dir = o->mode == CRAWLOPTS_STATUS ||
	    o->mode == CRAWLOPTS_EXPORT || o->mode == CRAWLOPTS_VERIFY;
	const struct {
		int both;
		const char *text;
	} rows[] = {
		{ at_dir && o->dir == NULL && o->n == 0,
		    "--status, --export and --verify look at a state "
		    "directory: give -d DIR" },
		{ at_dir && o->n > 1,
		    "--status, --export and --verify look at one state "
		    "directory: give -d DIR and nothing else" },
		{ o->mode == CRAWLOPTS_EXTRACT && o->base == NULL,
		    "--extract needs to know where the HTML is from: give "
		    "--base=URL" },
		{ o->mode == CRAWLOPTS_EXTRACT && o->n > 1,
		    "--extract reads one file, or standard input" },
		{ o->mode != CRAWLOPTS_EXTRACT && o->base != NULL,
		    "--base goes with --extract" },
		{ o->mode == CRAWLOPTS_ROBOTS_CHECK && o->n == 0,
		    "--robots-check=FILE needs URLs to judge" },
		{ o->mode == CRAWLOPTS_SITEMAP_CHECK && o->n > 0,
		    "--sitemap-check=FILE takes no further file" },
		{ o->mode == CRAWLOPTS_CRAWL && o->n == 0 && o->dir == NULL,
		    "nothing to crawl: give a seed (a file of URLs or a URL), "
		    "or -d DIR to go on with" },
	};
	size_t i;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].both)
			return optable_wrong(err, size, "%s", rows[i].text);
	return crawlopts_check(o, err, size);
}

static int
parse_line(struct crawlopts *o, int argc, char **argv, char *err, size_t size)
{
	int rc, rest = argc;

	o->level = CRAWLOPTS_LINE;
	o->given = 0;
	rc = optable_parse(&crawlopts_table, o, argc, argv, &rest, err, size);
	if (rc != 0)
		return rc < 0 ? rc : 0;
	o->seeds = argv + rest;
	o->n = (unsigned int)(argc - rest);
	return clash(o, err, size);
}

int
crawlopts_parse(struct crawlopts *o, int argc, char **argv, char *err,
    size_t size)
{
	defaults(o);
	return parse_line(o, argc, argv, err, size);
}

int
crawlopts_made(struct crawlopts *o, int dirfd, char *err, size_t size)
{
	defaults(o);
	o->whole = 1;
	return crawlopts_file(o, dirfd, CORE_CONFIG, CRAWLOPTS_CONFIG, err,
	    size);
}

/* Defaults and DIR/config, DIR/crawl.conf if `tuning', the command line. */
static int
layers(struct crawlopts *o, int dirfd, int tuning, int argc, char **argv,
    char *err, size_t size)
{
	uint32_t rules;
	int rc;

	defaults(o);
	rc = crawlopts_file(o, dirfd, CORE_CONFIG, CRAWLOPTS_CONFIG, err, size);
	if (rc < 0)
		return rc;
	rules = o->rules;
	if (tuning)
		rc = crawlopts_file(o, dirfd, CORE_TUNING, CRAWLOPTS_TUNING,
		    err, size);
	if (rc == 0)
		rc = parse_line(o, argc, argv, err, size);
	if (rc == 0 && o->hash_seed != 0 && o->rules != rules)
		return optable_wrong(err, size,
		    "the crawl was made with other rules (-R): leave -R out, "
		    "or give another -d DIR");
	return rc;
}

int
crawlopts_kept(struct crawlopts *o, int dirfd, int argc, char **argv, char *err,
    size_t size)
{
	return layers(o, dirfd, 0, argc, argv, err, size);
}

int
crawlopts_load(struct crawlopts *o, int dirfd, int argc, char **argv, char *err,
    size_t size)
{
	return layers(o, dirfd, 1, argc, argv, err, size);
}

void
crawlopts_completion(const struct crawlopts *o, FILE *out)
{
	completion_write(&crawlopts_table, "crawl",
	    (enum completion_shell)o->shell, out);
}

void
crawlopts_help(FILE *out)
{
	fputs("usage: crawl [OPTION]... SEED...\n"
	      "Fetch the pages that the seeds lead to, each once, into "
	      "SEED.crawl/.\n"
	      "SEED is a file with a URL a line (- for standard input), or a "
	      "URL.\n"
	      "Run it again, and it goes on where it stopped.\n\n",
	    out);
	optable_help(&crawlopts_table, out);
	fputs("\nN and SIZE take k, M, G, T.  Status: 0 complete or a bound "
	      "reached,\n"
	      "1 every seed failed, 2 error, 3 interrupted with more to do.\n"
	      "Killed at any point, no page is missed.  "
	      "See crawl(1) for the whole manual.\n",
	    out);
}
