/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "dedup/linescan.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define HAVE_MAKE_X86 1
#include <immintrin.h>
#endif

static size_t
scan_portable(const char *s, size_t from, size_t len, char end, uint32_t *at,
    size_t max)
{
	const char *p;
	size_t n = 0;

	while (n < max && from < len) {
		p = memchr(s + from, end, len - from);
		if (p == NULL)
			break;
		from = (size_t)(p + 1 - s);
		at[n++] = (uint32_t)from;
	}
	return n;
}

#ifdef HAVE_MAKE_X86

/*
 * Bit i of `found' is an end at from + i.  How many there are varies at
 * random between none and two for lines of usual length, so two are written
 * always and counted as far as they are there: no branch to mispredict.
 */
static inline __attribute__((always_inline)) size_t
note(uint64_t found, size_t from, uint32_t *at)
{
	uint32_t base = (uint32_t)from + 1, i;
	size_t n = (size_t)__builtin_popcountll(found);

	/* of a word of zero it gives anything: nobody will look at it */
	at[0] = base + (uint32_t)__builtin_ctzll(found | UINT64_C(1) << 63);
	found &= found - 1;
	at[1] = base + (uint32_t)__builtin_ctzll(found | UINT64_C(1) << 63);
	if (n > 2) {
		for (i = 2; i < n; i++) {
			found &= found - 1;
			at[i] = base + (uint32_t)__builtin_ctzll(found);
		}
	}
	return n;
}

/* The last bytes, fewer than a block. */
static inline size_t
rest(const char *s, size_t from, size_t len, char end, uint32_t *at, size_t n,
    size_t max)
{
	if (n < max)
		n += scan_portable(s, from, len, end, at + n, max - n);
	return n < max ? n : max;
}

__attribute__((target("avx2,bmi,popcnt"))) static size_t
scan_avx2(const char *s, size_t from, size_t len, char end, uint32_t *at,
    size_t max)
{
	const __m256i e = _mm256_set1_epi8(end);
	const __m256i *v;
	uint32_t lo, hi;
	size_t n = 0;

	for (; n < max && from + 64 <= len; from += 64) {
		v = (const __m256i *)(const void *)(s + from);
		lo = (uint32_t)_mm256_movemask_epi8(
		    _mm256_cmpeq_epi8(_mm256_loadu_si256(v), e));
		hi = (uint32_t)_mm256_movemask_epi8(
		    _mm256_cmpeq_epi8(_mm256_loadu_si256(v + 1), e));
		n += note((uint64_t)hi << 32 | lo, from, at + n);
	}
	return rest(s, from, len, end, at, n, max);
}

__attribute__((target("avx512bw,bmi,popcnt"))) static size_t
scan_avx512(const char *s, size_t from, size_t len, char end, uint32_t *at,
    size_t max)
{
	const __m512i e = _mm512_set1_epi8(end);
	size_t n = 0;

	for (; n < max && from + 64 <= len; from += 64)
		n += note(_mm512_cmpeq_epi8_mask(_mm512_loadu_si512(s + from),
			      e),
		    from, at + n);
	return rest(s, from, len, end, at, n, max);
}

#endif

const char *
linescan_name(unsigned int i)
{
	static const char *const name[] = { "portable", "avx2", "avx512" };

	return i < sizeof name / sizeof *name ? name[i] : NULL;
}

linescan_fn *
linescan_pick(const char *name)
{
#ifdef HAVE_MAKE_X86
	if ((name == NULL || strcmp(name, "avx512") == 0) &&
	    __builtin_cpu_supports("avx512bw") &&
	    __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi"))
		return scan_avx512;
	if ((name == NULL || strcmp(name, "avx2") == 0) &&
	    __builtin_cpu_supports("avx2") &&
	    __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi"))
		return scan_avx2;
#endif
	return name == NULL || strcmp(name, "portable") == 0 ? scan_portable :
							       NULL;
}
