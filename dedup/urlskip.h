/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlskip.h - from one byte that is to be looked at to the next
 *
 * Which bytes these are depends on the part: in a host all but small letters,
 * digits, "." and "_"; in a path what would be encoded, an escape, a
 * backslash and "." (it may begin a dot segment); in a query what would be
 * encoded and an escape.  All others are plain and stay as they are.
 *
 * With vectors it takes two table lookups for 16 to 64 bytes at once: the low
 * half of a byte chooses one of 16 rows, its high half a bit in that row.
 * Bytes of 0x80 and more have no bit and are looked at always.
 *
 * The makes are here to be inlined into urlfast.c; others call urlskip_pick().
 */

#ifndef DEDUP_URLSKIP_H
#define DEDUP_URLSKIP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_MAKE_X86 1
#include <immintrin.h>
#endif
#if defined(__aarch64__) && defined(__ARM_NEON)
#define HAVE_MAKE_NEON 1
#include <arm_neon.h>
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum urlskip_part {
	URLSKIP_HOST,
	URLSKIP_PATH,
	URLSKIP_QUERY,
	URLSKIP_PARTS,
};

/* Row i of a part: bit j is set if the byte j << 4 | i is plain. */
extern const uint8_t urlskip_rows[URLSKIP_PARTS][16];

/*
 * The first byte of s[at..len) that `part' has to look at, or `len'.  Reads
 * nothing outside s[0..len).
 */
typedef size_t urlskip_fn(const char *s, size_t at, size_t len,
    enum urlskip_part part);

/*
 * The make called `name' (those of urlfast_name()), or NULL if this machine
 * can't run it.  The best that it can for `name' NULL.
 */
urlskip_fn *urlskip_pick(const char *name);

ALWAYS_INLINE size_t
urlskip_portable(const char *s, size_t at, size_t len, enum urlskip_part part)
{
	const uint8_t *row = urlskip_rows[part];

	for (; at < len; at++) {
		unsigned int c = (unsigned char)s[at];

		if ((row[c & 15] >> (c >> 4) & 1) == 0)
			break;
	}
	return at;
}

#ifdef HAVE_MAKE_X86

#define AVX2 __attribute__((target("avx2,bmi")))

/* A bit for each of the 32 bytes that is not plain. */
AVX2 static inline uint32_t
urlskip_odd_avx2(__m256i v, enum urlskip_part part)
{
	const __m256i row = _mm256_broadcastsi128_si256(
	    _mm_loadu_si128((const __m128i *)(const void *)urlskip_rows[part]));
	const __m256i bit =
	    _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0,
		0, 1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
	__m256i high =
	    _mm256_and_si256(_mm256_srli_epi16(v, 4), _mm256_set1_epi8(15));
	__m256i set = _mm256_and_si256(_mm256_shuffle_epi8(row, v),
	    _mm256_shuffle_epi8(bit, high));

	return (uint32_t)_mm256_movemask_epi8(
	    _mm256_cmpeq_epi8(set, _mm256_setzero_si256()));
}

AVX2 static inline __m256i
urlskip_load_avx2(const char *s)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)s);
}

AVX2 static inline size_t
urlskip_avx2(const char *s, size_t at, size_t len, enum urlskip_part part)
{
	char last[32];
	uint32_t odd;

	for (; at + 32 <= len; at += 32) {
		odd = urlskip_odd_avx2(urlskip_load_avx2(s + at), part);
		if (odd != 0)
			return at + (size_t)__builtin_ctz(odd);
	}
	if (at >= len)
		return len;
	/* the rest: as the end of the last 32 bytes, if there are so many */
	if (len >= 32) {
		odd = urlskip_odd_avx2(urlskip_load_avx2(s + len - 32), part) >>
		    (32 - (len - at));
	} else {
		memset(last, 0, sizeof last);
		memcpy(last, s + at, len - at);
		odd = urlskip_odd_avx2(urlskip_load_avx2(last), part);
	}
	if (odd == 0)
		return len;
	at += (size_t)__builtin_ctz(odd);
	return at < len ? at : len;
}

#define AVX512 __attribute__((target("avx512bw,avx2,bmi")))

/* Bytes whose bit in their row is not set. */
AVX512 static inline uint64_t
urlskip_odd_avx512(__m512i v, __m512i bit, enum urlskip_part part)
{
	__m512i row = _mm512_broadcast_i32x4(
	    _mm_loadu_si128((const __m128i *)(const void *)urlskip_rows[part]));

	return _mm512_testn_epi8_mask(_mm512_shuffle_epi8(row, v), bit);
}

/* `n' bytes at `s', at most 64 of them, and zeros behind. */
AVX512 static inline __m512i
urlskip_load_avx512(const char *s, size_t n)
{
	__mmask64 there = n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0);

	return _mm512_maskz_loadu_epi8(there, s);
}

/* The bit that the high half of each byte chooses. */
AVX512 static inline __m512i
urlskip_bit_avx512(__m512i v)
{
	const __m512i bits = _mm512_broadcast_i32x4(_mm_setr_epi8(1, 2, 4, 8,
	    16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));

	return _mm512_shuffle_epi8(bits,
	    _mm512_and_si512(_mm512_srli_epi16(v, 4), _mm512_set1_epi8(15)));
}

AVX512 static inline size_t
urlskip_avx512(const char *s, size_t at, size_t len, enum urlskip_part part)
{
	uint64_t odd;
	__m512i v;

	for (; at < len; at += 64) {
		v = urlskip_load_avx512(s + at, len - at);
		odd = urlskip_odd_avx512(v, urlskip_bit_avx512(v), part);
		if (odd != 0) {
			at += (size_t)__builtin_ctzll(odd);
			break;
		}
	}
	/* what is behind the end is odd */
	return at < len ? at : len;
}

#endif

#ifdef HAVE_MAKE_NEON

/* Four bits for each of the 16 bytes that is not plain. */
static inline uint64_t
urlskip_odd_neon(uint8x16_t v, enum urlskip_part part)
{
	static const uint8_t bits[16] = { 1, 2, 4, 8, 16, 32, 64, 128 };
	uint8x16_t row = vqtbl1q_u8(vld1q_u8(urlskip_rows[part]),
	    vandq_u8(v, vdupq_n_u8(15)));
	uint8x16_t bit = vqtbl1q_u8(vld1q_u8(bits), vshrq_n_u8(v, 4));
	uint8x16_t odd = vceqq_u8(vandq_u8(row, bit), vdupq_n_u8(0));

	return vget_lane_u64(vreinterpret_u64_u8(
				 vshrn_n_u16(vreinterpretq_u16_u8(odd), 4)),
	    0);
}

static inline size_t
urlskip_neon(const char *s, size_t at, size_t len, enum urlskip_part part)
{
	uint8_t last[16] = { 0 };
	uint64_t odd;

	for (; at + 16 <= len; at += 16) {
		odd = urlskip_odd_neon(vld1q_u8((const uint8_t *)s + at), part);
		if (odd != 0)
			return at + (size_t)__builtin_ctzll(odd) / 4;
	}
	if (at >= len)
		return len;
	memcpy(last, s + at, len - at);
	odd = urlskip_odd_neon(vld1q_u8(last), part);
	if (odd == 0)
		return len;
	at += (size_t)__builtin_ctzll(odd) / 4;
	return at < len ? at : len;
}

#endif

#endif
