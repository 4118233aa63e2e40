/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/random.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crawler/ascii.h"
#include "crawler/decode.h"
#include "crawler/extract.h"
#include "crawler/httphead.h"
#include "crawler/robots.h"
#include "crawler/robotsagent.h"
#include "crawler/sitemap.h"
#include "crawler/workerlinks.h"
#include "crawler/workerpage.h"
#include "snapshot/limits.h"

#define SNIFF 512 /* bytes of a body that are looked at for HTML */

struct workerpage {
	const struct worker_conf *c;
	struct extract *extract;
	struct decode *decode;
	struct url *url;
	struct workerlinks links;
	struct buf text; /* a header's value in one line */
	char *token;     /* our product token */
};

struct content { /* of one response, decoded */
	const char *s;
	size_t len;
};

/* ---- life ---- */

void
workerpage_free(struct workerpage *r)
{
	if (r == NULL)
		return;
	extract_free(r->extract);
	decode_free(r->decode);
	url_free(r->url);
	workerlinks_free(&r->links);
	buf_free(&r->text);
	free(r->token);
	free(r);
}

static int
open_parts(struct workerpage *r)
{
	struct extract_options o = { .rules = r->c->url_rules };
	const char *agent = r->c->fetch.agent;
	struct robotsagent a;

	if (agent == NULL)
		return FAULT_ARG;
	/* the hash sets' secret: no page can prepare collisions */
	if (getrandom(&o.seed, sizeof o.seed, 0) != (ssize_t)sizeof o.seed)
		return FAULT_SYS;
	robotsagent_init(&a, agent, strlen(agent));
	r->token = strndup(a.len[0] == 0 ? "" : a.name[0], a.len[0]);
	if (r->token == NULL)
		return FAULT_NOMEM;
	o.agent = a.len[0] == 0 ? NULL : r->token;
	r->extract = extract_new(&o);
	r->url = url_new(r->c->url_rules);
	if (r->extract == NULL || r->url == NULL)
		return FAULT_NOMEM;
	return decode_new(&r->decode);
}

int
workerpage_new(struct workerpage **out, const struct worker_conf *c)
{
	struct workerpage *r;
	int rc;

	r = calloc(1, sizeof *r);
	if (r == NULL)
		return FAULT_NOMEM;
	r->c = c;
	workerlinks_init(&r->links);
	buf_init(&r->text, LIMIT_HEAD);
	rc = open_parts(r);
	if (rc < 0) {
		workerpage_free(r);
		return rc;
	}
	*out = r;
	return 0;
}

size_t
workerpage_max(const struct worker_conf *c, enum worker_kind kind)
{
	switch (kind) {
	case WORKER_ROBOTS:
		return LIMIT_ROBOTS + 1; /* the parser sees the cut */
	case WORKER_SITEMAP:             /* the protocol's own ceiling */
		return c->max_body > LIMIT_SITEMAP ? c->max_body :
						     LIMIT_SITEMAP;
	case WORKER_PAGE:
	case WORKER_RESOLVE:
		break;
	}
	return c->max_body;
}

/* ---- the head ---- */

/* A value that goes on over lines as one line (RFC 9112 section 5.2). */
static int
unfold(struct workerpage *r, const char **v, size_t *n)
{
	size_t i;
	int rc;

	if (memchr(*v, '\n', *n) == NULL && memchr(*v, '\r', *n) == NULL)
		return 0;
	buf_clear(&r->text);
	rc = buf_add(&r->text, *v, *n);
	if (rc < 0)
		return rc;
	for (i = 0; i < *n; i++)
		if (r->text.s[i] == '\r' || r->text.s[i] == '\n')
			r->text.s[i] = ' ';
	*v = r->text.s;
	return 0;
}

