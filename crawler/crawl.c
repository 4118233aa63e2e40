/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawl.c - crawl(1): fetch what the seeds lead to, each page once
 */

#include "config.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <curl/curl.h>
#include <libxml/parser.h>

#include "crawler/crawlmodes.h"
#include "crawler/crawlrun.h"
#include "dedup/url.h"
#include "snapshot/file.h"

/* A mapped file could not be read or written: see urlseen.c. */
static void
on_sigbus(int sig)
{
	static const char text[] =
	    "crawl: the seen set's file cannot be accessed any more: full or "
	    "failing disk, or it was cut short\n";
	ssize_t n = write(STDERR_FILENO, text, sizeof text - 1);

	(void)n;
	(void)sig;
	_exit(CRAWL_ERROR);
}

static void
set_signals(void)
{
	struct sigaction act;

	memset(&act, 0, sizeof act);
	act.sa_handler = on_sigbus;
	sigaction(SIGBUS, &act, NULL);
	act.sa_handler = SIG_IGN;
	sigaction(SIGXFSZ, &act, NULL);
}

static int
flush_stdout(int status)
{
	if (fflush(stdout) != 0 || ferror(stdout))
		return crawlsay("standard output: %s", strerror(errno));
	return status;
}

static int
show_rules(void)
{
	unsigned int i;

	for (i = 0; i < URL_RULES; i++)
		printf("%-18s %s\n", url_rule_name(i), url_rule_help(i));
	return flush_stdout(CRAWL_OK);
}

static int
crawl(struct crawlrun *r)
{
	char err[512];
	int status;

	r->dir = crawlopts_dir(&r->o, err, sizeof err);
	if (r->dir == NULL)
		return crawlsay("%s", err);
	/* A reader that goes away ends modes, but a crawl it only stops. */
	(void)signal(SIGPIPE, SIG_IGN);
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != 0)
		return crawlsay("libcurl does not start");
	xmlInitParser();
	if (r->o.progress && !r->o.quiet)
		live_start(&r->live, stderr);
	r->shared_tty =
	    r->live.out != NULL && r->o.output == NULL && isatty(STDOUT_FILENO);
	status = crawlrun(r);
	xmlCleanupParser();
	curl_global_cleanup();
	return status;
}

/* A mode that looks at a state directory. */
static int
look(struct crawlrun *r, int (*mode)(const struct crawlopts *, const char *))
{
	char err[512];

	r->dir = crawlopts_dir(&r->o, err, sizeof err);
	return r->dir == NULL ? crawlsay("%s", err) : mode(&r->o, r->dir);
}

static int
run(struct crawlrun *r)
{
	switch ((enum crawlopts_mode)r->o.mode) {
	case CRAWLOPTS_HELP:
		crawlopts_help(stdout);
		return flush_stdout(CRAWL_OK);
	case CRAWLOPTS_VERSION:
		puts("crawl " PACKAGE_VERSION);
		return flush_stdout(CRAWL_OK);
	case CRAWLOPTS_RULES:
		return show_rules();
	case CRAWLOPTS_COMPLETION:
		crawlopts_completion(&r->o, stdout);
		return flush_stdout(CRAWL_OK);
	case CRAWLOPTS_CRAWL:
		return crawl(r);
	case CRAWLOPTS_STATUS:
		return look(r, crawlmodes_status);
	case CRAWLOPTS_EXPORT:
		return look(r, crawlmodes_export);
	case CRAWLOPTS_VERIFY:
		return look(r, crawlmodes_verify);
	case CRAWLOPTS_EXTRACT:
		return crawlmodes_extract(&r->o);
	case CRAWLOPTS_ROBOTS_CHECK:
		return crawlmodes_robots(&r->o);
	case CRAWLOPTS_SITEMAP_CHECK:
		return crawlmodes_sitemap(&r->o);
	}
	return CRAWL_ERROR;
}

int
main(int argc, char **argv)
{
	struct crawlrun r;
	char err[1024];
	int status;

	if (file_fill_std() < 0)
		return 2; /* nor could we say so */
	memset(&r, 0, sizeof r);
	r.argc = argc;
	r.argv = argv;
	r.out_fd = r.status_fd = -1;
	set_signals();
	if (crawlopts_parse(&r.o, argc, argv, err, sizeof err) < 0)
		status = crawlsay("%s", err);
	else
		status = run(&r);
	crawlopts_free(&r.tuned);
	crawlopts_free(&r.o);
	free(r.dir);
	return status;
}
