/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * frontier-sim.c - the frontier at scale, in virtual time
 *
 *	frontier-sim [OPTION]...
 *
 * Puts N URLs of H hosts (Zipf's law: few hosts have most of them) into a
 * frontier and takes them out again as politeness allows.  While they are
 * put in, one is taken for every four, so that most of them are pending in
 * the end; then the rest is taken.  In between an image is written in slices
 * and loaded again.  Fetches take no time, nobody fails.
 *
 * Watched all along, by a model of 16 bytes a host: each URL comes out once,
 * first in, first out for its host, and no two starts at a host are closer
 * than the delay.
 */

#include "config.h"

#include <sys/resource.h>

#include <fcntl.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "bench/simurl.h"
#include "frontier/frontier.h"
#include "frontier/image.h"

#define PUTS  4            /* for each URL taken, at first */
#define BATCH 32           /* URLs put at a time */
#define SLICE (256 * 1024) /* bytes of an image at a time */
#define CHECK 65536        /* puts or takes between two looks at the clock */

struct model {
	int64_t start; /* ms: of the last request */
	uint32_t put;
	uint32_t taken;
};

struct sim {
	struct frontier *f;
	struct frontier_opts opts;
	uint64_t urls;
	uint64_t hosts;
	double s; /* Zipf's exponent */
	const char *dir;
	int image;
	struct model *host;
	int64_t now;
	uint64_t rng;
	uint64_t put, taken;
	uint64_t close, order, strange; /* what must not happen */
	uint64_t memory, disk, spilled; /* at most */
	double disk_url; /* bytes a spilled URL, at that moment */
};

static void
die(const char *what, int rc)
{
	fprintf(stderr, "frontier-sim: %s: %s\n", what,
	    rc == 0 ? "failed" : fault_str(rc));
	exit(2);
}

static uint64_t
random64(struct sim *s)
{
	s->rng ^= s->rng >> 12;
	s->rng ^= s->rng << 25;
	s->rng ^= s->rng >> 27;
	return s->rng * UINT64_C(2685821657736338717);
}

static double
wall(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double
cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/*
 * A host's number, 0 being the one with the most URLs: the inverse of the
 * integral of x^-s, which is near enough to Zipf's sum.
 */
static uint64_t
zipf(struct sim *s)
{
	double u = (double)(random64(s) >> 11) / 9007199254740992.0, x;
	double n = (double)s->hosts + 1;

	if (s->s == 1)
		x = exp(u * log(n));
	else
		x = pow(u * (pow(n, 1 - s->s) - 1) + 1, 1 / (1 - s->s));
	x -= 1;
	return x < 0 ? 0 : (uint64_t)x % s->hosts;
}

/* Some puts, as of the links of a page. */
static void
put(struct sim *s)
{
	struct frontier_url u[BATCH];
	char url[BATCH][256];
	uint64_t h;
	size_t n;
	int rc;

	memset(u, 0, sizeof u);
	for (n = 0; n < BATCH && s->put < s->urls; n++) {
		h = zipf(s);
		u[n].url.s = url[n];
		u[n].url.len =
		    simurl_make(url[n], h, s->host[h].put++, &u[n].parts);
		u[n].ordinal = s->put++;
		u[n].depth = 3;
		u[n].lane = 1;
	}
	frontier_expect(s->f, u, n);
	for (size_t i = 0; i < n; i++) {
		rc = frontier_push(s->f, &u[i], s->now);
		if (rc < 0)
			die("push", rc);
	}
}

/* A page is to be fetched: is it its turn? */
static void
watch(struct sim *s, const struct frontier_job *j)
{
	struct model *m;
	uint64_t h;
	uint32_t n;

	if (!simurl_read(j->url, &h, &n) || h >= s->hosts) {
		s->strange++;
		return;
	}
	m = &s->host[h];
	if (n != m->taken)
		s->order++;
	m->taken++;
	if (m->start >= 0 && s->now < m->start + s->opts.delay)
		s->close++;
	m->start = s->now;
}

/* The next URL comes out: 1, or 0 if time has to pass. */
static int
take(struct sim *s)
{
	struct frontier_addr a;
	struct frontier_job j;
	uint32_t n;
	int rc;

	for (;;) {
		rc = frontier_next(s->f, s->now, &j);
		if (rc <= 0)
			break;
		if (j.kind == FRONTIER_RESOLVE) {
			n = (j.host * 2654435761U) %
			    (uint32_t)(s->hosts / 4 + 1);
			memset(&a, 0, sizeof a);
			memcpy(a.b + 12, &n, sizeof n);
			a.b[10] = a.b[11] = 0xff;
			rc = frontier_resolved(s->f, j.id, &a, 1, 86400000,
			    s->now);
			if (rc < 0)
				die("resolved", rc);
			continue;
		}
		watch(s, &j);
		rc = frontier_done(s->f, j.id, FRONTIER_OK, -1, s->now);
		if (rc < 0)
			die("done", rc);
		s->taken++;
		return 1;
	}
	if (rc < 0)
		die("next", rc);
	return 0;
}

/* Time passes until something can be done. */
static void
wait(struct sim *s)
{
	int64_t ms = frontier_wait(s->f, s->now);

	if (ms < 0) {
		fprintf(stderr, "frontier-sim: %llu URLs never come out\n",
		    (unsigned long long)(s->put - s->taken));
		exit(2);
	}
	s->now += ms > 0 ? ms : 1;
}

/* Note how large it all is. */
static void
look(struct sim *s)
{
	struct frontier_stat st;

	frontier_stat(s->f, &st);
	if (st.memory > s->memory)
		s->memory = st.memory;
	if (st.disk > s->disk)
		s->disk = st.disk;
	if (st.spilled > s->spilled) {
		s->spilled = st.spilled;
		s->disk_url = (double)st.disk / (double)st.spilled;
	}
}

static void
phase(struct sim *s, const char *name, uint64_t ops, double w, double c)
{
	struct rusage r;

	look(s);
	getrusage(RUSAGE_SELF, &r);
	w = wall() - w;
	c = cpu() - c;
	printf("%-6s %11llu puts and takes in %7.1f s (%7.1f CPU): %6.3f M/s; "
	       "pending %llu, RSS %ld MB\n",
	    name, (unsigned long long)ops, w, c, (double)ops / w / 1e6,
	    (unsigned long long)(s->put - s->taken), r.ru_maxrss / 1024);
	fflush(stdout);
}

static void
fill(struct sim *s)
{
	double w = wall(), c = cpu();

	while (s->put < s->urls) {
		put(s);
		while (s->taken < s->put / PUTS)
			if (!take(s))
				wait(s);
		if (s->put % CHECK == 0)
			look(s);
	}
	phase(s, "fill", s->put + s->taken, w, c);
}

static void
drain(struct sim *s)
{
	uint64_t before = s->taken;
	double w = wall(), c = cpu();

	while (s->taken < s->put) {
		if (!take(s))
			wait(s);
		else if (s->taken % CHECK == 0)
			look(s);
	}
	phase(s, "drain", s->taken - before, w, c);
}

static int
write_fd(void *ctx, const void *p, size_t n)
{
	return write(*(int *)ctx, p, n) == (ssize_t)n ? 0 : FAULT_SYS;
}

static int
read_fd(void *ctx, void *p, size_t n)
{
	return fread(p, 1, n, ctx) == n ? 0 : FAULT_TRUNCATED;
}

static int
sync_fd(void *ctx, int fd)
{
	(void)ctx;
	(void)fd;
	return 0;
}

/* Load the image in `path' beside the frontier itself, to look at. */
static void
load(struct sim *s, const char *path)
{
	struct frontier_opts o = s->opts;
	struct frontier *f;
	struct frontier_stat st;
	FILE *in = fopen(path, "r");
	double w = wall();
	int rc;

	o.readonly = 1;
	rc = frontier_new(&f, &o);
	if (rc == 0 && in != NULL)
		rc = image_load(f, read_fd, in, s->now);
	if (rc < 0 || in == NULL)
		die("load", rc);
	frontier_stat(f, &st);
	printf("load   %11llu pending in %.1f s%s\n",
	    (unsigned long long)st.queued, wall() - w,
	    st.queued == s->put - s->taken ? "" : ", WRONG");
	s->strange += st.queued != s->put - s->taken;
	frontier_free(f);
	fclose(in);
}

/* An image, in slices. */
static void
image(struct sim *s)
{
	char path[4096];
	double w = wall(), one, most = 0, begin;
	int fd, rc = 1;
	unsigned int slices = 0;

	snprintf(path, sizeof path, "%s/image", s->dir);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (fd < 0)
		die(path, 0);
	image_begin(s->f);
	for (begin = w; rc == 1; slices++) {
		rc = image_save(s->f, write_fd, &fd, 0, SLICE);
		one = wall();
		if (one - begin > most)
			most = one - begin;
		begin = one;
	}
	if (rc == 0)
		rc = image_sync(s->f, sync_fd, NULL);
	if (rc < 0)
		die("image", rc);
	image_named(s->f);
	printf(
	    "image  %11lld bytes in %.1f s, %u slices, the longest %.1f ms\n",
	    (long long)lseek(fd, 0, SEEK_END), wall() - w, slices, most * 1e3);
	close(fd);
	load(s, path);
	(void)unlink(path);
}

static uint64_t
number(const char *s)
{
	char *end;
	double v = strtod(s, &end);

	switch (*end) {
	case 'G':
		return (uint64_t)(v * 1073741824);
	case 'M':
		return (uint64_t)(v * 1048576);
	default:
		return (uint64_t)v;
	}
}

static void
options(struct sim *s, int argc, char **argv)
{
	static const struct option opt[] = {
		{ "urls", required_argument, NULL, 'u' },
		{ "hosts", required_argument, NULL, 'h' },
		{ "memory", required_argument, NULL, 'm' },
		{ "dir", required_argument, NULL, 'd' },
		{ "zipf", required_argument, NULL, 'z' },
		{ "delay", required_argument, NULL, 'w' },
		{ "image", no_argument, NULL, 'i' },
		{ NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", opt, NULL)) != -1) {
		if (c == 'u')
			s->urls = number(optarg);
		else if (c == 'h')
			s->hosts = number(optarg);
		else if (c == 'm')
			s->opts.memory = number(optarg);
		else if (c == 'd')
			s->dir = optarg;
		else if (c == 'z')
			s->s = strtod(optarg, NULL);
		else if (c == 'w')
			s->opts.delay = (uint32_t)number(optarg);
		else if (c == 'i')
			s->image = 1;
		else
			exit(2);
	}
	if (s->urls == 0 || s->hosts == 0 || s->hosts >= 1U << 30) {
		fprintf(stderr, "frontier-sim: no such number\n");
		exit(2);
	}
}

int
main(int argc, char **argv)
{
	struct sim s;
	int rc;

	memset(&s, 0, sizeof s);
	s.urls = 10000000;
	s.hosts = 100000;
	s.s = 1;
	s.rng = UINT64_C(88172645463325252);
	s.opts.delay = 1000;
	s.opts.ip_delay = 0;
	s.opts.per_host = 1;
	s.opts.dirfd = -1;
	s.opts.keep = 2;
	s.opts.seed = 1;
	options(&s, argc, argv);
	if (s.dir != NULL)
		s.opts.dirfd = open(s.dir, O_RDONLY | O_DIRECTORY);
	if (s.dir != NULL && s.opts.dirfd < 0)
		die(s.dir, 0);
	s.host = malloc(s.hosts * sizeof *s.host);
	if (s.host == NULL)
		die("malloc", 0);
	for (uint64_t i = 0; i < s.hosts; i++)
		s.host[i] = (struct model){ -1, 0, 0 };
	rc = frontier_new(&s.f, &s.opts);
	if (rc == 0)
		rc = frontier_fresh(s.f);
	if (rc < 0)
		die("frontier", rc);
	fill(&s);
	if (s.image && s.dir != NULL)
		image(&s);
	drain(&s);
	printf("memory %llu MB (and the model's %llu), disk %llu MB at most; "
	       "%llu URLs spilled at most, %.1f bytes each\n",
	    (unsigned long long)(s.memory >> 20),
	    (unsigned long long)(s.hosts * sizeof *s.host >> 20),
	    (unsigned long long)(s.disk >> 20), (unsigned long long)s.spilled,
	    s.disk_url);
	printf("too close %llu, out of order %llu, strange %llu; %s\n",
	    (unsigned long long)s.close, (unsigned long long)s.order,
	    (unsigned long long)s.strange,
	    frontier_empty(s.f) ? "empty" : "NOT EMPTY");
	rc = s.close + s.order + s.strange > 0 || !frontier_empty(s.f);
	frontier_free(s.f);
	free(s.host);
	return rc;
}
