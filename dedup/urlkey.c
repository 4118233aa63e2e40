/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

/* Compiled in, so that the short-input paths are inlined into ours. */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "dedup/urlkey.h"

_Static_assert(URLKEY_SECRET == XXH_SECRET_DEFAULT_SIZE,
    "the secret is as long as XXH3_generateSecret_fromSeed() makes it");

void
urlkey_init(struct urlkey_hasher *h, uint64_t seed)
{
	h->seed = seed;
	XXH3_generateSecret_fromSeed(h->secret, seed);
}

struct urlkey
urlkey_of(const struct urlkey_hasher *h, const void *s, size_t len)
{
	XXH128_hash_t x;
	struct urlkey k;

	x = XXH3_128bits_withSecret(s, len, h->secret, URLKEY_SECRET);
	k.hi = x.high64;
	k.lo = x.low64;
	return k;
}
