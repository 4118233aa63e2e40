/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Queues on disk: within the budget, in order, whole when the disk is full,
 * and a fault when it lies.  (Images of them are tests/unit-image.c's.)
 */

#include "config.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontier/chunk.h"
#include "snapshot/frame.h"
#include "snapshot/limits.h"
#include "tests/frontsim.h"
#include "tests/tap.h"

#define HOSTS 3000

static char dir[64];
static int dirfd_;

/* Files in the folder, and their bytes; the first one's name. */
static unsigned int
files(uint64_t *bytes, char first[256])
{
	DIR *d = opendir(dir);
	struct dirent *e;
	struct stat st;
	unsigned int n = 0;

	*bytes = 0;
	while (d != NULL && (e = readdir(d)) != NULL) {
		if (e->d_name[0] == '.' ||
		    fstatat(dirfd_, e->d_name, &st, 0) < 0)
			continue;
		if (n++ == 0 || strcmp(e->d_name, first) < 0)
			snprintf(first, 256, "%s", e->d_name);
		*bytes += (uint64_t)st.st_size;
	}
	if (d != NULL)
		closedir(d);
	return n;
}

static void
clear(void)
{
	uint64_t bytes;
	char name[256];

	while (files(&bytes, name) > 0)
		if (unlinkat(dirfd_, name, 0) < 0)
			exit(99);
}

static void
opts(struct frontier_opts *o)
{
	frontsim_opts(o);
	o->dirfd = dirfd_;
	o->memory = 1; /* as little as it can be */
	o->delay = 100;
	o->ip_delay = 0;
}

/* URL number `n' of some host: many in few, few in many. */
static void
url_of(char *to, uint64_t n)
{
	uint64_t x = n * UINT64_C(0x9e3779b97f4a7c15), h;

	x ^= x >> 31;
	h = x % HOSTS;
	h = h * h / HOSTS * h / HOSTS;
	snprintf(to, 512, "http://h%llu.example/%llu/", (unsigned long long)h,
	    (unsigned long long)n);
	for (char *p = to + strlen(to); p < to + 300; p++, p[0] = '\0')
		*p = (char)('a' + (x = x * 6364136223846793005U + 1) / 7 % 26);
}

/* Each host's URLs have to come in order. */
struct order {
	uint64_t last[HOSTS + 1];
};

static void
came(struct frontsim *s, const struct frontier_job *j,
    enum frontier_outcome outcome)
{
	struct order *o = s->ctx;

	(void)outcome;
	if (o->last[j->host] >= j->ordinal)
		s->errors++;
	o->last[j->host] = j->ordinal;
}

static void
budget(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	struct frontier_stat st;
	struct order order = { { 0 } };
	uint64_t most = 0, spilled = 0, urls = 60000, bytes;
	char url[512], name[256];

	opts(&o);
	frontsim_init(&s, &o, HOSTS, 64, urls);
	s.ctx = &order;
	s.came = came;
	s.out[0] = 1;
	for (uint64_t i = 1; i < urls; i++) {
		url_of(url, i);
		frontsim_push(&s, url, i, 1);
		if (i % 100 == 0)
			frontsim_run(&s, s.now + 1);
		frontier_stat(s.f, &st);
		if (st.memory > most)
			most = st.memory;
		if (st.spilled > spilled)
			spilled = st.spilled;
	}
	tap_ok(t, spilled > urls / 2, "of %llu URLs %llu are on disk",
	    (unsigned long long)urls, (unsigned long long)spilled);
	tap_ok(t, most < LIMIT_FRONTIER_FIXED, "in %llu MB of memory at most",
	    (unsigned long long)(most >> 20));
	tap_ok(t,
	    files(&bytes, name) > 0 && bytes == st.disk &&
		st.disk / st.spilled < 300,
	    "and %llu bytes of disk for each",
	    (unsigned long long)(st.disk / st.spilled));
	frontsim_run(&s, INT64_MAX);
	frontier_stat(s.f, &st);
	tap_ok(t,
	    frontsim_faults(&s) == 0 && frontsim_missing(&s, urls) == 0 &&
		frontier_empty(s.f) && st.spilled == 0,
	    "each comes out once, first in, first out");
	frontsim_free(&s);
	clear();
}

/* What lies there can be read with the tools at hand. */
static void
format(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	struct frame_reader *r;
	struct chunk_lines all, piece;
	struct chunk_owner owner;
	struct entry e;
	const char *head;
	char url[512], name[256], *text;
	uint64_t bytes, urls = 0;
	size_t n;
	int fd, ok = 1;

	opts(&o);
	frontsim_init(&s, &o, HOSTS, 64, 20000);
	for (uint64_t i = 0; i < 20000; i++) {
		url_of(url, i);
		frontsim_push(&s, url, i, 1);
	}
	if (files(&bytes, name) == 0 || frame_reader_new(&r) < 0)
		exit(99);
	fd = openat(dirfd_, name, O_RDONLY);
	frame_reader_start(r, fd, 0);
	while (frame_next(r, &text, &n) == 1) {
		all.s = text;
		all.end = text + n;
		while (chunk_piece(&all, &owner, &piece, &head) == 1) {
			ok &= strstr(head, " http://h") != NULL &&
			    owner.host <= HOSTS && owner.lane == 1;
			while (chunk_next(&piece, &e) == 1) {
				url_of(url, e.ordinal);
				ok &= memcmp(strchr(url + 7, '/'), e.text,
					  e.len) == 0;
				urls++;
			}
		}
	}
	tap_ok(t, ok && urls > 1000, "%llu URLs read from the file itself",
	    (unsigned long long)urls);
	close(fd);
	frame_reader_free(r);
	frontsim_free(&s);
	clear();
}

/* No file may grow: as on a full disk. */
static void
full_disk(struct tap *t)
{
	struct rlimit old, none = { 0, 0 };
	struct frontier_opts o;
	struct frontsim s;
	struct frontier_url u;
	struct order order = { { 0 } };
	char url[512];
	uint64_t i = 1, before, failed;
	int rc = 0;

	opts(&o);
	frontsim_init(&s, &o, HOSTS, 64, 100000);
	s.ctx = &order;
	s.came = came;
	s.out[0] = 1;
	(void)signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	none.rlim_max = old.rlim_max;
	setrlimit(RLIMIT_FSIZE, &none);
	while (i < 50000) {
		url_of(url, i);
		frontsim_url(&u, url, i, 1);
		rc = frontier_push(s.f, &u, s.now);
		if (rc < 0)
			break;
		i++;
	}
	failed = i;
	before = s.pages;
	frontsim_run(&s, s.now + 1000);
	/* Our own output is a file, too. */
	setrlimit(RLIMIT_FSIZE, &old);
	tap_ok(t, rc == FAULT_SYS && failed > 1000,
	    "with a full disk the push of URL %llu fails",
	    (unsigned long long)failed);
	tap_ok(t, s.pages > before && frontsim_faults(&s) == 0,
	    "and what is there can be taken: %llu",
	    (unsigned long long)(s.pages - before));
	for (; i < 50000; i++) {
		url_of(url, i);
		frontsim_push(&s, url, i, 1);
	}
	frontsim_run(&s, INT64_MAX);
	tap_ok(t, frontsim_faults(&s) == 0 && frontsim_missing(&s, i) == 0,
	    "once there is room it goes on, and nothing is lost");
	if (frontsim_faults(&s) > 0)
		tap_diag("errors %llu missing %llu",
		    (unsigned long long)s.errors,
		    (unsigned long long)frontsim_missing(&s, i));
	frontsim_free(&s);
	clear();
}

/* Files that are not what was written. */
static void
damage(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	struct frontier_job j;
	char url[512], name[256];
	uint64_t bytes;
	int rc = 0, fd;

	opts(&o);
	frontsim_init(&s, &o, HOSTS, 64, 20000);
	for (uint64_t i = 0; i < 20000; i++) {
		url_of(url, i);
		frontsim_push(&s, url, i, 1);
	}
	if (files(&bytes, name) == 0)
		exit(99);
	fd = openat(dirfd_, name, O_WRONLY);
	for (off_t at = 100; at < (off_t)bytes; at += 1000)
		if (pwrite(fd, "damage", 6, at) != 6)
			exit(99);
	close(fd);
	for (int64_t now = 0; rc >= 0 && now < 1000000; now += 10) {
		rc = frontier_next(s.f, now, &j);
		if (rc == 1)
			rc = j.kind == FRONTIER_RESOLVE ?
			    frontier_resolved(s.f, j.id,
				&(struct frontier_addr){ { 1 } }, 1, 10000,
				now) :
			    frontier_done(s.f, j.id, FRONTIER_OK, -1, now);
	}
	tap_ok(t, rc == FAULT_DAMAGED, "damaged chunks are a fault");
	frontsim_free(&s);
	clear();
}

/* What was there before us. */
static void
found(struct tap *t)
{
	struct frontier_opts o;
	struct frontsim s;
	struct frontier *f;
	char url[512], name[256];
	uint64_t bytes, was;

	opts(&o);
	frontsim_init(&s, &o, HOSTS, 64, 20000);
	for (uint64_t i = 0; i < 20000; i++) {
		url_of(url, i);
		frontsim_push(&s, url, i, 1);
	}
	frontsim_free(&s);
	tap_ok(t, files(&was, name) > 0, "files stay when a frontier ends");
	o.readonly = 1;
	tap_ok(t,
	    frontier_new(&f, &o) == 0 && files(&bytes, name) > 0 &&
		bytes == was,
	    "and when one only looks");
	frontier_free(f);
	o.readonly = 0;
	tap_ok(t,
	    frontier_new(&f, &o) == 0 && files(&bytes, name) > 0 &&
		bytes == was,
	    "and when one begins");
	tap_ok(t, frontier_fresh(f) == 0 && files(&bytes, name) == 0,
	    "until it begins afresh");
	frontier_free(f);
	clear();
}

int
main(void)
{
	struct tap t = { 0, 0 };
	const char *tmp = getenv("TMPDIR");

	snprintf(dir, sizeof dir, "%s/spill.XXXXXX",
	    tmp == NULL ? "/tmp" : tmp);
	if (mkdtemp(dir) == NULL)
		return 99;
	dirfd_ = open(dir, O_RDONLY | O_DIRECTORY);
	budget(&t);
	format(&t);
	full_disk(&t);
	damage(&t);
	found(&t);
	close(dirfd_);
	rmdir(dir);
	return tap_done(&t);
}
