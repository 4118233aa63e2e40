/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include "dedup/urlclass.h"
#include "dedup/urlsets.h"

#define CLASS(c)                                                               \
	((URLSET_PATH(c) ? URLCLASS_PATH : 0) |                                \
	    (URLSET_QUERY(c) ? URLCLASS_QUERY : 0) |                           \
	    (URLSET_USER(c) ? URLCLASS_USER : 0) |                             \
	    (URLSET_FRAGMENT(c) ? URLCLASS_FRAGMENT : 0) |                     \
	    (URLSET_UNRESERVED(c) ? URLCLASS_UNRESERVED : 0) |                 \
	    (URLSET_HEX(c) ? URLCLASS_HEX : 0) |                               \
	    (URLSET_DOMAIN(c) ? URLCLASS_DOMAIN : 0) |                         \
	    (URLSET_SCHEME(c) ? URLCLASS_SCHEME : 0))
#define C4(c)  CLASS(c), CLASS((c) + 1), CLASS((c) + 2), CLASS((c) + 3)
#define C16(c) C4(c), C4((c) + 4), C4((c) + 8), C4((c) + 12)
#define C64(c) C16(c), C16((c) + 16), C16((c) + 32), C16((c) + 48)

const uint8_t urlclass[256] = { C64(0), C64(64), C64(128), C64(192) };
