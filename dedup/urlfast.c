/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlfast.c - one pass over a URL that needs no work
 *
 * The scan goes from one byte that is to be looked at to the next.  Which
 * ones these are depends on the part: in a host all but small letters,
 * digits, "." and "_"; in a path what would be encoded, an escape, a
 * backslash and "." (it may begin a dot segment); in a query what would be
 * encoded and an escape.  Finding the next one is all that differs between
 * the makes.
 *
 * With vectors it takes two table lookups for 16 or 32 bytes at once: the low
 * half of a byte chooses one of 16 rows, its high half a bit in that row.
 * Bytes of 0x80 and more have no bit and are looked at always.
 */

#include "config.h"

#include <stdint.h>
#include <string.h>

#include "dedup/urlclass.h"
#include "dedup/urlfast.h"
#include "dedup/urlsets.h"
#include "snapshot/limits.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_MAKE_X86 1
#include <immintrin.h>
#endif
#if defined(__aarch64__) && defined(__ARM_NEON)
#define HAVE_MAKE_NEON 1
#include <arm_neon.h>
#endif

/* What may be passed over without a look. */
#define PLAIN_HOST(c)                                                          \
	(((c) >= 'a' && (c) <= 'z') || ((c) >= '0' && (c) <= '9') ||           \
	    (c) == '.' || (c) == '_')
#define PLAIN_PATH(c)                                                          \
	(!URLSET_PATH(c) && (c) != '%' && (c) != '\\' && (c) != '.')
#define PLAIN_QUERY(c) (!URLSET_QUERY(c) && (c) != '%')

enum part {
	PART_HOST,
	PART_PATH,
	PART_QUERY,
};

/* Row i: bit j is set if the byte j << 4 | i is plain. */
#define BIT(plain, i, j) (plain((j) << 4 | (i)) ? 1 << (j) : 0)
#define ROW(plain, i)                                                          \
	(BIT(plain, i, 0) | BIT(plain, i, 1) | BIT(plain, i, 2) |              \
	    BIT(plain, i, 3) | BIT(plain, i, 4) | BIT(plain, i, 5) |           \
	    BIT(plain, i, 6) | BIT(plain, i, 7))
#define ROWS4(plain, i)                                                        \
	ROW(plain, i), ROW(plain, (i) + 1), ROW(plain, (i) + 2),               \
	    ROW(plain, (i) + 3)
#define ROWS(plain)                                                            \
	{                                                                      \
		ROWS4(plain, 0), ROWS4(plain, 4), ROWS4(plain, 8),             \
		    ROWS4(plain, 12)                                           \
	}

static const uint8_t rows[3][16] = {
	[PART_HOST] = ROWS(PLAIN_HOST),
	[PART_PATH] = ROWS(PLAIN_PATH),
	[PART_QUERY] = ROWS(PLAIN_QUERY),
};

/* The first byte from `at' on that `part' has to look at, or `len'. */
typedef size_t skip_fn(const char *s, size_t at, size_t len, enum part part);

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Is the escape at `s' one that stays?  `left' bytes are there. */
ALWAYS_INLINE int
stays(const char *s, size_t left)
{
	unsigned int c;

	if (left < 3 || !urlclass_is(s[1], URLCLASS_HEX) ||
	    !urlclass_is(s[2], URLCLASS_HEX) || s[1] >= 'a' || s[2] >= 'a')
		return 0;
	c = urlclass_hex(s[1]) << 4 | urlclass_hex(s[2]);
	return !urlclass_is((char)c, URLCLASS_UNRESERVED);
}

/*
 * Where the host at `s' ends, or 0 if it needs a thought: what may be an
 * address, an A-label (every "--" may), or a name too long.
 */
