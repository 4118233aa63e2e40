/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * charref.h - character references in attribute values
 *
 * HTML Standard, section 13.2.5.72 on, with the exception it makes for
 * attributes: "&copy=1" and "&ampere" stay, because links are full of
 * query strings whose "&" nobody wrote as "&amp;".
 *
 * The names are HTML 4's, those for ASCII characters that came with HTML 5
 * ("&sol;") and the few in capitals ("&AMP"); of HTML 5's two thousand
 * others none has been worth its bytes in a URL.
 */

#ifndef CRAWLER_CHARREF_H
#define CRAWLER_CHARREF_H

#include <stddef.h>

/*
 * `len' bytes of UTF-8 at `s', where TRANSCODE_AMP stands for each "&", into
 * `out', which needs no more than `len' bytes and may be `s'.  The bytes
 * written.
 */
size_t charref_decode(char *out, const char *s, size_t len);

#endif
