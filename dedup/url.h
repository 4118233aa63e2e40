/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * url.h - one spelling for each http(s) URL
 *
 * The one door of both programs: whatever names a page (a line, a link, a
 * redirect target, a sitemap entry) is resolved and normalised here, so that
 * nobody can disagree on what "the same URL" is.
 *
 * The steps are the WHATWG URL Standard's basic URL parser for the special
 * schemes http and https (hosts by UTS 46 non-transitional through libidn2,
 * IPv4 in all its spellings, IPv6 in RFC 5952 form), then the equivalences
 * of RFC 3986 section 6.2.2: %XX of unreserved characters decoded, the hex
 * digits of others in capitals, dot segments (encoded ones too) removed, the
 * scheme's default port and the fragment dropped, an empty path "/".  What
 * would change the meaning (%2F %3F %23 %25 ...) is never decoded.  The
 * result is idempotent: normalising it again changes no byte, under the same
 * rules.
 *
 * Memory	A normaliser owns all the memory it will need once its buffer
 *		has grown to LIMIT_URL; results point into it or, where the
 *		input is in normal form already, at the input itself.
 * Threads	No locks and no shared state: one normaliser per thread.
 * Errors	FAULT_URL_* (see fault.h), FAULT_NOMEM.
 */

#ifndef DEDUP_URL_H
#define DEDUP_URL_H

#include <stddef.h>
#include <stdint.h>

#include "snapshot/fault.h"

/* Further rules, off unless asked for: each can merge different pages. */
enum url_rule {
	URL_KEEP_FRAGMENT = 1 << 0,    /* do not drop "#..." */
	URL_SORT_QUERY = 1 << 1,       /* query parameters by name, stable */
	URL_STRIP_PARAMS = 1 << 2,     /* tracking: utm_* gclid fbclid ... */
	URL_STRIP_SESSION = 1 << 3,    /* ;jsessionid= PHPSESSID sid ... */
	URL_DROP_EMPTY_QUERY = 1 << 4, /* "/a?" is "/a" */
	URL_DROP_USERINFO = 1 << 5,    /* "user:pw@" goes */
	URL_MERGE_SLASHES = 1 << 6,    /* "//" in the path is "/" */
	URL_STRIP_SLASH = 1 << 7,      /* "/a/" is "/a" */
	URL_STRIP_INDEX = 1 << 8,      /* "/index.html" is "/" */
	URL_STRIP_WWW = 1 << 9,        /* "www.example.com" loses www. */
	URL_FOLD_SCHEME = 1 << 10,     /* https is http */
};

#define URL_RULES 11 /* how many there are */

struct url; /* a normaliser */

/* Bytes that somebody else owns; not NUL-terminated. */
struct url_span {
	const char *s;
	size_t len;
};

/*
 * Where the parts of a normalised URL lie, as offsets into it (RFC 3986
 * names).  `host' includes the brackets of an IPv6 address.
 */
struct url_parts {
	uint32_t host;     /* first byte of the host */
	uint32_t host_end; /* one past it */
	uint32_t path;     /* the path's "/" */
	uint32_t query;    /* the "?", or the end of the path if none */
	uint32_t end;      /* one past the query (or fragment, if kept) */
	uint16_t port;     /* explicit or the scheme's default */
	uint8_t https;     /* 1 for https, 0 for http */
};

/*
 * A normaliser with the given rules (a set of enum url_rule).  NULL if there
 * is no memory.
 */
struct url *url_new(uint32_t rules);

/* `u' may be NULL. */
void url_free(struct url *u);

/*
 * Lines without a scheme ("example.com/a") get `scheme', "http" or "https";
 * NULL takes it back.  A line counts as having a scheme where the WHATWG
 * parser finds one, except that what follows the colon must not look like a
 * port ("example.com:8080/a" has none).  FAULT_URL_SCHEME for another scheme.
 */
must_check int url_default_scheme(struct url *u, const char *scheme);

/*
 * Resolve relative URLs against `base' from now on; len 0 takes it back.
 * The base itself is normalised first.  On a fault the old one stays.
 */
must_check int url_base(struct url *u, const char *base, size_t len);

/*
 * Resolve and normalise `len' bytes at `s' (any bytes; UTF-8 where they are
 * not ASCII, ill-formed sequences become U+FFFD in hosts and are taken byte
 * by byte elsewhere as the WHATWG encoder does).  0 and `out', which is `s'
 * itself where nothing had to change, else memory of `u' that is good until
 * the next call.  Input longer than LIMIT_LINE is FAULT_URL_TOOLONG.
 */
must_check int url_normalise(struct url *u, const char *s, size_t len,
    struct url_span *out);

/*
 * Find the parts of `url', which url_normalise() made.  0, or FAULT_ARG if
 * it is not in normal form as far as the parts go.
 */
must_check int url_split(struct url_span url, struct url_parts *parts);

/*
 * The rule of this name ("sort-query"), or 0.  `len' bytes, not terminated.
 */
uint32_t url_rule(const char *name, size_t len);

/* Name and one-line explanation of rule number `i' (0 <= i < URL_RULES). */
const char *url_rule_name(unsigned int i);
const char *url_rule_help(unsigned int i);

#endif
