/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dedup/number.h"

static int
is_hex(const char *s)
{
	return s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
}

int
number_whole(const char *s, uint64_t *out)
{
	char *end;

	/* strtoull() takes signs and spaces; we do not */
	if (!isdigit((unsigned char)s[0]))
		return FAULT_ARG;
	errno = 0;
	*out = strtoull(s, &end, is_hex(s) ? 16 : 10);
	return errno != 0 || *end != '\0' ? FAULT_ARG : 0;
}

int
number_real(const char *s, double *out)
{
	char *end;

	if ((!isdigit((unsigned char)s[0]) && s[0] != '.') || is_hex(s))
		return FAULT_ARG;
	*out = strtod(s, &end);
	return *end != '\0' || !isfinite(*out) ? FAULT_ARG : 0;
}

/* The power that letter `c' stands for, or -1. */
static int
power_of(char c)
{
	static const char letters[] = "kmgt";
	const char *at;

	if (c == '\0')
		return 0;
	at = strchr(letters, tolower((unsigned char)c));
	return at == NULL ? -1 : (int)(at - letters) + 1;
}

static int
scaled(const char *s, const char *unit, double base, uint64_t *out)
{
	char *end;
	double v;
	int power;

	if ((!isdigit((unsigned char)s[0]) && s[0] != '.') || is_hex(s))
		return FAULT_ARG;
	v = strtod(s, &end);
	power = strcmp(end, unit) == 0 ? 0 : power_of(*end);
	if (power > 0)
		end++;
	if (power < 0 || (*end != '\0' && strcmp(end, unit) != 0))
		return FAULT_ARG;
	v *= pow(base, power);
	/* doubles are exact to 2^53; no limit of ours is beyond that */
	if (!(v >= 0 && v <= 9007199254740992.0))
		return FAULT_ARG;
	*out = (uint64_t)v;
	return v - (double)*out > 0 ? FAULT_ARG : 0;
}

int
number_count(const char *s, uint64_t *out)
{
	return scaled(s, "", 1000, out);
}

int
number_bytes(const char *s, uint64_t *out)
{
	return scaled(s, "B", 1024, out);
}
