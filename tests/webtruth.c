/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "tests/webanswer.h"
#include "tests/webrobots.h"
#include "tests/webtruth.h"

/* A URL that was met: a generated page, or, if `host', any other. */
struct met {
	char *host, *path; /* one block, path within */
	uint32_t h, n;
	const char *reason; /* why it must not be fetched, or NULL */
	enum webtruth_set set;
};

struct walk {
	const struct web *web;
	const struct webtruth *t;
	unsigned char *page; /* a bit per generated page: met */
	unsigned char *host; /* a bit per host: its robots.txt is noted */
	struct met *met;
	size_t mets, met_room;
	size_t *slot; /* index + 1 into `met' by hash, 0: empty */
	size_t slots; /* a power of two, or 0 */
	size_t *queue;
	size_t head, tail, queue_room;
	int failed;
};

static int
bit_set(unsigned char *map, uint64_t i)
{
	int was = map[i / 8] >> (i % 8) & 1;

	map[i / 8] |= (unsigned char)(1u << (i % 8));
	return was;
}

/* Make room for one more `size'-byte element. */
static void *
grown(struct walk *w, void *old, size_t n, size_t *room, size_t size)
{
	size_t want = *room == 0 ? 1024 : *room * 2;
	void *p;

	if (n < *room)
		return old;
	p = realloc(old, want * size);
	if (p == NULL) {
		w->failed = 1;
		return old;
	}
	*room = want;
	return p;
}

/* FNV-1a over both strings, with their NUL between. */
static uint64_t
name_hash(const char *host, const char *path)
{
	uint64_t x = UINT64_C(0xcbf29ce484222325);

	for (; *host != '\0'; host++)
		x = (x ^ (unsigned char)*host) * UINT64_C(0x100000001b3);
	for (; *path != '\0'; path++)
		x = (x ^ (unsigned char)*path) * UINT64_C(0x100000001b3);
	return x ^ x >> 29;
}

/* The slot of a named URL, or the empty one where it would go. */
static size_t *
slot_of(struct walk *w, const char *host, const char *path)
{
	size_t i = name_hash(host, path) & (w->slots - 1);
	const struct met *m;

	for (; w->slot[i] != 0; i = (i + 1) & (w->slots - 1)) {
		m = &w->met[w->slot[i] - 1];
		if (strcmp(m->host, host) == 0 && strcmp(m->path, path) == 0)
			break;
	}
	return &w->slot[i];
}

/* Keep the slots at most half full of what `met' can hold. */
static void
rehash(struct walk *w)
{
	size_t i;

	if (w->slots >= 2 * w->met_room)
		return;
	free(w->slot);
	w->slots = 2 * w->met_room;
	w->slot = calloc(w->slots, sizeof *w->slot);
	if (w->slot == NULL) {
		w->failed = 1;
		return;
	}
	for (i = 0; i < w->mets; i++)
		if (w->met[i].host != NULL)
			*slot_of(w, w->met[i].host, w->met[i].path) = i + 1;
}

static struct met *
append(struct walk *w)
{
	w->met = grown(w, w->met, w->mets, &w->met_room, sizeof *w->met);
	if (!w->failed)
		rehash(w);
	if (w->failed)
		return NULL;
	memset(&w->met[w->mets], 0, sizeof w->met[0]);
	return &w->met[w->mets++];
}

static struct met *
append_named(struct walk *w, const char *host, const char *path)
{
	size_t n = strlen(host) + 1, k = strlen(path) + 1;
	struct met *m = append(w);

	if (m == NULL)
		return NULL;
	m->host = malloc(n + k);
	if (m->host == NULL) {
		w->failed = 1;
		w->mets--;
		return NULL;
	}
	memcpy(m->host, host, n);
	m->path = m->host + n;
	memcpy(m->path, path, k);
	*slot_of(w, host, path) = (size_t)(m - w->met) + 1;
	return m;
}