ALWAYS_INLINE size_t
host(const char *s, size_t from, size_t len, skip_fn *skip)
{
	size_t at = skip(s, from, len, PART_HOST), last;

	while (at < len && s[at] == '-') {
		if (at + 1 < len && s[at + 1] == '-')
			return 0;
		at = skip(s, at + 1, len, PART_HOST);
	}
	if (at == from || at - from >= LIMIT_HOST)
		return 0;
	for (last = at; last > from && s[last - 1] != '.'; last--)
		;
	/* "example.com." has an empty last label */
	return last == at || urlclass_digit(s[last]) ? 0 : at;
}

/* Where the port behind the ":" at `at' ends, 0 if it is not as it should. */
ALWAYS_INLINE size_t
port(const char *s, size_t at, size_t len, unsigned int own)
{
	unsigned int n = 0;
	size_t from = ++at;

	for (; at < len && urlclass_digit(s[at]) && n <= 65535; at++)
		n = n * 10 + (unsigned int)(s[at] - '0');
	if (at == from || s[from] == '0' || n > 65535 || n == own)
		return 0;
	return at;
}

/* Path and query, from a byte of `part' at `at' on. */
ALWAYS_INLINE size_t
rest(const char *s, size_t at, size_t len, unsigned int fragment,
    enum part part, skip_fn *skip)
{
	for (;;) {
		at = skip(s, at, len, part);
		if (at >= len)
			return len;
		if (s[at] == '%' && stays(s + at, len - at))
			at += 3;
		else if (s[at] == '.' && s[at - 1] != '/')
			at++;
		else if (s[at] == '#')
			return fragment ? 0 : at;
		else if (s[at] == '?' && part == PART_PATH) {
			at++;
			part = PART_QUERY;
		} else
			return 0;
	}
}

ALWAYS_INLINE size_t
scan(const char *s, size_t len, unsigned int fragment, skip_fn *skip)
{
	unsigned int own = 443;
	size_t at = 8;

	if (len < 9 || len > LIMIT_URL)
		return 0;
	if (memcmp(s, "https://", 8) != 0) {
		if (memcmp(s, "http://", 7) != 0)
			return 0;
		own = 80;
		at = 7;
	}
	at = host(s, at, len, skip);
	if (at != 0 && at < len && s[at] == ':')
		at = port(s, at, len, own);
	if (at == 0 || at == len || s[at] != '/')
		return 0;
	return rest(s, at + 1, len, fragment, PART_PATH, skip);
}

ALWAYS_INLINE size_t
skip_portable(const char *s, size_t at, size_t len, enum part part)
{
	const uint8_t *row = rows[part];

	for (; at < len; at++) {
		unsigned int c = (unsigned char)s[at];

		if ((row[c & 15] >> (c >> 4) & 1) == 0)
			break;
	}
	return at;
}

static size_t
scan_portable(const char *s, size_t len, unsigned int fragment)
{
	return scan(s, len, fragment, skip_portable);
}

#ifdef HAVE_MAKE_X86

#define AVX2 __attribute__((target("avx2,bmi")))

/* A bit for each of the 32 bytes that is not plain. */
AVX2 static inline uint32_t
odd_avx2(__m256i v, enum part part)
{
	const __m256i row = _mm256_broadcastsi128_si256(
	    _mm_loadu_si128((const __m128i *)(const void *)rows[part]));
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
load_avx2(const char *s)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)s);
}

AVX2 static inline size_t
skip_avx2(const char *s, size_t at, size_t len, enum part part)
{
	char last[32];
	uint32_t odd;

	for (; at + 32 <= len; at += 32) {
		odd = odd_avx2(load_avx2(s + at), part);
		if (odd != 0)
			return at + (size_t)__builtin_ctz(odd);
	}
	if (at >= len)
		return len;
	/* the rest: as the end of the last 32 bytes, if there are so many */
	if (len >= 32) {
		odd = odd_avx2(load_avx2(s + len - 32), part) >>
		    (32 - (len - at));
	} else {
		memset(last, 0, sizeof last);
		memcpy(last, s + at, len - at);
		odd = odd_avx2(load_avx2(last), part);
	}
	if (odd == 0)
		return len;
	at += (size_t)__builtin_ctz(odd);
	return at < len ? at : len;
}

