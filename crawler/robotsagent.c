/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>
#include <strings.h>

#include "crawler/robotsagent.h"

/* A byte of the RFC's product tokens. */
static int
is_token(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
	    c == '_';
}

/* A byte of the names that sites and crawlers use. */
static int
is_name(char c)
{
	return is_token(c) || (c >= '0' && c <= '9') || c == '.' ||
	    (unsigned char)c >= 0x80;
}

static size_t
name_len(const char *s, size_t len)
{
	size_t n = 0;

	while (n < len && is_name(s[n]))
		n++;
	return n;
}

static int
same(const char *a, size_t alen, const char *b, size_t blen)
{
	return alen == blen && alen > 0 && strncasecmp(a, b, alen) == 0;
}

/* The first name at or after `s' that is no number; its length to `len'. */
static const char *
next_name(const char *s, const char *end, size_t *len)
{
	while (s < end) {
		*len = name_len(s, (size_t)(end - s));
		if (*len > 0 && is_token(*s) &&
		    !same(s, *len, "compatible", 10))
			return s;
		/* past a "/" stands a version, never a name */
		s += *len > 0 ? *len : 1;
		if (s < end && *s == '/')
			s += 1 + name_len(s + 1, (size_t)(end - s - 1));
	}
	*len = 0;
	return end;
}

void
robotsagent_init(struct robotsagent *a, const char *agent, size_t len)
{
	static const char mark[] = "compatible;";
	const char *end = agent + len, *from;

	a->name[0] = agent;
	a->len[0] = name_len(agent, len);
	a->name[1] = agent;
	a->len[1] = 0;
	if (!same(agent, a->len[0], "Mozilla", 7))
		return;
	from = memmem(agent, len, mark, sizeof mark - 1);
	if (from == NULL) {
		from = agent + a->len[0];
		if (from < end && *from == '/')
			from +=
			    1 + name_len(from + 1, (size_t)(end - from - 1));
	}
	from = next_name(from, end, &len);
	if (len == 0)
		return;
	a->name[1] = agent;
	a->len[1] = a->len[0];
	a->name[0] = from;
	a->len[0] = len;
}

int
robotsagent_rank(const struct robotsagent *a, const char *value, size_t len)
{
	size_t n, letters;
	int i;

	/* what may follow "*": white space, or markup in an HTML page */
	if (len > 0 && value[0] == '*')
		return len == 1 || value[1] == ' ' || value[1] == '\t' ||
			value[1] == '<' ?
		    ROBOTSRANK_ANY :
		    ROBOTSRANK_NONE;
	n = name_len(value, len);
	for (i = 0; i < 2; i++) {
		if (same(a->name[i], a->len[i], value, n))
			return ROBOTSRANK_BEST - 2 * i;
		for (letters = 0;
		     letters < a->len[i] && is_token(a->name[i][letters]);
		     letters++)
			;
		if (same(a->name[i], letters, value, n))
			return ROBOTSRANK_BEST - 2 * i - 1;
	}
	return ROBOTSRANK_NONE;
}