static void
enqueue(struct walk *w, const struct met *m)
{
	w->queue =
	    grown(w, w->queue, w->tail, &w->queue_room, sizeof *w->queue);
	if (!w->failed)
		w->queue[w->tail++] = (size_t)(m - w->met);
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

/* Note that this host's robots.txt must be asked for. */
static void
note_robots(struct walk *w, const char *host)
{
	struct met *m;
	uint32_t h;

	if (w->t->ignore_robots)
		return;
	if (web_host_find(w->web, host, &h) && bit_set(w->host, h))
		return;
	if (w->slots > 0 && *slot_of(w, host, "/robots.txt") != 0)
		return;
	m = append_named(w, host, "/robots.txt");
	if (m != NULL)
		m->set = WEBTRUTH_ROBOTS;
}

/* Why a URL must not be fetched, or NULL. */
static const char *
refusal(struct walk *w, const struct webpage_edge *e, const char *host,
    const char *path)
{
	uint32_t h;

	if (e->why == WEBPAGE_PHANTOM)
		return "phantom";
	if (e->why == WEBPAGE_EMBED && !w->t->embeds)
		return "embed";
	if (e->why == WEBPAGE_NOFOLLOW && !w->t->ignore_nofollow)
		return "nofollow";
	if (!in_scope(w, host))
		return "scope";
	note_robots(w, host);
	if (!w->t->ignore_robots && web_host_find(w->web, host, &h) &&
	    !webrobots_allows(w->web, h, path))
		return "robots";
	return NULL;
}

static void
meet_page(struct walk *w, const struct webpage_edge *e)
{
	char host[WEB_HOST_MAX], path[WEB_PATH_MAX];
	const char *reason;
	struct met *m;

	if (bit_set(w->page, (uint64_t)e->n * w->web->hosts + e->h))
		return;
	web_host(w->web, e->h, host);
	web_path(w->web, e->h, e->n, path);
	reason = refusal(w, e, host, path);
	m = append(w);
	if (m == NULL)
		return;
	m->h = e->h;
	m->n = e->n;
	m->reason = reason;
	m->set = reason == NULL ? WEBTRUTH_FETCH : WEBTRUTH_FORBIDDEN;
	if (reason == NULL)
		enqueue(w, m);
}

/* A URL that one link forbids may still be allowed by another. */
static void
meet_named(struct walk *w, const struct webpage_edge *e)
{
	const char *reason;
	struct met *m = NULL;
	size_t at = 0;

	if (w->slots > 0)
		at = *slot_of(w, e->host, e->path);
	if (at != 0 && w->met[at - 1].set != WEBTRUTH_FORBIDDEN)
		return;
	reason = refusal(w, e, e->host, e->path);
	if (at != 0)
		m = &w->met[at - 1];
	else
		m = append_named(w, e->host, e->path);
	if (m == NULL)
		return;
	m->reason = reason;
	m->set = reason == NULL ? WEBTRUTH_FETCH : WEBTRUTH_FORBIDDEN;
	if (reason == NULL)
		enqueue(w, m);
}

static void
meet(void *arg, const struct webpage_edge *e)
{
	struct walk *w = arg;
	struct webpage_edge page = *e;

	if (w->failed)
		return;
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
	const struct met *m;

	memset(&a, 0, sizeof a);
	a.web = w->web;
	a.walk = meet;
	a.arg = w;
	for (; seed.h < w->t->seeds && seed.h < w->web->hosts; seed.h++)
		meet(w, &seed);
	while (w->head < w->tail && !w->failed) {
		m = &w->met[w->queue[w->head++]];
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
line_of(const struct walk *w, const struct met *m)
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
print_set(struct walk *w, enum webtruth_set set, FILE *out)
{
	char **line = malloc((w->mets + 1) * sizeof *line);
	size_t i, n = 0;

	w->failed |= line == NULL;
	for (i = 0; i < w->mets && !w->failed; i++) {
		if (w->met[i].set != set)
			continue;
		line[n] = line_of(w, &w->met[i]);
		w->failed |= line[n] == NULL;
		n++;
	}
	if (!w->failed)
		qsort(line, n, sizeof *line, by_text);
	for (i = 0; i < n; i++) {
		if (!w->failed)
			fprintf(out, "%s\n", line[i]);
		free(line[i]);
	}
	free(line);
}

static void
print_seeds(const struct web *w, const struct webtruth *t, FILE *out)
{
	char host[WEB_HOST_MAX];
	uint32_t h;

	for (h = 0; h < t->seeds && h < w->hosts; h++) {
		web_host(w, h, host);
		fprintf(out, "http://%s/\n", host);
	}
}

int
webtruth_print(const struct web *w, const struct webtruth *t,
    enum webtruth_set set, FILE *out)
{
	struct walk k;
	size_t i;

	if (set == WEBTRUTH_SEEDS) {
		print_seeds(w, t, out);
		return 0;
	}
	memset(&k, 0, sizeof k);
	k.web = w;
	k.t = t;
	k.page = calloc(w->pages / 8 + 1, 1);
	k.host = calloc(w->hosts / 8 + 1, 1);
	k.failed = k.page == NULL || k.host == NULL;
	if (!k.failed)
		walk_all(&k);
	if (!k.failed)
		print_set(&k, set, out);
	for (i = 0; i < k.mets; i++)
		free(k.met[i].host);
	free(k.met);
	free(k.slot);
	free(k.queue);
	free(k.page);
	free(k.host);
	return k.failed ? -1 : 0;
}
