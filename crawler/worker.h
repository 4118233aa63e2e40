/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * worker.h - threads that turn URLs into pages
 *
 * A worker resolves, fetches, decodes, parses and archives; the core (one
 * thread: gate, frontier, journal) only decides.  Between them go batches:
 * jobs in, messages out, each direction a bounded queue with an eventfd.
 *
 * Every job ends in exactly two messages, in this order:
 *
 *   WORKER_FETCHED  the request is over: its host may be asked again.  Only
 *		the fields of `struct worker_page' above the line may be read.
 *   WORKER_DONE  the page as a whole: its links, its redirect target and the
 *		place of its archive frame, which is durable by now.  Admit
 *		the links, then write the done record, then
 *		worker_page_free() it.
 *
 * Without an archive both come together.  Syncs of the archives are grouped:
 * one helper thread syncs what all workers put since the last time and then
 * hands on those pages.
 *
 * A full disk stops a worker's archive: it keeps what it has, takes no new
 * jobs (worker_room() is 0), tries again every second, and worker_trouble()
 * tells.
 *
 * Memory	Pages held are bounded by LIMIT_WORKER_PAGES a worker; past
 *		that worker_room() is 0.  What they hold is bounded by
 *		LIMIT_WORKER_BYTES: past that the worker takes no more results
 *		of its transfers until the core has collected.
 * Threads	All functions are for the core's thread, except
 *		worker_page_free().
 * Errors	FAULT_NOMEM, FAULT_SYS, FAULT_FULL, FAULT_ARG.
 */

#ifndef CRAWLER_WORKER_H
#define CRAWLER_WORKER_H

#include <stddef.h>
#include <stdint.h>

#include "crawler/archive.h"
#include "crawler/dns.h"
#include "crawler/fetch.h"
#include "crawler/markup.h"
#include "dedup/url.h"
#include "dedup/urlkey.h"
#include "snapshot/fault.h"

struct route;
struct worker_pool;

enum worker_kind {
	WORKER_PAGE,    /* a page: links are extracted from what is HTML */
	WORKER_ROBOTS,  /* a robots.txt, or where one was redirected to */
	WORKER_SITEMAP, /* a sitemap: its URLs are the links */
	WORKER_RESOLVE, /* only the addresses of the URL's host */
};

enum worker_job_flag {
	WORKER_NO_LINKS = 1 << 0, /* do not extract: depth bound reached */
	WORKER_EMBEDS = 1 << 1,   /* images, styles, scripts, media too */
	WORKER_NOFOLLOW = 1 << 2, /* what is nofollow too */
	WORKER_FORMS = 1 << 3,    /* what forms are sent to by GET, too */
};

/* A job; copied by worker_submit(). */
struct worker_job {
	enum worker_kind kind;
	unsigned int flags;
	const char *url; /* normalised */
	size_t url_len;
	uint64_t tag[2]; /* the core's (ordinal, host, ...); handed back */
};

enum worker_link_kind {
	WORKER_LINK_PAGE,     /* of the page or its header; see its flags */
	WORKER_LINK_REDIRECT, /* Location: of this response */
	WORKER_LINK_SITEMAP,  /* a sitemap, named by robots.txt or an index */
	WORKER_LINK_ENTRY,    /* a page that a sitemap names */
};

/* A link, resolved, normalised and hashed. */
struct worker_link {
	struct urlkey key;
	struct url_parts parts;
	const char *url; /* in the page's memory */
	uint32_t len;
	uint32_t flags; /* enum link_flag (links.h) */
	enum worker_link_kind kind;
};

/* RFC 9309 section 2.3.1. */
enum worker_robots {
	WORKER_ROBOTS_OK,
	WORKER_ROBOTS_UNAVAILABLE, /* 4xx: all allowed.  Also a redirect, unless
				      it is followed */
	WORKER_ROBOTS_UNREACHABLE, /* 5xx, 429, no answer: nothing allowed */
};

struct worker_page {
	enum worker_kind kind;
	unsigned int worker; /* which one */
	uint64_t tag[2];
	enum fetch_error error;
	char why[128];          /* words for it, "" if none */
	int status;             /* HTTP, 0 = none */
	int64_t start_us;       /* since 1970 */
	uint32_t ms;            /* the fetch */
	uint32_t sent_ms;       /* of these, before the request left */
	uint32_t first_ms;      /* before the first byte came; 0: none did */
	uint64_t bytes;         /* of the body as received */
	int64_t retry_after_ms; /* -1 = none */
	struct ip ip;           /* where it was, family 0 = unknown */
	unsigned int ips;       /* WORKER_RESOLVE: all of them */
	struct ip addr[LIMIT_DNS_IPS];
	int reused; /* connection */

	/* ---- from here on only with WORKER_DONE ---- */

	const char *url; /* the job's */
	size_t url_len;
	char type[128];       /* MIME type, lower case, no parameters; or "" */
	enum warc_cut cut;    /* is the body whole? */
	unsigned int decoded; /* enum decode_flag, of the content coding */
	unsigned int robots_tag;   /* enum robotstag, header and meta */
	enum markup_cut parse_cut; /* why the parser gave up, if it did */
	uint32_t invalid;          /* references that are no URL */
	uint32_t scheme;           /* ... or neither http nor https */
	uint32_t nofollow;         /* links left out for that */
	struct worker_link *link;  /* a redirect's target stands first */
	size_t links;
	struct archive_at at;
	/*
	 * < 0: what of the page could not be had, though it was fetched.
	 * FAULT_NOMEM: links are missing, so it is not done: ask again.
	 * Another: a sitemap is none (FAULT_MAGIC), is damaged or too long,
	 * and what it named before that is there.
	 */
	int fault;
	enum worker_robots robots_class;
	/* WORKER_ROBOTS_OK: what robots_parse() made; whoever takes it sets
	   this to NULL and frees it.  Its sitemaps are links too. */
	unsigned char *robots;
	size_t robots_len;
};

enum worker_msg_kind {
	WORKER_FETCHED,
	WORKER_DONE,
};

struct worker_msg {
	enum worker_msg_kind kind;
	struct worker_page *page;
};

/* Settings; everything pointed to lives until worker_pool_close(). */
struct worker_conf {
	unsigned int workers;
	unsigned int url_rules; /* enum url_rule */
	const struct urlkey_hasher *hasher;
	struct fetch_opts fetch; /* budget and max_active are for all workers */
	struct dns_opts dns;
	struct archive_opts archive; /* `worker' is set for each */
	const struct route *route;   /* NULL = none */
	size_t max_body; /* bytes, as received and decoded; of a page */
};

