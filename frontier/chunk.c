/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "frontier/chunk.h"
#include "frontier/words.h"

void
chunk_free(struct chunk *c)
{
	free(c->text);
	memset(c, 0, sizeof *c);
}

/* `n' bytes more; NULL without memory. */
static char *
more(struct chunk *c, size_t n)
{
	size_t room = c->room == 0 ? 2 * CHUNK_BYTES : c->room;
	char *text;

	while (room < c->len + n)
		room *= 2;
	if (room > c->room) {
		text = realloc(c->text, room);
		if (text == NULL)
			return NULL;
		c->text = text;
		c->room = room;
	}
	return c->text + c->len;
}

int
chunk_has(const struct chunk *c, struct chunk_owner o)
{
	for (unsigned int i = 0; i < c->pieces; i++)
		if (c->owner[i].host == o.host && c->owner[i].lane == o.lane)
			return 1;
	return 0;
}

int
chunk_start(struct chunk *c, struct chunk_owner o, const char *origin,
    size_t len)
{
	char *p = more(c, len + 2 * WORDS_NUMBER + 8);

	assert(c->pieces <= CHUNK_URLS);
	if (p == NULL)
		return FAULT_NOMEM;
	*p++ = '>';
	*p++ = ' ';
	p = words_put(p, o.host);
	*p++ = ' ';
	p = words_put(p, o.lane);
	*p++ = ' ';
	memcpy(p, origin, len);
	p += len;
	*p++ = '\n';
	c->len = (size_t)(p - c->text);
	c->owner[c->pieces++] = o;
	return 0;
}

int
chunk_add(struct chunk *c, const struct entry *e)
{
	char *p = more(c, e->len + 3 * (WORDS_NUMBER + 1) + 1);

	if (p == NULL)
		return FAULT_NOMEM;
	p = words_put(p, e->ordinal);
	*p++ = ' ';
	p = words_put(p, e->depth);
	*p++ = ' ';
	p = words_put(p, e->tries);
	*p++ = ' ';
	memcpy(p, e->text, e->len);
	p += e->len;
	*p++ = '\n';
	c->len = (size_t)(p - c->text);
	c->urls++;
	return 0;
}

int
chunk_copy(struct chunk *c, struct chunk_owner o, const char *s,
    const char *end)
{
	char *p = more(c, (size_t)(end - s));

	assert(c->pieces <= CHUNK_URLS);
	if (p == NULL)
		return FAULT_NOMEM;
	memcpy(p, s, (size_t)(end - s));
	c->len += (size_t)(end - s);
	c->owner[c->pieces++] = o;
	for (; s < end; s++)
		c->urls += *s == '\n';
	c->urls--; /* the first line is none */
	return 0;
}

void
chunk_clear(struct chunk *c)
{
	c->len = 0;
	c->urls = 0;
	c->pieces = 0;
}

/* The end of the line at `s', which has to be there; NULL if it is not. */
static const char *
line_end(const char *s, const char *end)
{
	return s < end ? memchr(s, '\n', (size_t)(end - s)) : NULL;
}

int
chunk_piece(struct chunk_lines *all, struct chunk_owner *o,
    struct chunk_lines *piece, const char **head)
{
	const char *s = all->s, *eol;
	uint64_t host, lane;

	if (s == all->end)
		return 0;
	*head = s;
	eol = line_end(s, all->end);
	if (eol == NULL || eol - s < 2 || s[0] != '>' || s[1] != ' ')
		return FAULT_DAMAGED;
	s += 2;
	if (!words_number(&s, eol, LIMIT_HOSTS, &host) ||
	    !words_number(&s, eol, 2, &lane))
		return FAULT_DAMAGED;
	o->host = (uint32_t)host;
	o->lane = (uint32_t)lane;
	piece->s = eol + 1;
	for (s = eol + 1; s < all->end && *s != '>'; s = eol + 1) {
		eol = line_end(s, all->end);
		if (eol == NULL)
			return FAULT_DAMAGED;
	}
	piece->end = s;
	all->s = s;
	return 1;
}

int
chunk_skip(struct chunk_lines *piece, unsigned int n)
{
	const char *eol;

	for (; n > 0 && piece->s < piece->end; n--) {
		eol = line_end(piece->s, piece->end);
		if (eol == NULL)
			return FAULT_DAMAGED;
		piece->s = eol + 1;
	}
	return 0;
}

int
chunk_is_tail(const char *s, size_t len)
{
	const char *slash = memchr(s, '/', len);

	if (slash == NULL || (slash > s && slash[-1] != '@'))
		return 0;
	for (size_t i = 0; i < len; i++)
		if (s[i] <= ' ' || s[i] > '~')
			return 0;
	return 1;
}

int
chunk_next(struct chunk_lines *piece, struct entry *e)
{
	const char *s = piece->s, *eol;
	uint64_t depth, tries;

	if (s == piece->end)
		return 0;
	eol = line_end(s, piece->end);
	if (eol == NULL || !words_number(&s, eol, UINT64_MAX, &e->ordinal) ||
	    !words_number(&s, eol, UINT32_MAX, &depth) ||
	    !words_number(&s, eol, LIMIT_RETRIES + 1, &tries) ||
	    eol - s > LIMIT_URL || !chunk_is_tail(s, (size_t)(eol - s)))
		return FAULT_DAMAGED;
	e->depth = (uint32_t)depth;
	e->tries = (uint32_t)tries;
	e->text = s;
	e->len = (uint32_t)(eol - s);
	piece->s = eol + 1;
	return 1;
}
