/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * sitemapxml.c - the SAX side of sitemaps
 *
 * Only one entry is open at a time, and only its own children matter, so
 * depths do instead of a stack: the entry is at `entry', the field that is
 * being read at `field'.  Text counts wherever it stands within the field
 * (some sites write <loc><url>...</url></loc>).
 *
 * The location is taken from the best source an entry has; a better one that
 * comes later replaces it.
 */

#include "config.h"

#include <libxml/parser.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "crawler/sitemapquiet.h"
#include "crawler/sitemaptext.h"
#include "crawler/sitemapvalue.h"
#include "crawler/sitemapxml.h"
#include "snapshot/limits.h"

#define PUSH 2048 /* bytes pushed at once, so that waiting shows early */

enum root {
	ROOT_NONE,
	ROOT_SITEMAP, /* urlset, sitemapindex */
	ROOT_FEED,    /* RSS */
	ROOT_ATOM,
};

/* Where a location came from, better ones last. */
enum source {
	SOURCE_NONE,
	SOURCE_TEXT, /* bare text in the entry */
	SOURCE_GUID, /* RSS: a guid that is a permalink */
	SOURCE_LINK, /* loc, link */
};

enum field {
	FIELD_NONE,
	FIELD_LOC,
	FIELD_DATE,
	FIELD_PRIORITY,
};

/* Text up to a limit; over it is none at all. */
struct text {
	char *s;
	size_t len, room;
	int over;
};

struct sitemapxml {
	sitemap_fn *fn;
	void *arg;
	xmlParserCtxtPtr ctxt; /* made with the first bytes */
	int fault;             /* 0, or why it ended */
	enum root root;
	int depth; /* elements open */
	int entry; /* depth of the open entry, 0 if there is none */
	const xmlChar *entry_uri; /* its namespace; the parser's */
	int field_depth;
	enum field field;
	enum source source;
	enum sitemap_kind kind;
	int64_t work;  /* attribute comparisons left */
	int closing;   /* the input ends within "</..." */
	char last;     /* the byte before what comes next */
	size_t head_n; /* bytes held back until the encoding can be told */
	char head[4];
	struct text loc;
	struct text misc; /* date or priority */
	int64_t lastmod;
	int priority;
	struct sitemapquiet quiet;
	char loc_room[LIMIT_LINE + 1];
	char misc_room[128];
};

static void
text_clear(struct text *t)
{
	t->len = 0;
	t->over = 0;
}

static void
text_add(struct text *t, const char *s, size_t len)
{
	if (len > t->room - t->len) {
		t->over = 1;
		return;
	}
	memcpy(t->s + t->len, s, len);
	t->len += len;
}

static void
stop(struct sitemapxml *x, int fault)
{
	if (x->fault == 0)
		x->fault = fault;
	xmlStopParser(x->ctxt);
}

static void
emit(struct sitemapxml *x)
{
	struct sitemap_entry e;
	int rc;

	e.loc = x->loc.s;
	e.len = x->loc.len;
	sitemaptext_trim(&e.loc, &e.len);
	if (x->source == SOURCE_NONE || x->loc.over || e.len == 0)
		return;
	/* what is no location by name must look like one */
	if (x->source != SOURCE_LINK && !sitemaptext_is_http(e.loc, e.len))
		return;
	e.lastmod = x->lastmod;
	e.priority = x->priority;
	e.kind = x->kind;
	rc = x->fn(x->arg, &e);
	if (rc < 0)
		stop(x, rc);
}

static enum root
root_of(const char *name)
{
	if (strcasecmp(name, "urlset") == 0 ||
	    strcasecmp(name, "sitemapindex") == 0)
		return ROOT_SITEMAP;
	if (strcmp(name, "rss") == 0 || strcmp(name, "RDF") == 0)
		return ROOT_FEED;
	if (strcmp(name, "feed") == 0)
		return ROOT_ATOM;
	return ROOT_NONE;
}

/* Does an element of this name begin an entry? */
static int
is_entry(struct sitemapxml *x, const char *name)
{
	if (x->root == ROOT_FEED)
		return strcmp(name, "item") == 0;
	if (x->root == ROOT_ATOM)
		return strcmp(name, "entry") == 0;
	x->kind = strcmp(name, "sitemap") == 0 ? SITEMAP_MAP : SITEMAP_URL;
	return x->kind == SITEMAP_MAP || strcmp(name, "url") == 0;
}

/*
 * The value of attribute `name' without a namespace; libxml2 hands over five
 * pointers for each: name, prefix, namespace, value, end of the value.
 */
static const char *
attribute(const char *name, int n, const xmlChar **at, size_t *len)
{
	int i;

	for (i = 0; i < n; i++, at += 5) {
		if (at[1] != NULL || strcmp((const char *)at[0], name) != 0)
			continue;
		*len = (size_t)(at[4] - at[3]);
		return (const char *)at[3];
	}
	return NULL;
}

