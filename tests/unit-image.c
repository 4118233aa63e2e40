/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Images of a frontier, taken in slices while it goes on, with a journal in
 * memory beside it.  At any moment the newest image and the journal from
 * where it was begun must give the same URLs as the frontier itself has.
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "frontier/image.h"
#include "tests/frontsim.h"
#include "tests/imageweb.h"
#include "tests/tap.h"

/* The URLs that are pending: by ordinal, how often, and a sum of the rest. */
struct pending {
	uint8_t n[IMAGEWEB_URLS];
	uint64_t sum;
	uint64_t total;
};

static int
pend(void *ctx, const struct frontier_url *u)
{
	struct pending *p = ctx;
	uint64_t h = u->depth;

	if (u->ordinal >= IMAGEWEB_URLS)
		return FAULT_DAMAGED;
	p->n[u->ordinal]++;
	p->total++;
	for (size_t i = 0; i < u->url.len; i++)
		h = (h ^ (unsigned char)u->url.s[i]) * 1099511628211U;
	p->sum += h;
	return 0;
}

static struct pending *
pending(struct frontier *f)
{
	struct pending *p = calloc(1, sizeof *p);
	uint64_t cursor = 0;
	int rc = 1;

	if (p == NULL)
		exit(99);
	while (rc == 1)
		rc = frontier_pending(f, &cursor, 3, pend, p);
	if (rc < 0) {
		free(p);
		return NULL;
	}
	return p;
}

/* Are the frontier and what its files would give the same? */
static int
agree(struct frontsim *s, struct imageweb_image *m)
{
	struct imageweb *w = s->ctx;
	struct frontier_opts o = s->opts;
	struct frontier *f;
	struct pending *a, *b;
	struct frontier_stat x, y;
	int good;

	o.readonly = 1;
	f = imageweb_restore(w, m, &o, s->now);
	if (f == NULL)
		return 0;
	a = pending(s->f);
	b = pending(f);
	frontier_stat(s->f, &x);
	frontier_stat(f, &y);
	good = a != NULL && b != NULL && memcmp(a, b, sizeof *a) == 0 &&
	    y.queued == a->total && x.pushed == y.pushed &&
	    x.finished == y.finished && x.failed == y.failed &&
	    memcmp(x.dropped, y.dropped, sizeof x.dropped) == 0 &&
	    (y.queued > 0) == (y.active > 0);
	if (!good && a != NULL && b != NULL)
		tap_diag("pending %llu, restored %llu (says %llu), pushed %llu "
			 "%llu finished %llu %llu active %llu",
		    (unsigned long long)a->total, (unsigned long long)b->total,
		    (unsigned long long)y.queued, (unsigned long long)x.pushed,
		    (unsigned long long)y.pushed,
		    (unsigned long long)x.finished,
		    (unsigned long long)y.finished,
		    (unsigned long long)y.active);
	if (x.spilled > w->most_spilled)
		w->most_spilled = x.spilled;
	if (x.disk > w->most_disk)
		w->most_disk = x.disk;
	free(a);
	free(b);
	frontier_free(f);
	return good;
}

/* A Crawl-delay that the image does not know is learnt again. */
static int
forget(void *ctx, const struct frontier_host *h)
{
	struct frontsim *s = ctx;

	if (s->host[h->id].delay > h->delay)
		s->host[h->id].delay = h->delay;
	return 0;
}

/* The crawl is killed; what it left takes its place. */
static int
killed(struct frontsim *s)
{
	struct imageweb *w = s->ctx;
	struct frontier *f;
	struct imageweb_image *m = &w->image[0];
	uint64_t cursor = 0;

	/* The newest snapshot may be damaged. */
	if (frontsim_random(s) % 3 == 0 && w->image[1].b.m.len > 0)
		m = &w->image[1];
	if (w->dirfd >= 0 && frontsim_random(s) % 2 == 0)
		imageweb_lose(w);
	f = imageweb_restore(w, m, &s->opts, s->now);
	if (f == NULL)
		return 0;
	frontsim_swap(s, f);
	w->writing = 0;
	return frontier_hosts(f, &cursor, SIZE_MAX, s->now, forget, s) == 0;
}

