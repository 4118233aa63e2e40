/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "crawler/crawlopts.h"
#include "crawler/crawloptsvalue.h"
#include "crawler/request.h"
#include "frontier/pattern.h"
#include "snapshot/fault.h"
#include "snapshot/limits.h"

static void *
field(const struct optable_row *r, void *obj)
{
	return (char *)obj + r->at;
}

/* Another value of a list; those of a weaker level are forgotten. */
int
crawloptsvalue_list(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	struct crawlopts *o = obj;
	struct crawlopts_list *l = field(r, obj);
	const char **to;
	size_t room, i;

	/* what was added while the crawl runs comes on top */
	if (l->level != o->level && o->level != CRAWLOPTS_AGAIN)
		l->n = 0;
	l->level = o->level;
	if (*s == '\0') {
		e->right = "something that is not empty";
		return FAULT_ARG;
	}
	for (i = 0; o->level == CRAWLOPTS_AGAIN && i < l->n; i++)
		if (strcmp(l->s[i], s) == 0)
			return 0;
	if (l->n == l->room) {
		room = l->room == 0 ? 8 : l->room * 2;
		to = realloc(l->s, room * sizeof *to);
		if (to == NULL)
			return optable_wrong(e->text, e->size, "out of memory");
		l->s = to;
		l->room = room;
	}
	l->s[l->n++] = s;
	return 0;
}

/* A word whose values begin with 1. */
int
crawloptsvalue_scope(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	int rc = optable_word(r, obj, s, e);

	if (rc == 0)
		++*(int *)field(r, obj);
	return rc;
}

/* What is sent, or stands in DIR/config, is one line, trimmed when read. */
static int
one_line(const char *s, struct optable_error *e)
{
	size_t i, n = strlen(s);
	int bad = n > 0 &&
	    (strchr(" \t", s[0]) != NULL || strchr(" \t", s[n - 1]) != NULL);

	for (i = 0; i < n; i++)
		if (((unsigned char)s[i] < 0x20 && s[i] != '\t') ||
		    s[i] == 0x7f)
			bad = 1;
	e->right = "one line without blanks at its ends";
	return bad ? FAULT_ARG : 0;
}

int
crawloptsvalue_line(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	return one_line(s, e) < 0 ? FAULT_ARG : optable_string(r, obj, s, e);
}

/* Would the scope take it?  It is compiled here so that an error has a line. */
static int
compiles(const struct optable_row *r, const char *s, struct optable_error *e)
{
	struct pattern_list l = { NULL, 0 };
	char why[128];
	size_t offset;
	int rc = pattern_add(&l, s, &offset, why, sizeof why);

	pattern_clear(&l);
	if (rc == FAULT_ARG)
		return optable_wrong(e->text, e->size,
		    "--%s '%.200s': %s at byte %zu: it takes a regular "
		    "expression (PCRE2)",
		    r->name, s, why, offset);
	if (rc == FAULT_TOOBIG)
		return optable_wrong(e->text, e->size,
		    "--%s '%.60s...': it takes a regular expression of at most "
		    "%d bytes",
		    r->name, s, LIMIT_PATTERN);
	return rc < 0 ? optable_wrong(e->text, e->size, "--%s: %s", r->name,
			    fault_str(rc)) :
			0;
}

int
crawloptsvalue_pattern(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	const struct crawlopts *o = obj;
	const struct crawlopts_list *l = field(r, obj);

	if (one_line(s, e) < 0)
		return FAULT_ARG;
	e->right = NULL;
	if (compiles(r, s, e) < 0)
		return FAULT_ARG;
	if (l->n >= LIMIT_PATTERNS && l->level == o->level)
		return optable_wrong(e->text, e->size,
		    "--%s '%.200s': it may be given %d times: put several "
		    "patterns into one with |",
		    r->name, s, LIMIT_PATTERNS);
	return crawloptsvalue_list(r, obj, s, e);
}

int
crawloptsvalue_header(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	if (one_line(s, e) == 0 && request_is_field(s))
		return crawloptsvalue_list(r, obj, s, e);
	e->right = "a header line such as 'Accept-Language: en', but not Host";
	return FAULT_ARG;
}

/* A URL whose scheme is one of libcurl's for proxies, or has none. */
int
crawloptsvalue_proxy(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	static const char *const scheme[] = { "http://", "https://",
		"socks4://", "socks4a://", "socks5://", "socks5h://" };
	size_t i, n = sizeof scheme / sizeof scheme[0];
	int known = strstr(s, "://") == NULL;

	for (i = 0; i < n && !known; i++)
		known = strncasecmp(s, scheme[i], strlen(scheme[i])) == 0;
	if (known && one_line(s, e) == 0)
		return optable_string(r, obj, s, e);
	e->right = "http://HOST:PORT, or with https, socks4, socks4a, socks5 "
		   "or socks5h";
	return FAULT_ARG;
}
