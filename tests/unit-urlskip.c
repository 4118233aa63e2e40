/* SPDX-License-Identifier: BSD-2-Clause */

/* All makes of the skip stop where the sets of bytes say. */

#include "config.h"

#include "dedup/urlclass.h"
#include "dedup/urlfast.h"
#include "dedup/urlskip.h"
#include "tests/pieces.h"
#include "tests/tap.h"

#define ROOM 200

/* What may be passed over, by the classes and not by the rows. */
static int
plain(char c, enum urlskip_part part)
{
	switch (part) {
	case URLSKIP_HOST:
		return c == '.' || c == '_' || urlclass_digit(c) ||
		    (c >= 'a' && c <= 'z');
	case URLSKIP_PATH:
		return !urlclass_is(c, URLCLASS_PATH) &&
		    strchr("%\\.", c) == NULL;
	case URLSKIP_QUERY:
		return !urlclass_is(c, URLCLASS_QUERY) && c != '%';
	case URLSKIP_PARTS:
		break;
	}
	return 0;
}

/* Random bytes, nearly all of them plain, in memory of their own. */
static int
compare(struct pieces *g, urlskip_fn *skip, enum urlskip_part part)
{
	size_t len = pieces_next(g) % ROOM, at, want, i;
	char *s = malloc(len + 1);
	int good;

	if (s == NULL)
		abort();
	for (i = 0; i < len; i++)
		s[i] = pieces_once(g, 80) ? (char)pieces_next(g) : 'a';
	at = pieces_next(g) % (len + 1);
	for (want = at; want < len && plain(s[want], part); want++)
		;
	good = skip(s, at, len, part) == want;
	free(s);
	return good;
}

/* Each byte value by itself. */
static unsigned int
bytes(urlskip_fn *skip, enum urlskip_part part)
{
	unsigned int i, bad = 0;
	char c;

	for (i = 0; i < 256; i++) {
		c = (char)i;
		bad += skip(&c, 0, 1, part) != (size_t)plain(c, part);
	}
	return bad;
}

int
main(void)
{
	struct tap t = { 0, 0 };
	struct pieces g = { 1 };
	unsigned int i, j, bad;
	urlskip_fn *skip;

	for (i = 0; urlfast_name(i) != NULL; i++) {
		skip = urlskip_pick(urlfast_name(i));
		if (skip == NULL) {
			tap_skip(&t, urlfast_name(i));
			continue;
		}
		for (bad = j = 0; j < URLSKIP_PARTS; j++)
			bad += bytes(skip, (enum urlskip_part)j);
		for (j = 0; j < 60000; j++)
			bad += !compare(&g, skip,
			    (enum urlskip_part)(j % URLSKIP_PARTS));
		tap_ok(&t, bad == 0, "%s: stops where it should",
		    urlfast_name(i));
	}
	tap_ok(&t, urlskip_pick("abacus") == NULL, "no other make");
	return tap_done(&t);
}
