/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawl-check.c - does a state directory hold exactly that crawl?
 *
 *	crawl-check DIR TRUTH
 *
 * TRUTH has a URL a line.  Each of them must be done in the journal, once,
 * and nothing else; each done record must name a frame of the archive that
 * can be read to its end and holds that URL; no URL may have been admitted
 * twice.  What is wrong is printed, a line each.
 */

#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crawler/unpack.h"
#include "snapshot/journal_read.h"
#include "tests/webtable.h"

enum {
	IN_TRUTH = 1,
	ADMITTED = 2,
	DONE = 4,
};

struct check {
	struct webtable urls;
	struct webtable frames; /* "FILE OFFSET LENGTH URL" */
	char **url;             /* by ordinal */
	size_t ordinals;
	unsigned long wrong;
};

static void
die(const char *what)
{
	fprintf(stderr, "crawl-check: %s: %s\n", what, strerror(errno));
	exit(2);
}

static void
wrong(struct check *k, const char *what, const char *url)
{
	printf("%s: %s\n", what, url);
	k->wrong++;
}

/* ---- what is there ---- */

static void
truth(struct check *k, const char *file)
{
	FILE *f = fopen(file, "re");
	char *line = NULL;
	size_t size = 0;
	ssize_t n;

	if (f == NULL)
		die(file);
	for (n = getline(&line, &size, f); n > 0;
	     n = getline(&line, &size, f)) {
		line[strcspn(line, "\n")] = '\0';
		webtable_find(&k->urls, line)->sets |= IN_TRUTH;
	}
	free(line);
	(void)fclose(f);
}

/* Every frame of one archive file. */
static void
frames(struct check *k, int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC), rc;
	struct unpack_record r;
	struct unpack *u = NULL;
	char text[2 * 16384];

	if (fd < 0 || unpack_new(&u, fd) < 0)
		die(name);
	for (;;) {
		rc = unpack_next(u, &r);
		if (rc <= 0)
			break;
		snprintf(text, sizeof text, "%s %" PRIu64 " %" PRIu64 " %.*s",
		    name, r.offset, r.length, (int)r.head.url.len,
		    r.head.url.s);
		webtable_find(&k->frames, text)->sets = 1;
	}
	if (rc < 0)
		wrong(k, "archive file is damaged", name);
	unpack_free(u);
	(void)close(fd);
}

static void
archive(struct check *k, const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	if (d == NULL)
		die(dir);
	for (e = readdir(d); e != NULL; e = readdir(d)) {
		if (strstr(e->d_name, ".broken") != NULL)
			continue; /* of a power cut: all zeros */
		if (strstr(e->d_name, ".warc.") != NULL)
			frames(k, dirfd(d), e->d_name);
		else if (strstr(e->d_name, ".cdxj") == NULL &&
		    e->d_name[0] != '.')
			wrong(k, "what is that in the archive", e->d_name);
		else if (strstr(e->d_name, ".open") != NULL ||
		    strstr(e->d_name, ".tmp") != NULL)
			wrong(k, "left in the archive", e->d_name);
	}
	(void)closedir(d);
}

/* ---- the journal ---- */

static void
admitted(struct check *k, const struct record *r, const char *url)
{
	struct webtable_entry *e = webtable_find(&k->urls, url);
	size_t n = (size_t)r->ordinal;

	if (e->sets & ADMITTED)
		wrong(k, "admitted twice", url);
	e->sets |= ADMITTED;
	if (n >= k->ordinals) {
		k->url = realloc(k->url, (n + 1) * 2 * sizeof *k->url);
		if (k->url == NULL)
			die("memory");
		memset(k->url + k->ordinals, 0,
		    ((n + 1) * 2 - k->ordinals) * sizeof *k->url);
		k->ordinals = (n + 1) * 2;
	}
	if (k->url[n] != NULL)
		wrong(k, "an ordinal twice", url);
	k->url[n] = strdup(url);
}

static void
ended(struct check *k, const char *url)
{
	struct webtable_entry *e = webtable_find(&k->urls, url);

	if (e->sets & DONE)
		wrong(k, "done twice", url);
	if (!(e->sets & ADMITTED))
		wrong(k, "done and not admitted", url);
	e->sets |= DONE;
}

static void
placed(struct check *k, const struct record *r, const char *url)
{
	char text[2 * 16384];

	snprintf(text, sizeof text, "%.*s %" PRIu64 " %" PRIu64 " %s",
	    (int)r->text.len, r->text.s, r->offset, r->length, url);
	if (webtable_find(&k->frames, text)->sets == 0)
		wrong(k, "no frame where its record says", text);
}

static void
folded(struct check *k, const struct record *r)
{
	uint64_t ordinal = 0;
	size_t at = 0;
	int rc;

	for (;;) {
		rc = record_unfold(r, &at, &ordinal);
		if (rc <= 0)
			break;
		if (ordinal >= k->ordinals || k->url[ordinal] == NULL)
			wrong(k, "folded and not admitted", "-");
		else
			ended(k, k->url[ordinal]);
	}
	if (rc < 0)
		wrong(k, "folded record is damaged", "-");
}

static void
record(struct check *k, const struct record *r)
{
	char url[16384];

	snprintf(url, sizeof url, "%.*s", (int)r->url.len, r->url.s);
	switch (r->type) {
	case RECORD_ADMITTED:
		admitted(k, r, url);
		break;
	case RECORD_DONE:
		ended(k, url);
		placed(k, r, url);
		break;
	case RECORD_FOLDED:
		folded(k, r);
		break;
	case RECORD_FAILED:
		wrong(k, "failed", url);
		break;
	default:
		break;
	}
}

static void
journal(struct check *k, const char *path)
{
	int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc;
	struct journal_read *j = NULL;
	struct record r;

	if (dir < 0 || journal_read_open(&j, dir, NULL) < 0)
		die(path);
	for (;;) {
		rc = journal_read_next(j, &r, NULL);
		if (rc <= 0)
			break;
		record(k, &r);
	}
	if (rc < 0 || journal_read_torn(j) > 0)
		wrong(k, "journal", journal_read_detail(j));
	journal_read_close(j);
	(void)close(dir);
}

int
main(int argc, char **argv)
{
	struct check k;
	size_t i;

	memset(&k, 0, sizeof k);
	if (argc != 3 || chdir(argv[1]) != 0) {
		fprintf(stderr, "usage: crawl-check DIR TRUTH (a full path)\n");
		return 2;
	}
	truth(&k, argv[2]);
	archive(&k, "archive");
	journal(&k, "journal");
	for (i = 0; i < k.urls.room; i++) {
		if (k.urls.e[i].name == NULL)
			continue;
		if ((k.urls.e[i].sets & (IN_TRUTH | DONE)) == IN_TRUTH)
			wrong(&k, "missing", k.urls.e[i].name);
		if ((k.urls.e[i].sets & (IN_TRUTH | DONE)) == DONE)
			wrong(&k, "not in the truth", k.urls.e[i].name);
	}
	webtable_free(&k.urls);
	webtable_free(&k.frames);
	for (i = 0; i < k.ordinals; i++)
		free(k.url[i]);
	free(k.url);
	return k.wrong > 0;
}
