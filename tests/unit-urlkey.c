/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include "dedup/urlkey.h"
#include "tests/tap.h"

/* The format depends on these bits: they may never change. */
static void
known_answers(struct tap *t)
{
	static const char u[] = "http://example.com/";
	struct urlkey_hasher h;
	struct urlkey k;

	urlkey_init(&h, 1);
	k = urlkey_of(&h, u, sizeof u - 1);
	tap_ok(t,
	    k.hi == UINT64_C(0xed9169a3b3a5ddba) &&
		k.lo == UINT64_C(0x05a01fbc3d613c18),
	    "known answer for seed 1");
	tap_diag("%016llx %016llx", (unsigned long long)k.hi,
	    (unsigned long long)k.lo);
}

static void
seeds_differ(struct tap *t)
{
	struct urlkey_hasher a, b;

	urlkey_init(&a, 1);
	urlkey_init(&b, 2);
	tap_ok(t, !urlkey_same(urlkey_of(&a, "x", 1), urlkey_of(&b, "x", 1)),
	    "another seed, another key");
	tap_ok(t, urlkey_same(urlkey_of(&a, "x", 1), urlkey_of(&a, "x", 1)),
	    "the same seed, the same key");
}

int
main(void)
{
	struct tap t = { 0, 0 };

	known_answers(&t);
	seeds_differ(&t);
	return tap_done(&t);
}
