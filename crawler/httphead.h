/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * httphead.h - reading the head of an HTTP response
 *
 * A head is what came before the body: a status line, fields, an empty line
 * (RFC 9112 sections 4 and 5).  Lines end in CR LF or LF alone; a field that
 * goes on in a line that starts with a blank is one value.
 *
 * Threads	No state.  Nothing is allocated.
 */

#ifndef CRAWLER_HTTPHEAD_H
#define CRAWLER_HTTPHEAD_H

#include <stddef.h>
#include <stdint.h>

/* The status code, 100 to 999, or 0 if the first line is no status line. */
int httphead_status(const char *head, size_t len);

/*
 * The value of the field `name' (lower case): `from' is where to look on
 * (0 at first).  1 with the trimmed value (which may span lines) and `from'
 * behind it, so that the next call finds the next such field, or 0.
 */
int httphead_field(const char *head, size_t len, const char *name, size_t *from,
    const char **value, size_t *value_len);

/*
 * The media type of Content-Type without parameters, in lower case, cut at
 * the first byte that may not stand there, into `out' ("" if there is none).
 * Returns its length.
 */
size_t httphead_type(const char *head, size_t len, char *out, size_t size);

/*
 * Retry-After (RFC 9110 section 10.2.3): seconds or an HTTP date, as ms from
 * `now_us' (since 1970) on, at most LIMIT_RETRY_AFTER_MS; -1 if none.
 */
int64_t httphead_retry_after(const char *head, size_t len, int64_t now_us);

#endif
