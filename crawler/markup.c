/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <libxml/HTMLparser.h>
#include <libxml/dict.h>
#include <libxml/parserInternals.h>

#include "crawler/ascii.h"
#include "crawler/charref.h"
#include "crawler/markup.h"
#include "crawler/refresh.h"
#include "crawler/rel.h"
#include "crawler/robotstag.h"
#include "crawler/srcset.h"
#include "snapshot/limits.h"

#define NS_PER_MS INT64_C(1000000)

struct markup {
	struct markup_options options;
	htmlParserCtxtPtr parser;
	struct transcode *input;
	struct links *links;
	struct markup_result *result;
	unsigned int want; /* enum markup_want */
	int64_t deadline;
	int fault;
	int bom; /* 1 until the parser was told that this is UTF-8 */
	unsigned int depth;
	/* depth of the element whose content is text to a browser, and of
	   the outermost template; 0 outside of any */
	unsigned int text_depth, template_depth;
	char text[LIMIT_LINE]; /* a decoded value */
	char base[LIMIT_LINE];
};

struct element;

typedef void start_fn(struct markup *, const struct element *,
    const xmlChar **);

static start_fn start_anchor, start_base, start_form, start_input, start_link,
    start_meta, start_plain;

enum element_flag {
	EMBEDS = MARKUP_EMBEDS, /* looked at only if they are wanted */
	FORMS = MARKUP_FORMS,
	TEXT = 1 << 4,     /* what is in it is text, not markup */
	PLAIN = 1 << 5,    /* the same, and no end tag ends it */
	TEMPLATE = 1 << 6, /* a document of its own, as to base and meta */
};

struct element {
	const char *name;
	start_fn *start; /* NULL: no links of its own */
	unsigned int flags;
	uint32_t link; /* enum link_flag of its links */
	const char *attribute[2];
};

/* Sorted by name.  An attribute called srcset holds image candidates. */
/* clang-format off */
static const struct element elements[] = {
	{ "a", start_anchor, 0, 0, { "href", NULL } },
	{ "area", start_anchor, 0, 0, { "href", NULL } },
	{ "audio", start_plain, EMBEDS, LINK_EMBED, { "src", NULL } },
	{ "base", start_base, 0, 0, { "href", NULL } },
	{ "body", start_plain, EMBEDS, LINK_EMBED, { "background", NULL } },
	{ "embed", start_plain, EMBEDS, LINK_EMBED, { "src", NULL } },
	{ "form", start_form, FORMS, 0, { "action", NULL } },
	{ "frame", start_plain, 0, LINK_FRAME, { "src", NULL } },
	{ "iframe", start_plain, TEXT, LINK_FRAME, { "src", NULL } },
	{ "img", start_plain, EMBEDS, LINK_EMBED, { "src", "srcset" } },
	{ "input", start_input, EMBEDS, LINK_EMBED, { "src", NULL } },
	{ "link", start_link, 0, 0, { "href", "imagesrcset" } },
	{ "meta", start_meta, 0, 0, { "content", NULL } },
	{ "noembed", NULL, TEXT, 0, { NULL, NULL } },
	{ "noframes", NULL, TEXT, 0, { NULL, NULL } },
	{ "object", start_plain, EMBEDS, LINK_EMBED, { "data", NULL } },
	{ "plaintext", NULL, PLAIN, 0, { NULL, NULL } },
	{ "script", start_plain, EMBEDS | TEXT, LINK_EMBED, { "src", NULL } },
	{ "source", start_plain, EMBEDS, LINK_EMBED, { "src", "srcset" } },
	{ "style", NULL, TEXT, 0, { NULL, NULL } },
	{ "template", NULL, TEMPLATE, 0, { NULL, NULL } },
	{ "textarea", NULL, TEXT, 0, { NULL, NULL } },
	{ "title", NULL, TEXT, 0, { NULL, NULL } },
	{ "track", start_plain, EMBEDS, LINK_EMBED, { "src", NULL } },
	{ "video", start_plain, EMBEDS, LINK_EMBED, { "src", "poster" } },
	{ "xmp", NULL, TEXT, 0, { NULL, NULL } },
};
/* clang-format on */

