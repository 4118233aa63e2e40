/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "frontier/stream.h"

/* The first entry of a block that holds whole ones. */
static void
first_of(const struct block *b, struct entry *e)
{
	const unsigned char *p;

	p = entry_unpack(b->data, b->data + b->fill, e, NULL, NULL);
	assert(p != NULL);
}

/* Try to add `e' to the last block. */
static int
join(struct block *b, const struct entry *e)
{
	size_t room = BLOCK_DATA - b->fill;
	struct entry first;

	if (b->more || room < 4)
		return 0;
	first_of(b, &first);
	if (e->len + ENTRY_HEAD > room && entry_size(e, &first) > room)
		return 0;
	b->fill =
	    (uint16_t)(entry_pack(b->data + b->fill, e, &first) - b->data);
	return 1;
}

/* Link block `id' to the end. */
static void
append(struct block_pool *p, struct stream *s, uint32_t id)
{
	if (s->tail == 0)
		s->head = id;
	else
		block_at(p, s->tail)->next = id;
	s->tail = id;
}

/* An entry that needs blocks of its own.  All of them or none. */
static int
push_long(struct block_pool *p, struct stream *s, const struct entry *e)
{
	size_t size = entry_size(e, NULL), done = 0;
	unsigned char *buf = malloc(size);
	uint32_t id, chain = 0, next;
	struct block *b;

	if (buf == NULL)
		return FAULT_FULL;
	(void)entry_pack(buf, e, NULL);
	/* The chain is made from its end, which holds what is left over. */
	for (size_t left = size; left > 0; left -= b->fill) {
		id = block_take(p);
		if (id == 0)
			break;
		b = block_at(p, id);
		b->fill = (uint16_t)(left % BLOCK_DATA);
		if (b->fill == 0)
			b->fill = BLOCK_DATA;
		b->more = 1;
		done += b->fill;
		memcpy(b->data, buf + (size - done), b->fill);
		b->next = chain;
		chain = id;
	}
	free(buf);
	for (; chain != 0 && done < size; chain = next) {
		next = block_at(p, chain)->next;
		block_give(p, chain);
	}
	if (done < size)
		return FAULT_FULL;
	for (; chain != 0; chain = next) {
		b = block_at(p, chain);
		next = b->next;
		append(p, s, chain);
		if (next == 0)
			b->more = 2; /* the last of the run */
	}
	return 0;
}

int
stream_push(struct block_pool *p, struct stream *s, const struct entry *e)
{
	uint32_t id;
	struct block *b;

	if (s->tail == 0 || !join(block_at(p, s->tail), e)) {
		if (e->len + ENTRY_HEAD > BLOCK_DATA) {
			if (push_long(p, s, e) < 0)
				return FAULT_FULL;
		} else {
			id = block_take(p);
			if (id == 0)
				return FAULT_FULL;
			b = block_at(p, id);
			b->fill =
			    (uint16_t)(entry_pack(b->data, e, NULL) - b->data);
			append(p, s, id);
		}
	}
	s->count++;
	return 0;
}

void
stream_walk(const struct stream *s, struct stream_walk *w)
{
	w->block = s->head;
	w->read = s->read;
}

/* Put an entry that has blocks of its own together. */
static void
next_long(const struct block_pool *p, struct stream_walk *w, struct entry *e,
    char *text)
{
	unsigned char *at = (unsigned char *)text;
	const unsigned char *end;
	const struct block *b;

	do {
		b = block_at(p, w->block);
		memcpy(at, b->data, b->fill);
		at += b->fill;
		w->block = b->next;
	} while (b->more == 1);
	end = entry_unpack((unsigned char *)text, at, e, NULL, NULL);
	assert(end == at);
	memmove(text, e->text, e->len);
	e->text = text;
}

int
stream_next(const struct block_pool *p, struct stream_walk *w, struct entry *e,
    char *text)
{
	const struct block *b;
	const unsigned char *at;
	struct entry first;

	if (w->block == 0)
		return 0;
	b = block_at(p, w->block);
	if (b->more) {
		next_long(p, w, e, text);
		return 1;
	}
	at = entry_unpack(b->data, b->data + b->fill, &first, NULL, NULL);
	if (w->read == 0) {
		*e = first;
		memcpy(text, first.text, first.len);
		e->text = text;
	} else {
		at = entry_unpack(b->data + w->read, b->data + b->fill, e,
		    &first, text);
	}
	assert(at != NULL);
	w->read = (uint32_t)(at - b->data);
	if (w->read == b->fill) {
		w->block = b->next;
		w->read = 0;
	}
	return 1;
}

void
stream_shift(struct block_pool *p, struct stream *s,
    const struct stream_walk *w, uint32_t n)
{
	uint32_t next;

	while (s->head != w->block) {
		next = block_at(p, s->head)->next;
		block_give(p, s->head);
		s->head = next;
	}
	s->read = w->read;
	if (s->head == 0)
		s->tail = 0;
	s->count -= n;
}

void
stream_clear(struct block_pool *p, struct stream *s)
{
	static const struct stream_walk end = { 0, 0 };

	stream_shift(p, s, &end, s->count);
}
