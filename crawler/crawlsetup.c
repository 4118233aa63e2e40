/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * crawlsetup.c - from options to a core and workers
 */

#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "crawler/addrguard.h"
#include "crawler/crawlhttp.h"
#include "crawler/crawlrun.h"
#include "crawler/crawlseeds.h"
#include "crawler/route.h"
#include "crawler/slurp.h"
#include "dedup/optable.h"
#include "snapshot/atomicfile.h"
#include "snapshot/file.h"
#include "snapshot/statedir.h"

#define BODIES   (UINT64_C(256) << 20) /* bytes of bodies being received */
#define STALL    64                    /* bytes a second: less is a stall */
#define NO_DEPTH UINT32_MAX

/* ---- options to settings ---- */

static uint64_t
memory(const struct crawlopts *o)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	if (o->memory > 0)
		return o->memory;
	if (pages <= 0 || size <= 0)
		return UINT64_C(512) << 20;
	return (uint64_t)pages * (uint64_t)size / 4;
}

/* What crawl.conf may change while the crawl runs: crawloptsdiff.c's tuned. */
static void
tunable(struct core_opts *c, const struct crawlopts *o)
{
	c->include = o->include.s;
	c->includes = o->include.n;
	c->exclude = o->exclude.s;
	c->excludes = o->exclude.n;
	c->connections = (unsigned int)o->connections;
	c->frontier.delay =
	    (uint32_t)(o->delay < LIMIT_DELAY_MS ? o->delay : LIMIT_DELAY_MS);
	c->frontier.ip_delay = o->ip_delay;
	c->frontier.per_host = (unsigned int)o->per_host;
}

static void
core_options(struct crawlrun *r)
{
	const struct crawlopts *o = &r->o;
	struct core_opts *c = &r->core_opts;

	memset(c, 0, sizeof *c);
	tunable(c, o);
	c->dir = r->dir;
	c->kind = (enum filter_kind)o->kind;
	c->capacity = o->capacity;
	c->fp_rate = o->fp_rate;
	c->seed = o->hash_seed;
	c->rules = o->rules;
	c->scope = (enum scope_kind)o->scope;
	c->depth = o->depth < NO_DEPTH ? (uint32_t)o->depth : NO_DEPTH;
	c->embeds = o->embeds;
	c->forms = o->forms;
	c->nofollow = o->nofollow;
	c->sitemaps = o->sitemaps;
	c->ignore_robots = o->ignore_robots;
	c->pages = o->pages;
	c->sync_ms = (unsigned int)o->sync;
	c->snapshot_ms = o->snapshot;
	c->segment = o->segment;
	c->frontier.delay_was =
	    (uint32_t)(o->delay_was < LIMIT_DELAY_MS ? o->delay_was :
						       LIMIT_DELAY_MS);
	c->frontier.retries = (unsigned int)o->retries;
	c->frontier.host_pages = o->host_pages;
	c->frontier.memory = memory(o);
}

/* Write DIR/config, so that a later run knows what this one is. */
static int
save(struct crawlrun *r)
{
	struct crawlopts kept;
	char err[1024];
	struct buf b;
	int rc;

	memset(&kept, 0, sizeof kept);
	buf_init(&b, LIMIT_CONFIG);
	rc = crawlopts_kept(&kept, core_dir_fd(r->core), r->argc, r->argv, err,
	    sizeof err);
	if (rc < 0) {
		crawlopts_free(&kept);
		return -crawlsay("%s: %s", r->dir, err);
	}
	/* The seen set is made with these, wherever they stood. */
	kept.hash_seed = r->o.hash_seed;
	kept.kind = r->o.kind;
	kept.capacity = r->o.capacity;
	kept.fp_rate = r->o.fp_rate;
	kept.rules = r->o.rules;
	rc = crawlopts_save(&kept, &r->o, &b);
	if (rc == 0)
		rc = atomicfile_write(core_dir_fd(r->core), CORE_CONFIG, b.s,
		    b.len);
	buf_free(&b);
	crawlopts_free(&kept);
	if (rc < 0)
		crawlsay("%s/" CORE_CONFIG ": %s", r->dir, fault_why(rc));
	return rc;
}

