/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>
#include <strings.h>

#include "tests/webhttp.h"

/* Copy `n' bytes as a string: 1, or 0 if they do not fit. */
static int
copy(char *out, size_t size, const char *s, size_t n)
{
	int fits = n < size;

	if (!fits)
		n = size - 1;
	memcpy(out, s, n);
	out[n] = '\0';
	return fits;
}

/* METHOD SP TARGET SP HTTP/1.x */
static int
request_line(struct webhttp *r, const char *s, const char *end)
{
	const char *a = memchr(s, ' ', (size_t)(end - s)), *b, *slash;

	if (a == NULL || !copy(r->method, sizeof r->method, s, (size_t)(a - s)))
		return 0;
	a++;
	b = memchr(a, ' ', (size_t)(end - a));
	if (b == NULL || end - b != 9 || memcmp(b, " HTTP/1.", 8) != 0)
		return 0;
	r->keep = b[8] != '0';
	if (b - a > 7 && strncasecmp(a, "http://", 7) == 0) {
		a += 7; /* as a proxy is asked, RFC 9112 section 3.2.2 */
		slash = memchr(a, '/', (size_t)(b - a));
		if (slash == NULL ||
		    !copy(r->host, sizeof r->host, a, (size_t)(slash - a)))
			return 0;
		a = slash;
	}
	return copy(r->target, sizeof r->target, a, (size_t)(b - a));
}

/* Does the field at `s' have this name?  Its value begins after it. */
static const char *
field(const char *s, const char *end, const char *name)
{
	size_t n = strlen(name);

	if ((size_t)(end - s) <= n || s[n] != ':' ||
	    strncasecmp(s, name, n) != 0)
		return NULL;
	for (s += n + 1; s < end && (*s == ' ' || *s == '\t');)
		s++;
	return s;
}

static int
holds(const char *s, const char *end, const char *word)
{
	size_t n = strlen(word);

	for (; s + n <= end; s++)
		if (strncasecmp(s, word, n) == 0)
			return 1;
	return 0;
}

static void
codings(struct webhttp *r, const char *v, const char *end)
{
	r->codings |= holds(v, end, "gzip") ? WEBHTTP_GZIP : 0;
	r->codings |= holds(v, end, "deflate") ? WEBHTTP_DEFLATE : 0;
	r->codings |= holds(v, end, "br") ? WEBHTTP_BROTLI : 0;
	r->codings |= holds(v, end, "zstd") ? WEBHTTP_ZSTD : 0;
}

static void
field_line(struct webhttp *r, const char *s, const char *end)
{
	const char *v = field(s, end, "Host");

	if (v != NULL && r->host[0] == '\0')
		copy(r->host, sizeof r->host, v, (size_t)(end - v));
	v = field(s, end, "User-Agent");
	if (v != NULL)
		copy(r->agent, sizeof r->agent, v, (size_t)(end - v));
	v = field(s, end, "Accept-Encoding");
	if (v != NULL)
		codings(r, v, end);
	v = field(s, end, "Connection");
	if (v != NULL && holds(v, end, "close"))
		r->keep = 0;
	else if (v != NULL && holds(v, end, "keep-alive"))
		r->keep = 1;
	if (field(s, end, "Content-Length") != NULL ||
	    field(s, end, "Transfer-Encoding") != NULL)
		r->has_body = 1;
}

long
webhttp_parse(struct webhttp *r, const char *s, size_t len)
{
	const char *end = memmem(s, len, "\r\n\r\n", 4), *line, *next;

	if (end == NULL)
		return len > WEBHTTP_HEAD_MAX ? -1 : 0;
	r->host[0] = r->agent[0] = '\0';
	r->codings = 0;
	r->has_body = 0;
	next = memmem(s, (size_t)(end + 2 - s), "\r\n", 2);
	if (!request_line(r, s, next))
		return -1;
	for (line = next + 2; line < end; line = next + 2) {
		next = memmem(line, (size_t)(end + 2 - line), "\r\n", 2);
		field_line(r, line, next);
	}
	return end + 4 - s;
}
