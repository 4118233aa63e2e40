/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "dedup/batch.h"

#define FETCH 16 /* keys whose places are asked for at a time */

static int
text_new(struct batch_text *t, size_t size)
{
	t->s = malloc(size);
	t->len = 0;
	t->size = size;
	return t->s == NULL ? FAULT_NOMEM : 0;
}

static void
text_put(struct batch_text *t, const char *s, size_t len)
{
	memcpy(t->s + t->len, s, len);
	t->len += len;
}

static int
make_url(struct batch *b)
{
	const struct batch_rules *r = b->rules;
	int rc = 0;

	b->url = url_new(r->rules);
	if (b->url == NULL)
		return FAULT_NOMEM;
	if (r->default_scheme != NULL)
		rc = url_default_scheme(b->url, r->default_scheme);
	if (rc == 0 && r->base != NULL)
		rc = url_base(b->url, r->base, strlen(r->base));
	return rc;
}

int
batch_new(struct batch **out, const struct batch_rules *rules)
{
	struct batch *b = calloc(1, sizeof *b);
	size_t room = INPUT_ROOM;
	int rc = FAULT_NOMEM;

	if (b == NULL)
		return rc;
	b->rules = rules;
	b->hasher = filter_hasher(rules->filter);
	b->scan = linescan_pick(NULL);
	b->in.data = malloc(INPUT_ROOM);
	if (b->in.data == NULL)
		goto out;
	if (rules->normalised)
		room += LIMIT_ROUND_TEXT + LIMIT_URL + 1;
	if (text_new(&b->out, room) < 0 ||
	    text_new(&b->rejects, INPUT_ROOM) < 0)
		goto out;
	if (rules->normalised &&
	    text_new(&b->norm, LIMIT_ROUND_TEXT + LIMIT_URL + 1) < 0)
		goto out;
	rc = make_url(b);
out:
	if (rc < 0) {
		batch_free(b);
		b = NULL;
	}
	*out = b;
	return rc;
}

void
batch_free(struct batch *b)
{
	if (b == NULL)
		return;
	url_free(b->url);
	free(b->in.data);
	free(b->norm.s);
	free(b->out.s);
	free(b->rejects.s);
	free(b);
}

void
batch_start(struct batch *b)
{
	b->at = 0;
}

/* Find the lines of up to `max' more, from line b->n on. */
static void
find_lines(struct batch *b, unsigned int max)
{
	unsigned int i, from = b->n;

	b->off[from] = (uint32_t)b->at;
	b->n += (unsigned int)b->scan(b->in.data, b->at, b->in.len,
	    b->rules->end, b->off + from + 1, max);
	memset(b->mark + from, BATCH_VALID, max);
	for (i = from; i < b->n; i++) {
		if (batch_length(b, i) <= LIMIT_LINE + 1)
			continue;
		b->mark[i] = BATCH_INVALID;
		b->fault[i] = FAULT_URL_TOOLONG;
	}
	if (b->n - from < max && b->off[b->n] < b->in.len) {
		/* the end of the buffer, but not of the line */
		b->mark[b->n] = BATCH_INVALID;
		b->fault[b->n] = FAULT_URL_TOOLONG;
		b->off[++b->n] = (uint32_t)b->in.len;
	}
	if (b->at == 0 && b->in.starts_long)
		b->mark[0] = BATCH_PIECE;
	b->at = b->off[b->n];
}

/* The bytes of line i that are its URL.  0 if it has no such field. */
static int
url_of_line(const struct batch *b, unsigned int i, struct url_span *u)
{
	const char *s = b->in.data + b->off[i],
		   *e = b->in.data + b->off[i + 1] - 1, *sep;
	unsigned int f;

	if (e > s && e[-1] == '\r')
		e--;
	for (f = b->rules->field; f > 1; f--) {
		s = memchr(s, b->rules->separator, (size_t)(e - s));
		if (s == NULL)
			return 0;
		s++;
	}
	if (b->rules->field > 0) {
		sep = memchr(s, b->rules->separator, (size_t)(e - s));
		e = sep == NULL ? e : sep;
	}
	u->s = s;
	u->len = (size_t)(e - s);
	return 1;
}

static void
keep_normalised(struct batch *b, unsigned int i, struct url_span u)
{
	b->norm_off[i] = (uint32_t)b->norm.len;
	b->norm_len[i] = (uint32_t)u.len + 1;
	text_put(&b->norm, u.s, u.len);
	text_put(&b->norm, &b->rules->end, 1);
}

