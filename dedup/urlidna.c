/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * urlidna.c - UTS 46 with libidn2's tables and the standard's rules
 *
 * libidn2 has the mapping table and NFC, but its own ideas of what a name
 * is: IDNA2008's characters (no emoji), hyphens, labels of 63 bytes, the
 * Unicode of its day.  Its transitional mode checks least.  So we ask it one
 * code point at a time in that mode, between two zeros, which keep it from
 * looking at hyphens and leading marks and compose with nothing; the four
 * characters that the mode treats otherwise never get there.  Marks are then
 * composed with what they stand on in the same way.  The other steps are
 * ours: what is new in Unicode (urlucd.h), Punycode, joiners (RFC 5892,
 * appendix A), right-to-left names (RFC 5893, section 2).
 */

#include "config.h"

#include <stdint.h>
#include <string.h>

#include <idn2.h>

#include "dedup/urlclass.h"
#include "dedup/urlidna.h"
#include "dedup/urlpuny.h"
#include "dedup/urlucd.h"
#include "snapshot/limits.h"

#define ASK 128 /* code points: a base and its marks */

/* Code points; for a domain, with U+002E between the labels. */
struct name {
	size_t n;
	uint32_t c[LIMIT_IDN];
};

static int
push(struct name *to, uint32_t c)
{
	if (to->n == LIMIT_IDN)
		return FAULT_URL_TOOLONG;
	to->c[to->n++] = c;
	return 0;
}

/* U+00DF, U+03C2, U+200C, U+200D: valid here, transitional mode maps them. */
static int
deviates(uint32_t c)
{
	return c == 0xdf || c == 0x3c2 || c == 0x200c || c == 0x200d;
}

static char *
put_utf8(char *out, uint32_t c)
{
	if (c < 0x80) {
		*out++ = (char)c;
	} else if (c < 0x800) {
		*out++ = (char)(0xc0 | c >> 6);
		*out++ = (char)(0x80 | (c & 63));
	} else if (c < 0x10000) {
		*out++ = (char)(0xe0 | c >> 12);
		*out++ = (char)(0x80 | (c >> 6 & 63));
		*out++ = (char)(0x80 | (c & 63));
	} else {
		*out++ = (char)(0xf0 | c >> 18);
		*out++ = (char)(0x80 | (c >> 12 & 63));
		*out++ = (char)(0x80 | (c >> 6 & 63));
		*out++ = (char)(0x80 | (c & 63));
	}
	return out;
}

/*
 * The code point at `*s', which moves behind it; 0xffffffff if that is not
 * well-formed UTF-8 (Unicode, table 3-7).
 */
