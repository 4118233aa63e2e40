/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * optvalue.c - the values that options take: optable.h's functions
 */

#include "config.h"

#include <string.h>

#include "dedup/filter.h"
#include "dedup/number.h"
#include "dedup/optable.h"
#include "dedup/suggest.h"
#include "dedup/url.h"
#include "snapshot/limits.h"

static void *
field(const struct optable_row *r, void *obj)
{
	return (char *)obj + r->at;
}

/* `rc' of a parser; what would be right. */
static int
judge(int rc, struct optable_error *e, const char *right)
{
	if (rc >= 0)
		return 0;
	e->right = right;
	return FAULT_ARG;
}

int
optable_set(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	(void)s;
	(void)e;
	*(int *)field(r, obj) = (int)r->value;
	return 0;
}

int
optable_set_mode(const struct optable_row *r, int *mode, int value,
    struct optable_error *e)
{
	if (*mode != 0 && *mode != value)
		return optable_wrong(e->text, e->size,
		    "--%s goes without another mode: give one at a time",
		    r->name);
	*mode = value;
	return 0;
}

int
optable_mode(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	(void)s;
	return optable_set_mode(r, field(r, obj), (int)r->value, e);
}

int
optable_last(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	(void)s;
	(void)e;
	*(int *)field(r, obj) = (int)r->value;
	return 1;
}

int
optable_string(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	*(const char **)field(r, obj) = s;
	return judge(*s == '\0' ? -1 : 0, e, "something that is not empty");
}

int
optable_count(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	uint64_t *n = field(r, obj);
	int rc = number_count(s, n);

	return judge(rc < 0 || *n == 0 ? -1 : 0, e,
	    "a whole number from 1, such as 500, 10M or 1G");
}

int
optable_count0(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	return judge(number_count(s, field(r, obj)), e,
	    "a whole number, such as 0, 500 or 10M");
}

int
optable_bytes(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	uint64_t *n = field(r, obj);
	int rc = number_bytes(s, n);

	return judge(rc < 0 || *n == 0 ? -1 : 0, e,
	    "a size in bytes, such as 4096, 64k, 8M or 2G");
}

int
optable_whole(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	return judge(number_whole(s, field(r, obj)), e,
	    "a whole number below 2^64");
}

int
optable_rate(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	double *p = field(r, obj);
	int rc = number_real(s, p);

	return judge(rc < 0 || !(*p > 0 && *p < 1) ? -1 : 0, e,
	    "a number between 0 and 1, such as 0.001");
}

int
optable_seconds(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	double d = 0;
	int rc = number_real(s, &d);

	if (rc < 0 || !(d >= 0 && d <= LIMIT_SECONDS))
		return judge(-1, e, "seconds, such as 0, 0.5 or 30");
	*(int64_t *)field(r, obj) = (int64_t)(d * 1000 + 0.5);
	return 0;
}

/* "a, b or c" into `e', which then holds the whole message. */
static int
list_words(const struct optable_row *r, const char *s, struct optable_error *e)
{
	const char *const *w;
	size_t n = 0;

	n = (size_t)snprintf(e->text, e->size,
	    "--%s '%.80s' is wrong: it takes ", r->name, s == NULL ? "" : s);
	for (w = r->words; *w != NULL && n < e->size; w++)
		n += (size_t)snprintf(e->text + n, e->size - n, "%s%s", *w,
		    w[1] == NULL     ? "" :
			w[2] == NULL ? " or " :
				       ", ");
	return FAULT_ARG;
}

int
optable_kind(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	const char *const *w = r->words;

	while (*w != NULL && strcmp(*w, s) != 0)
		w++;
	*(unsigned int *)field(r, obj) = filter_kind(s);
	return *w == NULL ? list_words(r, s, e) : 0;
}

int
optable_char(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	static const char from[] = "t0\\", to[] = "\t\0\\";
	char *c = field(r, obj);
	const char *at;

	if (s[0] == '\\' && s[1] != '\0' && s[2] == '\0') {
		at = strchr(from, s[1]);
		if (at != NULL) {
			*c = to[at - from];
			return 0;
		}
	} else if (s[0] != '\0' && s[1] == '\0') {
		*c = s[0];
		return 0;
	}
	return judge(-1, e, "one byte, or '\\t'");
}

int
optable_word(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	int i;

	for (i = 0; s != NULL && r->words[i] != NULL; i++) {
		if (strcmp(r->words[i], s) != 0)
			continue;
		*(int *)field(r, obj) = i;
		return 0;
	}
	return list_words(r, s, e);
}

int
optable_rules(const struct optable_row *r, void *obj, const char *s,
    struct optable_error *e)
{
	uint32_t *rules = field(r, obj), rule;
	struct suggest near;
	unsigned int i;
	size_t len;
	int shown;

	for (;; s += len + 1) {
		len = strcspn(s, ",");
		rule = url_rule(s, len);
		if (rule == 0)
			break;
		*rules |= rule;
		if (s[len] == '\0')
			return 0;
	}
	shown = (int)(len < 80 ? len : 80);
	suggest_init(&near, s, len);
	for (i = 0; i < URL_RULES; i++)
		suggest_try(&near, url_rule_name(i));
	if (suggest_best(&near) != NULL)
		return optable_wrong(e->text, e->size,
		    "no rule is called '%.*s'; did you mean '%s'?", shown, s,
		    suggest_best(&near));
	return optable_wrong(e->text, e->size,
	    "no rule is called '%.*s'; --rules=help lists them", shown, s);
}