/* Once nothing is queued, and two images say so, no file is left but the one
   that is being written. */
static int
emptied(struct frontsim *s)
{
	struct imageweb *w = s->ctx;
	struct frontier_stat st;

	for (int i = 0; i < 2; i++) {
		struct imageweb_bytes b = { .deaf = 0 };
		int rc = 1;

		image_begin(s->f);
		while (rc > 0)
			rc = image_save(s->f, imageweb_put, &b, w->records,
			    1 << 20);
		free(b.m.b);
		if (rc < 0 || image_sync(s->f, imageweb_sync, w) < 0)
			return 0;
		image_named(s->f);
	}
	frontier_stat(s->f, &st);
	return st.spilled == 0 && st.disk < w->most_disk / 2 + 1;
}

/* A crawl with kills, in rounds that push `each' URLs. */
static void
crawl(struct tap *t, uint64_t seed, struct imageweb *w, unsigned int each)
{
	struct frontier_opts o;
	struct frontsim s;
	int good = 1, kills = 0;

	frontsim_opts(&o);
	o.per_host = (unsigned int)(seed % 3);
	o.delay = (uint32_t)(seed % 4 * 300);
	o.allowed = imageweb_allowed;
	o.dirfd = w->dirfd;
	o.memory = w->dirfd >= 0; /* as little as it can be */
	o.keep = 2;
	w->trouble = (unsigned int)(seed * 7 % 40);
	frontsim_init(&s, &o, IMAGEWEB_HOSTS * 4, IMAGEWEB_ADDRS,
	    IMAGEWEB_URLS);
	s.ctx = w;
	s.answer = imageweb_answer;
	s.came = imageweb_came;
	s.rng ^= seed * 0x9e3779b97f4a7c15U;
	s.room = 1 + (unsigned int)(seed % 30);
	w->journal = calloc(3 * IMAGEWEB_URLS, sizeof *w->journal);
	if (w->journal == NULL || frontier_fresh(s.f) < 0)
		exit(99);
	for (int i = 0; i < 400 && good; i++) {
		for (unsigned int k = 0; k < each; k++)
			imageweb_push(&s);
		frontsim_run(&s, s.now + 3000);
		imageweb_slice(&s);
		if (i % 29 == 28)
			good = agree(&s, &w->image[i / 29 % 2]);
		if (good && i % 97 == 96) {
			good = killed(&s);
			kills++;
		}
	}
	if (good)
		frontsim_run(&s, INT64_MAX);
	tap_ok(t,
	    good && frontsim_faults(&s) == 0 && w->images > 2 &&
		frontsim_missing(&s, w->pushed) == 0 && frontier_empty(s.f) &&
		emptied(&s),
	    "web %llu: %u images, %d kills, %llu URLs, each out once",
	    (unsigned long long)seed, w->images, kills,
	    (unsigned long long)w->pushed);
	if (frontsim_faults(&s) > 0)
		tap_diag("close %llu %llu crowd %llu %llu twice %llu "
			 "errors %llu missing %llu",
		    (unsigned long long)s.close_host,
		    (unsigned long long)s.close_addr,
		    (unsigned long long)s.crowd_host,
		    (unsigned long long)s.crowd_addr,
		    (unsigned long long)s.twice, (unsigned long long)s.errors,
		    (unsigned long long)frontsim_missing(&s, w->pushed));
	frontsim_free(&s);
}

static void
in_memory(struct tap *t, uint64_t seed)
{
	struct imageweb w = { .urls = 3000, .dirfd = -1 };

	crawl(t, seed, &w, 8);
	imageweb_free(&w);
}

