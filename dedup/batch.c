/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "dedup/batch.h"
#include "dedup/gate.h"

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
	const char *s = b->in.data, *nl;
	unsigned int i, last = b->n + max;
	size_t at = b->at;

	for (i = b->n; i < last && at < b->in.len; i++) {
		b->off[i] = (uint32_t)at;
		nl = memchr(s + at, b->rules->end, b->in.len - at);
		at = nl == NULL ? b->in.len : (size_t)(nl + 1 - s);
		b->len[i] = (uint32_t)at - b->off[i];
		b->mark[i] = BATCH_VALID;
		if (nl == NULL || b->len[i] > LIMIT_LINE + 1) {
			b->mark[i] = BATCH_INVALID;
			b->fault[i] = FAULT_URL_TOOLONG;
		}
	}
	if (b->at == 0 && b->in.starts_long)
		b->mark[0] = BATCH_PIECE;
	b->at = at;
	b->n = i;
}

/* The bytes of line i that are its URL.  0 if it has no such field. */
static int
url_of_line(const struct batch *b, unsigned int i, struct url_span *u)
{
	const char *s = b->in.data + b->off[i], *e = s + b->len[i] - 1, *sep;
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

/* Keys of the lines from `from' on, as far as there is room for their text. */
static void
make_keys(struct batch *b, unsigned int from)
{
	unsigned int i;

	for (i = from; i < b->n; i++) {
		make_key(b, i);
		if (b->norm.len < LIMIT_ROUND_TEXT)
			continue;
		b->at = b->off[i] + b->len[i];
		b->n = i + 1;
	}
}

/* What the filter knows already, if it may be asked beside its owner. */
static void
look_beside(struct batch *b, unsigned int from)
{
	const struct filter *f = b->rules->filter;
	unsigned int i;

	if (filter_lockfree(f) && !b->rules->remove)
		filter_probe(f, b->key + from, b->n - from, b->seen + from);
	else
		memset(b->seen + from, 0, b->n - from);
	for (i = from; i < b->n; i++)
		b->seen[i] |= b->mark[i] != BATCH_VALID;
}

int
batch_round(struct batch *b)
{
	unsigned int from;

	b->n = 0;
	b->norm.len = 0;
	while (b->at < b->in.len && b->n + GATE_BATCH <= LIMIT_ROUND &&
	    b->norm.len < LIMIT_ROUND_TEXT) {
		from = b->n;
		find_lines(b, GATE_BATCH);
		make_keys(b, from);
		look_beside(b, from);
	}
	b->stop = b->n;
	return b->at < b->in.len;
}

uint32_t
batch_width(const struct batch *b, unsigned int i)
{
	return b->rules->normalised && b->mark[i] == BATCH_VALID ?
	    b->norm_len[i] :
	    b->len[i];
}

int
batch_prints(const struct batch *b, unsigned int i)
{
	if (b->rules->load)
		return 0;
	if (b->mark[i] != BATCH_VALID)
		return b->rules->pass;
	return b->seen[i] == b->rules->repeated;
}

void
batch_copy(struct batch *b)
{
	unsigned int i;

	b->out.len = b->rejects.len = 0;
	for (i = 0; i < b->stop; i++) {
		const char *line = b->in.data + b->off[i];

		if (batch_prints(b, i) && b->mark[i] == BATCH_VALID &&
		    b->rules->normalised)
			text_put(&b->out, b->norm.s + b->norm_off[i],
			    b->norm_len[i]);
		else if (batch_prints(b, i))
			text_put(&b->out, line, b->len[i]);
		else if (b->mark[i] != BATCH_VALID && b->rules->rejects)
			text_put(&b->rejects, line, b->len[i]);
	}
}