static int
attribute_is(const char *name, const char *want, int n, const xmlChar **at)
{
	size_t len = 0;
	const char *s = attribute(name, n, at, &len);

	return s != NULL && len == strlen(want) && memcmp(s, want, len) == 0;
}

/* The text of the element just begun is the location, if it is a better one. */
static void
open_loc(struct sitemapxml *x, enum source source)
{
	if (source <= x->source)
		return;
	x->source = source;
	x->field = FIELD_LOC;
	text_clear(&x->loc);
}

/* Atom: the first link to the entry itself, not to its editor or enclosure. */
static void
take_href(struct sitemapxml *x, int n, const xmlChar **at)
{
	size_t len = 0;
	const char *href;

	if (attribute("rel", n, at, &len) != NULL &&
	    !attribute_is("rel", "alternate", n, at))
		return;
	href = attribute("href", n, at, &len);
	if (href == NULL || x->source == SOURCE_LINK)
		return;
	x->source = SOURCE_LINK;
	text_clear(&x->loc);
	text_add(&x->loc, href, len);
}

/* A child of the entry begins. */
static void
child(struct sitemapxml *x, const char *name, int n, const xmlChar **at)
{
	x->field_depth = x->depth;
	if (x->root == ROOT_ATOM) {
		if (strcmp(name, "link") == 0)
			take_href(x, n, at);
		else if (strcmp(name, "updated") == 0 ||
		    strcmp(name, "modified") == 0)
			x->field = FIELD_DATE;
	} else if (x->root == ROOT_FEED) {
		if (strcmp(name, "link") == 0)
			open_loc(x, SOURCE_LINK);
		else if (strcmp(name, "guid") == 0 &&
		    !attribute_is("isPermaLink", "false", n, at))
			open_loc(x, SOURCE_GUID);
		else if (strcmp(name, "pubDate") == 0)
			x->field = FIELD_DATE;
	} else {
		if (strcmp(name, "loc") == 0)
			open_loc(x, SOURCE_LINK);
		else if (strcmp(name, "lastmod") == 0)
			x->field = FIELD_DATE;
		else if (strcmp(name, "priority") == 0)
			x->field = FIELD_PRIORITY;
	}
	if (x->field == FIELD_DATE || x->field == FIELD_PRIORITY)
		text_clear(&x->misc);
}

static void
begin_entry(struct sitemapxml *x, const xmlChar *uri)
{
	x->entry = x->depth;
	x->entry_uri = uri;
	x->field = FIELD_NONE;
	x->source = SOURCE_NONE;
	x->lastmod = -1;
	x->priority = -1;
	text_clear(&x->loc);
}

/* SAX: an element begins; `at' as for attribute(). */
static void
on_start(void *arg, const xmlChar *name, const xmlChar *prefix,
    const xmlChar *uri, int nns, const xmlChar **ns, int n, int ndefault,
    const xmlChar **at)
{
	struct sitemapxml *x = arg;

	(void)ns;
	(void)ndefault;
	x->depth++;
	x->work -= (int64_t)(n + nns) * (n + nns);
	if (x->work < 0 || x->depth > LIMIT_SITEMAP_DEPTH) {
		stop(x, FAULT_TOOBIG);
		return;
	}
	if (x->depth == 1) {
		x->root = root_of((const char *)name);
		if (x->root == ROOT_NONE)
			stop(x, FAULT_MAGIC);
	} else if (x->entry == 0) {
		if (is_entry(x, (const char *)name))
			begin_entry(x, uri);
	} else if (x->depth == x->entry + 1 &&
	    (prefix == NULL || xmlStrEqual(uri, x->entry_uri))) {
		/* not <image:loc>, <atom:link> and the like */
		child(x, (const char *)name, n, at);
	}
}

static void
end_field(struct sitemapxml *x)
{
	x->misc.s[x->misc.len] = '\0';
	if (x->field == FIELD_DATE && !x->misc.over)
		x->lastmod = sitemapvalue_date(x->misc.s);
	else if (x->field == FIELD_PRIORITY && !x->misc.over)
		x->priority = sitemapvalue_priority(x->misc.s);
	x->field = FIELD_NONE;
}

static void
on_end(void *arg, const xmlChar *name, const xmlChar *prefix,
    const xmlChar *uri)
{
	struct sitemapxml *x = arg;

	(void)name;
	(void)prefix;
	(void)uri;
	if (x->field != FIELD_NONE && x->depth == x->field_depth)
		end_field(x);
	if (x->entry != 0 && x->depth == x->entry) {
		x->entry = 0;
		emit(x);
	}
	x->depth--;
}

static void
on_text(void *arg, const xmlChar *s, int len)
{
	struct sitemapxml *x = arg;
	const char *c = (const char *)s;

	if (x->entry == 0)
		return;
	if (x->field == FIELD_LOC) {
		text_add(&x->loc, c, (size_t)len);
	} else if (x->field != FIELD_NONE) {
		text_add(&x->misc, c, (size_t)len);
	} else if (x->depth == x->entry && x->source <= SOURCE_TEXT) {
		x->source = SOURCE_TEXT;
		text_add(&x->loc, c, (size_t)len);
	}
}

