/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * bulk.c - rounds of lines, stored densely, and a sort of their keys
 *
 * A line takes its text, packed, eleven bytes, and an item of 24 for the sort.
 * Items of keys that are to be added stay at the front of the list, sorted;
 * behind them those of the lines to come gather, and are sorted for
 * themselves, by key and number.  So equal keys stand side by side, the first
 * line first, and only that one is asked for.
 *
 * "Emit before you remember": what a bulk finds new is added in the next
 * one's sweep, after its lines were written and are safe.  Going through the
 * filter once for both saves half of the reading and writing.  Within a
 * sweep what is to be added at a place comes before what is asked there.
 */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "dedup/bulk.h"
#include "dedup/filterwindow.h"
#include "dedup/textpack.h"
#include "snapshot/limits.h"

#define RADIX   256
#define BY_HAND 24 /* items that are sorted by insertion */
#define CHUNK   LIMIT_KEYS

/* bytes of arrays for each line, beside its text */
#define PER_LINE (2 * sizeof(struct item) + 4 + 4 + 3)

struct item {
	struct urlkey key;
	uint64_t line;
};

/* A round of lines as batch_round() made it. */
struct round {
	size_t line, lines; /* the first of them, and how many */
	size_t text, len;   /* where their bytes begin, and how many */
	size_t norm, norm_len;
	uint64_t read;
	unsigned int file;
	int file_starts;
	unsigned int invalid;
	size_t done;  /* lines that were written, */
	uint64_t end; /* up to this offset of the output */
};

struct bulk {
	struct filter *filter;
	size_t room;  /* bytes for text, and for `lines' lines beside it */
	size_t lines; /* that the arrays have room for */
	struct textpack *text;
	uint32_t *length; /* of each line */
	uint32_t *norm;   /* of each line's normalised URL */
	uint8_t *mark, *seen;
	int8_t *fault;
	size_t n; /* lines */
	struct item *item;
	size_t adds;  /* items at the front that are to be added */
	size_t items; /* all of them */
	struct round *round;
	size_t rounds, rounds_room;
};

int
bulk_can(unsigned int kind)
{
	return kind == FILTER_BLOCKED || kind == FILTER_EXACT;
}

struct bulk *
bulk_new(struct filter *f, uint64_t bytes)
{
	struct bulk *b = calloc(1, sizeof *b);
	size_t least = 2 * (INPUT_ROOM + LIMIT_ROUND_TEXT + LIMIT_URL);

	if (b == NULL)
		return NULL;
	least += 2 * LIMIT_ROUND * PER_LINE;
	b->filter = f;
	b->room = bytes > least ? (size_t)bytes : least;
	/* lines shorter than this use up the arrays before the text */
	b->lines = b->room / (PER_LINE + 8);
	b->text = textpack_new(b->room);
	b->length = malloc(b->lines * sizeof *b->length);
	b->norm = malloc(b->lines * sizeof *b->norm);
	b->mark = malloc(b->lines);
	b->seen = malloc(b->lines);
	b->fault = malloc(b->lines);
	b->item = malloc(2 * b->lines * sizeof *b->item);
	if (b->text == NULL || b->length == NULL || b->norm == NULL ||
	    b->mark == NULL || b->seen == NULL || b->fault == NULL ||
	    b->item == NULL) {
		bulk_free(b);
		return NULL;
	}
	return b;
}

void
bulk_free(struct bulk *b)
{
	if (b == NULL)
		return;
	textpack_free(b->text);
	free(b->length);
	free(b->norm);
	free(b->mark);
	free(b->seen);
	free(b->fault);
	free(b->item);
	free(b->round);
	free(b);
}

size_t
bulk_lines(const struct bulk *b)
{
	return b->n;
}

size_t
bulk_adds(const struct bulk *b)
{
	return b->adds;
}

int
bulk_room(const struct bulk *b)
{
	size_t used = textpack_used(b->text);

	used += INPUT_ROOM + LIMIT_ROUND_TEXT + LIMIT_URL;
	used += (b->n + LIMIT_ROUND) * (PER_LINE - sizeof(struct item));
	used += (b->adds + 1) * sizeof(struct item);
	used += (b->rounds + 1) * sizeof(struct round);
	return used <= b->room && b->n + LIMIT_ROUND <= b->lines &&
	    b->items + LIMIT_ROUND <= 2 * b->lines;
}

