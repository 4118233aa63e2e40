/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlverify.c - crawl --verify: is every byte of a state directory right?
 *
 * The journal is read from end to end, each snapshot, queue and archive file
 * too, the seen set is checked by its sums, the config is looked at, and each
 * done record must name a place within an archive file.  A line for each says
 * what was found.
 */

#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crawler/coreload.h"
#include "crawler/crawlmodes.h"
#include "crawler/crawlrun.h"
#include "crawler/crawlverify.h"
#include "snapshot/file.h"
#include "snapshot/journal_read.h"
#include "snapshot/series.h"
#include "snapshot/snapfile_read.h"
#include "snapshot/statedir.h"

void
crawlverify_damage(struct verify *v, const char *what, const char *why,
    const char *detail)
{
	printf("%s/%s: %s%s%s\n", v->dir, what, why,
	    detail[0] == '\0' ? "" : ": ", detail);
	v->bad = 1;
}

/* ---- the journal ---- */

static const struct verify_place *
place_of(struct verify *v, const struct record *r)
{
	struct verify_place *p = v->place;
	struct stat st;
	size_t i;

	for (i = 0; i < 16; i++)
		if (strlen(p[i].file) == r->text.len &&
		    memcmp(p[i].file, r->text.s, r->text.len) == 0)
			return &p[i];
	p = &v->place[v->next++ % 16];
	memset(p, 0, sizeof *p);
	if (r->text.len >= sizeof p->file)
		return p;
	memcpy(p->file, r->text.s, r->text.len);
	if (fstatat(v->archive, p->file, &st, 0) == 0)
		p->size = (uint64_t)st.st_size;
	return p;
}

static void
check_record(struct verify *v, const struct record *r)
{
	const struct verify_place *p;

	if (r->type != RECORD_DONE || r->text.len == 0)
		return;
	p = place_of(v, r);
	if (r->length > p->size || r->offset > p->size - r->length)
		v->astray++;
}

/*
 * The number of the record that a snapshot says is durable, up to which the
 * journal must reach.
 */
static uint64_t
durable(const struct verify *v)
{
	int fd = statedir_folder(v->state, CORE_SNAPSHOT);
	uint64_t n = fd < 0 ? 0 : coreload_durable(fd);

	file_close(fd);
	return n;
}

/* Not torn: what a snapshot relies on was on the disk. */
static void
short_by(struct verify *v, const struct journal_read *j, uint64_t n)
{
	char what[64], name[SERIES_NAME], where[64] = CORE_JOURNAL;
	uint64_t segment = journal_read_end(j).segment;

	if (segment > 0) {
		series_name(name, segment);
		(void)snprintf(where, sizeof where, CORE_JOURNAL "/%s", name);
	}
	(void)snprintf(what, sizeof what,
	    "%" PRIu64 " records that were there are damaged or gone", n);
	crawlverify_damage(v, where, what, "");
}

static void
journal(struct verify *v, int fd)
{
	struct journal_read *j;
	struct record r;
	uint64_t n = 0, least = durable(v);
	char where[256];
	int rc = journal_read_open(&j, fd, NULL);

	if (rc < 0) {
		crawlverify_damage(v, CORE_JOURNAL, fault_why(rc),
		    j == NULL ? "" : journal_read_detail(j));
		journal_read_close(j);
		return;
	}
	for (;;) {
		rc = journal_read_next(j, &r, NULL);
		if (rc <= 0)
			break;
		n++;
		check_record(v, &r);
	}
	if (rc < 0) {
		(void)snprintf(where, sizeof where, CORE_JOURNAL "/%s",
		    journal_read_detail(j));
		crawlverify_damage(v, where, fault_why(rc), "");
	} else if (journal_read_end(j).seq < least) {
		short_by(v, j, least - journal_read_end(j).seq);
	} else {
		printf("%s/" CORE_JOURNAL ": %" PRIu64 " records are right\n",
		    v->dir, n);
		if (journal_read_torn(j) > 0 && !v->running)
			printf("%s/" CORE_JOURNAL ": %" PRIu64
			       " bytes at the end are torn, as a kill leaves "
			       "them; the next run cuts them off\n",
			    v->dir, journal_read_torn(j));
	}
	journal_read_close(j);
	if (v->astray > 0) {
		printf("%s/" CORE_ARCHIVE ": %" PRIu64 " pages that the "
		       "journal has as done are not there\n",
		    v->dir, v->astray);
		v->bad = 1;
	}
}

/* ---- what the crawl is made with ---- */

static void
config(struct verify *v)
{
	struct crawlopts made;
	int fd = statedir_fd(v->state), rc;
	char err[1024];

	memset(&made, 0, sizeof made);
	rc = crawlopts_made(&made, fd, err, sizeof err);
	if (rc < 0) {
		printf("%s/%s\n", v->dir, err);
		v->bad = 1;
	} else if (crawlopts_lost(&made, fd)) {
		crawlverify_damage(v, CORE_CONFIG, "missing or empty",
		    "the options that this crawl is made with are lost");
	} else {
		printf("%s/" CORE_CONFIG ": is right\n", v->dir);
	}
	crawlopts_free(&made);
}

/* ---- snapshots ---- */

static void
snapshots(struct verify *v, int fd)
{
	char name[64], file[SERIES_NAME];
	struct snapfile_read *r;
	uint64_t n = 0;
	int rc;

	for (;;) {
		rc = series_next(fd, n, &n);
		if (rc <= 0)
			break;
		series_name(file, n);
		(void)snprintf(name, sizeof name, CORE_SNAPSHOT "/%s", file);
		rc = snapfile_read_open(&r, fd, n);
		if (rc < 0 && !(v->running && rc == FAULT_SYS))
			crawlverify_damage(v, name, fault_why(rc),
			    snapfile_read_detail(r));
		else if (rc >= 0)
			printf("%s/%s: is right\n", v->dir, name);
		snapfile_read_close(r);
	}
	if (rc < 0)
		crawlverify_damage(v, CORE_SNAPSHOT, fault_why(rc), "");
}

