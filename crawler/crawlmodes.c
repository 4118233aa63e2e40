/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlmodes.c - modes that need no state directory
 */

#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/random.h>

#include "crawler/crawlmodes.h"
#include "crawler/crawlrun.h"
#include "crawler/extractfile.h"
#include "crawler/robotscheck.h"
#include "crawler/sitemapcheck.h"

static int
flush(int status)
{
	if (fflush(stdout) != 0 || ferror(stdout))
		return crawlsay("standard output: %s", strerror(errno));
	return status;
}

static int
is_url_fault(int rc)
{
	return rc <= FAULT_URL_EMPTY && rc >= FAULT_URL_RELATIVE;
}

int
crawlmodes_extract(const struct crawlopts *o)
{
	const char *file = o->n > 0 ? o->seeds[0] : "-";
	struct extractfile_end end;
	struct extractfile f;
	FILE *in = stdin;
	int rc;

	memset(&f, 0, sizeof f);
	f.options.rules = o->rules;
	f.options.agent = o->agent;
	if (getrandom(&f.options.seed, sizeof f.options.seed, 0) < 0)
		f.options.seed = 0;
	f.want = (o->embeds ? (unsigned int)EXTRACT_EMBEDS : 0U) |
	    (o->forms ? (unsigned int)EXTRACT_FORMS : 0U) |
	    (o->nofollow ? (unsigned int)EXTRACT_NOFOLLOW : 0U);
	f.base = o->base;
	f.max = o->max_body;
	if (strcmp(file, "-") != 0)
		in = fopen(file, "re");
	if (in == NULL)
		return crawlsay("%s: %s", file, strerror(errno));
	rc = extractfile_run(&f, in, stdout, &end);
	if (in != stdin)
		fclose(in);
	if (is_url_fault(rc))
		return crawlsay("--base '%.200s': %s: it takes an absolute "
				"http or https URL",
		    o->base, fault_str(rc));
	if (rc < 0)
		return crawlsay("%s: %s",
		    ferror(stdout)             ? "standard output" :
			strcmp(file, "-") == 0 ? "standard input" :
						 file,
		    fault_why(rc));
	if (end.cut_input && !o->quiet)
		crawlsay("%s: only the first %llu bytes were looked at: "
			 "--max-body sets how many",
		    file, (unsigned long long)o->max_body);
	if (end.result.cut != MARKUP_WHOLE && !o->quiet)
		crawlsay("%s: %s: the links before that were printed", file,
		    extract_cut_str(end.result.cut));
	return flush(CRAWL_OK);
}

int
crawlmodes_robots(const struct crawlopts *o)
{
	int bad, rc;

	rc = robotscheck_run(o->agent, o->file, o->seeds, (int)o->n, stdout,
	    &bad);
	if (rc < 0 && bad >= 0)
		crawlsay("'%.200s': %s: it takes an absolute http or https "
			 "URL",
		    o->seeds[bad], fault_why(rc));
	else if (rc < 0)
		crawlsay("%s: %s", o->file, fault_why(rc));
	return flush(rc < 0 ? CRAWL_ERROR : CRAWL_OK);
}

int
crawlmodes_sitemap(const struct crawlopts *o)
{
	int rc = sitemapcheck_run(o->file, stdout);

	if (rc == FAULT_MAGIC)
		crawlsay("%s: it is no sitemap: XML, RSS, Atom or text with "
			 "URLs would be one",
		    o->file);
	else if (rc == FAULT_SYS || rc == FAULT_NOMEM)
		crawlsay("%s: %s", o->file, fault_why(rc));
	else if (rc < 0)
		crawlsay("%s: it is no sitemap, or a damaged one (%s): what "
			 "comes before that was printed",
		    o->file, fault_why(rc));
	return flush(rc < 0 ? CRAWL_ERROR : CRAWL_OK);
}
