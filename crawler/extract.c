/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "crawler/ascii.h"
#include "crawler/charset.h"
#include "crawler/extract.h"
#include "crawler/linkheader.h"
#include "crawler/refresh.h"
#include "crawler/rel.h"
#include "crawler/transcode.h"
#include "snapshot/limits.h"

/* What a text is relative to; see links_add(). */
enum {
	OF_BODY = 0,
	OF_HEADER = 1
};

struct extract {
	struct extract_options options;
	unsigned int want; /* enum extract_want */
	struct url *url;
	struct transcode *transcode;
	struct markup *markup;
	struct links raw;  /* as the page has them */
	struct links done; /* resolved; `from' is the index of the raw one */
	struct extract_link *link;
	size_t link_room;
	char *page; /* its URL */
	size_t page_len, page_room;
	struct markup_result body;
	const struct charset *charset; /* of the body, NULL before */
	unsigned int robots;           /* of the header */
	char type[256];                /* Content-Type */
	size_t type_len;
	char query[LIMIT_LINE]; /* a URL with its query encoded */
};

/* The clock of those who hand in none. */
static int64_t
thread_time(void *arg)
{
	struct timespec t;

	(void)arg;
	if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0)
		return 0;
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

struct extract *
extract_new(const struct extract_options *o)
{
	struct extract *x = calloc(1, sizeof *x);
	struct markup_options m;

	if (x == NULL)
		return NULL;
	x->options = *o;
	m.agent = o->agent;
	m.clock = o->clock == NULL ? thread_time : o->clock;
	m.clock_arg = o->clock_arg;
	links_init(&x->raw, o->seed);
	links_init(&x->done, o->seed);
	x->url = url_new(o->rules);
	x->transcode = transcode_new();
	x->markup = markup_new(&m);
	if (x->url == NULL || x->transcode == NULL || x->markup == NULL) {
		extract_free(x);
		return NULL;
	}
	return x;
}

void
extract_free(struct extract *x)
{
	if (x == NULL)
		return;
	url_free(x->url);
	transcode_free(x->transcode);
	markup_free(x->markup);
	links_free(&x->raw);
	links_free(&x->done);
	free(x->link);
	free(x->page);
	free(x);
}

int
extract_begin(struct extract *x, const char *url, size_t len, unsigned int want)
{
	char *page;
	int rc;

	links_clear(&x->raw);
	links_clear(&x->done);
	memset(&x->body, 0, sizeof x->body);
	x->charset = NULL;
	x->robots = 0;
	x->want = want;
	x->type_len = 0;
	if (x->link_room > LIMIT_PAGE_KEEP / sizeof *x->link) {
		free(x->link);
		x->link = NULL;
		x->link_room = 0;
	}
	rc = url_base(x->url, url, len);
	if (rc < 0)
		return rc;
	if (len > x->page_room) {
		page = realloc(x->page, len);
		if (page == NULL)
			return FAULT_NOMEM;
		x->page = page;
		x->page_room = len;
	}
	memcpy(x->page, url, len);
	x->page_len = len;
	return 0;
}

/* A link that the header has, among the raw ones. */
static int
add(struct extract *x, const char *attribute, uint32_t flags, const char *s,
    size_t len)
{
	struct link_entry link = { .element = "header",
		.attribute = attribute,
		.flags = flags | LINK_HEADER };
	char *text;
	int rc;

	text = links_text(&x->raw, len, &rc);
	if (text != NULL) {
		memcpy(text, s, len);
		rc = links_add(&x->raw, len, OF_HEADER, &link);
	}
	if (rc == FAULT_FULL) {
		x->body.cut = MARKUP_CUT_LINKS;
		rc = 0;
	}
	return rc < 0 ? rc : 0;
}