static void
on_disk(struct tap *t, uint64_t seed)
{
	struct imageweb *w = calloc(1, sizeof *w);

	if (w == NULL)
		exit(99);
	w->urls = IMAGEWEB_URLS;
	w->text = 400;
	imageweb_dir(w);
	crawl(t, seed, w, 100);
	tap_ok(t, w->most_spilled > IMAGEWEB_URLS / 4,
	    "of these %llu on disk, in %llu bytes",
	    (unsigned long long)w->most_spilled,
	    (unsigned long long)w->most_disk);
	imageweb_free(w);
	free(w);
}

/* An image of `f', whole. */
static void
whole(struct frontier *f, struct imageweb_bytes *b, uint64_t pos)
{
	int rc = 1;

	memset(b, 0, sizeof *b);
	image_begin(f);
	while (rc == 1)
		rc = image_save(f, imageweb_put, b, pos, 1 << 20);
	if (rc < 0)
		exit(99);
}

struct seen {
	unsigned int n;
	struct frontier_host h;
	char origin[100];
};

static int
see(void *ctx, const struct frontier_host *h)
{
	struct seen *s = ctx;

	s->n++;
	s->h = *h;
	snprintf(s->origin, sizeof s->origin, "%.*s", (int)h->origin.len,
	    h->origin.s);
	return 0;
}

/* What is known of a host comes through. */
static void
host(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	struct frontier *f;
	struct frontier_url u;
	struct imageweb_bytes b;
	struct seen was = { .n = 0 }, is = { .n = 0 };
	uint64_t a = 0, c = 0;

	frontsim_opts(&o);
	frontsim_init(&s, &o, 2, 2, 10);
	frontsim_push(&s, "https://a.example:8443/x", 1, 2);
	frontsim_push(&s, "https://a.example:8443/y", 2, 1);
	frontsim_url(&u, "https://a.example:8443/z/z/z/z/z/z", 3, 1);
	frontier_refused(s.f, &u);
	frontsim_run(&s, 500);
	frontsim_push(&s, "https://a.example:8443/z", 3, 1);
	whole(s.f, &b, 7);
	tap_ok(t,
	    frontier_new(&f, &o) == 0 &&
		image_load(f, membuf_get, &b.m, 500) == 0,
	    "an image of a host");
	tap_ok(t,
	    frontier_hosts(s.f, &a, 9, 500, see, &was) == 0 &&
		frontier_hosts(f, &c, 9, 500, see, &is) == 0 && was.n == 1 &&
		is.n == 1,
	    "is shown");
	tap_ok(t,
	    strcmp(is.origin, "https://a.example:8443") == 0 &&
		is.h.queued == was.h.queued && is.h.pages == 1 &&
		is.h.refused == 1 && is.h.deferred == 1 && is.h.has_addr &&
		is.h.next == 1000 &&
		memcmp(&is.h.addr, &was.h.addr, sizeof is.h.addr) == 0,
	    "as it was, but to be asked a delay from now");
	frontier_free(f);
	b.m.at = 0;
	tap_ok(t,
	    frontier_new(&f, &o) == 0 &&
		image_load(f, membuf_get, &b.m, 100) == 0,
	    "with a clock set back");
	c = 0;
	tap_ok(t,
	    frontier_hosts(f, &c, 9, 100, see, &is) == 0 && is.h.next == 1000,
	    "no longer");
	frontier_free(f);
	frontsim_free(&s);
	free(b.m.b);
}

