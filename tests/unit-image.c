/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Images of a frontier, taken in slices while it goes on, with a journal in
 * memory beside it.  At any moment the newest image and the journal from
 * where it was begun must give the same URLs as the frontier itself has.
 */

#include "config.h"

#include <sys/stat.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontier/image.h"
#include "snapshot/limits.h"
#include "tests/frontsim.h"
#include "tests/tap.h"

#define HOSTS 25
#define ADDRS 5
#define URLS  12000
#define FILES 4096 /* spill files of a crawl */

/* A journal's record. */
struct record {
	char *url;
	uint64_t ordinal;
	uint8_t lane;
	uint8_t done;
	uint8_t failed;
	uint8_t reason;
};

struct bytes {
	char *b;
	size_t len, room, at;
	unsigned int deaf; /* every so many writes there is no room */
	unsigned int writes;
};

struct image {
	struct bytes b;
	uint64_t begun; /* record */
};

struct web {
	struct record *journal;
	uint64_t records;
	uint64_t pushed;
	uint64_t urls;         /* to be pushed */
	unsigned int trouble;  /* of 100 jobs */
	unsigned int text;     /* bytes that no two URLs share */
	struct image image[2]; /* the newest that is complete, and the last */
	struct image next;     /* the one being written */
	int writing;
	unsigned int images;
	int dirfd; /* where queues spill, -1 = nowhere */
	char dir[64];
	off_t synced[FILES]; /* bytes of each file that no crash takes */
	uint64_t most_spilled;
	uint64_t most_disk;
};

static void
bytes_add(struct bytes *b, const void *p, size_t n)
{
	if (b->len + n > b->room) {
		b->room = (b->len + n) * 2;
		b->b = realloc(b->b, b->room);
		if (b->b == NULL)
			exit(99);
	}
	memcpy(b->b + b->len, p, n);
	b->len += n;
}

static int
put(void *ctx, const void *p, size_t n)
{
	struct bytes *b = ctx;

	if (n > IMAGE_PIECE)
		return FAULT_TOOBIG;
	if (b->deaf > 0 && ++b->writes % b->deaf == 0)
		return FAULT_FULL;
	bytes_add(b, p, n);
	return 0;
}

static int
get(void *ctx, void *p, size_t n)
{
	struct bytes *b = ctx;

	if (n > b->len - b->at)
		return FAULT_TRUNCATED;
	memcpy(p, b->b + b->at, n);
	b->at += n;
	return 0;
}

static void
record(struct web *w, const struct url_span *url, uint64_t ordinal,
    unsigned int lane, int done, int failed, unsigned int reason)
{
	struct record *r = &w->journal[w->records++];

	r->url = malloc(url->len + 1);
	if (r->url == NULL)
		exit(99);
	memcpy(r->url, url->s, url->len);
	r->url[url->len] = '\0';
	r->ordinal = ordinal;
	r->lane = (uint8_t)lane;
	r->done = (uint8_t)done;
	r->failed = (uint8_t)failed;
	r->reason = (uint8_t)reason;
}

static void
push_random(struct frontsim *s)
{
	struct web *w = s->ctx;
	char url[2000];
	uint64_t x = frontsim_random(s);
	unsigned int host = (unsigned int)(x % HOSTS), lane;
	struct url_span u;
	int n;

	if (w->pushed == w->urls)
		return;
	host = host * host / HOSTS;
	lane = (unsigned int)(x >> 20 & 7) % 3;
	n = snprintf(url, sizeof url, "http%s://%s%sh%u.example%s/%s%llu",
	    x >> 8 & 1 ? "s" : "", (x >> 9 & 15) == 0 ? "me:x@" : "",
	    host == 3 ? "a-long-name-that-does-not-fit-into-a-record." : "",
	    host, (x >> 13 & 15) == 0 ? ":8080" : "", x >> 17 & 1 ? "dir/" : "",
	    (unsigned long long)w->pushed);
	if ((x >> 30 & 63) == 0) {
		memset(url + n, 'x', 1000);
		n += 1000;
	}
	for (unsigned int i = 0; i < w->text; i++)
		url[n++] = (char)('a' + frontsim_random(s) % 26);
	url[n] = '\0';
	u.s = url;
	u.len = strlen(url);
	record(w, &u, w->pushed, lane, 0, 0, 0);
	frontsim_push(s, url, w->pushed++, lane);
}