#define ELEMENTS (sizeof elements / sizeof elements[0])

static int
by_name(const void *name, const void *element)
{
	return strcmp(name, ((const struct element *)element)->name);
}

/* The value of an attribute as the parser has it, "" if it is but a name; NULL
   if there is no such attribute. */
static const char *
attribute(const xmlChar **atts, const char *name)
{
	if (atts == NULL)
		return NULL;
	for (; atts[0] != NULL; atts += 2)
		if (strcmp((const char *)atts[0], name) == 0)
			return atts[1] == NULL ? "" : (const char *)atts[1];
	return NULL;
}

/* End the parse here. */
static void
stop(struct markup *m, int fault, enum markup_cut cut)
{
	if (fault != 0 && fault != FAULT_FULL)
		m->fault = fault;
	else if (m->result->cut == MARKUP_WHOLE)
		m->result->cut = cut;
	xmlStopParser(m->parser);
}

/* An attribute's value, decoded; good until the next.  NULL if none. */
static const char *
value(struct markup *m, const xmlChar **atts, const char *name, size_t *len)
{
	const char *s = attribute(atts, name);

	if (s == NULL)
		return NULL;
	*len = strlen(s);
	if (*len > sizeof m->text)
		return NULL;
	*len = charref_decode(m->text, s, *len);
	return m->text;
}

/* One link, with text of the given form: decoded already, or not. */
static void
add(struct markup *m, const struct element *e, const char *name, uint32_t flags,
    const char *s, size_t len, int decoded)
{
	struct link_entry link = { .element = e->name,
		.attribute = name,
		.flags = flags };
	char *text;
	int rc;

	if (len > LIMIT_LINE) {
		m->result->toolong++;
		return;
	}
	text = links_text(m->links, len, &rc);
	if (text != NULL) {
		if (decoded)
			memcpy(text, s, len);
		else
			len = charref_decode(text, s, len);
		rc = links_add(m->links, len, 0, &link);
	}
	if (rc < 0)
		stop(m, rc, MARKUP_CUT_LINKS);
}

/* The URL in an attribute; an empty one names nothing. */
static void
add_url(struct markup *m, const struct element *e, const char *name,
    uint32_t flags, const xmlChar **atts)
{
	const char *s = attribute(atts, name);

	if (s != NULL && *s != '\0')
		add(m, e, name, flags, s, strlen(s), 0);
}

/* The URLs in an attribute of image candidates. */
static void
add_srcset(struct markup *m, const struct element *e, const char *name,
    uint32_t flags, const xmlChar **atts)
{
	struct srcset_candidate c;
	struct srcset it;
	const char *s;
	size_t len;

	s = value(m, atts, name, &len);
	if (s == NULL)
		return;
	srcset_start(&it, s, len);
	while (m->fault == 0 && m->result->cut == MARKUP_WHOLE &&
	    srcset_next(&it, &c))
		if (c.len > 0)
			add(m, e, name, flags, c.url, c.len, 1);
}

static void
start_plain(struct markup *m, const struct element *e, const xmlChar **atts)
{
	const char *name;
	size_t i;

	for (i = 0; i < 2 && e->attribute[i] != NULL; i++) {
		name = e->attribute[i];
		if (strcmp(name, "srcset") == 0)
			add_srcset(m, e, name, e->link, atts);
		else
			add_url(m, e, name, e->link, atts);
	}
}

static void
start_anchor(struct markup *m, const struct element *e, const xmlChar **atts)
{
	const char *s, *rel;
	uint32_t flags = 0;
	size_t len;

	/* an empty one is the document itself */
	s = attribute(atts, "href");
	if (s == NULL)
		return;
	rel = value(m, atts, "rel", &len);
	if (rel != NULL)
		flags = rel_flags(rel, len) & LINK_NOFOLLOW;
	add(m, e, "href", flags, s, strlen(s), 0);
}

