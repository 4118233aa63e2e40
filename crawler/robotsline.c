/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>
#include <strings.h>

#include "crawler/robotsline.h"
#include "snapshot/limits.h"

static int
is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static int
is_eol(char c)
{
	return c == '\n' || c == '\r';
}

void
robotsline_init(struct robotsline *l, const char *text, size_t len)
{
	static const char bom[] = "\xef\xbb\xbf";
	size_t i;

	/* the limit falls within a line: half a rule would be another rule */
	if (len > LIMIT_ROBOTS) {
		len = LIMIT_ROBOTS;
		while (len > 0 && !is_eol(text[len - 1]))
			len--;
	}
	for (i = 0; i < 3 && i < len && text[i] == bom[i]; i++)
		;
	l->at = text + i;
	l->end = text + len;
	l->number = 0;
	l->key = ROBOTSKEY_OTHER;
	l->value = l->end;
	l->len = 0;
}

/* Does the key of `len' bytes begin with `word', whatever its case? */
static int
begins(const char *key, size_t len, const char *word)
{
	size_t n = strlen(word);

	return len >= n && strncasecmp(key, word, n) == 0;
}

static enum robotskey
key_of(const char *key, size_t len)
{
	static const struct {
		const char *word;
		enum robotskey key;
	} words[] = {
		{ "user-agent", ROBOTSKEY_AGENT },
		{ "useragent", ROBOTSKEY_AGENT },
		{ "user agent", ROBOTSKEY_AGENT },
		{ "allow", ROBOTSKEY_ALLOW },
		{ "disallow", ROBOTSKEY_DISALLOW },
		{ "dissallow", ROBOTSKEY_DISALLOW },
		{ "dissalow", ROBOTSKEY_DISALLOW },
		{ "disalow", ROBOTSKEY_DISALLOW },
		{ "diasllow", ROBOTSKEY_DISALLOW },
		{ "disallaw", ROBOTSKEY_DISALLOW },
		{ "crawl-delay", ROBOTSKEY_DELAY },
		{ "crawldelay", ROBOTSKEY_DELAY },
		{ "crawl delay", ROBOTSKEY_DELAY },
		{ "sitemap", ROBOTSKEY_SITEMAP },
		{ "site-map", ROBOTSKEY_SITEMAP },
	};
	size_t i;

	for (i = 0; i < sizeof words / sizeof words[0]; i++)
		if (begins(key, len, words[i].word))
			return words[i].key;
	return ROBOTSKEY_OTHER;
}

/*
 * Where the key of the line [s, end), stripped, ends: at a colon, or at white
 * space if there is none and only two words.  NULL if it has no value.
 */
static const char *
separator(const char *s, const char *end)
{
	const char *colon = memchr(s, ':', (size_t)(end - s));
	const char *gap, *p;

	if (colon != NULL)
		return colon;
	for (gap = s; gap < end && !is_space(*gap); gap++)
		;
	if (gap == end)
		return NULL;
	for (p = gap; is_space(*p); p++)
		;
	for (; p < end; p++)
		if (is_space(*p))
			return NULL;
	return gap;
}

/* Take the line [s, end) apart: 1 if it has a key. */
static int
split(struct robotsline *l, const char *s, const char *end)
{
	const char *hash = memchr(s, '#', (size_t)(end - s));
	const char *sep, *key_end;

	if (hash != NULL)
		end = hash;
	while (s < end && is_space(*s))
		s++;
	while (end > s && is_space(end[-1]))
		end--;
	sep = separator(s, end);
	if (sep == NULL || sep == s)
		return 0;
	for (key_end = sep; is_space(key_end[-1]); key_end--)
		;
	l->key = key_of(s, (size_t)(key_end - s));
	for (sep++; sep < end && is_space(*sep); sep++)
		;
	l->value = sep;
	l->len = (size_t)(end - sep);
	return 1;
}

int
robotsline_next(struct robotsline *l)
{
	const char *s, *e;

	while (l->at < l->end) {
		s = l->at;
		for (e = s; e < l->end && !is_eol(*e); e++)
			;
		l->at = e;
		if (e < l->end)
			l->at +=
			    e + 1 < l->end && e[0] == '\r' && e[1] == '\n' ? 2 :
									     1;
		l->number++;
		if (split(l, s, e))
			return 1;
	}
	return 0;
}
