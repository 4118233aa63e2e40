/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * rows-html.c - rows of cases about HTML on stdin to TAP on stdout
 *
 * A row is columns with a tab between; the first names the kind:
 *
 *	srcset	TEXT	all URLs, each followed by "|"	the valid ones
 *	refresh	TEXT	"-" or DELAY:URL (as the URL parser would take it)
 *	charset	TYPE	BODY	name of the encoding
 *	robots	AGENT	TEXT	what X-Robots-Tag: TEXT says to AGENT
 *	links	NAME	OPTIONS	HEADER	HTML	what is extracted
 *
 * OPTIONS are words: embeds, forms, nofollow, agent=A, url=U, charset (say
 * which), raw (say each link as it was written), or "-".  HEADER is lines or
 * "-".
 * What is extracted is a list of words: URL(element.attribute+flag...), then
 * what else there is to say.  In the columns \t \n \r \\ and \xHH are
 * escapes.
 */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crawler/charset.h"
#include "crawler/extract.h"
#include "crawler/refresh.h"
#include "crawler/srcset.h"
#include "tests/tap.h"

#define COLUMNS 6
#define TEXT    65536

struct column {
	char *s;
	size_t len;
};

/* What came out, as text. */
struct text {
	char s[TEXT];
	size_t len;
};

static void
put(struct text *t, const char *s, size_t len)
{
	if (len > sizeof t->s - 1 - t->len)
		len = sizeof t->s - 1 - t->len;
	memcpy(t->s + t->len, s, len);
	t->len += len;
	t->s[t->len] = '\0';
}

static void
puts_to(struct text *t, const char *s)
{
	put(t, s, strlen(s));
}

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
	static const char from[] = "nrt\\", to[] = "\n\r\t\\";
	const char *f;
	size_t i, o = 0;

	for (i = 0; i < c->len; i++) {
		if (c->s[i] != '\\' || i + 1 == c->len) {
			c->s[o++] = c->s[i];
			continue;
		}
		i++;
		f = strchr(from, c->s[i]);
		if (f != NULL && *f != '\0') {
			c->s[o++] = to[f - from];
		} else if (c->s[i] == 'x' && i + 2 < c->len &&
		    hex(c->s + i + 1) >= 0) {
			c->s[o++] = (char)hex(c->s + i + 1);
			i += 2;
		} else {
			c->s[o++] = c->s[i];
		}
	}
	c->len = o;
	c->s[o] = '\0';
}

/* Cut a row, ending in NUL, into columns: how many. */
static int
cut(char *row, struct column *c)
{
	char *tab;
	int n = 0;

	while (n < COLUMNS) {
		tab = strchr(row, '\t');
		c[n].s = row;
		c[n].len = tab == NULL ? strlen(row) : (size_t)(tab - row);
		if (tab != NULL)
			*tab = '\0';
		unescape(&c[n++]);
		if (tab == NULL)
			return n;
		row = tab + 1;
	}
	return n + 1;
}

static int
same(const struct text *got, const struct column *want)
{
	return got->len == want->len && memcmp(got->s, want->s, got->len) == 0;
}

static void
verdict(struct tap *t, const char *name, const struct text *got,
    const struct column *want)
{
	if (tap_ok(t, same(got, want), "%s", name))
		return;
	tap_diag("got      %s", got->s);
	tap_diag("expected %s", want->s);
}

static void
row_srcset(struct tap *t, struct column *c)
{
	struct srcset_candidate one;
	struct text all, valid;
	struct srcset it;

	all.len = valid.len = 0;
	all.s[0] = valid.s[0] = '\0';
	srcset_start(&it, c[1].s, c[1].len);
	while (srcset_next(&it, &one)) {
		put(&all, one.url, one.len);
		put(&all, "|", 1);
		if (!one.valid)
			continue;
		put(&valid, one.url, one.len);
		put(&valid, "|", 1);
	}
	verdict(t, "srcset: all", &all, &c[2]);
	verdict(t, "srcset: valid", &valid, &c[3]);
}

static void
row_refresh(struct tap *t, struct column *c)
{
	struct text got = { "-", 1 };
	struct refresh r;
	char delay[32];
	size_t i;

	if (refresh_parse(c[1].s, c[1].len, &r)) {
		snprintf(delay, sizeof delay, "%lu:", r.delay);
		got.len = 0;
		puts_to(&got, delay);
		/* as the URL parser does */
		for (i = 0; i < r.len; i++)
			if (strchr("\t\r\n", r.url[i]) == NULL)
				put(&got, r.url + i, 1);
	}
	verdict(t, "refresh", &got, &c[2]);
}

static void
row_charset(struct tap *t, struct column *c)
{
	struct text got = { "", 0 };
	size_t bom;

	puts_to(&got,
	    charset_settle(c[2].s, c[2].len, c[1].len == 0 ? NULL : c[1].s,
		c[1].len, &bom)
		->name);
	verdict(t, c[3].s, &got, &c[3]);
}

static void
put_robots(struct text *t, unsigned int robots)
{
	if (robots & ROBOTSTAG_NOINDEX)
		puts_to(t, "noindex ");
	if (robots & ROBOTSTAG_NOFOLLOW)
		puts_to(t, "nofollow ");
}

static void
row_robots(struct tap *t, struct column *c)
{
	struct text got = { "", 0 };

	put_robots(&got, robotstag_header(c[2].s, c[2].len, c[1].s, c[1].len));
	verdict(t, "robots", &got, &c[3]);
}