/*
 * Is what this crawl is made with still there?  And which options say now what
 * is to be followed as no run before did.
 */
static int
compare(struct crawlrun *r, int dirfd, char *err, size_t size)
{
	struct crawlopts made;
	int rc;

	memset(&made, 0, sizeof made);
	rc = crawlopts_made(&made, dirfd, err, size);
	if (rc == 0 && crawlopts_lost(&made, dirfd))
		rc = optable_wrong(err, size,
		    CORE_CONFIG ": missing or empty, and it has the options "
				"that this crawl is made with: restore it from "
				"a copy, or begin again with another -d DIR");
	r->o.delay_was = made.hash_seed != 0 ? made.delay : 0;
	if (rc == 0 && made.hash_seed != 0)
		crawloptsdiff_names(&made, &r->o, CRAWLOPTSDIFF_FOLLOW,
		    r->changed, sizeof r->changed);
	crawlopts_free(&made);
	return rc;
}

/* Read what the directory says, if it is there, under the command line. */
static int
load(struct crawlrun *r)
{
	char err[1024];
	int fd = open(r->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), rc;

	if (r->o.n == 0 &&
	    (fd < 0 ? errno == ENOENT : statedir_empty(fd) == 1)) {
		file_close(fd);
		return crawlsetup_nothing(r);
	}
	if (fd < 0 && errno != ENOENT)
		return -crawlsay("%s: %s", r->dir, strerror(errno));
	if (fd >= 0) {
		crawlopts_free(&r->o);
		rc = crawlopts_load(&r->o, fd, r->argc, r->argv, err,
		    sizeof err);
		if (rc == 0)
			rc = compare(r, fd, err, sizeof err);
		file_close(fd);
		if (rc < 0)
			return -crawlsay("%s: %s", r->dir, err);
	}
	if (r->o.hash_seed == 0 &&
	    getrandom(&r->o.hash_seed, sizeof r->o.hash_seed, 0) !=
		(ssize_t)sizeof r->o.hash_seed)
		return -crawlsay("no random number: %s", strerror(errno));
	return 0;
}

