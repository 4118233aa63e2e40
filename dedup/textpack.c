/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * textpack.c - chunks of a text, packed behind each other by a helper
 *
 * Two chunks are unpacked at a time.  While text is put, the owner fills one
 * as the helper packs the other; while it is got, the owner copies from one as
 * the helper unpacks the next into the other.
 */

#include "config.h"

#include <zstd.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dedup/textpack.h"
#include "snapshot/helper.h"
#include "snapshot/limits.h"

#define LEVEL 1 /* the quickest that makes a quarter of URLs */
#define NONE  SIZE_MAX

struct chunk {
	size_t at;       /* where it lies, packed */
	uint32_t packed; /* bytes; as many as `len': it is as it was */
	uint32_t len;
};

struct textpack {
	char *area; /* the packed chunks, `used' bytes of them */
	size_t used;
	struct chunk *chunk;
	size_t chunks, chunks_room;
	char *text[2];  /* LIMIT_PACK bytes each */
	size_t held[2]; /* when getting: which chunk is in each */
	size_t len;     /* when putting: bytes in text[chunks % 2] */
	int getting;
	struct helper *helper;
	size_t job; /* the helper's chunk */
	int failed; /* to unpack it */
	ZSTD_CCtx *pack;
	ZSTD_DCtx *unpack;
};

struct textpack *
textpack_new(size_t room)
{
	struct textpack *t = calloc(1, sizeof *t);

	if (t == NULL)
		return NULL;
	t->area = malloc(room);
	t->text[0] = malloc(LIMIT_PACK);
	t->text[1] = malloc(LIMIT_PACK);
	t->pack = ZSTD_createCCtx();
	t->unpack = ZSTD_createDCtx();
	t->job = t->held[0] = t->held[1] = NONE;
	if (t->area == NULL || t->text[0] == NULL || t->text[1] == NULL ||
	    t->pack == NULL || t->unpack == NULL ||
	    ZSTD_isError(ZSTD_CCtx_setParameter(t->pack,
		ZSTD_c_compressionLevel, LEVEL)) ||
	    helper_new(&t->helper) < 0) {
		textpack_free(t);
		return NULL;
	}
	return t;
}

void
textpack_free(struct textpack *t)
{
	if (t == NULL)
		return;
	helper_free(t->helper);
	ZSTD_freeCCtx(t->pack);
	ZSTD_freeDCtx(t->unpack);
	free(t->text[0]);
	free(t->text[1]);
	free(t->chunk);
	free(t->area);
	free(t);
}

size_t
textpack_length(const struct textpack *t)
{
	return t->chunks * LIMIT_PACK + t->len;
}

size_t
textpack_used(const struct textpack *t)
{
	/* one chunk may be on its way, and takes no more than its length */
	return t->used + (t->job == NONE ? 0 : LIMIT_PACK) + t->len;
}

/* ---- packing ---- */

static void
pack(void *arg)
{
	struct textpack *t = arg;
	struct chunk *c = &t->chunk[t->job];
	const char *from = t->text[t->job % 2];
	size_t n;

	n = ZSTD_compress2(t->pack, t->area + c->at, c->len - 1, from, c->len);
	if (ZSTD_isError(n)) {
		memcpy(t->area + c->at, from, c->len);
		n = c->len;
	}
	c->packed = (uint32_t)n;
}

/* See the chunk in hand packed. */
static int
packed(struct textpack *t)
{
	int rc = helper_wait(t->helper, LIMIT_HELPER_MS);

	if (rc < 0 || t->job == NONE)
		return rc;
	t->used += t->chunk[t->job].packed;
	t->job = NONE;
	return 0;
}

/* Have the chunk packed that was filled last. */
static int
give(struct textpack *t)
{
	size_t more = t->chunks_room == 0 ? 64 : 2 * t->chunks_room;
	int rc = packed(t);
	struct chunk *c;

	if (rc < 0)
		return rc;
	if (t->chunks == t->chunks_room) {
		c = realloc(t->chunk, more * sizeof *c);
		if (c == NULL)
			return FAULT_NOMEM;
		t->chunk = c;
		t->chunks_room = more;
	}
	t->job = t->chunks++;
	c = &t->chunk[t->job];
	c->at = t->used;
	c->len = (uint32_t)t->len;
	t->len = 0;
	helper_give(t->helper, pack, t);
	return 0;
}

int
textpack_put(struct textpack *t, const char *s, size_t len)
{
	size_t n;
	int rc;

	while (len > 0) {
		n = LIMIT_PACK - t->len;
		n = n < len ? n : len;
		memcpy(t->text[t->chunks % 2] + t->len, s, n);
		t->len += n;
		s += n;
		len -= n;
		if (t->len < LIMIT_PACK)
			continue;
		rc = give(t);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* ---- unpacking ---- */

static void
unpack(void *arg)
{
	struct textpack *t = arg;
	const struct chunk *c = &t->chunk[t->job];
	char *to = t->text[t->job % 2];

	if (c->packed == c->len)
		memcpy(to, t->area + c->at, c->len);
	else
		t->failed = ZSTD_decompressDCtx(t->unpack, to, c->len,
				t->area + c->at, c->packed) != c->len;
}

/* Have chunk `i' unpacked into its place, if there is one. */
static void
ahead(struct textpack *t, size_t i)
{
	if (i >= t->chunks || t->held[i % 2] == i)
		return;
	t->held[i % 2] = t->job = i;
	helper_give(t->helper, unpack, t);
}

/* See chunk `i' unpacked, and the next one begun. */
static int
bring(struct textpack *t, size_t i)
{
	int rc;

	if (t->held[i % 2] == i && t->job != i)
		return 0;
	rc = helper_wait(t->helper, LIMIT_HELPER_MS);
	if (rc == 0 && t->held[i % 2] != i) {
		ahead(t, i);
		rc = helper_wait(t->helper, LIMIT_HELPER_MS);
	}
	if (rc < 0)
		return rc;
	if (t->failed)
		return FAULT_DAMAGED;
	t->job = NONE;
	ahead(t, i + 1);
	return 0;
}

/* The last chunk goes the way of the others. */
static int
begin_getting(struct textpack *t)
{
	int rc = t->len > 0 ? give(t) : 0;

	if (rc == 0)
		rc = packed(t);
	t->getting = rc == 0;
	return rc;
}

int
textpack_get(struct textpack *t, size_t at, char *to, size_t len)
{
	size_t i, off, n;
	int rc = t->getting ? 0 : begin_getting(t);

	for (; rc == 0 && len > 0; at += n, to += n, len -= n) {
		i = at / LIMIT_PACK;
		off = at % LIMIT_PACK;
		rc = bring(t, i);
		if (rc < 0)
			break;
		n = t->chunk[i].len - off;
		n = n < len ? n : len;
		memcpy(to, t->text[i % 2] + off, n);
	}
	return rc;
}

void
textpack_clear(struct textpack *t)
{
	int rc = helper_wait(t->helper, LIMIT_HELPER_MS);

	(void)rc; /* it has no more to do than memory can take */
	t->used = t->chunks = t->len = 0;
	t->job = t->held[0] = t->held[1] = NONE;
	t->getting = t->failed = 0;
}