AVX2 static size_t
scan_avx2(const char *s, size_t len, unsigned int fragment)
{
	return scan(s, len, fragment, skip_avx2);
}

#endif

#ifdef HAVE_MAKE_X86

/*
 * 64 bytes at once, as words of a bit for each: no hop from byte to byte, and
 * hardly a branch that depends on what is in a URL.
 */
struct block {
	uint64_t odd[3]; /* to be looked at in each part */
	uint64_t slash;
	uint64_t dot;
	uint64_t dash;
	uint64_t quest;
	uint64_t hash;
};

/* The bits below the lowest of `x'; all of them if there is none. */
ALWAYS_INLINE uint64_t
below(uint64_t x)
{
	return (x - 1) & ~x;
}

/*
 * Where the host at `from' ends, which must be in the first block, or 0 if it
 * needs a thought.
 */
ALWAYS_INLINE size_t
block_host(const char *s, size_t from, const struct block *b)
{
	uint64_t in = ~UINT64_C(0) << from, dots;
	uint64_t end = b->slash & in;
	size_t last = from;

	in &= below(end);
	/* two dashes may be an A-label; others are plain */
	if (end == 0 || in == 0 || (b->odd[PART_HOST] & ~b->dash & in) != 0 ||
	    (b->dash & b->dash >> 1 & in) != 0)
		return 0;
	/* the last label: not empty, no number */
	dots = b->dot & in;
	if (dots != 0)
		last = 64 - (size_t)__builtin_clzll(dots);
	if (s[last] >= '/' && s[last] <= '9')
		return 0;
	return (size_t)__builtin_ctzll(end);
}

/* What is left of a URL: bits `in' of each block belong to it. */
struct tail {
	uint64_t in;
	uint64_t query; /* those of the query; the last one goes on */
	uint64_t slash; /* bit 0: the byte before was one */
	uint64_t odd;   /* bits that are to be looked at */
	uint64_t hash;  /* where the fragment begins */
};

ALWAYS_INLINE void
block_tail(struct tail *t, const struct block *b)
{
	uint64_t path, quest, odd;

	t->hash = b->hash & t->in;
	t->in &= below(t->hash);
	quest = b->quest & t->in & ~t->query;
	path = t->in & below(quest) & ~t->query;
	/* from the first "?" of the path on */
	t->query = t->in & (t->query | ~below(quest));
	odd = b->odd[PART_PATH] & ~(b->dot & ~(b->slash << 1 | t->slash));
	t->odd = (odd & path) | (b->odd[PART_QUERY] & t->query);
	t->slash = b->slash >> 63;
}

#endif

#ifdef HAVE_MAKE_X86

#define AVX512 __attribute__((target("avx512bw,avx2,bmi")))

/* Bytes whose bit in their row is not set. */
AVX512 static inline uint64_t
odd_avx512(__m512i v, __m512i bit, enum part part)
{
	__m512i row = _mm512_broadcast_i32x4(
	    _mm_loadu_si128((const __m128i *)(const void *)rows[part]));

	return _mm512_testn_epi8_mask(_mm512_shuffle_epi8(row, v), bit);
}

/* `n' bytes at `s', at most 64 of them. */
AVX512 static inline void
block_avx512(const char *s, size_t n, struct block *b)
{
	const __m512i bits = _mm512_broadcast_i32x4(_mm_setr_epi8(1, 2, 4, 8,
	    16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
	__mmask64 there = n < 64 ? (UINT64_C(1) << n) - 1 : ~UINT64_C(0);
	__m512i v = _mm512_maskz_loadu_epi8(there, s);
	__m512i bit = _mm512_shuffle_epi8(bits,
	    _mm512_and_si512(_mm512_srli_epi16(v, 4), _mm512_set1_epi8(15)));
	unsigned int i;

	for (i = 0; i < 3; i++)
		b->odd[i] = odd_avx512(v, bit, (enum part)i);
	b->slash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('/'));
	b->dot = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('.'));
	b->dash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('-'));
	b->quest = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('?'));
	b->hash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('#'));
}

