/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "dedup/urlclass.h"
#include "dedup/urlpuny.h"

/* The parameters of RFC 3492, section 5. */
#define BASE  36
#define TMIN  1
#define TMAX  26
#define SKEW  38
#define DAMP  700
#define BIAS  72
#define FIRST 0x80
#define LAST  0x10ffff

/* Section 6.1: the bias after `delta', at which `n' code points are done. */
static unsigned int
adapt(uint32_t delta, uint32_t n, int first)
{
	unsigned int k;

	delta = first ? delta / DAMP : delta / 2;
	delta += delta / n;
	for (k = 0; delta > (BASE - TMIN) * TMAX / 2; k += BASE)
		delta /= BASE - TMIN;
	return k + (BASE - TMIN + 1) * delta / (delta + SKEW);
}

static unsigned int
threshold(unsigned int k, unsigned int bias)
{
	if (k <= bias + TMIN)
		return TMIN;
	return k >= bias + TMAX ? TMAX : k - bias;
}

static char
digit(unsigned int d)
{
	return (char)(d < 26 ? 'a' + d : '0' + d - 26);
}

/* `delta' as a number of variable length at `out'; NULL without room. */
static char *
put_delta(char *out, const char *stop, uint32_t delta, unsigned int bias)
{
	unsigned int k, t;

	for (k = BASE;; k += BASE) {
		if (out == stop)
			return NULL;
		t = threshold(k, bias);
		if (delta < t)
			break;
		*out++ = digit(t + (delta - t) % (BASE - t));
		delta = (delta - t) / (BASE - t);
	}
	*out++ = digit(delta);
	return out;
}

/* The least code point at `s' that is not below `min'. */
static uint32_t
least(const uint32_t *s, size_t n, uint32_t min)
{
	uint32_t m = LAST;
	size_t i;

	for (i = 0; i < n; i++)
		if (s[i] >= min && s[i] < m)
			m = s[i];
	return m;
}

int
urlpuny_encode(char *out, size_t room, const uint32_t *s, size_t n)
{
	const char *stop = out + room;
	char *p = out;
	uint32_t c = FIRST, next, delta = 0, done, basic;
	unsigned int bias = BIAS;
	size_t i;

	/* delta stays below LAST times 2^11 code points */
	if (n >= room || n > 2047)
		return FAULT_FULL;
	for (i = 0; i < n; i++)
		if (s[i] < FIRST)
			*p++ = (char)s[i];
	basic = done = (uint32_t)(p - out);
	if (basic > 0)
		*p++ = '-';
	for (; done < n; delta++, c++) {
		next = least(s, n, c);
		delta += (next - c) * (done + 1);
		c = next;
		for (i = 0; i < n; i++) {
			if (s[i] < c)
				delta++;
			if (s[i] != c)
				continue;
			p = put_delta(p, stop, delta, bias);
			if (p == NULL)
				return FAULT_FULL;
			bias = adapt(delta, done + 1, done == basic);
			delta = 0;
			done++;
		}
	}
	return (int)(p - out);
}

/* The number at `*s', added to `*i'.  0, or FAULT_URL_HOST. */
static int
get_delta(const char **s, const char *end, unsigned int bias, uint32_t *i)
{
	uint32_t w = 1, d;
	unsigned int k, t;
	char c;

	for (k = BASE;; k += BASE) {
		if (*s == end)
			return FAULT_URL_HOST;
		c = urlclass_lower(*(*s)++);
		if (urlclass_digit(c))
			d = (uint32_t)(c - '0' + 26);
		else if (c >= 'a' && c <= 'z')
			d = (uint32_t)(c - 'a');
		else
			return FAULT_URL_HOST;
		if (d > (UINT32_MAX - *i) / w)
			return FAULT_URL_HOST;
		*i += d * w;
		t = threshold(k, bias);
		if (d < t)
			return 0;
		if (w > UINT32_MAX / (BASE - t))
			return FAULT_URL_HOST;
		w *= BASE - t;
	}
}

int
urlpuny_decode(uint32_t *out, size_t room, const char *s, size_t n)
{
	const char *end = s + n, *dash = end, *p;
	uint32_t c = FIRST, i = 0, old;
	unsigned int bias = BIAS;
	size_t len = 0;

	while (dash > s && dash[-1] != '-')
		dash--;
	if (dash == s + 1)
		dash = s; /* no delimiter where there is nothing before it */
	for (p = s; p + 1 < dash; p++) {
		if (len == room)
			return FAULT_FULL;
		out[len++] = (unsigned char)*p;
	}
	for (s = dash; s < end; i++) {
		old = i;
		if (get_delta(&s, end, bias, &i) < 0)
			return FAULT_URL_HOST;
		if (len == room)
			return FAULT_FULL;
		bias = adapt(i - old, (uint32_t)len + 1, old == 0);
		if (i / (len + 1) > LAST - c)
			return FAULT_URL_HOST;
		c += (uint32_t)(i / (len + 1));
		i %= (uint32_t)(len + 1);
		if (c >= 0xd800 && c <= 0xdfff)
			return FAULT_URL_HOST;
		memmove(out + i + 1, out + i, (len - i) * sizeof *out);
		out[i] = c;
		len++;
	}
	return (int)len;
}