static uint32_t
get_utf8(const unsigned char **s, const unsigned char *end)
{
	static const uint32_t min[4] = { 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = *s;
	uint32_t c = *p++;
	int more, i;

	if (c < 0x80) {
		*s = p;
		return c;
	}
	if (c < 0xc2 || c > 0xf4)
		return UINT32_MAX;
	more = c < 0xe0 ? 1 : c < 0xf0 ? 2 : 3;
	c &= 0x3fU >> more;
	for (i = 0; i < more; i++) {
		if (p == end || (*p & 0xc0) != 0x80)
			return UINT32_MAX;
		c = c << 6 | (*p++ & 63);
	}
	if (c < min[more] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return UINT32_MAX;
	*s = p;
	return c;
}

/* Append what libidn2 answered, without the zeros round it. */
static int
answer(struct name *to, const char *s)
{
	uint32_t c[ASK];
	size_t from = to->n, len, i;
	int n, rc = 0;

	for (;; s += len + 1) {
		len = strcspn(s, ".");
		n = 0;
		if (len > 4 && memcmp(s, "xn--", 4) == 0)
			n = urlpuny_decode(c, ASK, s + 4, len - 4);
		else
			for (; (size_t)n < len && n < ASK; n++)
				c[n] = (unsigned char)s[n];
		if (n < 0)
			return FAULT_URL_HOST;
		for (i = 0; i < (size_t)n && rc == 0; i++)
			rc = push(to, c[i]);
		if (s[len] == '\0' || rc < 0)
			break;
		rc = push(to, '.');
	}
	if (rc < 0 || to->n - from < 2)
		return rc < 0 ? rc : FAULT_URL_HOST;
	to->n -= 2;
	memmove(to->c + from, to->c + from + 1, (to->n - from) * sizeof *to->c);
	return 0;
}

/* Append what `n' code points at `s' are mapped to, in NFC. */
static int
ask(struct name *to, const uint32_t *s, size_t n)
{
	char buf[4 * ASK + 3], *p = buf, *reply = NULL;
	size_t i;
	int rc;

	if (n > ASK)
		return FAULT_URL_HOST;
	*p++ = '0';
	for (i = 0; i < n; i++)
		p = put_utf8(p, s[i]);
	*p++ = '0';
	*p = '\0';
	rc = idn2_to_ascii_8z(buf, &reply,
	    IDN2_TRANSITIONAL | IDN2_NO_ALABEL_ROUNDTRIP);
	if (rc != IDN2_OK)
		return rc == IDN2_MALLOC ? FAULT_NOMEM : FAULT_URL_HOST;
	rc = answer(to, reply);
	idn2_free(reply);
	return rc;
}

/* Append what `c' is mapped to; FAULT_URL_HOST if it is not allowed. */
static int
map(struct name *to, uint32_t c)
{
	const struct urlucd_new *n;
	uint32_t one;

	if (c < 0x80)
		return push(to, (unsigned char)urlclass_lower((char)c));
	one = urlucd_common(c);
	if (one != 0)
		return push(to, one);
	if (deviates(c))
		return push(to, c);
	n = urlucd_find(c);
	if (n == NULL)
		return ask(to, &c, 1);
	if (n->to == URLUCD_IGNORED)
		return 0;
	return push(to, n->to == URLUCD_VALID ? c : n->to + (c - n->first));
}

/* General_Category M; the tables are not asked for most of what is none. */
static int
mark(uint32_t c)
{
	return c >= 0x300 && urlucd_mark(urlucd_flags(c));
}

/* May `c' compose with what stands before it?  Marks and Hangul V and T. */
static int
composes(uint32_t c)
{
	return (c >= 0x1160 && c <= 0x11ff) || mark(c);
}

/*
 * Append `s' in NFC, if each of its code points is.  Runs with one that
 * libidn2 does not know are left as they are.
 */
static int
compose(struct name *to, const struct name *s)
{
	size_t i, from, base;
	int rc = 0, known;

	for (i = 0; i < s->n && rc == 0;) {
		from = i++;
		known = urlucd_find(s->c[from]) == NULL;
		for (; i < s->n && composes(s->c[i]); i++)
			known &= urlucd_find(s->c[i]) == NULL;
		if (i - from < 2 || !known) {
			for (; from < i && rc == 0; from++)
				rc = push(to, s->c[from]);
			continue;
		}
		base = 0;
		if (deviates(s->c[from]) || s->c[from] == '.') {
			base = 1;
			rc = push(to, s->c[from]);
		}
		if (rc == 0)
			rc = ask(to, s->c + from + base, i - from - base);
	}
	return rc;
}

/*
 * Append the U-label of the A-label `s' (without its "xn--"): it must be one
 * that mapping and NFC leave as it is.
 */
static int
decode_ace(struct name *to, const uint32_t *s, size_t len)
{
	struct name u, v;
	char ascii[LIMIT_IDN];
	size_t i, other = 0;
	int n, rc = 0;

	for (i = 0; i < len; i++) {
		if (s[i] >= 0x80)
			return FAULT_URL_HOST;
		ascii[i] = (char)s[i];
	}
	n = urlpuny_decode(u.c, LIMIT_IDN, ascii, len);
	if (n <= 0)
		return FAULT_URL_HOST;
	u.n = (size_t)n;
	v.n = 0;
	for (i = 0; i < u.n && rc == 0; i++) {
		other |= u.c[i] >= 0x80;
		rc = map(&v, u.c[i]);
	}
	if (rc == 0 &&
	    (!other || v.n != u.n || memcmp(v.c, u.c, u.n * sizeof *u.c) != 0))
		rc = FAULT_URL_HOST;
	v.n = 0;
	if (rc == 0)
		rc = compose(&v, &u);
	if (rc == 0 && (v.n != u.n || memcmp(v.c, u.c, u.n * sizeof *u.c) != 0))
		rc = FAULT_URL_HOST;
	for (i = 0; i < u.n && rc == 0; i++)
		rc = push(to, u.c[i]);
	return rc;
}

static size_t
label_length(const struct name *s, size_t at)
{
	size_t i = at;

	while (i < s->n && s->c[i] != '.')
		i++;
	return i - at;
}

static int
is_ace(const uint32_t *s, size_t len)
{
	return len >= 4 && s[0] == 'x' && s[1] == 'n' && s[2] == '-' &&
	    s[3] == '-';
}

/* `s' with each A-label decoded. */
static int
decode_all(struct name *to, const struct name *s)
{
	size_t at, len, i, start;
	int rc = 0;

	for (at = 0; rc == 0; at += len + 1) {
		len = label_length(s, at);
		start = to->n;
		if (is_ace(s->c + at, len)) {
			rc = decode_ace(to, s->c + at + 4, len - 4);
			if (rc == 0 && is_ace(to->c + start, to->n - start))
				rc = FAULT_URL_HOST;
		} else {
			for (i = 0; i < len && rc == 0; i++)
				rc = push(to, s->c[at + i]);
		}
		if (at + len >= s->n)
			break;
		if (rc == 0)
			rc = push(to, '.');
	}
	return rc;
}

/* Is the joiner at `at' in its place (RFC 5892, appendices A.1 and A.2)? */
static int
joiner_fits(const uint32_t *s, size_t len, size_t at)
{
	enum urlucd_join j;
	size_t i;

	if (at == 0)
		return 0;
	if (urlucd_join(urlucd_flags(s[at - 1])) == URLUCD_VIRAMA)
		return 1;
	if (s[at] == 0x200d)
		return 0;
	for (i = at; i > 0; i--) {
		j = urlucd_join(urlucd_flags(s[i - 1]));
		if (j == URLUCD_JOIN_LEFT || j == URLUCD_JOIN_DUAL)
			break;
		if (j != URLUCD_TRANSPARENT && j != URLUCD_VIRAMA)
			return 0;
	}
	if (i == 0)
		return 0;
	for (i = at + 1; i < len; i++) {
		j = urlucd_join(urlucd_flags(s[i]));
		if (j == URLUCD_JOIN_RIGHT || j == URLUCD_JOIN_DUAL)
			return 1;
		if (j != URLUCD_TRANSPARENT && j != URLUCD_VIRAMA)
			return 0;
	}
	return 0;
}

/* Bits of the classes of RFC 5893, section 2. */
#define BIT(class) (1U << URLUCD_##class)
#define NEUTRAL    (BIT(ES) | BIT(CS) | BIT(ET) | BIT(ON) | BIT(BN) | BIT(NSM))
#define RTL        (BIT(R) | BIT(AL) | BIT(AN))

static int
bidi_fits(const uint32_t *s, size_t len)
{
	unsigned int bit, seen = 0, first = 0, last = 0, allowed, final;
	size_t i;

	for (i = 0; i < len; i++) {
		bit = 1U << urlucd_bidi(urlucd_flags(s[i]));
		if (i == 0)
			first = bit;
		if (bit != BIT(NSM))
			last = bit;
		seen |= bit;
	}
	if (len == 0)
		return 1;
	if (first & (BIT(R) | BIT(AL))) {
		allowed = RTL | BIT(EN) | NEUTRAL;
		final = RTL | BIT(EN);
		if (seen & BIT(EN) && seen & BIT(AN))
			return 0;
	} else if (first & BIT(L)) {
		allowed = BIT(L) | BIT(EN) | NEUTRAL;
		final = BIT(L) | BIT(EN);
	} else {
		return 0;
	}
	return (seen & ~allowed) == 0 && (last & final) != 0;
}

/* The criteria of UTS 46, section 4.1, that mapping does not see to. */
static int
valid(const struct name *s)
{
	size_t at, len, i;
	int rtl = 0;

	/* nothing below U+0590 goes from right to left */
	for (i = 0; i < s->n; i++)
		rtl |= s->c[i] >= 0x590 &&
		    (1U << urlucd_bidi(urlucd_flags(s->c[i])) & RTL) != 0;
	for (at = 0;; at += len + 1) {
		len = label_length(s, at);
		if (len > 0 && mark(s->c[at]))
			return 0;
		for (i = 0; i < len; i++)
			if ((s->c[at + i] == 0x200c ||
				s->c[at + i] == 0x200d) &&
			    !joiner_fits(s->c + at, len, i))
				return 0;
		if (rtl && !bidi_fits(s->c + at, len))
			return 0;
		if (at + len >= s->n)
			return 1;
	}
}

/* Write the labels, those beyond ASCII as A-labels. */
static int
encode_all(char *out, size_t room, const struct name *s)
{
	char *p = out, *stop = out + room;
	size_t at, len, i;
	int n, other;

	for (at = 0;; at += len + 1) {
		len = label_length(s, at);
		if ((size_t)(stop - p) < len + 5)
			return FAULT_URL_TOOLONG;
		other = 0;
		for (i = 0; i < len; i++)
			other |= s->c[at + i] >= 0x80;
		if (other) {
			memcpy(p, "xn--", 4);
			p += 4;
			n = urlpuny_encode(p, (size_t)(stop - p) - 1, s->c + at,
			    len);
			if (n < 0)
				return FAULT_URL_TOOLONG;
			p += n;
		} else {
			for (i = 0; i < len; i++)
				*p++ = (char)s->c[at + i];
		}
		if (at + len >= s->n)
			return (int)(p - out);
		*p++ = '.';
	}
}

int
urlidna_ascii(char *out, size_t room, const char *s, size_t len)
{
	const unsigned char *p = (const unsigned char *)s, *end = p + len;
	struct name mapped, composed;
	uint32_t c;
	int rc = 0;

	if (len > LIMIT_IDN)
		return FAULT_URL_TOOLONG;
	mapped.n = composed.n = 0;
	while (p < end && rc == 0) {
		c = get_utf8(&p, end);
		rc = c == UINT32_MAX ? FAULT_URL_HOST : map(&mapped, c);
	}
	if (rc == 0)
		rc = compose(&composed, &mapped);
	mapped.n = 0;
	if (rc == 0)
		rc = decode_all(&mapped, &composed);
	if (rc == 0 && !valid(&mapped))
		rc = FAULT_URL_HOST;
	if (rc < 0)
		return rc;
	return encode_all(out, room, &mapped);
}

int
urlidna_squared(const char *s, size_t len)
{
	uint32_t c[LIMIT_IDN];
	int n, i;

	n = urlpuny_decode(c, LIMIT_IDN, s, len);
	for (i = 0; i < n; i++)
		if (c[i] < 0x3200 || c[i] > 0x33ff)
			return 0;
	return n > 0;
}
