/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include "crawler/ascii.h"
#include "crawler/links.h"
#include "crawler/rel.h"

/* clang-format off */
static const struct {
	const char *type;
	uint32_t flag;
} types[] = {
	{ "nofollow", LINK_NOFOLLOW },
	{ "stylesheet", LINK_EMBED },
	{ "icon", LINK_EMBED },
	{ "apple-touch-icon", LINK_EMBED },
	{ "mask-icon", LINK_EMBED },
	{ "preload", LINK_EMBED },
	{ "modulepreload", LINK_EMBED },
	{ "manifest", LINK_EMBED },
	{ "canonical", LINK_CANONICAL },
	{ "alternate", LINK_ALTERNATE },
	{ "next", LINK_NEXT },
	{ "prev", LINK_PREV },
};
/* clang-format on */

uint32_t
rel_flags(const char *s, size_t len)
{
	const char *end = s + len, *word;
	uint32_t flags = 0;
	size_t n, i;

	for (;;) {
		word = ascii_word(&s, end, &n);
		if (word == NULL)
			break;
		for (i = 0; i < sizeof types / sizeof types[0]; i++)
			if (ascii_is(word, n, types[i].type))
				flags |= types[i].flag;
	}
	if (flags & LINK_EMBED)
		flags &= LINK_EMBED | LINK_NOFOLLOW;
	return flags;
}
