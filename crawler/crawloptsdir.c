/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawloptsdir.c - which state directory, and what its config says
 */

#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crawler/archive.h"
#include "crawler/core.h"
#include "crawler/crawlopts.h"
#include "dedup/filter.h"
#include "dedup/optable.h"
#include "dedup/url.h"
#include "frontier/scope.h"
#include "snapshot/file.h"
#include "snapshot/journal_read.h"
#include "snapshot/limits.h"

void
crawlopts_free(struct crawlopts *o)
{
	struct crawlopts_list *const all[] = { &o->include, &o->exclude,
		&o->header, &o->resolve, &o->connect_to };
	size_t i;

	for (i = 0; i < sizeof all / sizeof all[0]; i++) {
		free(all[i]->s);
		memset(all[i], 0, sizeof *all[i]);
	}
	for (i = 0; i < o->texts; i++)
		free(o->text[i]);
	o->texts = 0;
	free(o->tuning);
	o->tuning = NULL;
}

int
crawlopts_is_url(const char *s)
{
	return strncasecmp(s, "http://", 7) == 0 ||
	    strncasecmp(s, "https://", 8) == 0;
}

/* The host of a seed that is a URL. */
static char *
host_of(const char *s, char *err, size_t size)
{
	struct url *u = url_new(0);
	struct url_parts parts;
	struct url_span out;
	char *dir = NULL;
	int rc = u == NULL ? FAULT_NOMEM : url_normalise(u, s, strlen(s), &out);

	if (rc == 0)
		rc = url_split(out, &parts);
	if (rc == 0)
		dir = strndup(out.s + parts.host, parts.host_end - parts.host);
	url_free(u);
	if (dir != NULL && strspn(dir, ".") == strlen(dir)) {
		optable_wrong(err, size,
		    "seed '%.200s': its host names no folder: give -d DIR", s);
		free(dir);
		return NULL;
	}
	if (dir == NULL)
		optable_wrong(err, size, "seed '%.200s': %s", s,
		    fault_str(rc < 0 ? rc : FAULT_NOMEM));
	return dir;
}

/* "dir/seed.txt" has "dir/seed.crawl". */
static char *
beside(const char *file)
{
	const char *name = strrchr(file, '/'), *dot;
	size_t len;
	char *dir;

	name = name == NULL ? file : name + 1;
	dot = strrchr(name, '.');
	len = dot == NULL || dot == name ? strlen(name) : (size_t)(dot - name);
	len += (size_t)(name - file);
	dir = malloc(len + sizeof ".crawl");
	if (dir == NULL)
		return NULL;
	memcpy(dir, file, len);
	memcpy(dir + len, ".crawl", sizeof ".crawl");
	return dir;
}

char *
crawlopts_dir(const struct crawlopts *o, char *err, size_t size)
{
	const char *seed;
	char *dir;

	if (o->dir != NULL) {
		dir = strdup(o->dir);
	} else if (o->mode != CRAWLOPTS_CRAWL) {
		dir = strdup(o->seeds[0]);
	} else {
		seed = o->seeds[0];
		if (strcmp(seed, "-") == 0) {
			optable_wrong(err, size,
			    "seeds from standard input have no name: give "
			    "-d DIR");
			return NULL;
		}
		if (crawlopts_is_url(seed))
			return host_of(seed, err, size);
		dir = beside(seed);
	}
	if (dir == NULL)
		optable_wrong(err, size, "out of memory");
	return dir;
}

/* ---- DIR/config ---- */

int
crawlopts_lost(const struct crawlopts *made, int dirfd)
{
	return made->hash_seed == 0 && crawlopts_begun(dirfd);
}

int
crawlopts_begun(int dirfd)
{
	struct journal_read *j = NULL;
	struct record r;
	int fd, some;

	fd = file_open_dir(dirfd, CORE_JOURNAL);
	if (fd < 0)
		return 0;
	some = journal_read_open(&j, fd, NULL) >= 0 &&
	    journal_read_next(j, &r, NULL) > 0;
	journal_read_close(j);
	file_close(fd);
	return some;
}