/* Normalise and hash line i. */
static void
make_key(struct batch *b, unsigned int i)
{
	struct url_span u;
	int rc = FAULT_URL_EMPTY;

	b->key[i] = (struct urlkey){ 0, 0 };
	if (b->mark[i] != BATCH_VALID)
		return;
	if (url_of_line(b, i, &u))
		rc = b->rules->raw ? 0 : url_normalise(b->url, u.s, u.len, &u);
	if (rc < 0) {
		b->mark[i] = BATCH_INVALID;
		b->fault[i] = (int8_t)rc;
		return;
	}
	if (b->rules->normalised)
		keep_normalised(b, i, u);
	b->key[i] = urlkey_of(b->hasher, u.s, u.len);
}

/*
 * Keys of the lines from `from' on, as far as there is room for their text.
 * Their places in the filter are asked for while others are made.
 */
static void
make_keys(struct batch *b, unsigned int from)
{
	const struct filter *f = b->since != 0 ? b->rules->filter : NULL;
	unsigned int i, asked = from;

	for (i = from; i < b->n; i++) {
		make_key(b, i);
		if (f != NULL && i + 1 - asked == FETCH) {
			filter_fetch(f, b->key + asked, FETCH);
			asked += FETCH;
		}
		if (b->norm.len >= LIMIT_ROUND_TEXT) {
			b->at = b->off[i + 1];
			b->n = i + 1;
		}
	}
	if (f != NULL)
		filter_fetch(f, b->key + asked, b->n - asked);
}

/* What the filter knows already, if it may be asked beside its owner. */
static void
look_beside(struct batch *b, unsigned int from)
{
	unsigned int i;

	memset(b->seen + from, 0, b->n - from);
	if (b->since != 0)
		filter_look(b->rules->filter, b->key + from, b->n - from,
		    b->seen + from);
	for (i = from; i < b->n; i++) {
		b->seen[i] |= b->mark[i] != BATCH_VALID;
		b->invalid += b->mark[i] != BATCH_VALID;
	}
}

int
batch_round(struct batch *b)
{
	unsigned int from, step = filter_step(b->rules->filter);

	b->n = b->invalid = 0;
	b->norm.len = 0;
	/* in this order: what leaves the gate after this moment is recalled */
	b->since = gate_now(b->rules->gate);
	if (b->rules->remove || b->rules->later ||
	    !filter_lockfree(b->rules->filter))
		b->since = 0;
	while (b->at < b->in.len && b->n + step <= LIMIT_ROUND &&
	    b->norm.len < LIMIT_ROUND_TEXT) {
		from = b->n;
		find_lines(b, step);
		make_keys(b, from);
		look_beside(b, from);
	}
	b->stop = b->n;
	return b->at < b->in.len;
}

unsigned int
batch_unseen(const struct batch *b)
{
	unsigned int i, n = 0;

	for (i = 0; i < b->n; i++)
		n += !b->seen[i];
	return n;
}

/* The lines that are dropped. */
static void
copy_rejects(struct batch *b)
{
	unsigned int i;

	for (i = 0; i < b->stop; i++)
		if (b->mark[i] != BATCH_VALID && !b->prints[i])
			text_put(&b->rejects, b->in.data + b->off[i],
			    batch_length(b, i));
}

/* Normalised URLs, and lines that are none. */
static void
copy_normalised(struct batch *b)
{
	unsigned int i;

	for (i = 0; i < b->stop; i++) {
		if (!b->prints[i])
			continue;
		if (b->mark[i] == BATCH_VALID)
			text_put(&b->out, b->norm.s + b->norm_off[i],
			    b->norm_len[i]);
		else
			text_put(&b->out, b->in.data + b->off[i],
			    batch_length(b, i));
	}
}

void
batch_copy(struct batch *b)
{
	unsigned int i, from;

	b->out.len = b->rejects.len = 0;
	if (b->rules->rejects)
		copy_rejects(b);
	if (b->rules->normalised) {
		copy_normalised(b);
		return;
	}
	/* as many lines at once as follow each other */
	for (i = 0; i < b->stop; i++) {
		if (!b->prints[i])
			continue;
		for (from = i++; i < b->stop && b->prints[i]; i++)
			;
		text_put(&b->out, b->in.data + b->off[from],
		    b->off[i] - b->off[from]);
	}
}
