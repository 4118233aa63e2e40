/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/resource.h>

#include <brotli/encode.h>
#include <zlib.h>
#include <zstd.h>

#include "crawler/decode.h"
#include "tests/tap.h"

#define BIG (64 * 1024 * 1024)

static const char text[] = "<a href=/x>some text</a> <a href=/y>more</a>\n";

struct blob {
	unsigned char *s;
	size_t len;
};

static struct blob
deflated(const void *s, size_t len, int bits)
{
	struct blob b;
	z_stream z;

	memset(&z, 0, sizeof z);
	if (deflateInit2(&z, 9, Z_DEFLATED, bits, 8, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		exit(99);
	b.len = deflateBound(&z, len) + 64;
	b.s = malloc(b.len);
	z.next_in = (Bytef *)(uintptr_t)s;
	z.avail_in = (uInt)len;
	z.next_out = b.s;
	z.avail_out = (uInt)b.len;
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		exit(99);
	b.len = z.total_out;
	deflateEnd(&z);
	return b;
}

static struct blob
brotlied(const void *s, size_t len)
{
	struct blob b;

	b.len = BrotliEncoderMaxCompressedSize(len) + 64;
	b.s = malloc(b.len);
	if (!BrotliEncoderCompress(5, 22, BROTLI_MODE_GENERIC, len, s, &b.len,
		b.s))
		exit(99);
	return b;
}

static struct blob
zstded(const void *s, size_t len)
{
	ZSTD_CCtx *c = ZSTD_createCCtx();
	struct blob b;

	b.len = ZSTD_compressBound(len);
	b.s = malloc(b.len);
	(void)ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
	b.len = ZSTD_compress2(c, b.s, b.len, s, len);
	ZSTD_freeCCtx(c);
	return b;
}

static struct blob
joined(struct blob a, struct blob b)
{
	struct blob j;

	j.len = a.len + b.len;
	j.s = malloc(j.len);
	memcpy(j.s, a.s, a.len);
	memcpy(j.s + a.len, b.s, b.len);
	free(a.s);
	free(b.s);
	return j;
}

/* Decode and compare; `b' is freed. */
static void
expect(struct tap *t, struct decode *d, const char *codings, struct blob b,
    int flags, const void *want, size_t want_len, const char *name)
{
	const void *out;
	size_t len;
	int rc;

	rc = decode_body(d, codings, strlen(codings), b.s, b.len, 1 << 20, &out,
	    &len);
	if (!tap_ok(t,
		rc == flags && len == want_len &&
		    (len == 0 || memcmp(out, want, len) == 0),
		"%s", name))
		tap_diag("flags %d, %zu bytes", rc, len);
	free(b.s);
}

static struct blob
plain(const void *s, size_t len)
{
	struct blob b;

	b.len = len;
	b.s = malloc(len + 1);
	memcpy(b.s, s, len);
	return b;
}

static void
codings(struct tap *t, struct decode *d)
{
	const size_t n = sizeof text - 1;
	struct blob b, c;
	char twice[2 * sizeof text];

	expect(t, d, "", plain(text, n), 0, text, n, "nothing to do");
	expect(t, d, "identity", plain(text, n), 0, text, n, "identity");
	expect(t, d, "gzip", deflated(text, n, 31), 0, text, n, "gzip");
	expect(t, d, " X-GZip ", deflated(text, n, 31), 0, text, n, "x-gzip");
	expect(t, d, "deflate", deflated(text, n, 15), 0, text, n,
	    "deflate, as the RFC has it");
	expect(t, d, "deflate", deflated(text, n, -15), 0, text, n,
	    "deflate, raw");
	expect(t, d, "br", brotlied(text, n), 0, text, n, "br");
	expect(t, d, "zstd", zstded(text, n), 0, text, n, "zstd");
	memcpy(twice, text, n);
	memcpy(twice + n, text, n);
	expect(t, d, "gzip",
	    joined(deflated(text, n, 31), deflated(text, n, 31)), 0, twice,
	    2 * n, "two gzip members");
	expect(t, d, "zstd", joined(zstded(text, n), zstded(text, n)), 0, twice,
	    2 * n, "two zstd frames");
	expect(t, d, "gzip", joined(deflated(text, n, 31), plain("\0\0\0", 3)),
	    0, text, n, "padding behind a member");
	expect(t, d, "gzip", plain(text, n), 0, text, n,
	    "no gzip though it says so");
	expect(t, d, "zstd", plain(text, n), 0, text, n,
	    "no zstd though it says so");
	b = deflated(text, n, 31);
	c = brotlied(b.s, b.len);
	free(b.s);
	expect(t, d, "gzip, br", c, 0, text, n, "gzip within br");
	b = deflated(text, n, 31);
	c = deflated(b.s, b.len, 31);
	free(b.s);
	b = deflated(c.s, c.len, 31);
	free(c.s);
	expect(t, d, "gzip,gzip , gzip", b, 0, text, n, "thrice gzip");
	expect(t, d, "gzip,gzip,gzip,gzip,gzip", plain(text, n), DECODE_UNKNOWN,
	    text, n, "five are too many");
	expect(t, d, "compress", plain(text, n), DECODE_UNKNOWN, text, n,
	    "a coding nobody uses");
	expect(t, d, "compress, gzip", deflated(text, n, 31), DECODE_UNKNOWN,
	    text, n, "decoded as far as we know how");
	expect(t, d, "gzip", plain("", 0), 0, "", 0, "no body at all");
}

static void
broken(struct tap *t, struct decode *d)
{
	static const char *const name[] = { "gzip", "deflate", "br", "zstd" };
	char noise[20000];
	const void *out;
	unsigned int x = 1;
	struct blob b[4];
	size_t i, len;
	int rc;

	for (i = 0; i < sizeof noise; i++) {
		x = x * 1664525 + 1013904223;
		noise[i] = (char)("abcdefghij klmnopqrst"[(x >> 24) % 21]);
	}
	b[0] = deflated(noise, sizeof noise, 31);
	b[1] = deflated(noise, sizeof noise, 15);
	b[2] = brotlied(noise, sizeof noise);
	b[3] = zstded(noise, sizeof noise);
	for (i = 0; i < 4; i++) {
		rc = decode_body(d, name[i], strlen(name[i]), b[i].s,
		    b[i].len / 2, 1 << 20, &out, &len);
		/* zstd gives whole blocks only, and this is one */
		tap_ok(t,
		    rc == DECODE_DAMAGED && len < sizeof noise &&
			(len > 5000 || i == 3) &&
			(len == 0 || memcmp(out, noise, len) == 0),
		    "half of %s: what came before", name[i]);
		memset(b[i].s + b[i].len / 2, 0x55, b[i].len / 4);
		rc = decode_body(d, name[i], strlen(name[i]), b[i].s, b[i].len,
		    1 << 20, &out, &len);
		tap_ok(t, rc == DECODE_DAMAGED, "damaged %s is noticed",
		    name[i]);
		free(b[i].s);
	}
}

/* 64 MiB of zeros in a few KB, thrice over: what may it cost? */
static void
bombs(struct tap *t, struct decode *d)
{
	static const char *const name[] = { "gzip", "deflate", "br", "zstd" };
	struct rusage before, after;
	struct blob b[4], c;
	const void *out;
	char *zero;
	size_t i, len;
	int rc;

	zero = calloc(1, BIG);
	b[0] = deflated(zero, BIG, 31);
	b[1] = deflated(zero, BIG, 15);
	b[2] = brotlied(zero, BIG);
	b[3] = zstded(zero, BIG);
	(void)getrusage(RUSAGE_SELF, &before);
	for (i = 0; i < 4; i++) {
		rc = decode_body(d, name[i], strlen(name[i]), b[i].s, b[i].len,
		    1 << 20, &out, &len);
		tap_ok(t, rc == DECODE_CUT && len == 1 << 20,
		    "%s bomb of %zu bytes is cut at the limit", name[i],
		    b[i].len);
		rc = decode_body(d, name[i], strlen(name[i]), b[i].s, b[i].len,
		    BIG, &out, &len);
		tap_ok(t, len == BIG && (rc & ~DECODE_CUT) == 0,
		    "%s: and not before", name[i]);
	}
	c = deflated(b[0].s, b[0].len, 31);
	rc = decode_body(d, "gzip, gzip", 10, c.s, c.len, 100000, &out, &len);
	tap_ok(t, rc == DECODE_CUT && len == 100000, "a bomb in a bomb");
	(void)getrusage(RUSAGE_SELF, &after);
	tap_ok(t,
	    TAP_SANITIZED ||
		after.ru_maxrss - before.ru_maxrss < 3L * BIG / 1024,
	    "memory stays near the limits (%ld KB more)",
	    after.ru_maxrss - before.ru_maxrss);
	free(c.s);
	for (i = 0; i < 4; i++)
		free(b[i].s);
	free(zero);
}

/* A zstd frame may ask for a window of any size: 1 GiB here. */
static void
window(struct tap *t, struct decode *d)
{
	static const unsigned char frame[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x00,
		0xa0, 0x01, 0x00, 0x00 };
	const void *out;
	size_t len;

	tap_ok(t,
	    decode_body(d, "zstd", 4, frame, sizeof frame, 1 << 20, &out,
		&len) == DECODE_DAMAGED &&
		len == 0,
	    "a window beyond 8 MiB is refused");
}

/*
 * A frame of 16 bytes, then a block of 65537 and one that is none: as much
 * of it comes out of a decoder that has done larger ones as of a new one.
 */
static void
again(struct tap *t, struct decode *d)
{
	static const unsigned char block[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x04,
		0x58, 0x0a, 0x00, 0x08, 'z', 'Y', 'Y', 'Y' };
	struct decode *fresh = NULL;
	const void *out, *out2;
	size_t len, len2;
	struct blob b;
	int rc, rc2;

	if (decode_new(&fresh) < 0)
		exit(99);
	b = joined(zstded("0123456789abcdef", 16), plain(block, sizeof block));
	rc = decode_body(fresh, "zstd", 4, b.s, b.len, 1 << 20, &out, &len);
	rc2 = decode_body(d, "zstd", 4, b.s, b.len, 1 << 20, &out2, &len2);
	tap_ok(t,
	    rc == DECODE_DAMAGED && rc2 == rc && len2 == len && len > 16 &&
		memcmp(out, out2, len) == 0,
	    "what comes of damage depends on nothing before: %zu, %zu", len,
	    len2);
	rc2 = decode_body(fresh, "zstd", 4, b.s, b.len, 1 << 20, &out2, &len2);
	tap_ok(t, rc2 == rc && len2 == len, "nor the second time: %zu", len2);
	decode_free(fresh);
	free(b.s);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	struct decode *d = NULL;

	if (decode_new(&d) < 0)
		return 99;
	codings(&t, d);
	broken(&t, d);
	bombs(&t, d);
	window(&t, d);
	again(&t, d);
	decode_free(d);
	return tap_done(&t);
}
