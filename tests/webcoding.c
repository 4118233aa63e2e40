/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <brotli/encode.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "tests/webcoding.h"
#include "tests/webhttp.h"

/* windowBits of zlib: 16 more is gzip, below zero raw deflate. */
static int
pack_zlib(struct webbuf *out, const char *s, size_t n, int window)
{
	char chunk[16384];
	z_stream z;
	int rc;

	memset(&z, 0, sizeof z);
	if (deflateInit2(&z, 1, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		return 0;
	z.next_in = (Bytef *)(uintptr_t)s;
	z.avail_in = (uInt)n;
	do {
		z.next_out = (Bytef *)chunk;
		z.avail_out = sizeof chunk;
		rc = deflate(&z, Z_FINISH);
		webbuf_put(out, chunk, sizeof chunk - z.avail_out);
	} while (rc == Z_OK);
	deflateEnd(&z);
	return rc == Z_STREAM_END;
}

/* Grow `out' to hold `n' bytes that somebody else will write. */
static int
reserve(struct webbuf *out, size_t n)
{
	static const char zero[4096];
	size_t k;

	webbuf_clear(out);
	while (out->len < n && !out->failed) {
		k = n - out->len;
		webbuf_put(out, zero, k < sizeof zero ? k : sizeof zero);
	}
	return !out->failed;
}

static int
pack_brotli(struct webbuf *out, const char *s, size_t n)
{
	size_t len = BrotliEncoderMaxCompressedSize(n);

	if (len == 0 || !reserve(out, len))
		return 0;
	if (!BrotliEncoderCompress(2, 18, BROTLI_MODE_TEXT, n,
		(const uint8_t *)s, &len, (uint8_t *)out->s))
		return 0;
	out->len = len;
	return 1;
}

static int
pack_zstd(struct webbuf *out, const char *s, size_t n)
{
	size_t len = ZSTD_compressBound(n);

	if (!reserve(out, len))
		return 0;
	len = ZSTD_compress(out->s, len, s, n, 1);
	if (ZSTD_isError(len))
		return 0;
	out->len = len;
	return 1;
}

const char *
webcoding_pack(enum webcoding c, struct webbuf *body, struct webbuf *scratch)
{
	static const char *const name[WEBCODINGS] = { "gzip", "gzip", "deflate",
		"deflate", "br", "zstd" };
	struct webbuf swap;
	size_t half = body->len / 2;
	int good = 0;

	webbuf_clear(scratch);
	switch (c) {
	case WEBCODING_GZIP:
		good = pack_zlib(scratch, body->s, body->len, 15 + 16);
		break;
	case WEBCODING_GZIP_MEMBERS:
		good = pack_zlib(scratch, body->s, half, 15 + 16) &&
		    pack_zlib(scratch, body->s + half, body->len - half,
			15 + 16);
		break;
	case WEBCODING_ZLIB:
		good = pack_zlib(scratch, body->s, body->len, 15);
		break;
	case WEBCODING_RAW_DEFLATE:
		good = pack_zlib(scratch, body->s, body->len, -15);
		break;
	case WEBCODING_BROTLI:
		good = pack_brotli(scratch, body->s, body->len);
		break;
	case WEBCODING_ZSTD:
		good = pack_zstd(scratch, body->s, body->len);
		break;
	case WEBCODINGS:
		break;
	}
	if (!good || scratch->failed)
		return NULL;
	swap = *body;
	*body = *scratch;
	*scratch = swap;
	return name[c];
}

void
webcoding_apply(struct webanswer *a)
{
	static const unsigned int need[WEBCODINGS] = { WEBHTTP_GZIP,
		WEBHTTP_GZIP, WEBHTTP_DEFLATE, WEBHTTP_DEFLATE, WEBHTTP_BROTLI,
		WEBHTTP_ZSTD };
	struct webbuf scratch = { NULL, 0, 0, 0 };
	const char *name;
	unsigned int c;

	if (!web_has(a->web, WEB_CODINGS) || a->body.len == 0 ||
	    a->body.failed || a->fate == WEBANSWER_LESS ||
	    strncmp(a->type, "text/html", 9) != 0)
		return;
	/* the length will do as a draw: it is the page's own */
	c = (unsigned int)(web_hash(a->web, a->body.len, 77) %
	    (WEBCODINGS + 3));
	if (c == WEBCODING_GZIP_MEMBERS && !web_has(a->web, WEB_MEMBERS))
		c = WEBCODING_GZIP;
	if (c >= WEBCODINGS || (a->codings & need[c]) == 0)
		return;
	name = webcoding_pack((enum webcoding)c, &a->body, &scratch);
	if (name != NULL)
		webbuf_fmt(&a->head,
		    "Content-Encoding: %s\r\nVary: Accept-Encoding\r\n", name);
	webbuf_free(&scratch);
}
