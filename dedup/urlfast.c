/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlfast.c - one pass over a URL that needs no work
 *
 * The scan goes from one byte that is to be looked at to the next (urlskip.h),
 * or, where vectors give words of a bit for each of 64 bytes cheaply, from
 * block to block.
 */

#include "config.h"

#include <stdint.h>
#include <string.h>

#include "dedup/urlclass.h"
#include "dedup/urlfast.h"
#include "dedup/urlskip.h"
#include "snapshot/limits.h"

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
host(const char *s, size_t from, size_t len, urlskip_fn *skip)
{
	size_t at = skip(s, from, len, URLSKIP_HOST), last;

	while (at < len && s[at] == '-') {
		if (at + 1 < len && s[at + 1] == '-')
			return 0;
		at = skip(s, at + 1, len, URLSKIP_HOST);
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
    enum urlskip_part part, urlskip_fn *skip)
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
		else if (s[at] == '?' && part == URLSKIP_PATH) {
			at++;
			part = URLSKIP_QUERY;
		} else
			return 0;
	}
}

ALWAYS_INLINE size_t
scan(const char *s, size_t len, unsigned int fragment, urlskip_fn *skip)
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
	return rest(s, at + 1, len, fragment, URLSKIP_PATH, skip);
}

static size_t
scan_portable(const char *s, size_t len, unsigned int fragment)
{
	return scan(s, len, fragment, urlskip_portable);
}

#ifdef HAVE_MAKE_X86

/*
 * 64 bytes at once, as words of a bit for each: no hop from byte to byte, and
 * hardly a branch that depends on what is in a URL.  What is seldom in one
 * (an escape, a port) is left to the scan that hops.
 */
struct block {
	uint64_t odd[URLSKIP_PARTS]; /* to be looked at in each part */
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
	if (end == 0 || in == 0 ||
	    (b->odd[URLSKIP_HOST] & ~b->dash & in) != 0 ||
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
	odd = b->odd[URLSKIP_PATH] & ~(b->dot & ~(b->slash << 1 | t->slash));
	t->odd = (odd & path) | (b->odd[URLSKIP_QUERY] & t->query);
	t->slash = b->slash >> 63;
}

/* The block s[from..len), or 64 bytes of it; zeros behind the end. */
typedef void block_fn(const char *s, size_t from, size_t len, struct block *b);

ALWAYS_INLINE size_t
scan_blocks(const char *s, size_t len, unsigned int fragment, block_fn *block,
    urlskip_fn *skip)
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
	block(s, 0, len, &b);
	at = block_host(s, 7 + (size_t)https, &b);
	if (at == 0)
		return scan(s, len, fragment, skip);
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
		t.query = -(t.query >> 63); /* all bits as the last */
		block(s, from, len, &b);
	}
	if (t.odd == 0)
		return fragment ? 0 : from + (size_t)__builtin_ctzll(t.hash);
	at = (size_t)__builtin_ctzll(t.odd);
	return rest(s, from + at, len, fragment,
	    t.query >> at & 1 ? URLSKIP_QUERY : URLSKIP_PATH, skip);
}

/* A bit for each byte that is `c'. */
AVX2 static inline uint64_t
equal_avx2(__m256i v, char c)
{
	return (uint32_t)_mm256_movemask_epi8(
	    _mm256_cmpeq_epi8(v, _mm256_set1_epi8(c)));
}

/* Add what is in `v' to `b': its byte 0 is at bit `up', or `down' below 0. */
AVX2 static inline void
add_avx2(struct block *b, __m256i v, unsigned int up, unsigned int down)
{
	uint64_t odd;
	unsigned int i;

	for (i = 0; i < URLSKIP_PARTS; i++) {
		odd = urlskip_odd_avx2(v, (enum urlskip_part)i);
		b->odd[i] |= odd << up >> down;
	}
	b->slash |= equal_avx2(v, '/') << up >> down;
	b->dot |= equal_avx2(v, '.') << up >> down;
	b->dash |= equal_avx2(v, '-') << up >> down;
	b->quest |= equal_avx2(v, '?') << up >> down;
	b->hash |= equal_avx2(v, '#') << up >> down;
}

/* Two halves; the last one ends with the URL and may lap over the first. */
AVX2 static inline void
block_avx2(const char *s, size_t from, size_t len, struct block *b)
{
	unsigned int n = len - from < 64 ? (unsigned int)(len - from) : 64;
	char last[32];

	memset(b, 0, sizeof *b);
	if (n >= 32) {
		add_avx2(b, urlskip_load_avx2(s + from), 0, 0);
		if (n > 32)
			add_avx2(b, urlskip_load_avx2(s + from + n - 32),
			    n - 32, 0);
	} else if (len >= 32) {
		add_avx2(b, urlskip_load_avx2(s + len - 32), 0, 32 - n);
	} else {
		memset(last, 0, sizeof last);
		memcpy(last, s + from, n);
		add_avx2(b, urlskip_load_avx2(last), 0, 0);
	}
}

AVX2 static size_t
scan_avx2(const char *s, size_t len, unsigned int fragment)
{
	return scan_blocks(s, len, fragment, block_avx2, urlskip_avx2);
}

AVX512 static inline void
block_avx512(const char *s, size_t from, size_t len, struct block *b)
{
	__m512i v = urlskip_load_avx512(s + from, len - from);
	__m512i bit = urlskip_bit_avx512(v);

	b->odd[URLSKIP_HOST] = urlskip_odd_avx512(v, bit, URLSKIP_HOST);
	b->odd[URLSKIP_PATH] = urlskip_odd_avx512(v, bit, URLSKIP_PATH);
	b->odd[URLSKIP_QUERY] = urlskip_odd_avx512(v, bit, URLSKIP_QUERY);
	b->slash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('/'));
	b->dot = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('.'));
	b->dash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('-'));
	b->quest = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('?'));
	b->hash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('#'));
}

AVX512 static size_t
scan_avx512(const char *s, size_t len, unsigned int fragment)
{
	return scan_blocks(s, len, fragment, block_avx512, urlskip_avx512);
}

#endif

#ifdef HAVE_MAKE_NEON

static size_t
scan_neon(const char *s, size_t len, unsigned int fragment)
{
	return scan(s, len, fragment, urlskip_neon);
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
