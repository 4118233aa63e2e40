/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "tests/webanswer.h"
#include "tests/webmet.h"
#include "tests/webpages.h"
#include "tests/webrobots.h"
#include "tests/webtruth.h"
#include "tests/webzone.h"

struct walk {
	const struct web *web;
	const struct webtruth *t;
	struct webmets mets;
	size_t *queue; /* entries whose links are still to be looked at */
	size_t head, tail, room;
	int in_robots; /* 1: the links at hand are of a robots.txt */
};

static void
enqueue(struct walk *w, const struct webmet *m)
{
	w->queue = webmets_grown(&w->mets, w->queue, w->tail, &w->room,
	    sizeof *w->queue);
	if (!w->mets.failed)
		w->queue[w->tail++] = (size_t)(m - w->mets.met);
}

/* Seeds are the roots of the hosts below `seeds'. */
static int
in_scope(const struct walk *w, const char *host)
{
	const char *end = strstr(host, ".test"), *p = end;
	uint32_t h;

	switch (w->t->scope) {
	case WEBTRUTH_ANY:
		return 1;
	case WEBTRUTH_HOST:
		return web_host_find(w->web, host, &h) && h < w->t->seeds;
	case WEBTRUTH_DOMAIN:
		break;
	}
	/* the registrable domain is hN.test, whatever stands before it */
	if (end == NULL || (end[5] != '\0' && end[5] != ':'))
		return 0;
	while (p > host && p[-1] >= '0' && p[-1] <= '9')
		p--;
	if (p == end || p == host || p[-1] != 'h' ||
	    (p - 1 > host && p[-2] != '.'))
		return 0;
	return strtoul(p, NULL, 10) < w->t->seeds;
}

/* A robots.txt must be asked for, and what it is redirected to. */
static void
note_robots(struct walk *w, const char *host, const char *path)
{
	struct webmet *m;

	if (w->t->ignore_robots || webmets_find(&w->mets, host, path) != NULL)
		return;
	m = webmets_add(&w->mets, host, path);
	if (m == NULL)
		return;
	m->set = WEBMET_ROBOTS;
	enqueue(w, m);
}

static int
allowed(const struct walk *w, const char *host, const char *path)
{
	const struct webzone *z;
	unsigned int i;
	uint32_t h;

	if (w->t->ignore_robots)
		return 1;
	z = webzone_find(w->web, host, &i);
	if (z != NULL)
		return z->allows == NULL || z->allows(w->web, i, path);
	return !web_host_find(w->web, host, &h) ||
	    webpages_allows(w->web, h, path);
}

/* What is to be done with the target of a link, and why it is left alone. */
static enum webmet_set
judge(struct walk *w, const struct webpage_edge *e, const char *host,
    const char *path, const char **reason)
{
	static const char *const name[] = { "follow", "redirect", "sitemap",
		"embed", "nofollow", "phantom", "private", "maybe", "trap" };
	enum webpage_why why = e->why;

	*reason = name[why];
	if (why == WEBPAGE_PHANTOM || why == WEBPAGE_PRIVATE ||
	    (why == WEBPAGE_EMBED && !w->t->embeds) ||
	    (why == WEBPAGE_NOFOLLOW && !w->t->ignore_nofollow) ||
	    (why == WEBPAGE_SITEMAP && w->t->no_sitemaps))
		return WEBMET_FORBIDDEN;
	*reason = "scope";
	if (!in_scope(w, host))
		return WEBMET_FORBIDDEN;
	note_robots(w, host, "/robots.txt");
	*reason = "robots";
	if (!allowed(w, host, path))
		return WEBMET_FORBIDDEN;
	*reason = NULL;
	if (why == WEBPAGE_TRAP)
		return WEBMET_TRAP;
	return why == WEBPAGE_MAYBE ? WEBMET_MAYBE : WEBMET_FETCH;
}

static void
meet_page(struct walk *w, const struct webpage_edge *e)
{
	char host[WEB_HOST_MAX], path[WEB_PATH_MAX];
	struct webmet *m = webmets_page(&w->mets, e->h, e->n);
	const char *reason;
	enum webmet_set set;
	size_t i;

	if (m == NULL)
		return;
	i = (size_t)(m - w->mets.met);
	web_host(w->web, e->h, host);
	web_path(w->web, e->h, e->n, path);
	set = judge(w, e, host, path, &reason);
	m = &w->mets.met[i]; /* judging may have moved it */
	m->set = set;
	m->reason = reason;
	if (set == WEBMET_FETCH)
		enqueue(w, m);
}

/* A URL that one link forbids may still be allowed by another. */
static void
meet_named(struct walk *w, const struct webpage_edge *e)
{
	const char *reason;
	enum webmet_set set = judge(w, e, e->host, e->path, &reason);
	struct webmet *m = webmets_find(&w->mets, e->host, e->path);

	if (m != NULL && m->set >= set)
		return;
	if (m == NULL)
		m = webmets_add(&w->mets, e->host, e->path);
	if (m == NULL)
		return;
	m->set = set;
	m->reason = reason;
	if (set == WEBMET_FETCH)
		enqueue(w, m);
}

