/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * blocked.c - one cache line, or two side by side, for each key
 *
 * The high half of a key picks the block.  Of the low half,
 *
 *	split	bits 6i to 6i+5 pick a bit in word i of the line;
 *	line	the top 9 bits of lo x odd[i] pick probe i among 512;
 *	pair	the top 10 bits of lo x odd[i], among 1024.
 *
 * A product's top bits depend on all 64 bits of the half, so 30 probes can
 * come from it though it has no 30 x 9 bits; cutting and reusing bits, or
 * stepping by a second hash, measured 6 and 150 times the rate.  A pair is
 * one address to translate and the second line comes in the shadow of the
 * first: about a tenth slower than a line, and 13 % smaller at 1e-6.
 *
 * A key that is there already must not dirty its line (a mapped page would
 * be written again), so adding looks before it sets.
 */

#include "config.h"

#include <math.h>
#include <string.h>

#include "dedup/blocked.h"
#include "dedup/odd.h"

/* TSan does not know that the lanes of a vector are single accesses. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_THREAD__)
#define HAVE_MAKE_X86 1
#include <immintrin.h>
#endif

#define WORDS 8 /* in a line */

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/*
 * What differs between layouts and makes: 1 if all bits of a key are set in
 * its place `w', and set them, how many were not set before.
 */
typedef unsigned int has_fn(const _Atomic uint64_t *w, uint64_t lo,
    unsigned int k);
typedef unsigned int set_fn(_Atomic uint64_t *w, uint64_t lo, unsigned int k);

/* A bit in each of the eight words. */
ALWAYS_INLINE unsigned int
split_has(const _Atomic uint64_t *w, uint64_t lo, unsigned int k)
{
	uint64_t all = 1;
	unsigned int i;

	(void)k;
	for (i = 0; i < WORDS; i++, lo >>= 6)
		all &= layer_load(w + i) >> (lo & 63);
	return (unsigned int)all;
}

ALWAYS_INLINE unsigned int
split_set(_Atomic uint64_t *w, uint64_t lo, unsigned int k)
{
	unsigned int i, fresh = 0;
	uint64_t v;

	(void)k;
	for (i = 0; i < WORDS; i++, lo >>= 6) {
		v = layer_load(w + i);
		fresh += !(v >> (lo & 63) & 1);
		layer_store(w + i, v | (UINT64_C(1) << (lo & 63)));
	}
	return fresh;
}

/* `k' free probes that are the top bits of a product. */
ALWAYS_INLINE unsigned int
free_has(const _Atomic uint64_t *w, uint64_t lo, unsigned int k,
    unsigned int shift)
{
	unsigned int i, bit;
	uint64_t all = 1;

	for (i = 0; i < k; i++) {
		bit = (unsigned int)(lo * odd_multiplier[i] >> shift);
		all &= layer_load(w + bit / 64) >> (bit & 63);
		/* By fours: a branch for each would be mispredicted. */
		if ((i & 3) == 3 && !all)
			return 0;
	}
	return (unsigned int)all;
}

ALWAYS_INLINE unsigned int
free_set(_Atomic uint64_t *w, uint64_t lo, unsigned int k, unsigned int shift)
{
	unsigned int i, bit, fresh = 0;
	uint64_t v;

	for (i = 0; i < k; i++) {
		bit = (unsigned int)(lo * odd_multiplier[i] >> shift);
		v = layer_load(w + bit / 64);
		fresh += !(v >> (bit & 63) & 1);
		layer_store(w + bit / 64, v | (UINT64_C(1) << (bit & 63)));
	}
	return fresh;
}

ALWAYS_INLINE unsigned int
line_has(const _Atomic uint64_t *w, uint64_t lo, unsigned int k)
{
	return free_has(w, lo, k, 55);
}

ALWAYS_INLINE unsigned int
line_set(_Atomic uint64_t *w, uint64_t lo, unsigned int k)
{
	return free_set(w, lo, k, 55);
}

ALWAYS_INLINE unsigned int
pair_has(const _Atomic uint64_t *w, uint64_t lo, unsigned int k)
{
	return free_has(w, lo, k, 54);
}

ALWAYS_INLINE unsigned int
pair_set(_Atomic uint64_t *w, uint64_t lo, unsigned int k)
{
	return free_set(w, lo, k, 54);
}

#ifdef HAVE_MAKE_X86

#define AVX2   __attribute__((target("avx2,popcnt")))
#define AVX512 __attribute__((target("avx512f,popcnt")))