/* A record for one more round, or NULL. */
static struct round *
new_round(struct bulk *b)
{
	size_t more = b->rounds_room == 0 ? 64 : 2 * b->rounds_room;
	struct round *r;

	if (b->rounds == b->rounds_room) {
		r = realloc(b->round, more * sizeof *r);
		if (r == NULL)
			return NULL;
		b->round = r;
		b->rounds_room = more;
	}
	return &b->round[b->rounds++];
}

int
bulk_put(struct bulk *b, const struct batch *from)
{
	struct round *r = new_round(b);
	unsigned int i;
	int rc;

	if (r == NULL)
		return FAULT_NOMEM;
	memset(r, 0, sizeof *r);
	r->end = UINT64_MAX;
	r->line = b->n;
	r->lines = from->n;
	r->read = from->read;
	r->file = from->in.file;
	r->file_starts = from->in.file_starts && from->off[0] == 0;
	r->invalid = from->invalid;
	r->len = from->off[from->n] - from->off[0];
	r->text = textpack_length(b->text);
	rc = textpack_put(b->text, from->in.data + from->off[0], r->len);
	if (rc == 0 && from->rules->normalised) {
		r->norm_len = from->norm.len;
		r->norm = textpack_length(b->text);
		rc = textpack_put(b->text, from->norm.s, r->norm_len);
		memcpy(b->norm + b->n, from->norm_len,
		    from->n * sizeof *b->norm);
	}
	if (rc < 0) {
		b->rounds--;
		return rc;
	}
	memcpy(b->mark + b->n, from->mark, from->n);
	memcpy(b->fault + b->n, from->fault, from->n);
	memset(b->seen + b->n, 1, from->n);
	for (i = 0; i < from->n; i++, b->n++) {
		b->length[b->n] = batch_length(from, i);
		if (from->mark[i] != BATCH_VALID)
			continue;
		b->item[b->items].key = from->key[i];
		b->item[b->items++].line = b->n;
	}
	return 0;
}

int
bulk_get(const struct bulk *b, size_t at, struct batch *to)
{
	const struct round *r = &b->round[at];
	uint32_t off = 0, norm = 0;
	unsigned int i;
	int rc;

	if (at >= b->rounds)
		return 0;
	to->n = to->stop = (unsigned int)r->lines;
	to->invalid = r->invalid;
	to->read = r->read;
	to->since = 0;
	to->in.file = r->file;
	to->in.file_starts = r->file_starts;
	to->in.len = r->len;
	rc = textpack_get(b->text, r->text, to->in.data, r->len);
	if (rc < 0)
		return rc;
	memcpy(to->mark, b->mark + r->line, r->lines);
	memcpy(to->fault, b->fault + r->line, r->lines);
	memcpy(to->seen, b->seen + r->line, r->lines);
	for (i = 0; i < r->lines; i++) {
		to->off[i] = off;
		off += b->length[r->line + i];
	}
	to->off[i] = off;
	if (!to->rules->normalised)
		return 1;
	to->norm.len = r->norm_len;
	rc = textpack_get(b->text, r->norm, to->norm.s, r->norm_len);
	if (rc < 0)
		return rc;
	memcpy(to->norm_len, b->norm + r->line, r->lines * sizeof *b->norm);
	for (i = 0; i < r->lines; i++) {
		to->norm_off[i] = norm;
		norm += to->mark[i] == BATCH_VALID ? to->norm_len[i] : 0;
	}
	return 1;
}

static int
before(const struct item *a, const struct item *b)
{
	if (a->key.hi != b->key.hi)
		return a->key.hi < b->key.hi;
	if (a->key.lo != b->key.lo)
		return a->key.lo < b->key.lo;
	return a->line < b->line;
}

static void
by_hand(struct item *s, size_t n)
{
	struct item x;
	size_t i, j;

	for (i = 1; i < n; i++) {
		x = s[i];
		for (j = i; j > 0 && before(&x, &s[j - 1]); j--)
			s[j] = s[j - 1];
		s[j] = x;
	}
}

/* Equal high halves: one key mostly, as often as it came. */
static int
compare(const void *a, const void *b)
{
	return before(a, b) ? -1 : 1;
}

/*
 * McIlroy, Bostic & McIlroy 1993, "Engineering radix sort": in place, by the
 * byte of the key's high half that `shift' says, then each part by the next.
 */