static void
meet(void *arg, const struct webpage_edge *e)
{
	struct walk *w = arg;
	struct webpage_edge page = *e;

	if (w->mets.failed)
		return;
	if (w->in_robots && e->why == WEBPAGE_REDIRECT) {
		note_robots(w, e->host, e->path);
		return;
	}
	if (e->host != NULL && web_host_find(w->web, e->host, &page.h) &&
	    web_path_find(w->web, page.h, e->path, &page.n))
		page.host = NULL;
	if (page.host == NULL)
		meet_page(w, &page);
	else
		meet_named(w, e);
}

static void
walk_all(struct walk *w)
{
	char host[WEB_HOST_MAX], path[WEB_PATH_MAX];
	struct webpage_edge seed = { NULL, NULL, 0, 0, WEBPAGE_FOLLOW };
	struct webanswer a;
	const struct webmet *m;

	memset(&a, 0, sizeof a);
	a.web = w->web;
	a.walk = meet;
	a.arg = w;
	for (; seed.h < w->t->seeds && seed.h < w->web->hosts; seed.h++)
		meet(w, &seed);
	while (w->head < w->tail && !w->mets.failed) {
		m = &w->mets.met[w->queue[w->head++]];
		w->in_robots = m->set == WEBMET_ROBOTS;
		if (m->host != NULL) {
			webanswer_get(&a, m->host, m->path);
			continue;
		}
		web_host(w->web, m->h, host);
		web_path(w->web, m->h, m->n, path);
		webanswer_get(&a, host, path);
	}
	webanswer_free(&a);
}

static int
by_text(const void *a, const void *b)
{
	const char *const *x = a, *const *y = b;

	return strcmp(*x, *y);
}

/* The line of one URL, malloc'd; NULL if there is no memory. */
static char *
line_of(const struct walk *w, const struct webmet *m)
{
	char host[WEB_HOST_MAX], path[WEB_PATH_MAX];
	struct webbuf b = { NULL, 0, 0, 0 };
	char *s = NULL;

	if (m->host == NULL) {
		web_host(w->web, m->h, host);
		web_path(w->web, m->h, m->n, path);
	}
	webbuf_fmt(&b, "http://%s%s", m->host == NULL ? host : m->host,
	    m->host == NULL ? path : m->path);
	if (w->t->reasons && m->reason != NULL)
		webbuf_fmt(&b, "\t%s", m->reason);
	if (!b.failed)
		s = strndup(b.s, b.len);
	webbuf_free(&b);
	return s;
}

static void
print_set(struct walk *w, enum webmet_set set, FILE *out)
{
	struct webmets *all = &w->mets;
	char **line = malloc((all->count + 1) * sizeof *line);
	size_t i, n = 0;

	all->failed |= line == NULL;
	for (i = 0; i < all->count && !all->failed; i++) {
		if (all->met[i].set != set)
			continue;
		line[n] = line_of(w, &all->met[i]);
		all->failed |= line[n] == NULL;
		n++;
	}
	if (!all->failed)
		qsort(line, n, sizeof *line, by_text);
	for (i = 0; i < n; i++) {
		if (!all->failed)
			fprintf(out, "%s\n", line[i]);
		free(line[i]);
	}
	free(line);
}

static void
print_delays(const struct walk *w, FILE *out)
{
	const struct webmet *m;
	unsigned int ms;
	size_t i;

	for (i = 0; i < w->mets.count; i++) {
		m = &w->mets.met[i];
		if (m->set != WEBMET_ROBOTS)
			continue;
		ms = webrobots_delay(w->web, m->host);
		if (ms > 0)
			fprintf(out, "%s\t%u\n", m->host, ms);
	}
}

static void
print_seeds(const struct walk *w, FILE *out)
{
	char host[WEB_HOST_MAX];
	uint32_t h;

	for (h = 0; h < w->t->seeds && h < w->web->hosts; h++) {
		web_host(w->web, h, host);
		fprintf(out, "http://%s/\n", host);
	}
}

int
webtruth_print(const struct web *w, const struct webtruth *t,
    enum webtruth_print what, FILE *out)
{
	static const enum webmet_set set[] = { WEBMET_FETCH, WEBMET_ROBOTS,
		WEBMET_FORBIDDEN, WEBMET_MAYBE, WEBMET_TRAP };
	struct walk k;
	int failed;

	memset(&k, 0, sizeof k);
	k.web = w;
	k.t = t;
	webmets_init(&k.mets, w);
	if (what == WEBTRUTH_SEEDS)
		print_seeds(&k, out);
	else if (!k.mets.failed)
		walk_all(&k);
	if (what == WEBTRUTH_DELAYS)
		print_delays(&k, out);
	else if (what != WEBTRUTH_SEEDS && !k.mets.failed)
		print_set(&k, set[what], out);
	failed = k.mets.failed;
	webmets_free(&k.mets);
	free(k.queue);
	return failed ? -1 : 0;
}
