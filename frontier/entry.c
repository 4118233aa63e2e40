/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "frontier/entry.h"

#define MORE 15 /* in either half of the meta byte: a varint follows */

unsigned char *
entry_put_varint(unsigned char *p, uint64_t v)
{
	while (v >= 0x80) {
		*p++ = (unsigned char)(v | 0x80);
		v >>= 7;
	}
	*p++ = (unsigned char)v;
	return p;
}

const unsigned char *
entry_get_varint(const unsigned char *p, const unsigned char *end, uint64_t *v)
{
	uint64_t x = 0;

	for (unsigned int shift = 0; p < end && shift < 64; shift += 7) {
		unsigned char c = *p++;

		x |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80) {
			*v = x;
			return shift == 63 && c > 1 ? NULL : p;
		}
	}
	return NULL;
}

static size_t
varint_size(uint64_t v)
{
	size_t n = 1;

	for (; v >= 0x80; v >>= 7)
		n++;
	return n;
}

/* Small for small differences of either sign. */
static uint64_t
zigzag(uint64_t a, uint64_t b)
{
	uint64_t d = a - b;

	return d << 1 ^ (0 - (d >> 63));
}

static uint64_t
zagzig(uint64_t z, uint64_t b)
{
	return b + (z >> 1 ^ (0 - (z & 1)));
}

/* How many bytes both begin with. */
static uint32_t
shared(const struct entry *a, const struct entry *b)
{
	uint32_t i = 0, n = a->len < b->len ? a->len : b->len;

	while (i + 8 <= n && memcmp(a->text + i, b->text + i, 8) == 0)
		i += 8;
	while (i < n && a->text[i] == b->text[i])
		i++;
	return i;
}

size_t
entry_size(const struct entry *e, const struct entry *first)
{
	uint32_t n = 0;
	size_t size = 1;

	if (e->depth >= MORE)
		size += varint_size(e->depth);
	if (e->tries >= MORE)
		size += varint_size(e->tries);
	if (first == NULL)
		return size + varint_size(e->ordinal) + varint_size(e->len) +
		    e->len;
	n = shared(e, first);
	return size + varint_size(zigzag(e->ordinal, first->ordinal)) +
	    varint_size(n) + varint_size(e->len - n) + e->len - n;
}

unsigned char *
entry_pack(unsigned char *p, const struct entry *e, const struct entry *first)
{
	unsigned char *meta = p++;
	uint32_t n = 0;

	*meta = 0;
	if (e->depth >= MORE) {
		*meta |= MORE;
		p = entry_put_varint(p, e->depth);
	} else {
		*meta |= (unsigned char)e->depth;
	}
	if (e->tries >= MORE) {
		*meta |= MORE << 4;
		p = entry_put_varint(p, e->tries);
	} else {
		*meta |= (unsigned char)(e->tries << 4);
	}
	if (first == NULL) {
		p = entry_put_varint(p, e->ordinal);
	} else {
		n = shared(e, first);
		p = entry_put_varint(p, zigzag(e->ordinal, first->ordinal));
		p = entry_put_varint(p, n);
	}
	p = entry_put_varint(p, e->len - n);
	memcpy(p, e->text + n, e->len - n);
	return p + (e->len - n);
}

/* Depth and tries; one past them or NULL. */
static const unsigned char *
meta_unpack(const unsigned char *p, const unsigned char *end, struct entry *e)
{
	unsigned char meta;
	uint64_t depth, tries;

	if (p == end)
		return NULL;
	meta = *p++;
	depth = meta & MORE;
	tries = meta >> 4;
	if (depth == MORE)
		p = entry_get_varint(p, end, &depth);
	if (p != NULL && tries == MORE)
		p = entry_get_varint(p, end, &tries);
	if (p == NULL || depth > UINT32_MAX || tries > LIMIT_RETRIES + 1)
		return NULL;
	e->depth = (uint32_t)depth;
	e->tries = (uint32_t)tries;
	return p;
}

const unsigned char *
entry_unpack(const unsigned char *p, const unsigned char *end, struct entry *e,
    const struct entry *first, char *text)
{
	uint64_t ordinal, n = 0, rest = 0;

	p = meta_unpack(p, end, e);
	if (p != NULL)
		p = entry_get_varint(p, end, &ordinal);
	if (p != NULL && first != NULL)
		p = entry_get_varint(p, end, &n);
	if (p != NULL)
		p = entry_get_varint(p, end, &rest);
	if (p == NULL || rest > (size_t)(end - p) || n + rest > LIMIT_URL)
		return NULL;
	e->ordinal = first == NULL ? ordinal : zagzig(ordinal, first->ordinal);
	e->len = (uint32_t)(n + rest);
	if (first == NULL) {
		e->text = (const char *)p;
		return p + rest;
	}
	if (n > first->len)
		return NULL;
	memcpy(text, first->text, n);
	memcpy(text + n, p, rest);
	e->text = text;
	return p + rest;
}