static int
some_allowed(void *ctx, const void *rules, size_t len, const char *path,
    size_t path_len)
{
	(void)ctx;
	return len == 0 || path_len == 0 ||
	    path[path_len - 1] != *(const char *)rules;
}

/* What a job comes to. */
static void
trouble(struct frontsim *s, const struct frontier_job *j,
    struct frontsim_answer *a)
{
	static const char *const rules[] = { NULL, "7", "3xyz" };
	struct web *w = s->ctx;
	uint64_t x = frontsim_random(s);
	int bad = x % 100 < w->trouble;

	x >>= 8;
	a->ms = (int64_t)(x % 3 == 0 ? x / 3 % 5000 : x % 100);
	x >>= 16;
	a->undone = bad && x % 7 == 0;
	a->addr = frontsim_addr((uint32_t)(j->host % ADDRS));
	if (j->kind == FRONTIER_RESOLVE) {
		a->resolved = !bad;
		return;
	}
	a->outcome = bad ? (enum frontier_outcome)(x % 4 + 1) : FRONTIER_OK;
	if (j->kind == FRONTIER_ROBOTS) {
		if (a->outcome == FRONTIER_REFUSED)
			a->outcome = FRONTIER_FAILED;
		a->rules = rules[j->host % 3];
		a->delay = x >> 12 & 1 ? 2000 : -1;
	}
}

/* Every URL that comes out is journaled. */
static void
came(struct frontsim *s, const struct frontier_job *j,
    enum frontier_outcome outcome)
{
	struct web *w = s->ctx;

	record(w, &j->url, j->ordinal, j->lane, 1, outcome != FRONTIER_OK,
	    j->kind == FRONTIER_DROP ? j->reason : FRONTIER_KEPT);
	for (uint64_t n = frontsim_random(s) % 3; n > 0; n--)
		push_random(s);
}

/* The URLs that are pending: by ordinal, how often, and a sum of the rest. */
struct pending {
	uint8_t n[URLS];
	uint64_t sum;
	uint64_t total;
};

static int
pend(void *ctx, const struct frontier_url *u)
{
	struct pending *p = ctx;
	uint64_t h = u->depth;

	if (u->ordinal >= URLS)
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

/* An image and the journal behind it, as a frontier. */
static struct frontier *
restored(struct web *w, struct image *m, const struct frontier_opts *o,
    int64_t now)
{
	struct frontier *f;
	struct frontier_url u;
	int rc = frontier_new(&f, o);

	m->b.at = 0;
	if (rc == 0 && m->b.len > 0)
		rc = image_load(f, get, &m->b, now);
	else if (rc == 0 && !o->readonly)
		rc = frontier_fresh(f);
	for (uint64_t i = m->begun; rc >= 0 && i < w->records; i++) {
		const struct record *r = &w->journal[i];

		frontsim_url(&u, r->url, r->ordinal, r->lane);
		if (r->done)
			rc = image_replay_done(f, &u, i, r->failed,
			    (enum frontier_reason)r->reason, now);
		else
			rc = image_replay_push(f, &u, i, now);
	}
	if (rc >= 0)
		return f;
	tap_diag("restore: %s", fault_str(rc));
	frontier_free(f);
	return NULL;
}

/* Are the frontier and what its files would give the same? */
static int
agree(struct frontsim *s, struct image *m)
{
	struct web *w = s->ctx;
	struct frontier_opts o = s->opts;
	struct frontier *f;
	struct pending *a, *b;
	struct frontier_stat x, y;
	int good;

	o.readonly = 1;
	f = restored(w, m, &o, s->now);
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

/* What is in this file now is safe from a crash. */
static int
sync_file(void *ctx, int fd)
{
	struct web *w = ctx;
	struct stat st;
	char link[64], path[256];
	ssize_t n;

	if (fstat(fd, &st) < 0)
		return FAULT_SYS;
	if (!S_ISREG(st.st_mode))
		return 0;
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof path - 1);
	if (n < 14)
		return FAULT_SYS;
	path[n] = '\0';
	w->synced[strtoul(path + n - 14, NULL, 10) % FILES] = st.st_size;
	return 0;
}

/* Call `fn' for each spill file. */
static void
each_file(struct web *w, void (*fn)(struct web *, const char *, off_t))
{
	DIR *d = opendir(w->dir);
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL)
		if (e->d_name[0] != '.')
			fn(w, e->d_name,
			    w->synced[strtoul(e->d_name, NULL, 10) % FILES]);
	if (d != NULL)
		closedir(d);
}