/* Content-Encoding, of several lines too. */
static int
codings(struct workerpage *r, const struct fetch_result *f, const char **v,
    size_t *n)
{
	const char *next;
	size_t from = 0, len;
	int rc;

	*n = 0;
	if (!httphead_field(f->head, f->head_len, "content-encoding", &from, v,
		n) ||
	    !httphead_field(f->head, f->head_len, "content-encoding", &from,
		&next, &len))
		return 0;
	buf_clear(&r->text);
	rc = buf_add(&r->text, *v, *n);
	do {
		rc = rc < 0 ? rc : buf_add(&r->text, ",", 1);
		rc = rc < 0 ? rc : buf_add(&r->text, next, len);
	} while (rc == 0 &&
	    httphead_field(f->head, f->head_len, "content-encoding", &from,
		&next, &len));
	*v = r->text.s;
	*n = r->text.len;
	return rc;
}

static int
redirects(int status)
{
	return (status >= 300 && status <= 303) || status == 307 ||
	    status == 308;
}

/* 1 and the target, if `f' is a redirect; a fault if that is no URL. */
static int
redirect(struct workerpage *r, const char *url, size_t len,
    const struct fetch_result *f, struct url_span *to)
{
	const char *v;
	size_t from = 0, n;
	int rc;

	if (!redirects(f->status) ||
	    !httphead_field(f->head, f->head_len, "location", &from, &v, &n))
		return 0;
	rc = unfold(r, &v, &n);
	if (rc == 0)
		rc = url_base(r->url, url, len);
	if (rc == 0)
		rc = url_normalise(r->url, v, n, to);
	return rc < 0 ? rc : 1;
}

void
workerpage_head(struct task *t, const struct fetch_result *f)
{
	struct worker_page *p = &t->page;

	p->error = f->error;
	(void)snprintf(p->why, sizeof p->why, "%s", f->why);
	p->status = f->status;
	p->start_us = f->start_us;
	p->sent_ms = f->sent_ms;
	p->first_ms = f->first_ms;
	p->ms = f->ms;
	p->bytes = f->body_len;
	p->retry_after_ms = f->head_len == 0 ?
	    -1 :
	    httphead_retry_after(f->head, f->head_len,
		f->start_us + (int64_t)f->ms * 1000);
	p->ip = f->ip;
	p->reused = f->reused;
}

/* ---- the body ---- */

static int
decode(struct workerpage *r, struct task *t, const struct fetch_result *f,
    struct content *out)
{
	const char *v = "";
	const void *s;
	size_t n;
	int rc;

	rc = codings(r, f, &v, &n);
	if (rc == 0)
		rc = decode_body(r->decode, v, n,
		    f->body == NULL ? "" : f->body, f->body_len,
		    workerpage_max(r->c, t->page.kind), &s, &out->len);
	if (rc < 0)
		return rc;
	t->page.decoded = (unsigned int)rc;
	out->s = s;
	return 0;
}

/* What begins like this is HTML (WHATWG MIME Sniffing section 7.1). */
static int
looks_html(const char *s, size_t len)
{
	static const char *const tag[] = { "<!doctype html", "<html", "<head",
		"<script", "<iframe", "<h1", "<div", "<font", "<table", "<a",
		"<style", "<title", "<b", "<body", "<br", "<p" };
	const char *end = s + (len < SNIFF ? len : SNIFF);
	size_t i, n;

	if (end - s >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0)
		s += 3;
	while (s < end && *s != '\0' && strchr("\t\n\f\r ", *s) != NULL)
		s++;
	if (end - s >= 4 && memcmp(s, "<!--", 4) == 0)
		return 1;
	for (i = 0; i < sizeof tag / sizeof tag[0]; i++) {
		n = strlen(tag[i]);
		if ((size_t)(end - s) > n && ascii_same(s, tag[i], n) &&
		    (s[n] == ' ' || s[n] == '>'))
			return 1;
	}
	return 0;
}

static int
is_html(const char *type, const struct content *body)
{
	if (type[0] == '\0')
		return looks_html(body->s, body->len);
	return strcmp(type, "text/html") == 0 ||
	    strcmp(type, "application/xhtml+xml") == 0;
}