static void
radix(struct item *s, size_t n, unsigned int shift)
{
	size_t end[RADIX], next[RADIX], count[RADIX] = { 0 }, i, sum = 0;
	unsigned int c, d;
	struct item x, y;

	for (i = 0; i < n; i++)
		count[s[i].key.hi >> shift & (RADIX - 1)]++;
	for (c = 0; c < RADIX; c++) {
		next[c] = sum;
		sum += count[c];
		end[c] = sum;
	}
	for (c = 0; c < RADIX; c++)
		while (next[c] < end[c]) {
			x = s[next[c]];
			d = x.key.hi >> shift & (RADIX - 1);
			while (d != c) {
				y = s[next[d]];
				s[next[d]++] = x;
				x = y;
				d = x.key.hi >> shift & (RADIX - 1);
			}
			s[next[c]++] = x;
		}
	for (c = 0; c < RADIX; c++) {
		struct item *part = s + end[c] - count[c];

		if (count[c] <= BY_HAND)
			by_hand(part, count[c]);
		else if (shift == 0)
			qsort(part, count[c], sizeof *part, compare);
		else
			radix(part, count[c], shift - 8);
	}
}

/*
 * Ask for up to CHUNK items from `at' on, and note what is new.  Of equal
 * keys, which stand side by side, that is the first alone.
 */
static void
ask(struct bulk *b, const struct item *at, size_t n)
{
	const struct item *first = b->item + b->adds;
	struct urlkey key[CHUNK] = { { 0, 0 } };
	uint8_t seen[CHUNK];
	size_t i;

	for (i = 0; i < n; i++)
		key[i] = at[i].key;
	filter_probe(b->filter, key, n, seen);
	for (i = 0; i < n; i++)
		if (at + i == first || !urlkey_same(key[i], (at + i)[-1].key))
			b->seen[at[i].line] = seen[i];
}

static int
add(struct bulk *b, const struct item *at, size_t n)
{
	struct urlkey key[CHUNK] = { { 0, 0 } };
	size_t i;
	long rc;

	for (i = 0; i < n; i++)
		key[i] = at[i].key;
	rc = filter_add(b->filter, key, n);
	return rc < 0 ? (int)rc : 0;
}

/* How many of `n' items, at most CHUNK, have keys up to `last'. */
static size_t
up_to(const struct item *s, size_t n, uint64_t last)
{
	size_t i;

	for (i = 0; i < n && i < CHUNK && s[i].key.hi <= last; i++)
		;
	return i;
}

/* Those of both lists that lie in a window whose end is `last'. */
static int
one_window(struct bulk *b, size_t *adds, size_t *asks, uint64_t last)
{
	size_t n;
	int rc;

	for (;;) {
		n = up_to(b->item + *adds, b->adds - *adds, last);
		if (n == 0)
			break;
		rc = add(b, b->item + *adds, n);
		if (rc < 0)
			return rc;
		*adds += n;
	}
	for (;;) {
		n = up_to(b->item + *asks, b->items - *asks, last);
		if (n == 0)
			return 0;
		ask(b, b->item + *asks, n);
		*asks += n;
	}
}

int
bulk_sweep(struct bulk *b)
{
	size_t adds = 0, asks = b->adds;
	struct filterwindow w;
	int rc, end;

	radix(b->item + b->adds, b->items - b->adds, 56);
	filterwindow_start(&w, b->filter, b->items);
	for (rc = filterwindow_next(&w); rc > 0; rc = filterwindow_next(&w)) {
		rc = one_window(b, &adds, &asks, w.last);
		if (rc < 0)
			break;
	}
	end = filterwindow_end(&w);
	return rc < 0 ? rc : end;
}

void
bulk_done(struct bulk *b, size_t at, size_t lines, uint64_t end)
{
	b->round[at].done = lines;
	b->round[at].end = end;
}

static void
forget(struct bulk *b)
{
	textpack_clear(b->text);
	b->n = b->rounds = 0;
}

void
bulk_keep(struct bulk *b, uint64_t safe)
{
	struct round *r;
	size_t i, n = 0;

	/* what is not safe counts as seen: it is not to be added */
	for (r = b->round; r < b->round + b->rounds; r++) {
		i = r->end <= safe ? r->done : 0;
		memset(b->seen + r->line + i, 1, r->lines - i);
	}
	for (i = b->adds; i < b->items; i++)
		if (!b->seen[b->item[i].line])
			b->item[n++] = b->item[i];
	b->adds = b->items = n;
	forget(b);
}

void
bulk_drop(struct bulk *b)
{
	b->items = b->adds;
	forget(b);
}
