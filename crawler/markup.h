/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * markup.h - what an HTML document links to, in one pass
 *
 * libxml2's HTML parser in SAX mode (no tree), fed by a transcoder in pieces
 * of some KiB.  Between the pieces the clock is looked at, so the parse ends
 * even where the markup was made to take libxml2 quadratic time (40,000
 * attributes in one tag: 2.5 s); its other trap, an end tag that matches
 * nothing in a deep stack of elements, is shut by the limit on depth.
 *
 * Followed is what is markup to a browser without scripting: the content of
 * noscript and template too, but nothing in comments, scripts, styles,
 * titles, text areas and the text that stands in for an iframe.
 *
 * Memory	The parser and its dictionary of names are kept from page to
 *		page and made anew once the dictionary has grown; both are
 *		bounded (LIMIT_PAGE_NAMES).
 * Threads	One thread per parser; xmlInitParser() must have run before
 *		there are several.
 */

#ifndef CRAWLER_MARKUP_H
#define CRAWLER_MARKUP_H

#include <stddef.h>
#include <stdint.h>

#include "crawler/links.h"
#include "crawler/transcode.h"
#include "snapshot/fault.h"

/* What is looked for beside links; the numbers are extract.h's. */
enum markup_want {
	MARKUP_EMBEDS = 1 << 0, /* images, style sheets, scripts, media */
	MARKUP_FORMS = 1 << 2,  /* what forms with method GET are sent to */
};

/* Why a parse ended before its document did. */
enum markup_cut {
	MARKUP_WHOLE,     /* it did not */
	MARKUP_CUT_DEPTH, /* LIMIT_PAGE_DEPTH */
	MARKUP_CUT_TIME,  /* LIMIT_PAGE_MS */
	MARKUP_CUT_LINKS, /* LIMIT_PAGE_LINKS, LIMIT_PAGE_LINK_BYTES */
};

struct markup_options {
	const char *agent; /* whose meta elements are ours as well; or NULL */
	/* CPU time in ns, of which only differences count */
	int64_t (*clock)(void *arg);
	void *clock_arg;
};

struct markup_result {
	const char *base;    /* href of the first base element that has one, */
	size_t base_len;     /* or NULL; good until the next parse */
	unsigned int robots; /* enum robotstag, of the meta elements */
	enum markup_cut cut;
	uint32_t toolong; /* values beyond LIMIT_LINE, left out */
};

struct markup;

/* NULL if there is no memory.  What `o' points to must stay. */
struct markup *markup_new(const struct markup_options *o);

/* `m' may be NULL. */
void markup_free(struct markup *m);

/*
 * Parse what `t' was started on.  The values of the attributes that are
 * URLs go to `links', as they stand (character references decoded), with
 * element, attribute and flags; which beside links is said by `want', a set
 * of enum markup_want (other bits don't count).  0, or FAULT_NOMEM.
 */
must_check int markup_parse(struct markup *m, struct transcode *t,
    unsigned int want, struct links *links, struct markup_result *r);

#endif
