/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "tests/webspell.h"

/* True once in `n' times. */
static int
once_in(struct webspell *s, uint32_t n)
{
	return web_has(s->web, WEB_SPELLINGS) && web_rng_below(s->rng, n) == 0;
}

/* ... where only a browser's parser needs to understand it. */
static int
odd_in(struct webspell *s, uint32_t n)
{
	return web_has(s->web, WEB_WHATWG) && once_in(s, n);
}

void
webspell_free(struct webspell *s)
{
	webbuf_free(&s->url);
	webbuf_free(&s->value);
}

static int
hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The byte that "%XX" at `p' stands for; -1 if there is none. */
static int
escaped(const char *p)
{
	if (*p != '%' || hex(p[1]) < 0 || hex(p[2]) < 0)
		return -1;
	return hex(p[1]) * 16 + hex(p[2]);
}

static char
swap_case(char c, int upper)
{
	if (upper && c >= 'a' && c <= 'z')
		return (char)(c - 'a' + 'A');
	if (!upper && c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	return c;
}

/* Host names: lower, upper or mixed case, A-labels or U-labels. */
static void
put_host(struct webspell *s, struct webbuf *out, const char *host)
{
	static const struct {
		const char *ascii, *lower, *upper;
	} idn[] = {
		{ "xn--bcher-kva.",
		    "b\xc3\xbc"
		    "cher.",
		    "B\xc3\x9c"
		    "CHER." },
		{ "xn--fa-hia.", "fa\xc3\x9f.", "FA\xc3\x9f." },
	};
	int upper = once_in(s, 4), mixed = once_in(s, 8);
	size_t i, n;

	for (i = 0; i < sizeof idn / sizeof idn[0]; i++) {
		n = strlen(idn[i].ascii);
		if (s->ascii || strncmp(host, idn[i].ascii, n) != 0 ||
		    !once_in(s, 2))
			continue;
		webbuf_str(out, upper ? idn[i].upper : idn[i].lower);
		host += n;
	}
	for (i = 0; host[i] != '\0'; i++)
		webbuf_byte(out,
		    swap_case(host[i], upper || (mixed && i % 2 == 0)));
	if (strchr(host, ':') == NULL && once_in(s, 8))
		webbuf_str(out, once_in(s, 4) ? ":" : ":80");
}

/*
 * One byte or escape of a path or query.  What is escaped in the normal
 * form must stay escaped unless it is not ASCII, or a space: these a parser
 * escapes again.  Unreserved characters may be escaped.
 */
static const char *
put_char(struct webspell *s, struct webbuf *out, const char *p, int query)
{
	static const char digit[2][17] = { "0123456789abcdef",
		"0123456789ABCDEF" };
	int c = escaped(p), upper = !once_in(s, 2);
	int plain = (*p >= 'a' && *p <= 'z') || (*p >= '0' && *p <= '9');

	if (c >= 0 && !s->ascii && (c == ' ' || (c >= 0x80 && !query)) &&
	    once_in(s, 2)) {
		webbuf_byte(out, (char)c);
		return p + 3;
	}
	if (c >= 0) {
		webbuf_byte(out, '%');
		webbuf_byte(out, digit[upper][c >> 4]);
		webbuf_byte(out, digit[upper][c & 15]);
		return p + 3;
	}
	if (!((plain && once_in(s, 60)) || (*p == '~' && once_in(s, 2)))) {
		webbuf_byte(out, *p);
		return p + 1;
	}
	webbuf_byte(out, '%');
	webbuf_byte(out, digit[upper][(*p >> 4) & 15]);
	webbuf_byte(out, digit[upper][*p & 15]);
	return p + 1;
}

/* Something that dot-segment removal takes out again, after a slash. */
static void
put_dots(struct webspell *s, struct webbuf *out)
{
	static const char *const dots[] = { "./", "x/../", "%2e/", "y/%2E%2e/",
		"./a/b/../../" };

	if (once_in(s, 24))
		webbuf_str(out, dots[web_rng_below(s->rng, 5)]);
}

/*
 * Path characters.  A sequence of UTF-8 is written raw or escaped as one,
 * for on a Latin-1 page half a character can't be written.
 */
static void
put_path(struct webspell *s, struct webbuf *out, const char *p)
{
	int query = 0, raw;
	size_t i, n;

	while (*p != '\0') {
		if (escaped(p) >= 0xc0 && !query) {
			n = escaped(p) >= 0xe0 ? 3 : 2;
			raw = !s->ascii && once_in(s, 2);
			for (i = 0; i < n; i++, p += 3)
				if (raw)
					webbuf_byte(out, (char)escaped(p));
				else
					put_char(s, out, p, 1);
			continue;
		}
		query |= *p == '?';
		if (*p == '/' && !query) {
			p++;
			webbuf_byte(out, odd_in(s, 20) ? '\\' : '/');
			put_dots(s, out);
			continue;
		}
		p = put_char(s, out, p, query);
	}
}

/* The bytes up to and including the last slash of the path. */
static size_t
folder(const char *path)
{
	size_t n = strcspn(path, "?");

	while (n > 0 && path[n - 1] != '/')
		n--;
	return n;
}

/*
 * RFC 3986 section 4.2: from the base's folder to `path'.  Falls back on
 * the absolute path where the rest would be misread: "//" is a host, and
 * "a:b" a scheme.
 */