static int
open_output(struct crawlrun *r)
{
	r->out_fd = -1;
	if (r->o.output != NULL) {
		r->out_fd = open(r->o.output,
		    O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
		if (r->out_fd < 0)
			return -crawlsay("%s: %s", r->o.output,
			    strerror(errno));
	}
	crawlout_init(&r->out, r->out_fd < 0 ? STDOUT_FILENO : r->out_fd,
	    r->o.json);
	return 0;
}

static void
show_page(void *ctx, const struct core_page *p)
{
	struct crawlrun *r = ctx;

	/* A fault is found when the lines are written. */
	if (!r->stdout_gone && crawlout_page(&r->out, p) < 0)
		return;
}

/* ---- the two halves ---- */

/*
 * Is there a certificate in the file `name' (NULL: none is wanted)?  What it
 * is worth is for the TLS library to say, once for each connection.
 */
static int
check_cacert(const char *name)
{
	static const char begin[] = "-----BEGIN ";
	struct stat st;
	size_t len;
	char *s;
	int rc;

	if (name == NULL)
		return 0;
	if (stat(name, &st) != 0)
		return -crawlsay("--cacert=%s: %s", name, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return -crawlsay("--cacert=%s: %s: it takes a PEM file", name,
		    fault_str(FAULT_NOTFILE));
	rc = slurp_file(name, LIMIT_CACERT_LOOK, &s, &len);
	if (rc < 0)
		return -crawlsay("--cacert=%s: %s", name, fault_why(rc));
	s[len] = '\0';
	if (strstr(s, begin) == NULL)
		rc = -crawlsay("--cacert=%s: there is no certificate in it: it "
			       "takes a PEM file",
		    name);
	free(s);
	return rc;
}

static int
open_http(struct crawlrun *r)
{
	const char *at = r->o.http;
	int rc = at == NULL ? 0 : crawlhttp_open(&r->http, at);

	if (rc == FAULT_ARG)
		return -crawlsay("--http '%.80s' is wrong: it takes "
				 "ADDRESS:PORT, [ADDRESS]:PORT or PORT, such "
				 "as 127.0.0.1:8080",
		    at);
	if (rc == FAULT_VERSION)
		return -crawlsay("--http: this crawl was built without "
				 "libmicrohttpd: leave --http out, or build "
				 "it anew with that");
	if (rc == FAULT_SYS && errno == EADDRINUSE)
		return -crawlsay("--http=%.80s: %s: give another port, or 0 "
				 "for one that is free",
		    at, strerror(EADDRINUSE));
	return rc == 0 ? 0 : -crawlsay("--http=%.80s: %s", at, fault_why(rc));
}

int
crawlsetup_core(struct crawlrun *r)
{
	struct core_error err;
	const char *where;
	int rc;

	r->status_fd = -1;
	if (crawlseeds_check(r->o.seeds, r->o.n, &where) < 0)
		return -crawlsay("%s: %s%s", where, strerror(errno),
		    errno == ENOENT ? ": a seed is a file, or a URL with "
				      "http:// or https://" :
				      "");
	rc = load(r);
	if (rc == 0)
		rc = check_cacert(r->o.cacert);
	if (rc == 0)
		rc = open_output(r);
	/* Before the state directory is made, which a mistake would leave. */
	if (rc == 0)
		rc = open_http(r);
	if (rc == 0)
		rc = crawlsetup_look(r);
	if (rc < 0)
		return rc;
	core_options(r);
	r->core_ops.ctx = r;
	r->core_ops.page = show_page;
	r->core_ops.note = crawlsay_note;
	if (core_open(&r->core, &r->core_opts, r->o.given, &r->core_ops,
		crawlrun_now(r), &err) < 0)
		return -crawlsay("%s", err.text);
	r->status_fd = openat(core_dir_fd(r->core), CORE_STATUS,
	    O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	return save(r);
}

static int
make_route(struct crawlrun *r)
{
	const struct crawlopts *o = &r->o;
	size_t i;
	int rc = route_new(&r->route);

	if (rc < 0)
		return -crawlsay("%s", fault_str(rc));
	for (i = 0; i < o->resolve.n; i++)
		if (route_resolve(r->route, o->resolve.s[i]) < 0)
			return -crawlsay("--resolve '%.200s' is wrong: it "
					 "takes HOST:PORT:ADDRESS",
			    o->resolve.s[i]);
	for (i = 0; i < o->connect_to.n; i++)
		if (route_connect(r->route, o->connect_to.s[i]) < 0)
			return -crawlsay("--connect-to '%.200s' is wrong: it "
					 "takes HOST1:PORT1:HOST2:PORT2",
			    o->connect_to.s[i]);
	rc = addrguard_new(&r->guard);
	if (rc == 0)
		rc = route_allow(r->route, r->guard);
	if (rc < 0)
		return -crawlsay("%s", fault_str(rc));
	if (o->allow_private)
		addrguard_allow_all(r->guard);
	return 0;
}

static void
worker_options(struct crawlrun *r)
{
	static const char info[] =
	    "software: crawl/" PACKAGE_VERSION "\r\n"
	    "format: WARC File Format 1.1\r\n"
	    "conformsTo: "
	    "http://iipc.github.io/warc-specifications/specifications/"
	    "warc-format/warc-1.1/\r\n";
	const struct crawlopts *o = &r->o;
	struct worker_conf *w = &r->conf;
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	memset(w, 0, sizeof *w);
	w->workers = (unsigned int)(o->threads > 0 ? o->threads :
		cores > 0                          ? (uint64_t)cores :
						     1);
	if (w->workers > LIMIT_THREADS)
		w->workers = LIMIT_THREADS;
	w->url_rules = o->rules;
	w->hasher = core_hasher(r->core);
	w->fetch.agent = o->agent;
	w->fetch.extra = o->header.s;
	w->fetch.n_extra = o->header.n;
	w->fetch.proxy = o->proxy;
	w->fetch.cacert = o->cacert;
	w->fetch.insecure = o->insecure;
	w->fetch.family = o->family;
	w->fetch.limit_rate = o->limit_rate;
	/* The core counts them; a worker may come to have them all. */
	w->fetch.max_active = (unsigned int)o->connections * w->workers;
	w->fetch.budget = BODIES;
	w->fetch.timeout_ms = (uint32_t)o->timeout;
	w->fetch.stall_rate = STALL;
	w->fetch.guard = r->guard;
	w->dns.family = o->family;
	w->archive.dirfd = core_archive_fd(r->core);
	w->archive.kind = (enum archive_kind)o->archive;
	w->archive.info = info;
	w->route = r->route;
	w->max_body = o->max_body;
}

int
crawlsetup_workers(struct crawlrun *r)
{
	int rc = make_route(r);

	if (rc == 0)
		rc = crawlsetup_seeds(r);
	if (rc < 0)
		return rc;
	if (r->http != NULL && !r->o.quiet)
		crawlsay("%s: live page at http://%s/", r->dir,
		    crawlhttp_where(r->http));
	worker_options(r);
	rc = worker_pool_open(&r->pool, &r->conf);
	if (rc < 0)
		crawlsay("cannot start the workers: %s", fault_why(rc));
	return rc;
}

void
crawlsetup_end(struct crawlrun *r)
{
	int rc = worker_pool_close(r->pool);

	(void)rc; /* after a start that failed; else it is closed */
	crawlhttp_close(r->http);
	core_abandon(r->core);
	r->core = NULL;
	crawlout_free(&r->out);
	file_close(r->out_fd);
	file_close(r->status_fd);
	route_free(r->route);
	addrguard_free(r->guard);
}

void
crawlsetup_reload(struct crawlrun *r)
{
	struct crawlopts fresh;
	struct core_error bad;
	struct core_opts old = r->core_opts;
	char err[1024], later[CRAWLOPTSDIFF_TEXT] = "";

	memset(&fresh, 0, sizeof fresh);
	if (crawlopts_load(&fresh, core_dir_fd(r->core), r->argc, r->argv, err,
		sizeof err) < 0) {
		crawlsay("%s: %s", r->dir, err);
		crawlopts_free(&fresh);
		return;
	}
	/* A new start would go by these: there, the command line wins. */
	crawloptsdiff_names(&r->o, &fresh, CRAWLOPTSDIFF_START, later,
	    sizeof later);
	if (crawlopts_again(&fresh, &r->o, err, sizeof err) < 0) {
		crawlsay("%s: %s", r->dir, err);
		crawlopts_free(&fresh);
		return;
	}
	tunable(&old, &fresh);
	if (core_tune(r->core, &old, &bad) < 0) {
		crawlsay("%s/" CORE_TUNING ": %s", r->dir, bad.text);
		crawlopts_free(&fresh);
		return;
	}
	/* What the core points at is in `fresh' from now on. */
	crawlopts_free(&r->tuned);
	r->tuned = fresh;
	r->core_opts = old;
	if (!r->o.quiet)
		crawlsay("%s/" CORE_TUNING ": read again%s%s%s", r->dir,
		    later[0] == '\0' ? "" : "; ", later,
		    later[0] == '\0' ? "" : ": from the next start on");
}
