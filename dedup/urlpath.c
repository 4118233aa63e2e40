/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "dedup/urlclass.h"
#include "dedup/urlpath.h"

static char *
put_hex(char *out, unsigned int c)
{
	static const char digit[16] = "0123456789ABCDEF";

	out[0] = '%';
	out[1] = digit[c >> 4];
	out[2] = digit[c & 15];
	return out + 3;
}

/*
 * Would the hex digit `c' at `out', with `next' after it, make a valid escape
 * out of a "%" that is none?  Escapes are written whole, so a "%" one or two
 * bytes back is a lone one.  The next byte counts as it is: if it is itself
 * an escape, its own turn comes.
 */
static int
completes(const char *out, char c, const char *next, const char *end)
{
	if (!urlclass_is(c, URLCLASS_HEX))
		return 0;
	if (out[-1] == '%')
		return next < end && urlclass_is(*next, URLCLASS_HEX);
	return out[-2] == '%' && urlclass_is(out[-1], URLCLASS_HEX);
}

/* The "%" at `s' and, if it starts an escape, that escape. */
static char *
put_percent(char *out, const char **s, const char *end)
{
	const char *p = *s;
	unsigned int c;

	if (end - p < 3 || !urlclass_is(p[1], URLCLASS_HEX) ||
	    !urlclass_is(p[2], URLCLASS_HEX)) {
		*out++ = '%';
		*s = p + 1;
		return out;
	}
	*s = p + 3;
	c = urlclass_hex(p[1]) << 4 | urlclass_hex(p[2]);
	if (!urlclass_is((char)c, URLCLASS_UNRESERVED) ||
	    completes(out, (char)c, p + 3, end))
		return put_hex(out, c);
	*out++ = (char)c;
	return out;
}

/* The bytes from `s' on up to one that is plain in a part, one by one. */
static char *
put_odd(char *out, const char **s, const char *end, unsigned int set)
{
	const char *p = *s;

	for (; p < end; p++) {
		if (*p == '%') {
			out = put_percent(out, &p, end);
			p--;
		} else if (urlclass_is(*p, set)) {
			out = put_hex(out, (unsigned char)*p);
		} else {
			break;
		}
	}
	*s = p;
	return out;
}

char *
urlpath_encode(char *out, const char *s, const char *end, unsigned int set)
{
	for (;;) {
		out = put_odd(out, &s, end, set);
		if (s == end)
			return out;
		*out++ = *s++;
	}
}

char *
urlpath_query(char *out, const char *s, const char *end, urlskip_fn *skip)
{
	size_t len = (size_t)(end - s), at = 0, next;
	const char *odd;

	for (;;) {
		next = skip(s, at, len, URLSKIP_QUERY);
		memcpy(out, s + at, next - at);
		out += next - at;
		if (next == len)
			return out;
		odd = s + next;
		out = put_odd(out, &odd, end, URLCLASS_QUERY);
		at = (size_t)(odd - s);
	}
}

/*
 * Finish the segment from `seg' to `out'.  A "." goes, a ".." takes the
 * segment before it along; the "/" before `seg' is there already.
 */
static char *
end_segment(const char *root, char *seg, char *out)
{
	size_t n = (size_t)(out - seg);

	if (n == 1 && seg[0] == '.')
		return seg;
	if (n != 2 || seg[0] != '.' || seg[1] != '.') {
		*out++ = '/';
		return out;
	}
	if (seg - root > 1) {
		seg--;
		while (seg[-1] != '/')
			seg--;
	}
	return seg;
}

/* Does the segment at `s' begin as a dot segment does? */
static int
may_be_dots(const char *s, const char *end)
{
	return *s == '.' ||
	    (*s == '%' && end - s > 2 && s[1] == '2' && (s[2] | 0x20) == 'e');
}

/* A whole segment, which may be a dot segment, and the slash behind it. */
static char *
put_segment(const char *root, char *out, const char **s, const char *end)
{
	const char *p = *s;
	char *seg = out, *last;

	while (p < end && *p != '/' && *p != '\\')
		p++;
	out = urlpath_encode(out, *s, p, URLCLASS_PATH);
	last = end_segment(root, seg, out);
	*s = p == end ? p : p + 1;
	/* without the "/" that only a next one would need */
	return p < end || last < out ? last : out;
}

char *
urlpath_segments(char *root, char *out, const char *s, const char *end,
    urlskip_fn *skip)
{
	size_t len = (size_t)(end - s), at = 0, next;
	const char *odd;

	for (;;) {
		next = skip(s, at, len, URLSKIP_PATH);
		memcpy(out, s + at, next - at);
		out += next - at;
		if (next == len)
			return out;
		odd = s + next;
		if (out[-1] == '/' && may_be_dots(odd, end)) {
			out = put_segment(root, out, &odd, end);
		} else if (*odd == '\\') {
			*out++ = '/';
			odd++;
		} else if (*odd == '.') {
			*out++ = *odd++;
		} else {
			out = put_odd(out, &odd, end, URLCLASS_PATH);
		}
		at = (size_t)(odd - s);
	}
}
