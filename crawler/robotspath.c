/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "crawler/robotspath.h"

/* RFC 3986 section 2.3 */
static int
is_unreserved(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	    (c >= '0' && c <= '9') || c == '-' || c == '.' || c == '_' ||
	    c == '~';
}

/* Stands as it is: unreserved or reserved, but not "#", "'", "*" or "$". */
static int
is_kept(unsigned char c)
{
	return is_unreserved(c) ||
	    (c != '\0' && strchr(":/?[]@!&()+,;=", c) != NULL);
}

static int
hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* The octet that the three bytes at `s' stand for, -1 if they are no %XX. */
static int
decoded(const char *s, size_t len)
{
	if (len < 3 || s[0] != '%' || hex(s[1]) < 0 || hex(s[2]) < 0)
		return -1;
	return hex(s[1]) * 16 + hex(s[2]);
}

static size_t
encode(unsigned char c, char *out)
{
	static const char digits[] = "0123456789ABCDEF";

	out[0] = '%';
	out[1] = digits[c >> 4];
	out[2] = digits[c & 15];
	return 3;
}

/* Write the character at `s' in its form to `out', its length to `n'. */
static size_t
step(const char *s, size_t len, char *out, size_t *n)
{
	unsigned char c = (unsigned char)*s;
	int d = decoded(s, len);

	*n = d < 0 ? 1 : 3;
	if (d >= 0 && !is_unreserved((unsigned char)d))
		return encode((unsigned char)d, out);
	if (d < 0 && c != '%' && !is_kept(c))
		return encode(c, out);
	*out = (char)(d < 0 ? c : d);
	return 1;
}

int
robotspath_is_canon(const char *s, size_t len)
{
	char out[3];
	size_t i, n;

	for (i = 0; i < len; i += n) {
		if (is_kept((unsigned char)s[i])) {
			n = 1;
			continue;
		}
		if (step(s + i, len - i, out, &n) != n ||
		    memcmp(s + i, out, n) != 0)
			return 0;
	}
	return 1;
}

size_t
robotspath_canon(const char *s, size_t len, char *out)
{
	size_t i, n, o = 0;

	for (i = 0; i < len && s[i] != '#'; i += n)
		o += step(s + i, len - i, out + o, &n);
	return o;
}

void
robotspath_pattern(const char *s, size_t len, char *out,
    struct robotspattern *p)
{
	size_t i, n, w, o = 0;

	p->s = out;
	p->octets = 0;
	p->anchored = len > 0 && s[len - 1] == '$';
	if (p->anchored) {
		len--;
		p->octets++;
	}
	for (i = 0; i < len; i += n) {
		n = 1;
		if (s[i] == '*') {
			/* a run of stars matches what one does */
			if (o == 0 || out[o - 1] != '*')
				out[o++] = '*';
			p->octets++;
			continue;
		}
		w = step(s + i, len - i, out + o, &n);
		o += w;
		/* "<" is one octet of the rule, though we compare %3C */
		p->octets +=
		    n == 1 && (unsigned char)s[i] < 0x80 ? 1 : (uint32_t)w;
	}
	p->len = o;
}

int
robotspath_twin(const struct robotspattern *p, char *out,
    struct robotspattern *twin)
{
	const char *query = memchr(p->s, '?', p->len);
	size_t i, o = 0, n, raw = 0, encoded = 0;
	int d;

	if (query == NULL)
		return 0;
	for (i = (size_t)(query - p->s); i < p->len; i++) {
		raw += p->s[i] == ':' || p->s[i] == '/';
		d = decoded(p->s + i, p->len - i);
		encoded += d == ':' || d == '/';
	}
	if (raw + encoded == 0)
		return 0;
	for (i = 0; i < p->len; i += n) {
		d = decoded(p->s + i, p->len - i);
		n = 1;
		if (p->s + i > query && raw > 0 &&
		    (p->s[i] == ':' || p->s[i] == '/')) {
			o += encode((unsigned char)p->s[i], out + o);
		} else if (p->s + i > query && raw == 0 &&
		    (d == ':' || d == '/')) {
			out[o++] = (char)d;
			n = 3;
		} else {
			out[o++] = p->s[i];
		}
	}
	*twin = *p;
	twin->s = out;
	twin->len = o;
	return 1;
}

/*
 * Each piece between stars is taken where it first occurs: if the rest fits
 * at all, it also fits behind the earliest place.  So nothing is ever tried
 * twice and the time is linear.
 */
int
robotspath_match(const struct robotspattern *p, const char *path, size_t len,
    int64_t *steps)
{
	const char *s = p->s, *end = p->s + p->len, *star, *found;
	size_t n, at;

	star = memchr(s, '*', p->len);
	at = star == NULL ? p->len : (size_t)(star - s);
	if (at > len || memcmp(s, path, at) != 0)
		return 0;
	if (star == NULL)
		return !p->anchored || at == len;
	*steps -= (int64_t)len;
	for (;;) {
		s = star + 1;
		star = memchr(s, '*', (size_t)(end - s));
		n = (size_t)((star == NULL ? end : star) - s);
		if (star == NULL && p->anchored)
			return len - at >= n &&
			    memcmp(path + len - n, s, n) == 0;
		found = memmem(path + at, len - at, s, n);
		if (found == NULL)
			return 0;
		if (star == NULL)
			return 1;
		at = (size_t)(found - path) + n;
	}
}
