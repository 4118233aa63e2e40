/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "dedup/urladdr.h"
#include "dedup/urlclass.h"
#include "dedup/urlhost.h"
#include "dedup/urlidna.h"
#include "snapshot/limits.h"

int
urlhost_numeric(const char *s, size_t len)
{
	const char *end, *p;
	uint64_t n;

	if (len > 1 && s[len - 1] == '.')
		len--;
	end = s + len;
	for (p = end; p > s && p[-1] != '.'; p--)
		;
	if (p == end || !urlclass_digit(*p))
		return 0;
	if (urladdr_number(p, (size_t)(end - p), &n) == 0)
		return 1;
	while (p < end && urlclass_digit(*p))
		p++;
	return p == end;
}

/* An IPv6 address in its brackets. */
static int
bracketed(char *out, const char *s, size_t len)
{
	uint16_t addr[8];
	char *p = out;

	if (len < 2 || s[len - 1] != ']')
		return FAULT_URL_HOST;
	if (urladdr_ipv6(s + 1, len - 2, addr) < 0)
		return FAULT_URL_HOST;
	*p++ = '[';
	p = urladdr_put6(p, addr);
	*p++ = ']';
	return (int)(p - out);
}

/* What a host holds that needs more work. */
enum finding {
	FINDING_OTHER = 1,     /* bytes beyond ASCII */
	FINDING_FORBIDDEN = 2, /* what no domain may have */
	FINDING_DASHES = 4,    /* two in a row, as in an A-label */
};

/* Percent-decode `s' to `out' in lower case.  The length. */
static size_t
decode(char *out, const char *s, size_t len, unsigned int *found)
{
	const char *end = s + len;
	char *p = out, c, before = '.';

	*found = 0;
	for (; s < end; before = c) {
		c = *s++;
		if (c == '%' && end - s >= 2 &&
		    urlclass_is(s[0], URLCLASS_HEX) &&
		    urlclass_is(s[1], URLCLASS_HEX)) {
			c = (char)(urlclass_hex(s[0]) << 4 |
			    urlclass_hex(s[1]));
			s += 2;
		}
		if (c & 0x80)
			*found |= FINDING_OTHER;
		else if (urlclass_is(c, URLCLASS_DOMAIN))
			*found |= FINDING_FORBIDDEN;
		else if (c == '-' && before == '-')
			*found |= FINDING_DASHES;
		*p++ = urlclass_lower(c);
	}
	return (size_t)(p - out);
}

/* Is there an A-label of the kind that urlidna_squared() finds? */
static int
has_squared(const char *s, size_t len)
{
	const char *end = s + len, *p;

	for (;; s = p + 1) {
		p = memchr(s, '.', (size_t)(end - s));
		if (p == NULL)
			p = end;
		if (p - s > 4 && memcmp(s, "xn--", 4) == 0 &&
		    urlidna_squared(s + 4, (size_t)(p - s) - 4))
			return 1;
		if (p == end)
			return 0;
	}
}

static int
forbidden(const char *s, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (urlclass_is(s[i], URLCLASS_DOMAIN))
			return 1;
	return 0;
}

int
urlhost_put(char *out, const char *s, size_t len)
{
	unsigned int found;
	uint32_t addr;
	size_t n;
	int rc;

	if (len > 0 && *s == '[')
		return bracketed(out, s, len);
	if (len >= LIMIT_HOST)
		return FAULT_URL_TOOLONG;
	n = decode(out, s, len, &found);
	if (found & FINDING_OTHER) {
		rc = urlidna_ascii(out, LIMIT_HOST, out, n);
		if (rc < 0)
			return rc;
		n = (size_t)rc;
		/* mapping may have made what is forbidden */
		if (forbidden(out, n))
			return FAULT_URL_HOST;
	} else if (found & FINDING_FORBIDDEN ||
	    (found & FINDING_DASHES && has_squared(out, n))) {
		return FAULT_URL_HOST;
	}
	if (n == 0)
		return FAULT_URL_HOST;
	if (!urlhost_numeric(out, n))
		return (int)n;
	if (urladdr_ipv4(out, n, &addr) < 0)
		return FAULT_URL_HOST;
	return (int)(urladdr_put4(out, addr) - out);
}