/* Power goes: what was not synced is lost. */
static void
lose(struct web *w, const char *name, off_t synced)
{
	char path[512];
	struct stat st;

	snprintf(path, sizeof path, "%s/%s", w->dir, name);
	/* What is known may be of an earlier file of that number. */
	if (synced > 0 && stat(path, &st) == 0 && st.st_size <= synced)
		return;
	if (synced == 0 ? unlink(path) < 0 : truncate(path, synced) < 0)
		tap_diag("%s can't be cut", path);
}

static void delete (struct web *w, const char *name, off_t synced)
{
	(void)synced;
	lose(w, name, 0);
}

/* A slice of an image, now and then. */
static void
slice(struct frontsim *s)
{
	struct web *w = s->ctx;
	uint64_t x = frontsim_random(s);
	int rc;

	if (!w->writing) {
		if (x % 4 > 0)
			return;
		image_begin(s->f);
		w->next.b.len = 0;
		w->next.b.deaf = 2 + (unsigned int)(x >> 8) % 4;
		w->next.begun = w->records;
		w->writing = 1;
	}
	rc = image_save(s->f, put, &w->next.b, w->records,
	    (x >> 16) % 3000 + 50 * w->text);
	if (rc == 0)
		rc = image_sync(s->f, sync_file, w);
	else if (rc > 0)
		return;
	w->writing = 0;
	if (rc < 0) {
		/* What a failed sync may have lost is not written anew yet. */
		s->errors += rc != FAULT_SYS;
		image_abort(s->f);
		return;
	}
	/* Now and then a sync fails, or the name can't be given. */
	if ((x >> 40) % 16 == 0) {
		image_abort(s->f);
		return;
	}
	free(w->image[1].b.b);
	w->image[1] = w->image[0];
	w->image[0] = w->next;
	memset(&w->next, 0, sizeof w->next);
	w->images++;
	image_named(s->f);
}

static void
web_free(struct web *w)
{
	for (uint64_t i = 0; i < w->records; i++)
		free(w->journal[i].url);
	free(w->journal);
	free(w->image[0].b.b);
	free(w->image[1].b.b);
	free(w->next.b.b);
	if (w->dirfd < 0)
		return;
	each_file(w, delete);
	close(w->dirfd);
	rmdir(w->dir);
}

/* Somewhere to spill. */
static void
web_dir(struct web *w)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(w->dir, sizeof w->dir, "%s/image.XXXXXX",
	    tmp == NULL ? "/tmp" : tmp);
	if (mkdtemp(w->dir) == NULL)
		exit(99);
	w->dirfd = open(w->dir, O_RDONLY | O_DIRECTORY);
	if (w->dirfd < 0)
		exit(99);
}

/* The crawl is killed; what it left takes its place. */
static int
killed(struct frontsim *s)
{
	struct web *w = s->ctx;
	struct frontier *f;
	struct image *m = &w->image[0];

	/* The newest snapshot may be damaged. */
	if (frontsim_random(s) % 3 == 0 && w->image[1].b.len > 0)
		m = &w->image[1];
	if (w->dirfd >= 0 && frontsim_random(s) % 2 == 0)
		each_file(w, lose);
	f = restored(w, m, &s->opts, s->now);
	if (f == NULL)
		return 0;
	frontsim_swap(s, f);
	w->writing = 0;
	return 1;
}

/* Once nothing is queued, and two images say so, no file is left but the one
   that is being written. */
static int
emptied(struct frontsim *s)
{
	struct web *w = s->ctx;
	struct frontier_stat st;

	for (int i = 0; i < 2; i++) {
		struct bytes b = { .b = NULL };
		int rc = 1;

		image_begin(s->f);
		while (rc > 0)
			rc = image_save(s->f, put, &b, w->records, 1 << 20);
		free(b.b);
		if (rc < 0 || image_sync(s->f, sync_file, w) < 0)
			return 0;
		image_named(s->f);
	}
	frontier_stat(s->f, &st);
	return st.spilled == 0 && st.disk < w->most_disk / 2 + 1;
}