static int
may_be_html(const char *type)
{
	return type[0] == '\0' || type[0] == 't' || type[0] == 'a';
}

static int
tell_header(struct workerpage *r, const struct fetch_result *f,
    const char *name)
{
	const char *v;
	size_t from = 0, n;
	int rc = 0;

	while (rc == 0 &&
	    httphead_field(f->head, f->head_len, name, &from, &v, &n)) {
		rc = unfold(r, &v, &n);
		if (rc == 0)
			rc = extract_header(r->extract, name, strlen(name), v,
			    n);
	}
	return rc;
}

static int
take_links(struct workerpage *r, struct task *t, const struct extract_result *x)
{
	const struct extract_link *l;
	size_t i;
	int rc = 0;

	t->page.robots_tag = x->robots;
	t->page.parse_cut = x->cut;
	if (t->flags & WORKER_NO_LINKS)
		return 0;
	t->page.nofollow = x->nofollow;
	t->page.scheme = x->scheme;
	t->page.invalid = x->invalid;
	for (i = 0; i < x->links && rc == 0; i++) {
		l = &x->link[i];
		rc = workerlinks_add(&r->links, WORKER_LINK_PAGE, l->flags,
		    l->url.s, l->url.len);
	}
	return rc;
}

static int
read_page(struct workerpage *r, struct task *t, const char *url, size_t len,
    const struct fetch_result *f)
{
	static const char *const told[] = { "content-type", "link", "refresh",
		"x-robots-tag" };
	unsigned int want =
	    (t->flags & WORKER_EMBEDS ? (unsigned int)EXTRACT_EMBEDS : 0U) |
	    (t->flags & WORKER_FORMS ? (unsigned int)EXTRACT_FORMS : 0U) |
	    (t->flags & WORKER_NOFOLLOW ? (unsigned int)EXTRACT_NOFOLLOW : 0U);
	struct extract_result x;
	struct content body;
	size_t i;
	int rc;

	rc = extract_begin(r->extract, url, len, want);
	for (i = 0; i < sizeof told / sizeof told[0] && rc == 0; i++)
		rc = tell_header(r, f, told[i]);
	if (rc == 0 && !(t->flags & WORKER_NO_LINKS) &&
	    may_be_html(t->page.type)) {
		rc = decode(r, t, f, &body);
		if (rc == 0 && is_html(t->page.type, &body))
			rc = extract_html(r->extract, body.s, body.len);
	}
	if (rc == 0)
		rc = extract_end(r->extract, &x);
	return rc < 0 ? rc : take_links(r, t, &x);
}

/* A URL as a robots.txt or sitemap has it. */
static int
add_url(struct workerpage *r, struct worker_page *p, enum worker_link_kind kind,
    const char *s, size_t len)
{
	struct url_span url;
	int rc;

	rc = url_normalise(r->url, s, len, &url);
	if (rc == FAULT_NOMEM)
		return rc;
	if (rc == FAULT_URL_SCHEME)
		p->scheme++;
	else if (rc < 0)
		p->invalid++;
	return rc < 0 ? 0 : workerlinks_add(&r->links, kind, 0, url.s, url.len);
}

struct entries {
	struct workerpage *r;
	struct worker_page *page;
};

static int
on_entry(void *arg, const struct sitemap_entry *e)
{
	struct entries *x = arg;

	return add_url(x->r, x->page,
	    e->kind == SITEMAP_MAP ? WORKER_LINK_SITEMAP : WORKER_LINK_ENTRY,
	    e->loc, e->len);
}

static int
read_sitemap(struct workerpage *r, struct task *t, const char *url, size_t len,
    const struct fetch_result *f)
{
	struct entries x = { r, &t->page };
	struct content body;
	int rc;

	rc = decode(r, t, f, &body);
	if (rc == 0)
		rc = url_base(r->url, url, len);
	return rc < 0 ? rc : sitemap_parse(body.s, body.len, on_entry, &x);
}

