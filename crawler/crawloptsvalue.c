/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "crawler/crawlopts.h"
#include "crawler/crawloptsvalue.h"
#include "crawler/request.h"
#include "snapshot/fault.h"

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
	size_t room;

	if (l->level != o->level)
		l->n = 0;
	l->level = o->level;
	if (*s == '\0') {
		e->right = "something that is not empty";
		return FAULT_ARG;
	}
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

int
crawloptsvalue_pattern(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	return one_line(s, e) < 0 ? FAULT_ARG :
				    crawloptsvalue_list(r, obj, s, e);
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