/* Half a line from word `at' on: its bits of a key, and what is there. */
AVX2 static inline __m256i
bits_avx2(uint64_t lo, int at)
{
	const __m256i cut =
	    _mm256_setr_epi64x(6 * at, 6 * at + 6, 6 * at + 12, 6 * at + 18);
	__m256i n = _mm256_srlv_epi64(_mm256_set1_epi64x((long long)lo), cut);

	return _mm256_sllv_epi64(_mm256_set1_epi64x(1),
	    _mm256_and_si256(n, _mm256_set1_epi64x(63)));
}

AVX2 static inline __m256i *
half(const _Atomic uint64_t *w, int at)
{
	return (__m256i *)layer_plain(w + at);
}

AVX2 static inline unsigned int
split_has_avx2(const _Atomic uint64_t *w, uint64_t lo, unsigned int k)
{
	(void)k;
	return (unsigned int)(_mm256_testc_si256(_mm256_load_si256(half(w, 0)),
				  bits_avx2(lo, 0)) &
	    _mm256_testc_si256(_mm256_load_si256(half(w, 4)),
		bits_avx2(lo, 4)));
}

AVX2 static inline unsigned int
half_set(const _Atomic uint64_t *w, uint64_t lo, int at)
{
	__m256i v = _mm256_load_si256(half(w, at)), bits = bits_avx2(lo, at);
	__m256i old = _mm256_cmpeq_epi64(_mm256_and_si256(v, bits), bits);

	_mm256_store_si256(half(w, at), _mm256_or_si256(v, bits));
	return 4 -
	    (unsigned int)__builtin_popcount(
		(unsigned int)_mm256_movemask_pd(_mm256_castsi256_pd(old)));
}

AVX2 static inline unsigned int
split_set_avx2(_Atomic uint64_t *w, uint64_t lo, unsigned int k)
{
	(void)k;
	return half_set(w, lo, 0) + half_set(w, lo, 4);
}

/* Rotating by `n' modulo 64, as this does, needs no mask. */
AVX512 static inline __m512i
bits_avx512(uint64_t lo)
{
	const __m512i cut = _mm512_setr_epi64(0, 6, 12, 18, 24, 30, 36, 42);
	__m512i n = _mm512_srlv_epi64(_mm512_set1_epi64((long long)lo), cut);

	return _mm512_rolv_epi64(_mm512_set1_epi64(1), n);
}

AVX512 static inline unsigned int
split_has_avx512(const _Atomic uint64_t *w, uint64_t lo, unsigned int k)
{
	__m512i v = _mm512_load_si512(layer_plain(w));

	(void)k;
	return _mm512_testn_epi64_mask(v, bits_avx512(lo)) == 0;
}

AVX512 static inline unsigned int
split_set_avx512(_Atomic uint64_t *w, uint64_t lo, unsigned int k)
{
	__m512i v = _mm512_load_si512(layer_plain(w)), bits = bits_avx512(lo);

	(void)k;
	_mm512_store_si512(layer_plain(w), _mm512_or_si512(v, bits));
	return (unsigned int)__builtin_popcount(
	    _mm512_testn_epi64_mask(v, bits));
}

#endif

/* Words that one place takes. */
static inline unsigned int
words(enum rate_layout layout)
{
	return layout == RATE_PAIR ? 2 * WORDS : WORDS;
}

#define PROBE_ARGS                                                             \
	const struct layer *l, const struct urlkey *key, size_t n, uint8_t *seen
#define ADD_ARGS                                                               \
	struct layer *l, const struct urlkey *key, size_t n,                   \
	    const uint8_t *seen, uint64_t most

ALWAYS_INLINE void
probe_all(PROBE_ARGS, unsigned int step, has_fn *has)
{
	const _Atomic uint64_t *w;
	size_t i;

	for (i = 0; i < n; i++) {
		w = l->word + layer_place(key[i].hi, l->shape.size) * step;
		seen[i] |= (uint8_t)has(w, key[i].lo, l->shape.k);
	}
}

ALWAYS_INLINE size_t
add_all(ADD_ARGS, unsigned int step, has_fn *has, set_fn *set)
{
	uint64_t at;
	size_t i;

	for (i = 0; i < n; i++) {
		if (seen[i])
			continue;
		at = layer_place(key[i].hi, l->shape.size) * step;
		if (has(l->word + at, key[i].lo, l->shape.k))
			continue;
		if (l->count >= most)
			break;
		l->ones += set(l->word + at, key[i].lo, l->shape.k);
		l->count++;
		layer_touch(l, at * sizeof *l->word);
	}
	return i;
}