/* Images that are cut or changed. */
static void
damaged(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	struct imageweb w = { .urls = 3000, .dirfd = -1, .trouble = 10 };
	struct frontier *f;
	struct frontier_job job;
	struct imageweb_bytes b;
	int cuts = 0, quiet = 0, rc;

	frontsim_opts(&o);
	o.allowed = imageweb_allowed;
	frontsim_init(&s, &o, IMAGEWEB_HOSTS * 4, IMAGEWEB_ADDRS,
	    IMAGEWEB_URLS);
	s.ctx = &w;
	s.answer = imageweb_answer;
	s.came = imageweb_came;
	w.journal = calloc(3 * IMAGEWEB_URLS, sizeof *w.journal);
	for (int k = 0; k < 200; k++)
		imageweb_push(&s);
	frontsim_run(&s, 20000);
	whole(s.f, &b, 7);
	for (size_t n = 0; n < b.m.len; n += 1 + n / 50) {
		struct imageweb_bytes c = b;

		c.m.len = n;
		c.m.at = 0;
		cuts += frontier_new(&f, &o) < 0 ||
		    image_load(f, membuf_get, &c.m, 0) != FAULT_TRUNCATED;
		frontier_free(f);
	}
	tap_ok(t, cuts == 0, "an image that is cut anywhere is a fault");
	for (int i = 0; i < 2000; i++) {
		uint64_t x = frontsim_random(&s);
		char *at = &b.m.b[x % b.m.len], old = *at;

		*at = (char)(old ^ (1 << (x >> 32) % 8));
		b.m.at = 0;
		rc = frontier_new(&f, &o);
		if (rc == 0)
			rc = image_load(f, membuf_get, &b.m, 0);
		/* It may still be one; then it works. */
		quiet += rc == 0;
		while (rc == 0 && frontier_next(f, 1000000, &job) == 1)
			if (frontier_undone(f, job.id, 1000000) < 0 ||
			    x++ % 100 == 0)
				break;
		frontier_free(f);
		*at = old;
	}
	tap_ok(t, quiet > 0 && quiet < 2000,
	    "one with a bit changed is a fault or works (%d of 2000)", quiet);
	frontsim_free(&s);
	imageweb_free(&w);
	free(b.m.b);
}

#define HOST "h http://a.example/ 1 7 - 0 0 0 0 0 0 0 0 "
#define SUMS "s 7 1 2 3 4 5 6 7 8 9\n"

/* Whole blocks whose lines may not end the image yet. */
static void
ends(struct tap *t)
{
	static const struct {
		int want;
		const char *text;
	} rows[] = {
		{ 0, SUMS "end\n" },
		{ 0, HOST "0 0 0 0 0 0 0 0\n" SUMS "end\n" },
		{ FAULT_DAMAGED, "end\n" },
		{ FAULT_DAMAGED, "m 9\nend\n" },
		{ FAULT_DAMAGED, HOST "0 0 0 0 0 0 0 0\nend\n" },
		{ FAULT_DAMAGED, HOST "3 0 0 0 0 0 0 0\nend\n" },
		{ FAULT_DAMAGED, HOST "3 0 0 0 0 0 0 0\n" SUMS "end\n" },
		{ FAULT_DAMAGED, HOST "0 0 0 0 0 0 0 9\nend\n" },
		{ FAULT_DAMAGED, SUMS HOST "0 0 0 0 0 0 0 0\nend\n" },
	};
	struct frontier_opts o;
	struct frontier *f;
	char text[1000];
	int n, rc;

	frontsim_opts(&o);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct membuf m = { .b = NULL };

		n = snprintf(text, sizeof text, "%08zx\nfrontier 1 5\n%s",
		    strlen("frontier 1 5\n") + strlen(rows[i].text),
		    rows[i].text);
		if (membuf_put(&m, text, (size_t)n) < 0 ||
		    frontier_new(&f, &o) < 0)
			exit(99);
		rc = image_load(f, membuf_get, &m, 5);
		tap_ok(t, rc == rows[i].want, "end %zu: %d", i, rc);
		frontier_free(f);
		free(m.b);
	}
}

int
main(void)
{
	struct tap t = { 0, 0 };
	const char *longer = getenv("LONG");
	uint64_t n = longer != NULL && *longer != '\0' ? 500 : 20;

	host(&t);
	damaged(&t);
	ends(&t);
	for (uint64_t seed = 1; seed <= n; seed++)
		in_memory(&t, seed);
	for (uint64_t seed = 1; seed <= n / 4; seed++)
		on_disk(&t, seed);
	return tap_done(&t);
}
