/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <curl/curl.h>
#include <stddef.h>

#include "crawler/sitemapvalue.h"

/* `n' digits at `*s' as a number, stepping over them; -1 if there are fewer. */
static int
digits(const char **s, int n)
{
	int v = 0;

	for (; n > 0; n--, (*s)++) {
		if (**s < '0' || **s > '9')
			return -1;
		v = v * 10 + (**s - '0');
	}
	return v;
}

/* Step over `c' if it is there. */
static int
skip(const char **s, char c)
{
	if (**s != c)
		return 0;
	(*s)++;
	return 1;
}

static const char *
skip_space(const char *s)
{
	while (*s == ' ' || (*s >= '\t' && *s <= '\r'))
		s++;
	return s;
}

/* Days from 1970-01-01 in the Gregorian calendar. */
static int64_t
days(int64_t y, int m, int d)
{
	static const int before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243,
		273, 304, 334 };
	int leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
	int64_t p = y - 1;

	return 365 * (y - 1970) + (p / 4 - p / 100 + p / 400) - 477 +
	    before[m - 1] + (leap && m > 2) + d - 1;
}

/* Add "hh:mm[:ss[.fraction]]" and zone to `t'; malformed, the day stays. */
static void
add_time(const char *s, int64_t *t)
{
	int h, m, sec = 0, sign;

	h = digits(&s, 2);
	if (h < 0 || h > 24 || !skip(&s, ':'))
		return;
	m = digits(&s, 2);
	if (m < 0 || m > 59)
		return;
	if (skip(&s, ':')) {
		sec = digits(&s, 2);
		if (sec < 0 || sec > 60)
			return;
		if (skip(&s, '.'))
			while (*s >= '0' && *s <= '9')
				s++;
	}
	*t += h * 3600 + m * 60 + sec;
	if (*s != '+' && *s != '-')
		return;
	sign = *s++ == '+' ? -1 : 1;
	h = digits(&s, 2);
	(void)skip(&s, ':');
	m = digits(&s, 2);
	if (h >= 0 && m >= 0)
		*t += sign * (h * 3600 + m * 60);
}

/* W3C-DTF; -2 if it does not even begin like that. */
static int64_t
w3c(const char *s)
{
	int64_t t;
	int y, m = 1, d = 1;

	y = digits(&s, 4);
	if (y < 0)
		return -2;
	if (skip(&s, '-')) {
		m = digits(&s, 2);
		if (m < 1 || m > 12)
			return -2;
		if (skip(&s, '-')) {
			d = digits(&s, 2);
			if (d < 1 || d > 31)
				return -2;
		}
	}
	t = days(y, m, d) * 86400;
	if (skip(&s, 'T') || skip(&s, ' '))
		add_time(s, &t);
	return t < 0 ? -1 : t;
}

int64_t
sitemapvalue_date(const char *s)
{
	int64_t t;

	s = skip_space(s);
	t = w3c(s);
	if (t == -2)
		t = (int64_t)curl_getdate(s, NULL);
	return t < 0 ? -1 : t;
}

/* Not strtod(): what it takes for a decimal point depends on the locale. */
int
sitemapvalue_priority(const char *s)
{
	int v = 0, unit = 1000, seen = 0;

	for (s = skip_space(s); *s >= '0' && *s <= '9' && v <= 1000; s++) {
		v = v * 10 + (*s - '0') * 1000;
		seen = 1;
	}
	if (skip(&s, '.')) {
		for (; *s >= '0' && *s <= '9'; s++) {
			unit /= 10;
			v += (*s - '0') * unit;
			seen = 1;
		}
	}
	return seen && v <= 1000 && *skip_space(s) == '\0' ? v : -1;
}
