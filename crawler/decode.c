/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * decode.c - one coding after the other, each into a buffer of its own
 *
 * A chain of codings swaps two buffers: what one stage put out is the next
 * one's input.  Each stage stops when its buffer holds `max' bytes, so both
 * memory and time are bounded by max times LIMIT_CODINGS.
 */

#include "config.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <brotli/decode.h>
#include <zlib.h>
#include <zstd.h>

#include "crawler/decode.h"
#include "snapshot/limits.h"

#define STEP       (64 * 1024)       /* bytes of room to start with */
#define KEEP       (4 * 1024 * 1024) /* bytes: larger buffers are given back */
#define ZST_WINDOW 23 /* log2: RFC 9659 allows no more for this use */
#define GZ_BITS    31
#define ZLIB_BITS  15
#define RAW_BITS   (-15)

enum coding {
	CODING_NONE,
	CODING_GZIP,
	CODING_DEFLATE,
	CODING_BR,
	CODING_ZSTD,
	CODING_UNKNOWN,
};

struct decode {
	struct buf out[2];
	ZSTD_DCtx *zst;
};

int
decode_new(struct decode **out)
{
	struct decode *d;

	d = calloc(1, sizeof *d);
	if (d == NULL)
		return FAULT_NOMEM;
	buf_init(&d->out[0], SIZE_MAX / 2);
	buf_init(&d->out[1], SIZE_MAX / 2);
	*out = d;
	return 0;
}

void
decode_free(struct decode *d)
{
	if (d == NULL)
		return;
	buf_free(&d->out[0]);
	buf_free(&d->out[1]);
	(void)ZSTD_freeDCtx(d->zst);
	free(d);
}

/*
 * Room for more output, a whole STEP unless `max' is nearer: what comes out
 * of damaged input must not depend on how large the buffer was before.  0, 1
 * if `max' bytes are there already, FAULT_NOMEM.
 */
static int
more_room(struct buf *out, size_t max)
{
	size_t want = out->len < STEP ? STEP : out->len;

	if (out->len >= max)
		return 1;
	if (want > max - out->len)
		want = max - out->len;
	if (out->size - out->len >= want)
		return 0;
	return buf_room(out, want);
}

/* Bytes that may still be written without passing `max'. */
static size_t
room(const struct buf *out, size_t max)
{
	size_t n = out->size - out->len;

	return n < max - out->len ? n : max - out->len;
}

/*
 * zlib's three formats.  `members' lets further gzip members follow; what
 * follows the last and is no member is ignored, as gzip(1) does.
 */
static int
inflate_all(const unsigned char *in, size_t len, int bits, size_t max,
    struct buf *out)
{
	unsigned char *next;
	int rc, err, flags = DECODE_DAMAGED;
	uInt step;
	z_stream z;

	memset(&z, 0, sizeof z);
	if (inflateInit2(&z, bits) != Z_OK)
		return FAULT_NOMEM;
	memcpy(&next, &in, sizeof next); /* zlib lacks a const */
	z.next_in = next;
	z.avail_in = len > UINT_MAX ? UINT_MAX : (uInt)len;
	for (;;) {
		err = more_room(out, max);
		if (err != 0) {
			flags = err < 0 ? err : DECODE_CUT;
			break;
		}
		step = room(out, max) > UINT_MAX / 2 ? UINT_MAX / 2 :
						       (uInt)room(out, max);
		z.next_out = (Bytef *)out->s + out->len;
		z.avail_out = step;
		rc = inflate(&z, Z_NO_FLUSH);
		out->len += step - z.avail_out;
		if (rc == Z_OK && (z.avail_in > 0 || z.avail_out == 0))
			continue;
		if (rc != Z_STREAM_END)
			break; /* damaged, or it ends too early */
		flags = 0;
		if (bits != GZ_BITS || z.avail_in < 2 || z.next_in[0] != 0x1f ||
		    z.next_in[1] != 0x8b)
			break;
		flags = DECODE_DAMAGED;
		(void)inflateReset(&z);
	}
	(void)inflateEnd(&z);
	return flags;
}

static int
gunzip(const unsigned char *in, size_t len, size_t max, struct buf *out)
{
	return inflate_all(in, len, GZ_BITS, max, out);
}

/* "deflate" is zlib's format by the RFC, and the raw one by mistake. */
static int
undeflate(const unsigned char *in, size_t len, size_t max, struct buf *out)
{
	int zlib = len >= 2 && (in[0] & 0x0f) == 8 && (in[0] >> 4) <= 7 &&
	    (in[0] * 256 + in[1]) % 31 == 0;
	int rc;

	if (!zlib)
		return inflate_all(in, len, RAW_BITS, max, out);
	rc = inflate_all(in, len, ZLIB_BITS, max, out);
	if (rc != DECODE_DAMAGED || out->len > 0)
		return rc;
	return inflate_all(in, len, RAW_BITS, max, out);
}

static int
unbrotli(const unsigned char *in, size_t len, size_t max, struct buf *out)
{
	BrotliDecoderState *b;
	BrotliDecoderResult rc;
	size_t left;
	uint8_t *to;
	int flags = DECODE_DAMAGED, err;

	b = BrotliDecoderCreateInstance(NULL, NULL, NULL);
	if (b == NULL)
		return FAULT_NOMEM;
	for (;;) {
		err = more_room(out, max);
		if (err != 0) {
			flags = err < 0 ? err : DECODE_CUT;
			break;
		}
		to = (uint8_t *)out->s + out->len;
		left = room(out, max);
		out->len += left;
		rc = BrotliDecoderDecompressStream(b, &len, &in, &left, &to,
		    NULL);
		out->len -= left;
		if (rc == BROTLI_DECODER_RESULT_SUCCESS)
			flags = 0;
		if (rc != BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT)
			break;
	}
	BrotliDecoderDestroyInstance(b);
	return flags;
}

