/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "bench/simurl.h"
#include "frontier/words.h"

static char *
add(char *to, const char *s)
{
	size_t n = strlen(s);

	memcpy(to, s, n);
	return to + n;
}

static char *
add_hex(char *to, uint64_t v, unsigned int digits)
{
	while (digits-- > 0)
		*to++ = "0123456789abcdef"[v >> 4 * digits & 15];
	return to;
}

size_t
simurl_make(char *to, uint64_t h, uint32_t n, struct url_parts *p)
{
	static const char *const word[16] = { "news", "story", "world", "green",
		"market", "paper", "river", "today", "light", "music", "stone",
		"report", "garden", "summer", "city", "house" };
	uint64_t x = (h << 32 | n) * UINT64_C(0x9e3779b97f4a7c15);
	char *at = to;

	memset(p, 0, sizeof *p);
	x ^= x >> 29;
	at = add(at, "https://www.h");
	at = add_hex(at, h, 8);
	at = add(at, ".example.com");
	p->host = 8;
	p->host_end = p->path = (uint32_t)(at - to);
	p->port = 443;
	p->https = 1;
	*at++ = '/';
	at = add(at, word[x & 3]);
	*at++ = '/';
	at = words_put(at, n);
	for (unsigned int i = 2; i < 18; i += 4) {
		*at++ = i == 2 ? '/' : '-';
		at = add(at, word[x >> i & 15]);
	}
	*at++ = '-';
	at = add_hex(at, x >> 40, 6);
	at = add(at, ".html");
	p->query = p->end = (uint32_t)(at - to);
	return p->query;
}

int
simurl_read(struct url_span url, uint64_t *host, uint32_t *n)
{
	const char *s = url.s + sizeof "https://www.h" - 1, *end;
	uint64_t v;

	*host = 0;
	for (int i = 0; i < 8; i++, s++)
		*host = *host << 4 |
		    (uint64_t)(*s <= '9' ? *s - '0' : *s - 'a' + 10);
	s = memchr(s, '/', (size_t)(url.s + url.len - s));
	if (s != NULL)
		s = memchr(s + 1, '/', (size_t)(url.s + url.len - s - 1));
	if (s == NULL)
		return 0;
	s++;
	end = memchr(s, '/', (size_t)(url.s + url.len - s));
	if (end == NULL || !words_number(&s, end, UINT32_MAX, &v))
		return 0;
	*n = (uint32_t)v;
	return 1;
}