static void
put_relative(struct webspell *s, struct webbuf *out, const char *path)
{
	size_t have = folder(s->path), same = 0, i, rest;

	if (strcmp(path, s->path) == 0 && once_in(s, 4)) {
		webbuf_byte(out, '#');
		return;
	}
	for (i = 0; i < have && path[i] == s->path[i]; i++)
		if (path[i] == '/')
			same = i + 1;
	rest = strcspn(path + same, "/?");
	if (path[same] == '/' || memchr(path + same, ':', rest) != NULL ||
	    strstr(s->path, "//") != NULL) {
		put_path(s, out, path);
		return;
	}
	for (i = same; i < have; i++)
		if (s->path[i] == '/')
			webbuf_str(out, once_in(s, 8) ? ".%2e/" : "../");
	if (out->len == 0 && (rest == 0 || once_in(s, 4)))
		webbuf_str(out, "./");
	put_path(s, out, path + same);
}

/* WHATWG: any number of slashes and backslashes may follow the scheme. */
static void
put_scheme(struct webspell *s, struct webbuf *out)
{
	static const char *const odd[] = { "http:\\\\", "http:/\\", "http:////",
		"hTTp:\\/" };

	if (odd_in(s, 8))
		webbuf_str(out, odd[web_rng_below(s->rng, 4)]);
	else if (once_in(s, 4))
		webbuf_str(out, "//");
	else
		webbuf_str(out, once_in(s, 8) ? "HTTP://" : "http://");
}

/*
 * White space that a URL parser drops: at both ends any C0 or space (HTML
 * attributes may hold it), inside it tabs and line ends only.
 */
static void
put_spaced(struct webspell *s, struct webbuf *out, const struct webbuf *url)
{
	size_t at = url->len;

	if (s->ascii || !once_in(s, 12)) {
		webbuf_put(out, url->s, url->len);
		return;
	}
	if (url->len > 0 && once_in(s, 2))
		at = web_rng_below(s->rng, (uint32_t)url->len);
	while (at < url->len && ((unsigned char)url->s[at] & 0xc0) == 0x80)
		at++; /* not within a character */
	webbuf_str(out, once_in(s, 2) ? "\n  " : " ");
	webbuf_put(out, url->s, at);
	webbuf_str(out, at == url->len ? " \t" : "\n\t");
	webbuf_put(out, url->s + at, url->len - at);
	webbuf_str(out, once_in(s, 2) ? "\n" : "");
}

