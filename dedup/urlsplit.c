/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlsplit.c - the parts of a URL in normal form
 *
 * The form is so narrow that the parts are found without parsing: the first
 * "/" behind the scheme ends the authority, the last "@" before it the user
 * name.
 */

#include "config.h"

#include <string.h>

#include "dedup/url.h"
#include "dedup/urlclass.h"

/* The port behind the colon at `*end', which moves to the colon. */
static int
port(const char *s, uint32_t host, uint32_t *end, uint16_t *out)
{
	unsigned int n = 0, p = *end, i;

	while (p > host && urlclass_digit(s[p - 1]))
		p--;
	if (p == host || s[p - 1] != ':')
		return 0;
	if (p == *end || *end - p > 5)
		return FAULT_ARG;
	for (i = p; i < *end; i++)
		n = n * 10 + (unsigned int)(s[i] - '0');
	if (n > 65535)
		return FAULT_ARG;
	*out = (uint16_t)n;
	*end = p - 1;
	return 0;
}

int
url_split(struct url_span url, struct url_parts *parts)
{
	const char *s = url.s, *end = s + url.len, *p, *at;

	if (url.len > UINT32_MAX || url.len < 9 || memcmp(s, "http", 4) != 0)
		return FAULT_ARG;
	parts->https = s[4] == 's';
	parts->port = parts->https ? 443 : 80;
	s += 4 + parts->https;
	if (memcmp(s, "://", 3) != 0)
		return FAULT_ARG;
	s += 3;
	p = memchr(s, '/', (size_t)(end - s));
	if (p == NULL)
		return FAULT_ARG;
	for (at = p; at > s && at[-1] != '@'; at--)
		;
	parts->host = (uint32_t)(at - url.s);
	parts->path = (uint32_t)(p - url.s);
	parts->host_end = parts->path;
	if (port(url.s, parts->host, &parts->host_end, &parts->port) < 0)
		return FAULT_ARG;
	if (parts->host_end == parts->host)
		return FAULT_ARG;
	while (p < end && *p != '?' && *p != '#')
		p++;
	parts->query = (uint32_t)(p - url.s);
	parts->end = (uint32_t)url.len;
	return 0;
}
