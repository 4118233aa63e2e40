/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * rows-robots.c - rows of robots.txt cases on stdin to TAP on stdout
 *
 * A row is four columns with a tab between: the robots.txt, the user agent,
 * a URL or path, and what is expected: "allow", "disallow", either with
 * ":LINE", or "delay:MS" (-1: none).  In the columns \t, \n, \r, \\ and \xHH
 * are escapes.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crawler/robots.h"
#include "dedup/url.h"
#include "tests/tap.h"

#define COLUMNS 4

struct column {
	char *s;
	size_t len;
};

static int
hex(const char *s)
{
	char two[3] = { s[0], s[1], '\0' }, *end;
	long v = strtol(two, &end, 16);

	return end == two + 2 ? (int)v : -1;
}

/* Undo the escapes in place. */
static void
unescape(struct column *c)
{
	size_t i, o = 0;

	for (i = 0; i < c->len; i++) {
		if (c->s[i] != '\\' || i + 1 == c->len) {
			c->s[o++] = c->s[i];
			continue;
		}
		switch (c->s[++i]) {
		case 'n':
			c->s[o++] = '\n';
			break;
		case 'r':
			c->s[o++] = '\r';
			break;
		case 't':
			c->s[o++] = '\t';
			break;
		case 'x':
			if (i + 2 < c->len && hex(c->s + i + 1) >= 0)
				c->s[o++] = (char)hex(c->s + i + 1);
			i += 2;
			break;
		default:
			c->s[o++] = c->s[i];
		}
	}
	c->len = o;
	c->s[o] = '\0';
}

/* Cut a row of `len' bytes, ending in NUL, into columns: how many. */
static int
cut(char *row, size_t len, struct column *c)
{
	char *end = row + len, *tab;
	int n = 0;

	for (;;) {
		tab = memchr(row, '\t', (size_t)(end - row));
		if (n == COLUMNS)
			return n + 1;
		c[n].s = row;
		c[n].len = (size_t)((tab == NULL ? end : tab) - row);
		unescape(&c[n++]);
		if (tab == NULL)
			return n;
		row = tab + 1;
	}
}

/* The path and query of a URL in normal form, or a path as it is: 0. */
static int
path_of(struct url *u, const struct column *c, struct url_span *path)
{
	struct url_parts parts;
	int rc;

	path->s = c->s;
	path->len = c->len;
	if (c->len > 0 && c->s[0] == '/')
		return 0;
	rc = url_normalise(u, c->s, c->len, path);
	if (rc == 0)
		rc = url_split(*path, &parts);
	if (rc < 0)
		return rc;
	path->s += parts.path;
	path->len = parts.end - parts.path;
	return 0;
}

static void
answer(struct url *u, const struct robots *r, const struct column *c, char *got,
    size_t size)
{
	const char *want = c[3].s;
	struct url_span path;
	uint32_t line;
	int ok;

	if (strncmp(want, "delay:", 6) == 0) {
		snprintf(got, size, "delay:%d", (int)r->delay_ms);
		return;
	}
	if (path_of(u, &c[2], &path) < 0)
		return;
	ok = robots_allowed(r, path.s, path.len, &line);
	if (ok < 0)
		return;
	snprintf(got, size, "%s", ok ? "allow" : "disallow");
	if (strchr(want, ':') != NULL)
		snprintf(got, size, "%s:%u", ok ? "allow" : "disallow",
		    (unsigned int)line);
}

static void
try(struct tap *t, struct url *u, const struct column *c, unsigned int row)
{
	unsigned char *flat = NULL;
	struct robots r;
	size_t flat_len;
	char got[64] = "fault";

	if (robots_parse(c[1].s, c[1].len, c[0].s, c[0].len, &flat,
		&flat_len) == 0 &&
	    robots_view(&r, flat, flat_len) == 0)
		answer(u, &r, c, got, sizeof got);
	if (!tap_ok(t, strcmp(got, c[3].s) == 0, "row %u", row))
		tap_diag("agent %s, %.200s: %s, not %s", c[1].s, c[2].s, got,
		    c[3].s);
	free(flat);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	struct column c[COLUMNS];
	struct url *u = url_new(0);
	unsigned int row = 0;
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	if (u == NULL)
		return 2;
	for (;;) {
		n = getline(&line, &room, stdin);
		if (n < 0)
			break;
		row++;
		if (line[n - 1] == '\n')
			line[--n] = '\0';
		if (cut(line, (size_t)n, c) == COLUMNS)
			try(&t, u, c, row);
		else
			tap_ok(&t, 0, "row %u has %d columns", row, COLUMNS);
	}
	free(line);
	url_free(u);
	if (t.run == 0)
		tap_ok(&t, 0, "there are rows");
	return tap_done(&t);
}