AVX512 static size_t
scan_avx512(const char *s, size_t len, unsigned int fragment)
{
	struct block b;
	struct tail t;
	size_t at, from = 0;
	int https, http;

	if (len < 9 || len > LIMIT_URL)
		return 0;
	https = memcmp(s, "https://", 8) == 0;
	http = memcmp(s, "http://", 7) == 0;
	if (!(https | http))
		return 0;
	block_avx512(s, len, &b);
	at = block_host(s, 7 + (size_t)https, &b);
	if (at == 0)
		return scan_avx2(s, len, fragment);
	/* from the byte behind the host's slash on */
	t.in = ~UINT64_C(1) << at;
	t.query = t.slash = 0;
	for (;;) {
		if (len - from < 64)
			t.in &= (UINT64_C(1) << (len - from)) - 1;
		block_tail(&t, &b);
		if (t.odd != 0 || t.hash != 0)
			break;
		from += 64;
		if (from >= len)
			return len;
		t.in = ~UINT64_C(0);
		t.query = (uint64_t)((int64_t)t.query >> 63);
		block_avx512(s + from, len - from, &b);
	}
	if (t.odd == 0)
		return fragment ? 0 : from + (size_t)__builtin_ctzll(t.hash);
	at = (size_t)__builtin_ctzll(t.odd);
	return rest(s, from + at, len, fragment,
	    t.query >> at & 1 ? PART_QUERY : PART_PATH, skip_avx2);
}

#endif

#ifdef HAVE_MAKE_NEON

/* Four bits for each of the 16 bytes that is not plain. */
static inline uint64_t
odd_neon(uint8x16_t v, enum part part)
{
	static const uint8_t bits[16] = { 1, 2, 4, 8, 16, 32, 64, 128 };
	uint8x16_t row =
	    vqtbl1q_u8(vld1q_u8(rows[part]), vandq_u8(v, vdupq_n_u8(15)));
	uint8x16_t bit = vqtbl1q_u8(vld1q_u8(bits), vshrq_n_u8(v, 4));
	uint8x16_t odd = vceqq_u8(vandq_u8(row, bit), vdupq_n_u8(0));

	return vget_lane_u64(vreinterpret_u64_u8(
				 vshrn_n_u16(vreinterpretq_u16_u8(odd), 4)),
	    0);
}

static inline size_t
skip_neon(const char *s, size_t at, size_t len, enum part part)
{
	uint8_t last[16] = { 0 };
	uint64_t odd;

	for (; at + 16 <= len; at += 16) {
		odd = odd_neon(vld1q_u8((const uint8_t *)s + at), part);
		if (odd != 0)
			return at + (size_t)__builtin_ctzll(odd) / 4;
	}
	if (at >= len)
		return len;
	memcpy(last, s + at, len - at);
	odd = odd_neon(vld1q_u8(last), part);
	if (odd == 0)
		return len;
	at += (size_t)__builtin_ctzll(odd) / 4;
	return at < len ? at : len;
}

static size_t
scan_neon(const char *s, size_t len, unsigned int fragment)
{
	return scan(s, len, fragment, skip_neon);
}

#endif

const char *
urlfast_name(unsigned int i)
{
	static const char *const name[] = { "portable", "avx2", "avx512",
		"neon" };

	return i < sizeof name / sizeof *name ? name[i] : NULL;
}

urlfast_fn *
urlfast_pick(const char *name)
{
#ifdef HAVE_MAKE_X86
	if ((name == NULL || strcmp(name, "avx512") == 0) &&
	    __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"))
		return scan_avx512;
	if ((name == NULL || strcmp(name, "avx2") == 0) &&
	    __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"))
		return scan_avx2;
#endif
#ifdef HAVE_MAKE_NEON
	if (name == NULL || strcmp(name, "neon") == 0)
		return scan_neon;
#endif
	return name == NULL || strcmp(name, "portable") == 0 ? scan_portable :
							       NULL;
}
