/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlstatus.c - crawl --status: how far is it?
 *
 * A crawl writes its counters to DIR/status each second; who has the lock
 * says whether it still runs.
 */

#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "crawler/crawlmodes.h"
#include "crawler/crawlrun.h"
#include "crawler/crawlview.h"
#include "snapshot/atomicfile.h"
#include "snapshot/limits.h"
#include "snapshot/statedir.h"

#define TRIES 20 /* to catch it whole */

/* Read the file; one that is just being written is read again. */
static int
read_file(struct crawlview *v, struct statedir *d, const char *dir)
{
	char *text = malloc(LIMIT_STATUS + 1);
	unsigned int i;
	long n = 0;

	if (text == NULL)
		return crawlsay("out of memory");
	for (i = 0; i < TRIES; i++) {
		n = atomicfile_read(statedir_fd(d), CORE_STATUS, text,
		    LIMIT_STATUS);
		text[n < 0 ? 0 : n] = '\0';
		crawlview_read(v, text);
		if (n <= 0 || v->whole)
			break;
		usleep(10000);
	}
	free(text);
	if (n < 0 && !(n == FAULT_SYS && errno == ENOENT))
		return crawlsay("%s/" CORE_STATUS ": %s", dir,
		    fault_why((int)n));
	return 0;
}

static int
show(const struct crawlview *v, int json)
{
	struct buf b;
	int rc;

	buf_init(&b, LIMIT_STATUS_PAGE);
	rc = json ? crawlview_json(v, &b) :
		    crawlview_text(v, (int64_t)time(NULL) * 1000, &b);
	if (rc == 0)
		fwrite(b.s, 1, b.len, stdout);
	buf_free(&b);
	if (rc < 0)
		return crawlsay("%s", fault_str(rc));
	if (fflush(stdout) != 0 || ferror(stdout))
		return crawlsay("standard output: %s", strerror(errno));
	return CRAWL_OK;
}

int
crawlmodes_status(const struct crawlopts *o, const char *dir)
{
	struct statedir *d;
	struct crawlview v;
	pid_t pid = 0;
	int rc;

	rc = statedir_open(&d, dir, STATEDIR_LOOK, NULL);
	if (rc < 0)
		return crawlsay_dir(dir, rc);
	rc = statedir_holder(d, &pid);
	if (rc <= 0)
		pid = 0;
	rc = read_file(&v, d, dir);
	/* No sync stands behind it, so a power cut may have taken it. */
	if (rc == 0 && !v.whole && pid == 0 && crawlopts_begun(statedir_fd(d)))
		rc = crawlsay("%s/" CORE_STATUS ": missing or damaged: the "
			      "next run writes it anew; --export tells what "
			      "is done and what is pending",
		    dir);
	statedir_close(d);
	if (rc != 0)
		return rc;
	crawlview_judge(&v, pid);
	return show(&v, o->json);
}