/* RFC 9309 section 2.3.1: what a failure to get the rules means. */
static enum worker_robots
robots_class(const struct fetch_result *f)
{
	if (f->error != FETCH_OK || f->status == 429 || f->status < 200 ||
	    f->status >= 500)
		return WORKER_ROBOTS_UNREACHABLE;
	return f->status < 300 ? WORKER_ROBOTS_OK : WORKER_ROBOTS_UNAVAILABLE;
}

static int
read_robots(struct workerpage *r, struct task *t, const char *url, size_t len,
    const struct fetch_result *f)
{
	struct worker_page *p = &t->page;
	const char *map, *agent = r->c->fetch.agent;
	struct content body;
	struct robots view;
	size_t at = 0, n;
	int rc;

	rc = decode(r, t, f, &body);
	/* a coding that gives nothing tells us no rule: not "all allowed" */
	if (rc == 0 && (p->decoded & DECODE_DAMAGED) && body.len == 0) {
		p->robots_class = WORKER_ROBOTS_UNREACHABLE;
		return 0;
	}
	if (rc == 0)
		rc = robots_parse(agent, strlen(agent), body.s, body.len,
		    &p->robots, &p->robots_len);
	if (rc == 0)
		rc = robots_view(&view, p->robots, p->robots_len);
	if (rc == 0)
		rc = url_base(r->url, url, len);
	while (rc == 0) {
		map = robots_sitemap(&view, &at, &n);
		if (map == NULL)
			break;
		rc = add_url(r, p, WORKER_LINK_SITEMAP, map, n);
	}
	return rc;
}

/* The response's own content. */
static int
read_body(struct workerpage *r, struct task *t, const char *url, size_t len,
    const struct fetch_result *f)
{
	switch (t->page.kind) {
	case WORKER_PAGE:
		return read_page(r, t, url, len, f);
	case WORKER_SITEMAP:
		return read_sitemap(r, t, url, len, f);
	case WORKER_ROBOTS:
		return read_robots(r, t, url, len, f);
	case WORKER_RESOLVE:
		break;
	}
	return 0;
}

static int
read_all(struct workerpage *r, struct task *t, const char *url, size_t len,
    const struct fetch_result *f)
{
	struct worker_page *p = &t->page;
	struct url_span to;
	int rc = 0;

	if (p->kind == WORKER_ROBOTS)
		p->robots_class = robots_class(f);
	rc = redirect(r, url, len, f, &to);
	if (rc > 0)
		rc = workerlinks_add(&r->links, WORKER_LINK_REDIRECT, 0, to.s,
		    to.len);
	else if (rc == FAULT_URL_SCHEME)
		p->scheme++;
	else if (rc < 0 && rc != FAULT_NOMEM)
		p->invalid++;
	if (rc == FAULT_NOMEM)
		return rc;
	if (f->status < 200 || f->status > 299 || f->error == FETCH_STOPPED ||
	    (p->kind == WORKER_ROBOTS && p->robots_class != WORKER_ROBOTS_OK))
		return 0;
	return read_body(r, t, url, len, f);
}

void
workerpage_read(struct workerpage *r, struct task *t,
    const struct fetch_result *f)
{
	struct worker_page *p = &t->page;
	int rc, end;

	workerlinks_begin(&r->links,
	    p->kind == WORKER_SITEMAP ? LIMIT_SITEMAP_URLS : LIMIT_PAGE_LINKS);
	(void)httphead_type(f->head, f->head_len, p->type, sizeof p->type);
	p->cut = f->cut;
	rc = read_all(r, t, p->url, p->url_len, f);
	end = workerlinks_end(&r->links, r->c->hasher, p, &t->mem, &t->bytes);
	p->fault = end < 0 ? end : rc;
	if (r->links.full)
		p->parse_cut = MARKUP_CUT_LINKS;
	t->bytes += p->robots_len;
}
