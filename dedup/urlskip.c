/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include "dedup/urlsets.h"
#include "dedup/urlskip.h"

/* What may be passed over without a look. */
#define PLAIN_HOST(c)                                                          \
	(((c) >= 'a' && (c) <= 'z') || ((c) >= '0' && (c) <= '9') ||           \
	    (c) == '.' || (c) == '_')
#define PLAIN_PATH(c)                                                          \
	(!URLSET_PATH(c) && (c) != '%' && (c) != '\\' && (c) != '.')
#define PLAIN_QUERY(c) (!URLSET_QUERY(c) && (c) != '%')

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

const uint8_t urlskip_rows[URLSKIP_PARTS][16] = {
	[URLSKIP_HOST] = ROWS(PLAIN_HOST),
	[URLSKIP_PATH] = ROWS(PLAIN_PATH),
	[URLSKIP_QUERY] = ROWS(PLAIN_QUERY),
};

static size_t
skip_portable(const char *s, size_t at, size_t len, enum urlskip_part part)
{
	return urlskip_portable(s, at, len, part);
}

#ifdef HAVE_MAKE_X86

AVX2 static size_t
skip_avx2(const char *s, size_t at, size_t len, enum urlskip_part part)
{
	return urlskip_avx2(s, at, len, part);
}

AVX512 static size_t
skip_avx512(const char *s, size_t at, size_t len, enum urlskip_part part)
{
	return urlskip_avx512(s, at, len, part);
}

#endif

#ifdef HAVE_MAKE_NEON

static size_t
skip_neon(const char *s, size_t at, size_t len, enum urlskip_part part)
{
	return urlskip_neon(s, at, len, part);
}

#endif

urlskip_fn *
urlskip_pick(const char *name)
{
#ifdef HAVE_MAKE_X86
	if ((name == NULL || strcmp(name, "avx512") == 0) &&
	    __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("bmi"))
		return skip_avx512;
	if ((name == NULL || strcmp(name, "avx2") == 0) &&
	    __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"))
		return skip_avx2;
#endif
#ifdef HAVE_MAKE_NEON
	if (name == NULL || strcmp(name, "neon") == 0)
		return skip_neon;
#endif
	return name == NULL || strcmp(name, "portable") == 0 ? skip_portable :
							       NULL;
}