/* The value of NAME= among the words of `options', or NULL.  Static text. */
static const char *
option(const char *options, const char *name)
{
	static char value[512];
	const char *p = strstr(options, name);
	size_t n;

	if (p == NULL)
		return NULL;
	p += strlen(name);
	n = strcspn(p, " ");
	if (n >= sizeof value)
		n = sizeof value - 1;
	memcpy(value, p, n);
	value[n] = '\0';
	return value;
}

/* Tell the extractor the lines of a header. */
static int
tell_header(struct extract *x, const char *s)
{
	const char *colon, *end;
	int rc;

	for (; *s != '\0'; s = *end == '\0' ? end : end + 1) {
		end = s + strcspn(s, "\n");
		colon = memchr(s, ':', (size_t)(end - s));
		if (colon == NULL || colon + 2 > end)
			continue;
		rc = extract_header(x, s, (size_t)(colon - s), colon + 2,
		    (size_t)(end - colon - 2));
		if (rc < 0)
			return rc;
	}
	return 0;
}

static void
put_link(struct text *t, const struct extract_link *l, int raw)
{
	static const char *const flags[] = { "nofollow", "embed", "frame",
		"canonical", "alternate", "next", "prev", "refresh", "header" };
	size_t i;

	put(t, l->url.s, l->url.len);
	puts_to(t, "(");
	puts_to(t, l->element);
	puts_to(t, ".");
	puts_to(t, l->attribute);
	for (i = 0; i < sizeof flags / sizeof flags[0]; i++) {
		if (!(l->flags & (1U << i)))
			continue;
		puts_to(t, "+");
		puts_to(t, flags[i]);
	}
	if (raw) {
		puts_to(t, "=");
		put(t, l->raw.s, l->raw.len);
	}
	puts_to(t, ") ");
}

static void
put_count(struct text *t, const char *name, unsigned int n)
{
	char s[64];

	if (n == 0)
		return;
	snprintf(s, sizeof s, "%s:%u ", name, n);
	puts_to(t, s);
}

static void
put_result(struct text *t, const struct extract_result *r, const char *options)
{
	int raw = strstr(options, "raw") != NULL;
	size_t i;

	t->len = 0;
	t->s[0] = '\0';
	for (i = 0; i < r->links; i++)
		put_link(t, &r->link[i], raw);
	put_count(t, "nofollow", r->nofollow);
	put_count(t, "scheme", r->scheme);
	put_count(t, "invalid", r->invalid);
	put_robots(t, r->robots);
	if (r->cut != MARKUP_WHOLE)
		puts_to(t, extract_cut_str(r->cut));
	if (strstr(options, "charset") != NULL && r->charset != NULL)
		puts_to(t, r->charset);
	if (t->len > 0 && t->s[t->len - 1] == ' ')
		t->s[--t->len] = '\0';
}

static void
row_links(struct tap *t, struct column *c)
{
	struct extract_options o = { .agent = "examplebot", .seed = 1 };
	struct extract_result r;
	struct extract *x;
	struct text got;
	const char *url;
	unsigned int want = 0, round;
	int rc = 0;

	if (strstr(c[2].s, "embeds") != NULL)
		want |= EXTRACT_EMBEDS;
	if (strstr(c[2].s, "forms") != NULL)
		want |= EXTRACT_FORMS;
	if (strstr(c[2].s, "nofollow") != NULL)
		want |= EXTRACT_NOFOLLOW;
	url = option(c[2].s, "url=");
	if (url == NULL)
		url = "http://h/d/p";
	x = extract_new(&o);
	if (x == NULL)
		abort();
	/* the second time in the same memory must not differ */
	for (round = 1; round <= 2; round++) {
		rc = extract_begin(x, url, strlen(url), want);
		if (rc == 0)
			rc = tell_header(x, c[3].s);
		if (rc == 0)
			rc = extract_html(x, c[4].s, c[4].len);
		if (rc == 0)
			rc = extract_end(x, &r);
		if (rc < 0)
			break;
		put_result(&got, &r, c[2].s);
		if (!same(&got, &c[5]))
			break;
	}
	if (rc < 0) {
		got.len = 0;
		puts_to(&got, fault_str(rc));
	}
	verdict(t, c[1].s, &got, &c[5]);
	extract_free(x);
}

static const struct {
	const char *kind;
	int columns;
	void (*row)(struct tap *, struct column *);
} kinds[] = {
	{ "srcset", 4, row_srcset },
	{ "refresh", 3, row_refresh },
	{ "charset", 4, row_charset },
	{ "robots", 4, row_robots },
	{ "links", 6, row_links },
};

static void
row(struct tap *t, char *line)
{
	struct column c[COLUMNS];
	size_t i;
	int n = cut(line, c);

	for (i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		if (strcmp(kinds[i].kind, c[0].s) != 0)
			continue;
		if (n == kinds[i].columns)
			kinds[i].row(t, c);
		else
			tap_ok(t, 0, "%s: %d columns", c[0].s, n);
		return;
	}
	tap_ok(t, 0, "unknown kind of row: %s", c[0].s);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	char *line = NULL, *end;
	size_t room = 0, used;
	ssize_t n;

	for (;;) {
		n = getline(&line, &room, stdin);
		if (n < 0)
			break;
		used = (size_t)n;
		if (used > 0 && line[used - 1] == '\n')
			line[--used] = '\0';
		if (used == 0 || line[0] == '#')
			continue;
		end = line + strlen(line);
		if (end != line + used) {
			tap_ok(&t, 0, "a row with a NUL in it");
			continue;
		}
		row(&t, line);
	}
	free(line);
	if (t.run == 0)
		tap_ok(&t, 0, "there are rows");
	return tap_done(&t);
}
