/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>
#include <strings.h>

#include "crawler/sitemaptext.h"

/* Bytes of the white space (Unicode's, and the BOM) that `s' begins with. */
static size_t
space(const char *s, size_t len)
{
	const unsigned char *u = (const unsigned char *)s;

	if (len >= 1 && (u[0] == ' ' || (u[0] >= '\t' && u[0] <= '\r')))
		return 1;
	if (len >= 2 && u[0] == 0xc2 && (u[1] == 0xa0 || u[1] == 0x85))
		return 2;
	if (len < 3)
		return 0;
	if (u[0] == 0xe2 && u[1] == 0x80 && u[2] >= 0x80 &&
	    (u[2] <= 0x8b || u[2] == 0xa8 || u[2] == 0xa9 || u[2] == 0xaf))
		return 3;
	if ((u[0] == 0xe2 && u[1] == 0x81 && u[2] == 0x9f) ||
	    (u[0] == 0xe1 && u[1] == 0x9a && u[2] == 0x80) ||
	    (u[0] == 0xe3 && u[1] == 0x80 && u[2] == 0x80) ||
	    (u[0] == 0xef && u[1] == 0xbb && u[2] == 0xbf))
		return 3;
	return 0;
}

void
sitemaptext_trim(const char **s, size_t *len)
{
	size_t n, i;

	for (n = space(*s, *len); n > 0; n = space(*s, *len)) {
		*s += n;
		*len -= n;
	}
	for (i = 1; i <= 3 && i <= *len; i++) {
		if (space(*s + *len - i, i) != i)
			continue;
		*len -= i;
		i = 0;
	}
}

int
sitemaptext_is_http(const char *s, size_t len)
{
	return (len > 7 && strncasecmp(s, "http://", 7) == 0) ||
	    (len > 8 && strncasecmp(s, "https://", 8) == 0);
}

static int
end_line(struct sitemaptext *t)
{
	struct sitemap_entry e = { t->line, t->len, -1, -1, SITEMAP_URL };
	int over = t->over;

	t->len = 0;
	t->over = 0;
	sitemaptext_trim(&e.loc, &e.len);
	if (over || !sitemaptext_is_http(e.loc, e.len))
		return 0;
	t->found = 1;
	return t->fn(t->arg, &e);
}

static const char *
find_eol(const char *s, const char *end)
{
	while (s < end && *s != '\n' && *s != '\r')
		s++;
	return s;
}

int
sitemaptext_feed(struct sitemaptext *t, const char *s, size_t len)
{
	const char *end = s + len, *eol;
	int rc;

	while (s < end) {
		eol = find_eol(s, end);
		len = (size_t)(eol - s);
		if (len > sizeof t->line - t->len) {
			t->over = 1;
		} else {
			memcpy(t->line + t->len, s, len);
			t->len += len;
		}
		if (eol == end)
			return 0;
		rc = end_line(t);
		if (rc < 0)
			return rc;
		s = eol + 1;
	}
	return 0;
}

int
sitemaptext_end(struct sitemaptext *t)
{
	int rc = end_line(t);

	if (rc < 0)
		return rc;
	return t->found ? 0 : FAULT_MAGIC;
}
