/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/stat.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "snapshot/limits.h"
#include "tests/imageweb.h"
#include "tests/tap.h"

int
imageweb_put(void *ctx, const void *p, size_t n)
{
	struct imageweb_bytes *b = ctx;

	if (n > IMAGE_PIECE)
		return FAULT_TOOBIG;
	if (b->deaf > 0 && ++b->writes % b->deaf == 0)
		return FAULT_FULL;
	return membuf_put(&b->m, p, n);
}

static void
record(struct imageweb *w, const struct url_span *url, uint64_t ordinal,
    unsigned int lane, int done, int failed, unsigned int reason)
{
	struct imageweb_record *r = &w->journal[w->records++];

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

void
imageweb_push(struct frontsim *s)
{
	struct imageweb *w = s->ctx;
	char url[2000];
	uint64_t x = frontsim_random(s);
	unsigned int host = (unsigned int)(x % IMAGEWEB_HOSTS), lane;
	struct url_span u;
	int n;

	if (w->pushed == w->urls)
		return;
	host = host * host / IMAGEWEB_HOSTS;
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

int
imageweb_allowed(void *ctx, const void *rules, size_t len, const char *path,
    size_t path_len)
{
	(void)ctx;
	return len == 0 || path_len == 0 ||
	    path[path_len - 1] != *(const char *)rules;
}

/* That of a host of which the journal knows: only these have the same number
   after a kill. */
static void
origin(const struct imageweb *w, uint64_t x, char *to, size_t room)
{
	const char *url = w->journal[x % w->records].url;
	const char *path = strchr(strchr(url, ':') + 3, '/');

	snprintf(to, room, "%.*s", (int)(path - url), url);
}

/* What a job comes to. */
void
imageweb_answer(struct frontsim *s, const struct frontier_job *j,
    struct frontsim_answer *a)
{
	static const char *const rules[] = { NULL, "7", "3xyz" };
	struct imageweb *w = s->ctx;
	uint64_t x = frontsim_random(s);
	int bad = x % 100 < w->trouble;

	x >>= 8;
	a->ms = (int64_t)(x % 3 == 0 ? x / 3 % 5000 : x % 100);
	x >>= 16;
	a->undone = bad && x % 7 == 0;
	a->addr = frontsim_addr((uint32_t)(j->host % IMAGEWEB_ADDRS));
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
		if (x % 5 < 2 && j->hops < LIMIT_ROBOTS_HOPS)
			origin(w, x >> 2, a->to, sizeof a->to);
	}
}

/* Every URL that comes out is journaled. */
void
imageweb_came(struct frontsim *s, const struct frontier_job *j,
    enum frontier_outcome outcome)
{
	struct imageweb *w = s->ctx;

	record(w, &j->url, j->ordinal, j->lane, 1, outcome != FRONTIER_OK,
	    j->kind == FRONTIER_DROP ? j->reason : FRONTIER_KEPT);
	for (uint64_t n = frontsim_random(s) % 3; n > 0; n--)
		imageweb_push(s);
}

struct frontier *
imageweb_restore(struct imageweb *w, struct imageweb_image *m,
    const struct frontier_opts *o, int64_t now)
{
	struct frontier *f;
	struct frontier_url u;
	int rc = frontier_new(&f, o);

	m->b.m.at = 0;
	if (rc == 0 && m->b.m.len > 0)
		rc = image_load(f, membuf_get, &m->b.m, now);
	else if (rc == 0 && !o->readonly)
		rc = frontier_fresh(f);
	for (uint64_t i = m->begun; rc >= 0 && i < w->records; i++) {
		const struct imageweb_record *r = &w->journal[i];

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

int
imageweb_sync(void *ctx, int fd)
{
	struct imageweb *w = ctx;
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
	w->synced[strtoul(path + n - 14, NULL, 10) % IMAGEWEB_FILES] =
	    st.st_size;
	return 0;
}

/* Call `fn' for each spill file. */
static void
each_file(struct imageweb *w,
    void (*fn)(struct imageweb *, const char *, off_t))
{
	DIR *d = opendir(w->dir);
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL)
		if (e->d_name[0] != '.')
			fn(w, e->d_name,
			    w->synced[strtoul(e->d_name, NULL, 10) %
				IMAGEWEB_FILES]);
	if (d != NULL)
		closedir(d);
}

/* What of this file was not synced is lost. */
static void
lose(struct imageweb *w, const char *name, off_t synced)
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

static void delete (struct imageweb *w, const char *name, off_t synced)
{
	(void)synced;
	lose(w, name, 0);
}

void
imageweb_lose(struct imageweb *w)
{
	each_file(w, lose);
}

void
imageweb_slice(struct frontsim *s)
{
	struct imageweb *w = s->ctx;
	uint64_t x = frontsim_random(s);
	int rc;

	if (!w->writing) {
		if (x % 4 > 0)
			return;
		image_begin(s->f);
		w->next.b.m.len = 0;
		w->next.b.deaf = 2 + (unsigned int)(x >> 8) % 4;
		w->next.begun = w->records;
		w->writing = 1;
	}
	rc = image_save(s->f, imageweb_put, &w->next.b, w->records,
	    (x >> 16) % 3000 + 50 * w->text);
	if (rc == 0)
		rc = image_sync(s->f, imageweb_sync, w);
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
	free(w->image[1].b.m.b);
	w->image[1] = w->image[0];
	w->image[0] = w->next;
	memset(&w->next, 0, sizeof w->next);
	w->images++;
	image_named(s->f);
}

void
imageweb_free(struct imageweb *w)
{
	for (uint64_t i = 0; i < w->records; i++)
		free(w->journal[i].url);
	free(w->journal);
	free(w->image[0].b.m.b);
	free(w->image[1].b.m.b);
	free(w->next.b.m.b);
	if (w->dirfd < 0)
		return;
	each_file(w, delete);
	close(w->dirfd);
	rmdir(w->dir);
}

void
imageweb_dir(struct imageweb *w)
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
