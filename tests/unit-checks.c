/* SPDX-License-Identifier: BSD-2-Clause */

/* The modes of crawl that only look at a file. */

#include "config.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "crawler/robotscheck.h"
#include "crawler/sitemapcheck.h"
#include "crawler/slurp.h"
#include "tests/tap.h"

/* A new file with this in it; its name goes to `path'. */
static void
make_file(char *path, size_t size, const char *text)
{
	const char *dir = getenv("TMPDIR");
	ssize_t n = (ssize_t)strlen(text);
	int fd;

	snprintf(path, size, "%s/checks-XXXXXX", dir == NULL ? "/tmp" : dir);
	fd = mkstemp(path);
	if (fd < 0 || write(fd, text, (size_t)n) != n || close(fd) != 0)
		abort();
}

static void
robots(struct tap *t)
{
	static const char want[] = "disallow\thttp://x/a\t2\n"
				   "allow\thttp://x/%62\t3\n"
				   "allow\tHTTP://X/robots.txt\t0\n"
				   "disallow\thttp://x\t4\n";
	char u[][24] = { "http://x/a", "http://x/%62", "HTTP://X/robots.txt",
		"http://x", "nonsense" };
	char *urls[] = { u[0], u[1], u[2], u[3], u[4] };
	char path[256], *got = NULL;
	size_t len = 0;
	FILE *out;
	int rc, bad;

	make_file(path, sizeof path,
	    "User-agent: bot\nDisallow: /a\nAllow: /b\nDisallow: /$\n");
	out = open_memstream(&got, &len);
	if (out == NULL)
		abort();
	rc = robotscheck_run("Bot/1.0", path, urls, 4, out, &bad);
	fclose(out);
	if (!tap_ok(t, rc == 0 && strcmp(got, want) == 0, "robots"))
		tap_diag("%d: %s", rc, got);
	free(got);

	rc = robotscheck_run("Bot/1.0", path, urls + 4, 1, stdout, &bad);
	tap_ok(t, rc == FAULT_URL_RELATIVE || rc == FAULT_URL_SCHEME,
	    "a URL that is none: %s", fault_str(rc));
	tap_ok(t, bad == 0, "it is named");
	unlink(path);
	rc = robotscheck_run("Bot/1.0", path, urls, 1, stdout, &bad);
	tap_ok(t, rc == FAULT_SYS && errno == ENOENT && bad == -1, "no file");
}

static void
sitemap(struct tap *t)
{
	char path[256], *got = NULL;
	size_t len = 0;
	FILE *out;
	int rc;

	make_file(path, sizeof path,
	    "<urlset><url><loc>http://x/\n1</loc></url>"
	    "<url><loc>http://x/2?a&amp;b</loc></url></urlset>");
	out = open_memstream(&got, &len);
	if (out == NULL)
		abort();
	rc = sitemapcheck_run(path, out);
	fclose(out);
	tap_ok(t, rc == 0 && strcmp(got, "http://x/1\nhttp://x/2?a&b\n") == 0,
	    "sitemap, a line for each URL");
	free(got);
	unlink(path);
	tap_ok(t, sitemapcheck_run(path, stdout) == FAULT_SYS, "no file");
}

static void
limited(struct tap *t)
{
	char *buf, path[256], want[100001];
	size_t len;

	memset(want, 'x', sizeof want - 1);
	want[sizeof want - 1] = '\0';
	make_file(path, sizeof path, want);
	tap_ok(t, slurp_file(path, 200000, &buf, &len) == 0 && len == 100000,
	    "a whole file");
	free(buf);
	tap_ok(t, slurp_file(path, 99999, &buf, &len) == 0 && len == 99999,
	    "no more than asked for");
	free(buf);
	unlink(path);
	tap_ok(t, slurp_file("/", 10, &buf, &len) == FAULT_SYS, "a folder");
}

int
main(void)
{
	struct tap t = { 0, 0 };

	robots(&t);
	sitemap(&t);
	limited(&t);
	return tap_done(&t);
}