static int
link_header(struct extract *x, const char *value, size_t len)
{
	struct linkheader_link l;
	struct linkheader it;
	uint32_t flags;
	int rc = 0;

	linkheader_start(&it, value, len);
	while (rc == 0 && linkheader_next(&it, &l)) {
		if (l.anchor || l.rel == NULL || l.len > LIMIT_LINE)
			continue;
		flags = rel_flags(l.rel, l.rel_len);
		if ((flags & ~(uint32_t)LINK_NOFOLLOW) == 0)
			continue;
		if ((flags & LINK_EMBED) && !(x->want & EXTRACT_EMBEDS))
			continue;
		rc = add(x, "link", flags, l.url, l.len);
	}
	return rc;
}

int
extract_header(struct extract *x, const char *name, size_t name_len,
    const char *value, size_t len)
{
	const char *agent = x->options.agent;
	struct refresh r;

	if (ascii_is(name, name_len, "content-type")) {
		x->type_len = len < sizeof x->type ? len : sizeof x->type;
		memcpy(x->type, value, x->type_len);
	} else if (ascii_is(name, name_len, "x-robots-tag")) {
		x->robots |= robotstag_header(value, len, agent,
		    agent == NULL ? 0 : strlen(agent));
	} else if (ascii_is(name, name_len, "link")) {
		return link_header(x, value, len);
	} else if (ascii_is(name, name_len, "refresh")) {
		if (refresh_parse(value, len, &r) && r.len > 0 &&
		    r.len <= LIMIT_LINE)
			return add(x, "refresh", LINK_REFRESH, r.url, r.len);
	}
	return 0;
}

int
extract_html(struct extract *x, const char *body, size_t len)
{
	enum markup_cut before = x->body.cut;
	const struct charset *cs;
	size_t bom;
	int rc;

	cs = charset_settle(body, len, x->type, x->type_len, &bom);
	x->charset = transcode_start(x->transcode, cs, body + bom, len - bom);
	rc = markup_parse(x->markup, x->transcode, x->want, &x->raw, &x->body);
	if (before != MARKUP_WHOLE)
		x->body.cut = before;
	return rc;
}

/* 1 for a base whose scheme makes browsers ignore it (HTML Standard section
   4.2.3, "set the frozen base URL"). */
static int
ignored_base(const char *s, size_t len)
{
	while (len > 0 && (unsigned char)*s <= ' ') {
		s++;
		len--;
	}
	return (len >= 5 && ascii_same(s, "data:", 5)) ||
	    (len >= 11 && ascii_same(s, "javascript:", 11));
}

/*
 * Resolve against `kind' of text from now on.  A base element that holds no
 * URL is ignored; one of another scheme (ftp:, file:) leaves relative links
 * with nothing that they could be relative to.
 */
static int
use_base(struct extract *x, unsigned int kind)
{
	struct url_span base;
	int rc;

	rc = url_base(x->url, x->page, x->page_len);
	if (rc < 0 || kind == OF_HEADER || x->body.base == NULL)
		return rc;
	rc = url_normalise(x->url, x->body.base, x->body.base_len, &base);
	if (rc == 0)
		return url_base(x->url, base.s, base.len);
	if (rc == FAULT_URL_SCHEME &&
	    !ignored_base(x->body.base, x->body.base_len))
		return url_base(x->url, NULL, 0);
	return rc == FAULT_NOMEM ? rc : 0;
}

/*
 * A query in the document's encoding, where that is not UTF-8 (URL Standard,
 * "encoding-parse a URL").  The text as it is if there is nothing to do.
 */
static int
encode_query(struct extract *x, struct url_span *text)
{
	const char *end = text->s + text->len, *mark, *hash;
	size_t head, i;
	long n;

	mark = memchr(text->s, '?', text->len);
	if (mark == NULL || !transcode_encodes(x->transcode))
		return 0;
	head = (size_t)(mark - text->s);
	if (memchr(text->s, '#', head) != NULL)
		return 0;
	hash = memchr(mark, '#', (size_t)(end - mark));
	if (hash != NULL)
		end = hash;
	for (i = head; text->s + i < end; i++)
		if ((unsigned char)text->s[i] >= 0x80)
			break;
	if (text->s + i == end)
		return 0;
	memcpy(x->query, text->s, head);
	n = transcode_query(x->transcode, mark, (size_t)(end - mark),
	    x->query + head, sizeof x->query - head);
	if (n < 0)
		return (int)n;
	text->s = x->query;
	text->len = head + (size_t)n;
	return 0;
}

