/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlopts.h - crawl's command line, and the files that say the same
 *
 * One table (dedup/optable.h) drives the parser, --help, the messages and
 * two files of lines NAME=VALUE: DIR/config, which we write and which says
 * what the crawl was made with, and DIR/crawl.conf, the user's, which is read
 * again at HUP.  Later ones override: config, crawl.conf, command line.
 *
 * Memory	Strings point into argv or into a file's text, which `o' owns.
 */

#ifndef CRAWLER_CRAWLOPTS_H
#define CRAWLER_CRAWLOPTS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "crawler/buf.h"
#include "dedup/optable.h"
#include "snapshot/fault.h"

enum crawlopts_mode {
	CRAWLOPTS_CRAWL,
	CRAWLOPTS_STATUS,
	CRAWLOPTS_EXPORT,
	CRAWLOPTS_EXTRACT,
	CRAWLOPTS_ROBOTS_CHECK,
	CRAWLOPTS_SITEMAP_CHECK,
	CRAWLOPTS_VERIFY,
	CRAWLOPTS_HELP,
	CRAWLOPTS_VERSION,
	CRAWLOPTS_RULES, /* --rules=help */
	CRAWLOPTS_COMPLETION,
};

/* --export; the order of their names in crawlopts.c. */
enum crawlopts_export {
	CRAWLOPTS_URLS,
	CRAWLOPTS_PENDING,
	CRAWLOPTS_DONE,
	CRAWLOPTS_FAILED,
	CRAWLOPTS_HOSTS,
};

/* Options that may be given several times. */
struct crawlopts_list {
	const char **s;
	size_t n;
	size_t room;
	unsigned int level; /* enum crawlopts_level that it comes from */
};

enum crawlopts_level {
	CRAWLOPTS_CONFIG = 1,
	CRAWLOPTS_TUNING = 2,
	CRAWLOPTS_LINE = 3,
	CRAWLOPTS_AGAIN = 4, /* what has come into crawl.conf since the start */
};

#define CRAWLOPTS_TEXTS 4

/* The last line of DIR/config, without which it is cut off. */
#define CRAWLOPTS_END "# end"

struct crawlopts {
	int mode;         /* enum crawlopts_mode */
	int what;         /* of --export, enum crawlopts_export */
	int shell;        /* of --completion, enum completion_shell */
	const char *dir;  /* -d, or NULL */
	const char *file; /* of --robots-check, --sitemap-check */
	const char *base; /* of --extract */
	const char *http; /* where the live page is, or NULL */
	int scope;        /* enum scope_kind */
	struct crawlopts_list include, exclude, header, resolve, connect_to;
	uint64_t depth; /* UINT64_MAX: no bound */
	uint64_t pages; /* 0: no bound; the others too */
	uint64_t host_pages;
	int64_t time;      /* ms */
	int64_t delay;     /* ms */
	int64_t delay_was; /* ms: by DIR/config; 0: it says none */
	int64_t ip_delay;  /* ms; -1: the default */
	uint64_t connections;
	uint64_t threads; /* 0: as many as there are cores */
	uint64_t per_host;
	const char *agent;
	int ignore_robots;
	const char *proxy, *cacert;
	int insecure, allow_private;
	int archive;       /* enum archive_kind */
	uint64_t max_body; /* bytes */
	int64_t timeout;   /* ms */
	uint64_t retries;
	uint64_t capacity; /* keys; 0: not given */
	double fp_rate;
	unsigned int kind;  /* enum filter_kind */
	uint32_t rules;     /* enum url_rule */
	unsigned int given; /* enum core_given, on the command line */
	int embeds, forms, nofollow, sitemaps;
	uint64_t memory;  /* bytes; 0: a quarter of RAM */
	uint64_t sync;    /* ms */
	int64_t snapshot; /* ms */
	uint64_t segment; /* bytes; 0: the journal's own size */
	int json, quiet, verbose, progress, retry_failed;
	uint64_t limit_rate; /* bytes a second; 0: none */
	int family;          /* 4, 6, 0: both */
	const char *output;  /* file, or NULL: stdout */
	char *const *seeds;  /* what is no option */
	unsigned int n;
	uint64_t hash_seed; /* of the seen set; 0: DIR/config has none */
	/* the parser's own */
	unsigned int level, rules_level;
	char *text[CRAWLOPTS_TEXTS]; /* of files */
	unsigned int texts;
	int whole;    /* what the last run went by is read from DIR/config */
	char *tuning; /* crawl.conf as it was read, or NULL */
};

/* All options; their object is a struct crawlopts. */
extern const struct optable crawlopts_table;

/*
 * Read the command line over the defaults.  0, or FAULT_ARG with one line in
 * `err' that says what is wrong and what would be right.
 */
must_check int crawlopts_parse(struct crawlopts *o, int argc, char **argv,
    char *err, size_t err_size);

/*
 * The same in full: defaults, DIR/config, DIR/crawl.conf, command line, in
 * this order, where a file is there.  `dirfd' is the state directory.
 */
must_check int crawlopts_load(struct crawlopts *o, int dirfd, int argc,
    char **argv, char *err, size_t err_size);

/*
 * The same without DIR/crawl.conf: what DIR/config is to say.  What the seen
 * set is made with is for the caller to add.
 */
must_check int crawlopts_kept(struct crawlopts *o, int dirfd, int argc,
    char **argv, char *err, size_t err_size);

/* The defaults and DIR/config alone: what the crawl was run with last, by
   whatever said so. */
must_check int crawlopts_made(struct crawlopts *o, int dirfd, char *err,
    size_t err_size);

/*
 * Has the directory a journal with records in it, though `made' (of
 * crawlopts_made()) has no hash seed, so that DIR/config is lost?  1 or 0; a
 * journal that can't be read is for others to find.
 */
int crawlopts_lost(const struct crawlopts *made, int dirfd);

/* Has it a journal with records in it? */
int crawlopts_begun(int dirfd);

/*
 * Read one such file, if it is there, over what `o' has.  Of patterns and
 * the like the first of a level replaces those of the level before.
 */
must_check int crawlopts_file(struct crawlopts *o, int dirfd, const char *file,
    enum crawlopts_level level, char *err, size_t err_size);

/*
 * The lines of crawl.conf (in `o', of crawlopts_load()) that `start' did not
 * have, at level CRAWLOPTS_AGAIN: over the command line, as they are younger;
 * patterns are added to those that there are.
 */
must_check int crawlopts_again(struct crawlopts *o,
    const struct crawlopts *start, char *err, size_t err_size);

/* Is a number more than there can be?  0, or FAULT_ARG and why. */
must_check int crawlopts_check(const struct crawlopts *o, char *err,
    size_t err_size);

/* 1 if a seed is a URL, 0 if it is a file's name. */
int crawlopts_is_url(const char *s);

/*
 * What DIR/config is to say: the options that last, `kept'; and those that
 * this run goes by, `o', where crawl.conf makes them others.
 */
must_check int crawlopts_save(const struct crawlopts *kept,
    const struct crawlopts *o, struct buf *out);

void crawlopts_free(struct crawlopts *o);

/*
 * The state directory that `o' means: -d, or the first seed file's name with
 * ".crawl" for its suffix, or the host of a seed URL.  malloc()ed; NULL and
 * `err' if there is none.
 */
char *crawlopts_dir(const struct crawlopts *o, char *err, size_t err_size);

/* What --completion prints. */
void crawlopts_completion(const struct crawlopts *o, FILE *out);

/* The text of --help. */
void crawlopts_help(FILE *out);

#endif