/* ---- the archive ---- */

static int
is_warc(const char *name)
{
	const char *at = strstr(name, ".warc.");

	return at != NULL &&
	    (strcmp(at, ".warc.zst") == 0 || strcmp(at, ".warc.gz") == 0);
}

/* 1 if the file's index is not closed: it is being written. */
static int
is_open(const struct verify *v, const char *name)
{
	char index[300];
	size_t len = (size_t)(strstr(name, ".warc.") - name);

	(void)snprintf(index, sizeof index, "%.*s.cdxj.open", (int)len, name);
	return v->running && faccessat(v->archive, index, F_OK, 0) == 0;
}

/* An archive file's index, which was looked at with the file itself. */
static void
index_file(struct verify *v, const char *name, int rc)
{
	char what[300];

	if (rc > 0 || (rc == FAULT_SYS && v->running))
		return;
	(void)snprintf(what, sizeof what, CORE_ARCHIVE "/%.*s.cdxj",
	    (int)(strstr(name, ".warc.") - name), name);
	if (rc == 0)
		printf("%s/%s: is not made yet, the next run does it\n", v->dir,
		    what);
	else
		crawlverify_damage(v, what,
		    rc == FAULT_MISMATCH ? "is not the archive file's index" :
					   fault_why(rc),
		    "without it the next run makes it anew");
}

static void
archive_file(struct verify *v, const char *name)
{
	char what[300], at[64] = "";
	uint64_t where = 0;
	int index;
	int64_t n;

	(void)snprintf(what, sizeof what, CORE_ARCHIVE "/%s", name);
	if (is_open(v, name)) {
		printf("%s/%s: is being written, not checked\n", v->dir, what);
		return;
	}
	n = archive_verify_index(v->archive, name, &where, &index);
	if (n >= 0) {
		printf("%s/%s: %" PRId64 " records are right\n", v->dir, what,
		    n);
		index_file(v, name, index);
		return;
	}
	if (n == FAULT_DAMAGED || n == FAULT_TRUNCATED)
		(void)snprintf(at, sizeof at, "at byte %" PRIu64, where);
	crawlverify_damage(v, what, fault_why((int)n), at);
}

static int
by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void
archives(struct verify *v)
{
	struct dirent **list;
	int i, n = scandirat(v->archive, ".", &list, NULL, by_name);

	if (n < 0) {
		crawlverify_damage(v, CORE_ARCHIVE, strerror(errno), "");
		return;
	}
	for (i = 0; i < n; i++) {
		if (is_warc(list[i]->d_name))
			archive_file(v, list[i]->d_name);
		free(list[i]);
	}
	free(list);
}

/* ---- the seen set ---- */

static void
seen(struct verify *v)
{
	char path[4096], at[80];
	struct filter *f;
	uint64_t where = 0;
	int rc;

	(void)snprintf(path, sizeof path, "%s/" CORE_SEEN, v->dir);
	rc = filter_open(&f, path, FILTER_LOOK);
	if (rc < 0) {
		crawlverify_damage(v, CORE_SEEN, fault_why(rc),
		    rc == FAULT_VERSION ?
			"a newer crawl made it: use that one, or remove it" :
			rc == FAULT_LOCKED || rc == FAULT_NOTFILE ?
			"" :
			"the next run makes it anew from the journal");
		return;
	}
	rc = filter_verify(f, &where);
	if (rc == 0)
		printf("%s/" CORE_SEEN ": header and sums are right\n", v->dir);
	else if (rc > 0)
		printf("%s/" CORE_SEEN ": header is right; in use or not "
		       "closed, so it has no sums to check\n",
		    v->dir);
	(void)snprintf(at, sizeof at,
	    "MiB %" PRIu64 "; the next run makes it anew from the journal",
	    where);
	if (rc < 0)
		crawlverify_damage(v, CORE_SEEN, fault_why(rc),
		    rc == FAULT_SYS ? "" : at);
	filter_abandon(f);
}

/* Open a folder and have it checked. */
static void
folder(struct verify *v, const char *name,
    void (*check)(struct verify *v, int fd))
{
	int fd = statedir_folder(v->state, name);

	if (fd < 0) {
		crawlverify_damage(v, name, fault_why(fd), "");
		return;
	}
	check(v, fd);
	file_close(fd);
}

int
crawlmodes_verify(const struct crawlopts *o, const char *dir)
{
	struct verify v;
	pid_t pid;
	int rc, err;

	(void)o;
	memset(&v, 0, sizeof v);
	v.dir = dir;
	rc = statedir_open(&v.state, dir, STATEDIR_LOOK, NULL);
	if (rc < 0)
		return crawlsay_dir(dir, rc);
	v.running = statedir_holder(v.state, &pid) > 0;
	v.archive = statedir_folder(v.state, CORE_ARCHIVE);
	err = errno;
	config(&v);
	folder(&v, CORE_JOURNAL, journal);
	folder(&v, CORE_SNAPSHOT, snapshots);
	folder(&v, CORE_FRONTIER, crawlverify_queues);
	if (v.archive >= 0) {
		archives(&v);
	} else {
		errno = err;
		crawlverify_damage(&v, CORE_ARCHIVE, fault_why(v.archive), "");
	}
	seen(&v);
	file_close(v.archive);
	statedir_close(v.state);
	if (fflush(stdout) != 0 || ferror(stdout))
		return crawlsay("standard output: %s", strerror(errno));
	return v.bad ? CRAWL_FAILED : CRAWL_OK;
}