/* Resolve raw link `i'; counts what is none. */
static int
resolve(struct extract *x, size_t i, struct extract_result *r)
{
	const struct link_entry *e = &x->raw.entry[i];
	struct link_entry link = *e;
	struct url_span url = { x->raw.bytes + e->at, e->len };
	char *text;
	int rc = 0;

	if (!(e->flags & LINK_HEADER))
		rc = encode_query(x, &url);
	if (rc == 0)
		rc = url_normalise(x->url, url.s, url.len, &url);
	if (rc == FAULT_NOMEM)
		return rc;
	if (rc < 0) {
		if (rc == FAULT_URL_SCHEME)
			r->scheme++;
		else
			r->invalid++;
		return 0;
	}
	text = links_text(&x->done, url.len, &rc);
	if (text == NULL)
		return rc;
	memcpy(text, url.s, url.len);
	link.from = (uint32_t)i;
	rc = links_add(&x->done, url.len, 0, &link);
	return rc < 0 ? rc : 0;
}

static int
resolve_all(struct extract *x, struct extract_result *r)
{
	unsigned int kind, now = OF_HEADER;
	size_t i;
	int rc = 0;

	for (i = 0; i < x->raw.count; i++) {
		kind =
		    x->raw.entry[i].flags & LINK_HEADER ? OF_HEADER : OF_BODY;
		if (kind != now) {
			rc = use_base(x, kind);
			now = kind;
		}
		if (rc == 0)
			rc = resolve(x, i, r);
		if (rc == FAULT_FULL) {
			r->cut = MARKUP_CUT_LINKS;
			return 0;
		}
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* The list as the caller gets it, once the memory no longer moves. */
static int
hand_over(struct extract *x, struct extract_result *r)
{
	const int obey = !(x->want & EXTRACT_NOFOLLOW);
	const struct link_entry *e, *raw;
	struct extract_link *l;
	size_t i;

	if (x->done.count > x->link_room) {
		l = realloc(x->link, x->done.room * sizeof *l);
		if (l == NULL)
			return FAULT_NOMEM;
		x->link = l;
		x->link_room = x->done.room;
	}
	for (i = 0; i < x->done.count; i++) {
		e = &x->done.entry[i];
		if (obey &&
		    ((e->flags & LINK_NOFOLLOW) ||
			(r->robots & ROBOTSTAG_NOFOLLOW))) {
			r->nofollow++;
			continue;
		}
		raw = &x->raw.entry[e->from];
		l = &x->link[r->links++];
		l->url.s = x->done.bytes + e->at;
		l->url.len = e->len;
		l->raw.s = x->raw.bytes + raw->at;
		l->raw.len = raw->len;
		l->element = e->element;
		l->attribute = e->attribute;
		l->flags = e->flags;
	}
	r->link = x->link;
	return 0;
}

int
extract_end(struct extract *x, struct extract_result *r)
{
	int rc;

	memset(r, 0, sizeof *r);
	r->charset = x->charset == NULL ? NULL : x->charset->name;
	r->robots = x->robots | x->body.robots;
	r->cut = x->body.cut;
	r->invalid = x->body.toolong;
	rc = resolve_all(x, r);
	return rc < 0 ? rc : hand_over(x, r);
}

const char *
extract_cut_str(enum markup_cut cut)
{
	switch (cut) {
	case MARKUP_CUT_DEPTH:
		return "elements nested too deep";
	case MARKUP_CUT_TIME:
		return "markup takes too long to parse";
	case MARKUP_CUT_LINKS:
		return "too many links";
	case MARKUP_WHOLE:
		break;
	}
	return NULL;
}
