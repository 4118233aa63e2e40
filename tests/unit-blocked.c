/* SPDX-License-Identifier: BSD-2-Clause */

/* All makes of the blocked filter set the same bits and find the same keys. */

#include "config.h"

#include "dedup/blocked.h"
#include "tests/pieces.h"
#include "tests/tap.h"

#define KEYS   256
#define BLOCKS 100

static void
draw(struct pieces *g, struct urlkey *key)
{
	size_t i;

	for (i = 0; i < KEYS; i++) {
		key[i].hi = pieces_next(g);
		key[i].lo = pieces_next(g);
		/* some twice */
		if (i > 0 && pieces_once(g, 4))
			key[i] = key[i - 1];
	}
}

static struct layer *
empty(void)
{
	struct layer *l = calloc(1, sizeof *l);

	if (l == NULL)
		abort();
	l->shape.layout = RATE_SPLIT;
	l->shape.k = 8;
	l->shape.size = BLOCKS;
	if (layer_new(l) < 0)
		abort();
	return l;
}

/* The same work for both; what they answer and come to hold. */
static int
alike(const struct blocked_make *a, const struct blocked_make *b)
{
	struct layer *x = empty(), *y = empty();
	struct pieces g = { 7 };
	struct urlkey key[KEYS];
	uint8_t seen[KEYS], s[KEYS], t[KEYS];
	size_t i, n, m;
	int good = 1, round;

	for (round = 0; round < 40; round++) {
		draw(&g, key);
		for (i = 0; i < KEYS; i++)
			s[i] = t[i] = seen[i] = (uint8_t)pieces_once(&g, 8);
		n = a->add(x, key, KEYS, seen, 7000);
		m = b->add(y, key, KEYS, seen, 7000);
		good = good && n == m;
		draw(&g, key);
		a->probe(x, key, KEYS, s);
		b->probe(y, key, KEYS, t);
		good = good && memcmp(s, t, KEYS) == 0;
		for (i = 0; i < KEYS; i++)
			good = good && (!seen[i] || t[i]);
	}
	good = good && x->count == y->count && x->ones == y->ones &&
	    x->count > 2000 && x->ones > 20000 &&
	    memcmp(layer_plain(x->word), layer_plain(y->word), x->bytes) == 0;
	layer_free(x);
	layer_free(y);
	free(x);
	free(y);
	return good;
}

int
main(void)
{
	struct blocked_make portable, m;
	struct tap t = { 0, 0 };
	unsigned int i;

	tap_ok(&t, blocked_pick(&portable, RATE_SPLIT, "portable"),
	    "a portable make");
	for (i = 0; blocked_name(i) != NULL; i++) {
		if (!blocked_pick(&m, RATE_SPLIT, blocked_name(i))) {
			tap_skip(&t, blocked_name(i));
			continue;
		}
		tap_ok(&t, alike(&portable, &m), "%s", blocked_name(i));
	}
	tap_ok(&t, !blocked_pick(&m, RATE_SPLIT, "abacus"), "no other make");
	tap_ok(&t, !blocked_pick(&m, RATE_LINE, "avx2"),
	    "free probes are portable");
	return tap_done(&t);
}
