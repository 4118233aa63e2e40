/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * charset.h - which character encoding a document is in
 *
 * Labels and what they mean are the WHATWG Encoding Standard's (section
 * 4.2), not the registry's: "iso-8859-1" and "ascii" are windows-1252,
 * because that is what pages that say so hold.  The order of the evidence is
 * the HTML Standard's (section 13.2.3): byte order mark, Content-Type, a
 * meta element in the first LIMIT_META bytes, the bytes themselves.
 *
 * Memory	Static tables only.
 * Threads	No state.
 */

#ifndef CRAWLER_CHARSET_H
#define CRAWLER_CHARSET_H

#include <stddef.h>

/* How it is decoded. */
enum charset_kind {
	CHARSET_UTF_8,
	CHARSET_WINDOWS_1252,
	CHARSET_USER_DEFINED, /* bytes from 0x80 are U+F780 and up */
	CHARSET_ICONV,        /* by iconv(3) */
	CHARSET_REPLACEMENT,  /* not at all: the whole is one U+FFFD */
};

struct charset {
	const char *name;  /* the Standard's */
	const char *iconv; /* iconv's for the same, where that decodes it */
	enum charset_kind kind;
	int utf16;          /* 1 for the two that queries are not encoded in */
	const char *labels; /* in lower case, separated by spaces */
};

/* The encoding of this label (any case, blanks around it), or NULL. */
const struct charset *charset_find(const char *label, size_t len);

/* The one that the value of a Content-Type header names, or NULL. */
const struct charset *charset_of_type(const char *value, size_t len);

/*
 * The one that a meta element or an XML declaration in the first LIMIT_META
 * bytes names ("prescan a byte stream", HTML Standard section 13.2.3.2), or
 * NULL.
 */
const struct charset *charset_prescan(const char *body, size_t len);

/*
 * The encoding of a whole body, never NULL.  `type' is the value of its
 * Content-Type header (NULL: none).  `bom' becomes the bytes of the byte
 * order mark, to be skipped.
 */
const struct charset *charset_settle(const char *body, size_t len,
    const char *type, size_t type_len, size_t *bom);

#endif