/* SAX: the document declares an entity of its own. */
static void
on_entity(void *arg, const xmlChar *name, int type, const xmlChar *public,
    const xmlChar *system, xmlChar *content)
{
	(void)name;
	(void)type;
	(void)public;
	(void)system;
	(void)content;
	stop(arg, FAULT_DAMAGED);
}

/* Give libxml2 its first four bytes, by which it tells the encoding. */
static int
begin(struct sitemapxml *x)
{
	xmlSAXHandler sax;

	memset(&sax, 0, sizeof sax);
	sax.initialized = XML_SAX2_MAGIC;
	sax.startElementNs = on_start;
	sax.endElementNs = on_end;
	sax.characters = on_text;
	sax.cdataBlock = on_text;
	sax.entityDecl = on_entity;
	x->ctxt =
	    xmlCreatePushParserCtxt(&sax, x, x->head, (int)x->head_n, NULL);
	if (x->ctxt == NULL)
		return FAULT_NOMEM;
	xmlCtxtUseOptions(x->ctxt,
	    XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
	return 0;
}

struct sitemapxml *
sitemapxml_new(sitemap_fn *fn, void *arg)
{
	struct sitemapxml *x = calloc(1, sizeof *x);

	if (x == NULL)
		return NULL;
	x->fn = fn;
	x->arg = arg;
	x->work = LIMIT_SITEMAP_ATTRIBUTES;
	x->loc.s = x->loc_room;
	x->loc.room = sizeof x->loc_room - 1;
	x->misc.s = x->misc_room;
	x->misc.room = sizeof x->misc_room - 1;
	sitemapquiet_begin(&x->quiet);
	return x;
}

void
sitemapxml_free(struct sitemapxml *x)
{
	if (x == NULL)
		return;
	sitemapquiet_end(&x->quiet);
	/* libxml2 keeps declared entities in a document, even for SAX */
	if (x->ctxt != NULL && x->ctxt->myDoc != NULL)
		xmlFreeDoc(x->ctxt->myDoc);
	xmlFreeParserCtxt(x->ctxt);
	free(x);
}

/*
 * Does the input so far end within "</..."?  Then the text before it is
 * complete, though libxml2 can't say so.
 */
static void
watch(struct sitemapxml *x, const char *s, size_t len)
{
	const char *gt = memrchr(s, '>', len), *end = s + len;

	if (gt != NULL) {
		x->closing = 0;
		x->last = '>';
		s = gt + 1;
	}
	for (; s < end; s++) {
		if (x->last == '<' && *s == '/')
			x->closing = 1;
		x->last = *s;
	}
}

/*
 * What libxml2 holds back waits for the end of a tag, comment or section.
 * Of these only the tag costs more than its length.
 */
static int
too_long(const struct sitemapxml *x)
{
	const char *cur = (const char *)x->ctxt->input->cur;
	ptrdiff_t n = (const char *)x->ctxt->input->end - cur;

	if (n > 4 && cur[0] == '<' && cur[1] == '!')
		return n > LIMIT_SITEMAP_COMMENT;
	return n > LIMIT_SITEMAP_TAG;
}

static void
push(struct sitemapxml *x, const char *s, size_t len)
{
	int rc = xmlParseChunk(x->ctxt, s, (int)len, 0);

	if (x->fault != 0)
		return;
	if (rc != XML_ERR_OK && x->ctxt->wellFormed == 0)
		x->fault =
		    rc == XML_ERR_NO_MEMORY ? FAULT_NOMEM : FAULT_DAMAGED;
	else if (x->quiet.garbled)
		stop(x, FAULT_DAMAGED);
	else if (too_long(x))
		stop(x, FAULT_TOOBIG);
}

int
sitemapxml_feed(struct sitemapxml *x, const char *s, size_t len)
{
	size_t n;

	while (x->ctxt == NULL && x->fault == 0 && len > 0) {
		x->head[x->head_n++] = *s++;
		len--;
		if (x->head_n == sizeof x->head)
			x->fault = begin(x);
	}
	for (; len > 0 && x->fault == 0; s += n, len -= n) {
		n = len < PUSH ? len : PUSH;
		watch(x, s, n);
		push(x, s, n);
	}
	return x->fault;
}

int
sitemapxml_end(struct sitemapxml *x)
{
	int rc;

	if (x->fault == 0 && x->ctxt == NULL)
		x->fault = FAULT_MAGIC;
	if (x->fault != 0)
		return x->fault;
	rc = xmlParseChunk(x->ctxt, NULL, 0, 1);
	if (x->fault == 0 && x->quiet.garbled)
		x->fault = FAULT_DAMAGED;
	if (x->fault != 0 || rc == XML_ERR_OK)
		return x->fault;
	if (x->entry != 0 && (x->field != FIELD_LOC || x->closing))
		emit(x);
	if (x->fault == 0)
		x->fault = x->root == ROOT_NONE ? FAULT_MAGIC : FAULT_TRUNCATED;
	return x->fault;
}
