/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * extract.h - the links of a page, from its header and its HTML
 *
 * A page is told in steps: extract_begin() with its URL, extract_header()
 * for each line of its response's header, extract_html() with its body if it
 * is HTML, and extract_end(), which resolves, normalises and drops what
 * comes twice.  Nothing is resolved before the end, because a base element
 * counts for the whole document.
 *
 * Memory	All that a result points to is the extractor's until the next
 *		extract_begin().  Bounded by the LIMIT_PAGE_* of limits.h
 *		whatever the page; what usual pages need is kept, so that a
 *		worker allocates next to nothing.
 * Threads	One thread per extractor; xmlInitParser() before there are
 *		several.
 * Errors	Faults of fault.h.  A page can't cause any: markup that goes
 *		beyond a limit ends the parse, the links so far are kept, and
 *		the result says so.
 */

#ifndef CRAWLER_EXTRACT_H
#define CRAWLER_EXTRACT_H

#include <stddef.h>
#include <stdint.h>

#include "crawler/links.h"
#include "crawler/markup.h"
#include "crawler/robotstag.h"
#include "dedup/url.h"
#include "snapshot/fault.h"

struct extract;

struct extract_options {
	uint32_t rules;    /* of the normaliser: a set of enum url_rule */
	const char *agent; /* product token, stays the caller's; or NULL */
	/*
	 * CPU time in ns (only differences count), NULL for this thread's.
	 * A test hands in a clock of its own.
	 */
	int64_t (*clock)(void *arg);
	void *clock_arg;
	uint64_t seed; /* of the hash sets: any secret number */
};

/* What a page is asked for. */
enum extract_want {
	/* images, style sheets, scripts ... too */
	EXTRACT_EMBEDS = MARKUP_EMBEDS,
	EXTRACT_NOFOLLOW = 1 << 1,    /* what is nofollow too, not left out */
	EXTRACT_FORMS = MARKUP_FORMS, /* what forms are sent to by GET, too */
};

struct extract_link {
	struct url_span url; /* absolute, normalised, http or https */
	struct url_span raw; /* as the page has it, references decoded */
	const char *element; /* "a"; "header" for a line of the header */
	const char *attribute;
	uint32_t flags; /* a set of enum link_flag */
};

struct extract_result {
	const struct extract_link *link; /* in order of first occurrence */
	size_t links;
	const char *charset; /* the Encoding Standard's name; NULL: no HTML */
	unsigned int robots; /* enum robotstag, header and meta elements */
	enum markup_cut cut; /* why the parse ended early */
	/* what is not in the list, by reason; each text counts once */
	uint32_t nofollow; /* by rel, or the whole page */
	uint32_t scheme;   /* mailto:, javascript:, data: ... */
	uint32_t invalid;  /* no URL, or too long */
};

/* NULL if there is no memory. */
struct extract *extract_new(const struct extract_options *o);

/* `x' may be NULL. */
void extract_free(struct extract *x);

/*
 * Start on the page whose (absolute) URL this is; `want' is a set of enum
 * extract_want.  FAULT_URL_* if it is no URL.
 */
must_check int extract_begin(struct extract *x, const char *url, size_t len,
    unsigned int want);

/*
 * A line of the response's header: Content-Type (before extract_html()),
 * Link (RFC 8288), Refresh and X-Robots-Tag are looked at, others not.  The
 * value is without blanks around it or line ends in it.
 */
must_check int extract_header(struct extract *x, const char *name,
    size_t name_len, const char *value, size_t len);

/*
 * The whole body, content codings undone; it must stay until the call
 * returns.  At most once per page.
 */
must_check int extract_html(struct extract *x, const char *body, size_t len);

/* The page is complete.  FAULT_NOMEM. */
must_check int extract_end(struct extract *x, struct extract_result *r);

/* What a cut means, in words: "elements nested too deep".  NULL for whole. */
const char *extract_cut_str(enum markup_cut cut);

#endif