/* Starts the threads. */
must_check int worker_pool_open(struct worker_pool **p,
    const struct worker_conf *c);

/*
 * Stop fetching at once, sync and close the archives, end the threads, free
 * everything (messages not collected too).  FAULT_SYS if an archive could not
 * be closed cleanly.  `p' may be NULL.
 */
must_check int worker_pool_close(struct worker_pool *p);

/* Readable when there is something to collect; wait for it with poll(). */
int worker_pool_fd(const struct worker_pool *p);

/* How many jobs worker `w' takes now. */
size_t worker_room(struct worker_pool *p, unsigned int w);

/*
 * Give worker `w' a batch.  Keep each host with one worker, or connections
 * are not used again.  0, FAULT_FULL (more than worker_room()) and none
 * taken, FAULT_NOMEM and none taken.
 */
must_check int worker_submit(struct worker_pool *p, unsigned int w,
    const struct worker_job *j, size_t n);

/* Take up to `max' messages without waiting.  Their number, 0 if none. */
size_t worker_collect(struct worker_pool *p, struct worker_msg *m, size_t max);

/* Abandon every fetch in flight: each ends with FETCH_STOPPED. */
void worker_abandon(struct worker_pool *p);

/* The errno that archives are stuck with (ENOSPC, ...), 0 if none is. */
int worker_trouble(struct worker_pool *p);

/* `page' may be NULL. */
void worker_page_free(struct worker_page *page);

struct worker_stat {
	struct fetch_stat fetch; /* sums of all workers */
	struct dns_stat dns;
	uint64_t archive_bytes;
	uint64_t syncs;
};

/* A moment's figures, of all workers together. */
void worker_stat(struct worker_pool *p, struct worker_stat *st);

#endif
