/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * utf8.h - UTF-8, one code point at a time
 *
 * Well-formed as RFC 3629 says: no overlong forms, no surrogates, nothing
 * above U+10FFFF.
 */

#ifndef CRAWLER_UTF8_H
#define CRAWLER_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* What utf8_decode() says of bytes that are not UTF-8. */
#define UTF8_BAD UINT32_C(0xffffffff)

/* U+FFFD, which stands for what could not be decoded. */
#define UTF8_REPLACEMENT UINT32_C(0xfffd)

/* Bytes that utf8_encode() writes at most. */
#define UTF8_MAX 4

/*
 * The code point at `s' (`len' > 0 bytes): stores it, or UTF8_BAD, and
 * returns the bytes it takes.  Ill-formed input takes its maximal subpart,
 * which the WHATWG decoder turns into one U+FFFD.
 */
size_t utf8_decode(const char *s, size_t len, uint32_t *cp);

/* Writes `cp' (a scalar value) to `out', up to UTF8_MAX bytes: how many. */
size_t utf8_encode(uint32_t cp, char *out);

/*
 * 1 if all `len' bytes are UTF-8.  A last sequence that `len' cuts short
 * counts as good, because a body may end at its size limit.
 */
int utf8_valid(const char *s, size_t len);

#endif