void
webspell_url(struct webspell *s, struct webbuf *out, const char *host,
    const char *path)
{
	struct webbuf *url = &s->url;
	/* a path that begins with "//" can't stand without its host */
	int near = strcmp(host, s->host) == 0 && strncmp(path, "//", 2) != 0;

	webbuf_clear(url);
	if (near && once_in(s, 2))
		put_relative(s, url, path);
	else if (near && !once_in(s, 3))
		put_path(s, url, path);
	else {
		put_scheme(s, url);
		put_host(s, url, host);
		if (strcmp(path, "/") != 0 || !once_in(s, 4))
			put_path(s, url, path);
	}
	if (once_in(s, 6) && (url->len == 0 || url->s[url->len - 1] != '#'))
		webbuf_str(url, once_in(s, 4) ? "#" : "#part-2");
	put_spaced(s, out, url);
}

/* One code point of UTF-8 at `p' (well-formed, ours) and its length. */
static size_t
decode(const char *p, unsigned int *c)
{
	const unsigned char *u = (const unsigned char *)p;

	if (u[0] < 0xc0) {
		*c = u[0];
		return 1;
	}
	if (u[0] < 0xe0) {
		*c = (u[0] & 31u) << 6 | (u[1] & 63u);
		return 2;
	}
	*c = (u[0] & 15u) << 12 | (u[1] & 63u) << 6 | (u[2] & 63u);
	return 3;
}

/* A character reference: decimal, or hexadecimal with either x. */
static void
put_reference(struct webspell *s, struct webbuf *out, unsigned int c)
{
	static const char *const form[] = { "&#%u;", "&#x%x;", "&#X%X;",
		"&#%04u;" };
	const char *f = form[web_rng_below(s->rng, 4)];

	if (c == '&' && once_in(s, 2))
		webbuf_str(out, "&amp;");
	else if (c == 0xe9 && once_in(s, 2))
		webbuf_str(out, "&eacute;");
	else if (f == form[0])
		webbuf_fmt(out, "&#%u;", c);
	else if (f == form[1])
		webbuf_fmt(out, "&#x%x;", c);
	else if (f == form[2])
		webbuf_fmt(out, "&#X%X;", c);
	else
		webbuf_fmt(out, "&#%04u;", c);
}

/* A character of the value, as one or as a reference. */
static void
put_value_char(struct webspell *s, struct webbuf *out, const char *p, size_t n,
    unsigned int c, char quote)
{
	int must = c == (unsigned char)quote || (s->latin1 && c > 0xff);

	if (c == '&' && (!web_has(s->web, WEB_SPELLINGS) || !once_in(s, 4)))
		must = 1;
	if (must || (c == '/' && once_in(s, 40)) ||
	    (c >= 0x80 && once_in(s, 3)) || once_in(s, 200))
		put_reference(s, out, c);
	else if (s->latin1 && c >= 0x80)
		webbuf_byte(out, (char)c);
	else
		webbuf_put(out, p, n);
}

void
webspell_value(struct webspell *s, struct webbuf *out, const char *host,
    const char *path)
{
	struct webbuf *value = &s->value;
	char quote = once_in(s, 4) ? '\'' : '"';
	unsigned int c;
	size_t i, n;

	webbuf_clear(value);
	webspell_url(s, value, host, path);
	webbuf_byte(value, '\0');
	/* HTML 13.1.2.3: what an unquoted value may not hold */
	if (!value->failed && value->len > 1 && once_in(s, 4) &&
	    strpbrk(value->s, " \t\n\f\r\"'=<>`") == NULL)
		quote = '\0';
	if (quote != '\0')
		webbuf_byte(out, quote);
	for (i = 0; i + 1 < value->len; i += n) {
		n = decode(value->s + i, &c);
		put_value_char(s, out, value->s + i, n, c, quote);
	}
	if (quote != '\0')
		webbuf_byte(out, quote);
	out->failed |= value->failed;
}

void
webspell_anchor(struct webspell *s, struct webbuf *out, const char *host,
    const char *path)
{
	static const char *const open[] = { "<A HREF=", "<a\nhref=",
		"<a class=x href = ", "<a title='1 > 0' href=", "<a HreF\t=\n",
		"<area alt=\"\" href=" };

	webbuf_str(out,
	    once_in(s, 3) ? open[web_rng_below(s->rng, 6)] : "<a href=");
	webspell_value(s, out, host, path);
	webbuf_byte(out, ' ');
	webbuf_byte(out, '>');
}