static void
start_base(struct markup *m, const struct element *e, const xmlChar **atts)
{
	const char *s;
	size_t len;

	(void)e;
	if (m->result->base != NULL || m->template_depth != 0)
		return;
	s = value(m, atts, "href", &len);
	if (s == NULL)
		return;
	memcpy(m->base, s, len);
	m->result->base = m->base;
	m->result->base_len = len;
}

/* Where it is sent to; what its fields would add is not for us to choose. */
static void
start_form(struct markup *m, const struct element *e, const xmlChar **atts)
{
	const char *s;
	size_t len;

	s = value(m, atts, "method", &len);
	if (s == NULL ||
	    (!ascii_is(s, len, "post") && !ascii_is(s, len, "dialog")))
		start_plain(m, e, atts);
}

static void
start_input(struct markup *m, const struct element *e, const xmlChar **atts)
{
	const char *s;
	size_t len;

	s = value(m, atts, "type", &len);
	if (s != NULL && ascii_is(s, len, "image"))
		start_plain(m, e, atts);
}

static void
start_link(struct markup *m, const struct element *e, const xmlChar **atts)
{
	uint32_t flags;
	const char *s;
	size_t len;

	s = value(m, atts, "rel", &len);
	if (s == NULL)
		return;
	flags = rel_flags(s, len);
	if ((flags & ~(uint32_t)LINK_NOFOLLOW) == 0)
		return;
	if ((flags & LINK_EMBED) && !(m->want & MARKUP_EMBEDS))
		return;
	add_url(m, e, "href", flags, atts);
	if (flags & LINK_EMBED)
		add_srcset(m, e, "imagesrcset", flags, atts);
}

static void
start_meta(struct markup *m, const struct element *e, const xmlChar **atts)
{
	const char *agent = m->options.agent, *s;
	struct refresh r;
	int refresh, robots;
	size_t len;

	if (m->template_depth != 0)
		return;
	s = value(m, atts, "http-equiv", &len);
	refresh = s != NULL && ascii_is(s, len, "refresh");
	s = value(m, atts, "name", &len);
	robots = s != NULL &&
	    (ascii_is(s, len, "robots") ||
		(agent != NULL && len == strlen(agent) &&
		    ascii_same(s, agent, len)));
	if (!refresh && !robots)
		return;
	s = value(m, atts, "content", &len);
	if (s == NULL)
		return;
	if (robots)
		m->result->robots |= robotstag_content(s, len);
	/* without a URL it is the same page again */
	if (refresh && refresh_parse(s, len, &r) && r.len > 0)
		add(m, e, "content", LINK_REFRESH, r.url, r.len, 1);
}

static void
on_start(void *arg, const xmlChar *name, const xmlChar **atts)
{
	struct markup *m = arg;
	const struct element *e;

	m->depth++;
	if (m->text_depth != 0 || m->result->cut != MARKUP_WHOLE ||
	    m->fault != 0)
		return;
	if (m->depth > LIMIT_PAGE_DEPTH) {
		stop(m, 0, MARKUP_CUT_DEPTH);
		return;
	}
	e = bsearch(name, elements, ELEMENTS, sizeof elements[0], by_name);
	if (e == NULL)
		return;
	/* a tag that the end of the input cuts off is none; its last
	   attribute may be half a URL */
	if (*m->parser->input->cur == '\0')
		return;
	if (e->start != NULL && !(e->flags & (EMBEDS | FORMS) & ~m->want))
		e->start(m, e, atts);
	if (e->flags & TEXT)
		m->text_depth = m->depth;
	if (e->flags & PLAIN)
		m->text_depth = UINT_MAX;
	if ((e->flags & TEMPLATE) && m->template_depth == 0)
		m->template_depth = m->depth;
}

static void
on_end(void *arg, const xmlChar *name)
{
	struct markup *m = arg;

	(void)name;
	if (m->depth == m->text_depth)
		m->text_depth = 0;
	if (m->depth == m->template_depth)
		m->template_depth = 0;
	if (m->depth > 0)
		m->depth--;
}