/* The two loops for one layout and make. */
#define LOOPS(name, attribute, step, has, set)                                 \
	attribute static void probe_##name(PROBE_ARGS)                         \
	{                                                                      \
		probe_all(l, key, n, seen, step, has);                         \
	}                                                                      \
	attribute static size_t add_##name(ADD_ARGS)                           \
	{                                                                      \
		return add_all(l, key, n, seen, most, step, has, set);         \
	}

LOOPS(split, , WORDS, split_has, split_set)
LOOPS(line, , WORDS, line_has, line_set)
LOOPS(pair, , 2 * WORDS, pair_has, pair_set)
#ifdef HAVE_MAKE_X86
LOOPS(avx2, AVX2, WORDS, split_has_avx2, split_set_avx2)
LOOPS(avx512, AVX512, WORDS, split_has_avx512, split_set_avx512)
#endif

const char *
blocked_name(unsigned int i)
{
	static const char *const name[] = { "portable", "avx2", "avx512" };

	return i < sizeof name / sizeof *name ? name[i] : NULL;
}

int
blocked_pick(struct blocked_make *m, enum rate_layout layout, const char *name)
{
	static const struct blocked_make portable[] = {
		[RATE_SPLIT] = { probe_split, add_split },
		[RATE_LINE] = { probe_line, add_line },
		[RATE_PAIR] = { probe_pair, add_pair },
	};

#ifdef HAVE_MAKE_X86
	if (layout == RATE_SPLIT && __builtin_cpu_supports("avx512f") &&
	    (name == NULL || strcmp(name, "avx512") == 0)) {
		*m = (struct blocked_make){ probe_avx512, add_avx512 };
		return 1;
	}
	if (layout == RATE_SPLIT && __builtin_cpu_supports("avx2") &&
	    (name == NULL || strcmp(name, "avx2") == 0)) {
		*m = (struct blocked_make){ probe_avx2, add_avx2 };
		return 1;
	}
#endif
	*m = portable[layout];
	return name == NULL || strcmp(name, "portable") == 0;
}

static void
blocked_fetch(const struct layer *l, const struct urlkey *key, size_t n)
{
	unsigned int step = words(l->shape.layout);
	const _Atomic uint64_t *w;
	size_t i;

	for (i = 0; i < n; i++) {
		w = l->word + layer_place(key[i].hi, l->shape.size) * step;
		layer_fetch(w);
		if (step > WORDS)
			layer_fetch(w + WORDS);
	}
}

static void
blocked_probe(PROBE_ARGS)
{
	struct blocked_make m;

	(void)blocked_pick(&m, l->shape.layout, NULL);
	m.probe(l, key, n, seen);
}

static size_t
blocked_add(ADD_ARGS)
{
	struct blocked_make m;

	(void)blocked_pick(&m, l->shape.layout, NULL);
	return m.add(l, key, n, seen, most);
}

/* The chance that all of a foreign key's bits are set in one block. */
static double
block_rate(const struct layer *l, const _Atomic uint64_t *w)
{
	unsigned int i, ones, all = 0, end = words(l->shape.layout);
	double rate = 1;

	for (i = 0; i < end; i++) {
		ones = (unsigned int)__builtin_popcountll(layer_load(w + i));
		rate *= ones / 64.0;
		all += ones;
	}
	if (l->shape.layout == RATE_SPLIT)
		return rate;
	return pow(all / (64.0 * end), l->shape.k);
}

static void
blocked_sample(const struct layer *l, struct layer_sample *s)
{
	unsigned int wide = words(l->shape.layout) / WORDS;
	uint64_t i, seen = 0, end = l->shape.size * wide;

	s->fill = layer_fill(l);
	s->rate = 0;
	for (i = 0; i < end; i = layer_next(l, i)) {
		if (i % wide != 0)
			continue;
		s->rate += block_rate(l, l->word + i * WORDS);
		seen++;
	}
	s->rate /= (double)seen;
}

const struct layer_kind blocked_kind = {
	.kind = FILTER_BLOCKED,
	.name = "blocked",
	.grow_only = 1,
	.fixed = 0,
	.readers = 1,
	.batch = LIMIT_KEYS,
	.fetch = blocked_fetch,
	.probe = blocked_probe,
	.add = blocked_add,
	.sample = blocked_sample,
};