static int
unzstd(struct decode *d, const unsigned char *s, size_t len, size_t max,
    struct buf *out)
{
	ZSTD_inBuffer in = { s, len, 0 };
	ZSTD_outBuffer to;
	size_t rc;
	int err;

	if (d->zst == NULL)
		d->zst = ZSTD_createDCtx();
	if (d->zst == NULL)
		return FAULT_NOMEM;
	(void)ZSTD_DCtx_reset(d->zst, ZSTD_reset_session_and_parameters);
	(void)ZSTD_DCtx_setParameter(d->zst, ZSTD_d_windowLogMax, ZST_WINDOW);
	for (;;) {
		err = more_room(out, max);
		if (err != 0)
			return err < 0 ? err : DECODE_CUT;
		/* what a failing call had put out is lost: small steps */
		to.dst = out->s + out->len;
		to.size = room(out, max) < STEP ? room(out, max) : STEP;
		to.pos = 0;
		rc = ZSTD_decompressStream(d->zst, &to, &in);
		out->len += to.pos;
		if (ZSTD_isError(rc))
			return DECODE_DAMAGED;
		if (in.pos == len && rc == 0)
			return 0;
		if (in.pos == len && to.pos < to.size)
			return DECODE_DAMAGED; /* it ends too early */
	}
}

/* The coding of this name (RFC 9110 section 8.4.1). */
static enum coding
coding(const char *s, size_t len)
{
	static const struct {
		const char *name;
		enum coding c;
	} known[] = {
		{ "gzip", CODING_GZIP },
		{ "x-gzip", CODING_GZIP },
		{ "deflate", CODING_DEFLATE },
		{ "br", CODING_BR },
		{ "zstd", CODING_ZSTD },
		{ "identity", CODING_NONE },
		{ "", CODING_NONE },
	};
	size_t i;

	for (i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strlen(known[i].name) == len &&
		    strncasecmp(known[i].name, s, len) == 0)
			return known[i].c;
	return CODING_UNKNOWN;
}

/* Is the body plainly not in this coding? */
static int
mislabelled(enum coding c, const unsigned char *s, size_t len)
{
	static const unsigned char zst[4] = { 0x28, 0xb5, 0x2f, 0xfd };

	if (c == CODING_GZIP)
		return len < 2 || s[0] != 0x1f || s[1] != 0x8b;
	/* a skippable frame may come first: 0x184D2A5? */
	return c == CODING_ZSTD &&
	    (len < 4 ||
		(memcmp(s, zst, 4) != 0 &&
		    ((s[0] & 0xf0) != 0x50 ||
			memcmp(s + 1, "\x2a\x4d\x18", 3) != 0)));
}

static int
one(struct decode *d, enum coding c, const unsigned char *in, size_t len,
    size_t max, struct buf *out)
{
	switch (c) {
	case CODING_GZIP:
		return gunzip(in, len, max, out);
	case CODING_DEFLATE:
		return undeflate(in, len, max, out);
	case CODING_BR:
		return unbrotli(in, len, max, out);
	case CODING_ZSTD:
		return unzstd(d, in, len, max, out);
	case CODING_NONE:
	case CODING_UNKNOWN:
		break;
	}
	return 0;
}

/*
 * The listed codings, those that do something, in the order they were
 * applied.  Their number; past LIMIT_CODINGS the list counts as unknown.
 */
static int
list(const char *s, size_t len, enum coding c[LIMIT_CODINGS])
{
	const char *end = s + len, *stop;
	int n = 0;

	for (; s < end; s = stop + 1) {
		const char *last;

		stop = memchr(s, ',', (size_t)(end - s));
		if (stop == NULL)
			stop = end;
		while (s < stop && (*s == ' ' || *s == '\t'))
			s++;
		for (last = stop; last > s && strchr(" \t\r\n", last[-1]);)
			last--;
		if (n == LIMIT_CODINGS) {
			c[0] = CODING_UNKNOWN;
			return 1;
		}
		c[n] = coding(s, (size_t)(last - s));
		n += c[n] != CODING_NONE;
	}
	return n;
}

int
decode_body(struct decode *d, const char *codings, size_t codings_len,
    const void *in, size_t len, size_t max, const void **out, size_t *out_len)
{
	enum coding c[LIMIT_CODINGS];
	struct buf *to;
	int n = list(codings, codings_len, c), flags = 0, rc, turn = 0;

	*out = in;
	*out_len = len;
	while (n-- > 0 && *out_len > 0) {
		if (c[n] == CODING_UNKNOWN)
			return flags | DECODE_UNKNOWN;
		if (mislabelled(c[n], *out, *out_len))
			continue;
		to = &d->out[turn++ & 1];
		if (to->size > KEEP)
			buf_free(to);
		buf_clear(to);
		rc = one(d, c[n], *out, *out_len, max, to);
		if (rc < 0)
			return rc;
		flags |= rc;
		*out = to->s;
		*out_len = to->len;
	}
	return flags;
}