/* libxml2 asks for up to `room' bytes at `out'. */
static int
on_read(void *arg, char *out, int room)
{
	struct markup *m = arg;

	if (room < TRANSCODE_ROOM)
		return -1;
	/* a byte order mark is the one thing that every version takes as
	   the last word on the encoding */
	if (m->bom) {
		m->bom = 0;
		memcpy(out, "\xef\xbb\xbf", 3);
		if (room < 3 + TRANSCODE_ROOM)
			return 3;
		return 3 +
		    (int)transcode_read(m->input, out + 3, (size_t)room - 3);
	}
	if (m->result->cut != MARKUP_WHOLE || m->fault != 0)
		return 0;
	if (m->options.clock(m->options.clock_arg) > m->deadline) {
		m->result->cut = MARKUP_CUT_TIME;
		return 0;
	}
	return (int)transcode_read(m->input, out, (size_t)room);
}

static void
drop_parser(struct markup *m)
{
	htmlFreeParserCtxt(m->parser);
	m->parser = NULL;
}

/*
 * A parser whose dictionary has a ceiling.  The names that we look for are
 * put there first, so that a page which fills it can't hide its links.
 */
static int
make_parser(struct markup *m)
{
	size_t i, k;

	m->parser = htmlNewParserCtxt();
	if (m->parser == NULL)
		return FAULT_NOMEM;
	memset(m->parser->sax, 0, sizeof *m->parser->sax);
	m->parser->sax->startElement = on_start;
	m->parser->sax->endElement = on_end;
	m->parser->userData = m;
	xmlDictSetLimit(m->parser->dict, LIMIT_PAGE_NAMES);
	for (i = 0; i < ELEMENTS; i++) {
		xmlDictLookup(m->parser->dict,
		    (const xmlChar *)elements[i].name, -1);
		for (k = 0; k < 2 && elements[i].attribute[k] != NULL; k++)
			xmlDictLookup(m->parser->dict,
			    (const xmlChar *)elements[i].attribute[k], -1);
	}
	xmlDictLookup(m->parser->dict, (const xmlChar *)"rel", -1);
	xmlDictLookup(m->parser->dict, (const xmlChar *)"name", -1);
	xmlDictLookup(m->parser->dict, (const xmlChar *)"type", -1);
	xmlDictLookup(m->parser->dict, (const xmlChar *)"http-equiv", -1);
	xmlDictLookup(m->parser->dict, (const xmlChar *)"method", -1);
	return 0;
}

struct markup *
markup_new(const struct markup_options *o)
{
	struct markup *m = calloc(1, sizeof *m);

	if (m == NULL)
		return NULL;
	m->options = *o;
	if (make_parser(m) < 0) {
		free(m);
		return NULL;
	}
	return m;
}

void
markup_free(struct markup *m)
{
	if (m != NULL)
		drop_parser(m);
	free(m);
}

/* Give back what a page of a strange shape made the parser hold. */
static void
tidy(struct markup *m)
{
	if (xmlDictGetUsage(m->parser->dict) > LIMIT_PAGE_NAMES / 4 ||
	    m->parser->maxatts > LIMIT_PAGE_ATTRIBUTES)
		drop_parser(m);
	else
		htmlCtxtReset(m->parser);
}

int
markup_parse(struct markup *m, struct transcode *t, unsigned int want,
    struct links *links, struct markup_result *r)
{
	htmlDocPtr doc;
	int rc;

	memset(r, 0, sizeof *r);
	m->input = t;
	m->want = want;
	m->links = links;
	m->result = r;
	m->fault = 0;
	m->bom = 1;
	m->depth = m->text_depth = m->template_depth = 0;
	rc = m->parser == NULL ? make_parser(m) : 0;
	if (rc < 0)
		return rc;
	m->deadline =
	    m->options.clock(m->options.clock_arg) + LIMIT_PAGE_MS * NS_PER_MS;
	doc = htmlCtxtReadIO(m->parser, on_read, NULL, m, NULL, NULL,
	    HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
		HTML_PARSE_NODEFDTD | HTML_PARSE_NONET | HTML_PARSE_IGNORE_ENC);
	if (doc != NULL)
		xmlFreeDoc(doc);
	if (m->parser->errNo == XML_ERR_NO_MEMORY)
		m->fault = FAULT_NOMEM;
	tidy(m);
	return m->fault;
}
