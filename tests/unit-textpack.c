/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dedup/textpack.h"
#include "snapshot/limits.h"
#include "tests/tap.h"

#define LEN (5 * LIMIT_PACK + 12345) /* bytes */

static uint64_t state = 88172645463325252;

/* Marsaglia 2003, "Xorshift RNGs" */
static uint64_t
roll(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

/* Text as of URLs up to `noise', from there on bytes that do not pack. */
static void
make(char *s, size_t len, size_t noise)
{
	char line[64];
	size_t i, n;

	for (i = 0; i < noise; i += n) {
		n = (size_t)snprintf(line, sizeof line,
		    "http://host%u.example/a/page%u\n", (unsigned)(roll() % 99),
		    (unsigned)(roll() % 100000));
		n = n < noise - i ? n : noise - i;
		memcpy(s + i, line, n);
	}
	for (; i < len; i++)
		s[i] = (char)roll();
}

/* Put all of it, a few bytes or many at a time.  The most that was used. */
static size_t
put(struct textpack *t, const char *s, size_t len)
{
	size_t i, n, most = 0;

	for (i = 0; i < len; i += n) {
		n = roll() % 4 == 0 ? roll() % (2 * LIMIT_PACK) : roll() % 500;
		n = n < len - i ? n : len - i;
		if (textpack_length(t) != i || textpack_put(t, s + i, n) < 0)
			return SIZE_MAX;
		if (textpack_used(t) > most)
			most = textpack_used(t);
	}
	return most;
}

/* Is `s' what is got, from front to back, or, with `leap', anywhere? */
static int
same(struct textpack *t, const char *s, size_t len, int leap)
{
	char *to = malloc(len);
	size_t i, at = 0, n = 0;
	int ok = to != NULL;

	for (i = 0; ok && i < 400; i++) {
		at = leap ? roll() % len : at + n;
		n = roll() % (i % 9 == 0 ? 2 * LIMIT_PACK : 9000);
		n = n < len - at ? n : len - at;
		ok = textpack_get(t, at, to, n) == 0 &&
		    memcmp(to, s + at, n) == 0;
	}
	free(to);
	return ok && (leap || at + n == len);
}

int
main(void)
{
	struct textpack *t = textpack_new(LEN);
	char *s = malloc(LEN);
	struct tap tap = { 0 };
	size_t used;

	if (t == NULL || s == NULL)
		return 1;
	tap_ok(&tap, textpack_length(t) == 0 && textpack_used(t) == 0, "empty");

	make(s, LEN, LEN);
	used = put(t, s, LEN);
	tap_ok(&tap, used <= LEN / 2 + 2 * LIMIT_PACK, "URLs are packed");
	tap_ok(&tap, same(t, s, LEN, 0), "and got from front to back");
	tap_ok(&tap, same(t, s, LEN, 1), "and in any order");
	textpack_clear(t);
	tap_ok(&tap, textpack_length(t) == 0 && textpack_used(t) == 0,
	    "cleared");

	make(s, LEN, 0);
	used = put(t, s, LEN);
	tap_ok(&tap, used <= LEN, "noise takes its length, no more");
	tap_ok(&tap, same(t, s, LEN, 0), "and is got");
	textpack_clear(t);

	make(s, LEN, LEN / 2);
	tap_ok(&tap, put(t, s, LEN) <= LEN && same(t, s, LEN, 0),
	    "some of each");
	textpack_clear(t);
	tap_ok(&tap, put(t, s, 5) <= LEN && same(t, s, 5, 1), "a few bytes");
	textpack_free(t);
	textpack_free(NULL);
	free(s);
	return tap_done(&tap);
}