/* A crawl with kills, in rounds that push `each' URLs. */
static void
crawl(struct tap *t, uint64_t seed, struct web *w, unsigned int each)
{
	struct frontier_opts o;
	struct frontsim s;
	int good = 1, kills = 0;

	frontsim_opts(&o);
	o.per_host = (unsigned int)(seed % 3);
	o.delay = (uint32_t)(seed % 4 * 300);
	o.allowed = some_allowed;
	o.dirfd = w->dirfd;
	o.memory = w->dirfd >= 0; /* as little as it can be */
	o.keep = 2;
	w->trouble = (unsigned int)(seed * 7 % 40);
	frontsim_init(&s, &o, HOSTS * 4, ADDRS, URLS);
	s.ctx = w;
	s.answer = trouble;
	s.came = came;
	s.rng ^= seed * 0x9e3779b97f4a7c15U;
	s.room = 1 + (unsigned int)(seed % 30);
	w->journal = calloc(3 * URLS, sizeof *w->journal);
	if (w->journal == NULL || frontier_fresh(s.f) < 0)
		exit(99);
	for (int i = 0; i < 400 && good; i++) {
		for (unsigned int k = 0; k < each; k++)
			push_random(&s);
		frontsim_run(&s, s.now + 3000);
		slice(&s);
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
	struct web w = { .urls = 3000, .dirfd = -1 };

	crawl(t, seed, &w, 8);
	web_free(&w);
}

static void
on_disk(struct tap *t, uint64_t seed)
{
	struct web *w = calloc(1, sizeof *w);

	if (w == NULL)
		exit(99);
	w->urls = URLS;
	w->text = 400;
	web_dir(w);
	crawl(t, seed, w, 100);
	tap_ok(t, w->most_spilled > URLS / 4,
	    "of these %llu on disk, in %llu bytes",
	    (unsigned long long)w->most_spilled,
	    (unsigned long long)w->most_disk);
	web_free(w);
	free(w);
}

/* An image of `f', whole. */
static void
whole(struct frontier *f, struct bytes *b, uint64_t pos)
{
	int rc = 1;

	memset(b, 0, sizeof *b);
	image_begin(f);
	while (rc == 1)
		rc = image_save(f, put, b, pos, 1 << 20);
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
	struct bytes b;
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
	tap_ok(t, frontier_new(&f, &o) == 0 && image_load(f, get, &b, 500) == 0,
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
	b.at = 0;
	tap_ok(t, frontier_new(&f, &o) == 0 && image_load(f, get, &b, 100) == 0,
	    "with a clock set back");
	c = 0;
	tap_ok(t,
	    frontier_hosts(f, &c, 9, 100, see, &is) == 0 && is.h.next == 1000,
	    "no longer");
	frontier_free(f);
	frontsim_free(&s);
	free(b.b);
}

/* Images that are cut or changed. */
static void
damaged(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	struct web w = { .urls = 3000, .dirfd = -1, .trouble = 10 };
	struct frontier *f;
	struct frontier_job job;
	struct bytes b;
	int cuts = 0, quiet = 0, rc;

	frontsim_opts(&o);
	o.allowed = some_allowed;
	frontsim_init(&s, &o, HOSTS * 4, ADDRS, URLS);
	s.ctx = &w;
	s.answer = trouble;
	s.came = came;
	w.journal = calloc(3 * URLS, sizeof *w.journal);
	for (int k = 0; k < 200; k++)
		push_random(&s);
	frontsim_run(&s, 20000);
	whole(s.f, &b, 7);
	for (size_t n = 0; n < b.len; n += 1 + n / 50) {
		struct bytes c = b;

		c.len = n;
		c.at = 0;
		cuts += frontier_new(&f, &o) < 0 ||
		    image_load(f, get, &c, 0) != FAULT_TRUNCATED;
		frontier_free(f);
	}
	tap_ok(t, cuts == 0, "an image that is cut anywhere is a fault");
	for (int i = 0; i < 2000; i++) {
		uint64_t x = frontsim_random(&s);
		char *at = &b.b[x % b.len], old = *at;

		*at = (char)(old ^ (1 << (x >> 32) % 8));
		b.at = 0;
		rc = frontier_new(&f, &o);
		if (rc == 0)
			rc = image_load(f, get, &b, 0);
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
	web_free(&w);
	free(b.b);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	const char *longer = getenv("LONG");
	uint64_t n = longer != NULL && *longer != '\0' ? 500 : 20;

	host(&t);
	damaged(&t);
	for (uint64_t seed = 1; seed <= n; seed++)
		in_memory(&t, seed);
	for (uint64_t seed = 1; seed <= n / 4; seed++)
		on_disk(&t, seed);
	return tap_done(&t);
}
