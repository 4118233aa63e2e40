/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * Each character alone: what libidn2 maps, we map alike.  (What we take and it
 * does not know is in the suite and in urlucdtab.c.)
 */

#include "config.h"

#include <stdint.h>

#include <idn2.h>

#include "dedup/urlidna.h"
#include "dedup/urlucd.h"
#include "snapshot/limits.h"
#include "tests/tap.h"

static size_t
put_utf8(char *s, uint32_t c)
{
	if (c < 0x80) {
		s[0] = (char)c;
		return 1;
	}
	if (c < 0x800) {
		s[0] = (char)(0xc0 | c >> 6);
		s[1] = (char)(0x80 | (c & 63));
		return 2;
	}
	s[0] = (char)(0xe0 | c >> 12);
	s[1] = (char)(0x80 | (c >> 6 & 63));
	s[2] = (char)(0x80 | (c & 63));
	return 3;
}

/* Treated otherwise on purpose: valid in a name, not in transitional mode. */
static int
deviates(uint32_t c)
{
	return c == 0xdf || c == 0x3c2 || c == 0x200c || c == 0x200d;
}

/*
 * `c' between two characters `side', of the same direction as it may be.
 * 1 alike, 0 not, -1 if libidn2 does not take it.
 */
static int
compare(uint32_t c, uint32_t side)
{
	char in[16], ours[LIMIT_IDN], *theirs = NULL;
	size_t n = put_utf8(in, side);
	int rc, good;

	n += put_utf8(in + n, c);
	n += put_utf8(in + n, side);
	in[n] = '\0';
	if (idn2_to_ascii_8z(in, &theirs,
		IDN2_TRANSITIONAL | IDN2_NO_ALABEL_ROUNDTRIP) != IDN2_OK)
		return -1;
	rc = urlidna_ascii(ours, sizeof ours, in, n);
	good = rc > 0 && (size_t)rc == strlen(theirs) &&
	    memcmp(ours, theirs, (size_t)rc) == 0;
	idn2_free(theirs);
	return good;
}

/* U+FDFA and U+FDFB are whole sentences, and blanks have no direction. */
int
main(void)
{
	struct tap t = { 0, 0 };
	unsigned int good = 0, bad = 0;
	uint32_t c;
	int rc;

	for (c = 0x80; c < 0x10000; c++) {
		if ((c >= 0xd800 && c < 0xe000) || deviates(c) || c == 0xfdfa ||
		    c == 0xfdfb || urlucd_find(c) != NULL)
			continue;
		rc = compare(c, '0');
		if (rc == 0)
			rc = compare(c, 0x5d0);
		good += rc > 0;
		if (rc == 0 && bad++ < 10)
			tap_diag("U+%04X", (unsigned int)c);
	}
	tap_ok(&t, bad == 0 && good > 40000, "%u characters, %u of them not",
	    good, bad);
	return tap_done(&t);
}