static int
save_list(struct buf *out, const char *name, const struct crawlopts_list *l)
{
	size_t i;
	int rc = 0;

	for (i = 0; i < l->n && rc == 0; i++)
		rc = buf_fmt(out, "%s = %s\n", name, l->s[i]);
	return rc;
}

static int
save_rules(struct buf *out, uint32_t rules)
{
	unsigned int i;
	int rc = 0;

	for (i = 0; i < URL_RULES && rc == 0; i++)
		if (rules & UINT32_C(1) << i)
			rc = buf_fmt(out, "rules = %s\n", url_rule_name(i));
	return rc;
}

static int
save_numbers(const struct crawlopts *o, struct buf *out)
{
	int rc = 0;

	if (o->depth != UINT64_MAX)
		rc = buf_fmt(out, "depth = %" PRIu64 "\n", o->depth);
	if (rc == 0 && o->host_pages > 0)
		rc = buf_fmt(out, "host-pages = %" PRIu64 "\n", o->host_pages);
	if (rc == 0 && o->ip_delay >= 0)
		rc = buf_fmt(out, "ip-delay = %.3f\n",
		    (double)o->ip_delay / 1000);
	if (rc == 0 && o->capacity > 0)
		rc = buf_fmt(out, "capacity = %" PRIu64 "\n", o->capacity);
	return rc;
}

/* The lines themselves. */
static int
save(const struct crawlopts *o, struct buf *out)
{
	static const char *const archives[] = { "none", "zst", "gz" };
	int rc;

	rc = buf_fmt(out,
	    "hash-seed = %" PRIu64 "\n"
	    "scope = %s\n"
	    "delay = %.3f\n"
	    "user-agent = %s\n"
	    "archive = %s\n"
	    "max-body = %" PRIu64 "\n"
	    "fp-rate = %g\n"
	    "kind = %s\n"
	    "embeds = %s\n"
	    "forms = %s\n"
	    "nofollow = %s\n"
	    "sitemaps = %s\n",
	    o->hash_seed, scope_kind_name((enum scope_kind)o->scope),
	    (double)o->delay / 1000, o->agent, archives[o->archive],
	    o->max_body, o->fp_rate, filter_kind_name(o->kind),
	    o->embeds ? "yes" : "no", o->forms ? "yes" : "no",
	    o->nofollow ? "ignore" : "obey", o->sitemaps ? "yes" : "no");
	if (rc == 0)
		rc = save_numbers(o, out);
	if (rc == 0)
		rc = save_rules(out, o->rules);
	if (rc == 0)
		rc = save_list(out, "include", &o->include);
	if (rc == 0)
		rc = save_list(out, "exclude", &o->exclude);
	return rc;
}

/* Each line of `b' as what the last run went by. */
static int
save_was(const struct buf *b, struct buf *out)
{
	const char *s = b->s, *end = s + b->len, *nl;
	int rc = buf_str(out,
	    "# With crawl.conf the last run went by this; the next one does "
	    "not.\n");

	for (; rc == 0 && s < end; s = nl + 1) {
		nl = memchr(s, '\n', (size_t)(end - s));
		rc = buf_str(out, "was = ");
		if (rc == 0)
			rc = buf_add(out, s, (size_t)(nl + 1 - s));
	}
	return rc;
}

int
crawlopts_save(const struct crawlopts *kept, const struct crawlopts *o,
    struct buf *out)
{
	size_t head;
	struct buf b;
	int rc;

	buf_init(&b, LIMIT_CONFIG);
	rc = buf_str(out,
	    "# What this crawl is made with; a later command line overrides "
	    "it.\n"
	    "# Written by crawl: use crawl.conf for settings of your own.\n");
	head = out->len;
	if (rc == 0)
		rc = save(kept, out);
	if (rc == 0)
		rc = save(o, &b);
	if (rc == 0 &&
	    (out->len - head != b.len ||
		memcmp(out->s + head, b.s, b.len) != 0))
		rc = save_was(&b, out);
	if (rc == 0)
		rc = buf_str(out, CRAWLOPTS_END "\n");
	buf_free(&b);
	return rc;
}
