/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "snapshot/limits.h"
#include "snapshot/record.h"

/*
 * The gaps of a folded record: each is the distance to the next ordinal less
 * one, in groups of five bits, least first; a digit of the upper half says
 * that another follows.
 */
static const char digits[64 + 1] = "0123456789ABCDEFGHIJKLMNOPQRSTUV"
				   "abcdefghijklmnopqrstuvwxyz+/=:.,";

/* A line being written; nothing is written beyond `end'. */
struct out {
	char *at;
	const char *end;
	int full;
};

static void
put(struct out *o, const char *s, size_t n)
{
	if ((size_t)(o->end - o->at) < n) {
		o->full = 1;
		return;
	}
	memcpy(o->at, s, n);
	o->at += n;
}

static void
put_tab(struct out *o)
{
	put(o, "\t", 1);
}

size_t
record_number(char *to, uint64_t v)
{
	char buf[20];
	size_t n = sizeof buf;

	do {
		buf[--n] = (char)('0' + v % 10);
		v /= 10;
	} while (v > 0);
	memcpy(to, buf + n, sizeof buf - n);
	return sizeof buf - n;
}

static void
put_number(struct out *o, uint64_t v)
{
	char buf[20];

	put_tab(o);
	put(o, buf, record_number(buf, v));
}

static void
put_span(struct out *o, struct record_span s)
{
	put_tab(o);
	if (s.len == 0)
		put(o, "-", 1);
	else
		put(o, s.s, s.len);
}

/* Must this byte of a text be written as \xHH? */
static int
is_odd(unsigned char c)
{
	return c < 0x20 || c == 0x7f || c == '\\';
}

static void
put_text(struct out *o, struct record_span s)
{
	static const char hex[] = "0123456789ABCDEF";
	char esc[4] = { '\\', 'x', 0, 0 };
	size_t i;

	if (s.len == 1 && s.s[0] == '-') {
		put(o, "\t\\x2D", 5);
		return;
	}
	if (s.len == 0) {
		put_span(o, s);
		return;
	}
	put_tab(o);
	for (i = 0; i < s.len; i++) {
		if (!is_odd((unsigned char)s.s[i])) {
			put(o, s.s + i, 1);
			continue;
		}
		esc[2] = hex[(unsigned char)s.s[i] >> 4];
		esc[3] = hex[(unsigned char)s.s[i] & 15];
		put(o, esc, 4);
	}
}

static void
put_flags(struct out *o, uint32_t flags)
{
	char buf[26];
	size_t n = 0;
	char c;

	for (c = 'a'; c <= 'z'; c++) {
		if (flags & RECORD_FLAG(c))
			buf[n++] = c;
	}
	put_span(o, (struct record_span){ buf, n });
}

static int
is_url(struct record_span s)
{
	size_t i;

	for (i = 0; i < s.len; i++) {
		if ((unsigned char)s.s[i] < 0x21 || s.s[i] == 0x7f)
			return 0;
	}
	return s.len != 1 || s.s[0] != '-';
}

static int
is_word(struct record_span s)
{
	size_t i;
	char c;

	for (i = 0; i < s.len; i++) {
		c = s.s[i];
		if ((c < 'a' || c > 'z') && (c < 'A' || c > 'Z') &&
		    (c < '0' || c > '9') && c != '.' && c != '_' && c != '-')
			return 0;
	}
	return s.len > 0;
}

/* Has this letter a word? */
static int
has_word(char type)
{
	return type != RECORD_ADMITTED && type != RECORD_FOLDED;
}

static int
check(const struct record *r)
{
	if (r->type == '\0' || strchr("ADFXRSHd", r->type) == NULL)
		return FAULT_ARG;
	if (r->url.len > LIMIT_URL || r->text.len > LIMIT_RECORD_TEXT)
		return FAULT_TOOBIG;
	if (has_word(r->type) && r->word.len > LIMIT_RECORD_WORD)
		return FAULT_TOOBIG;
	if (!is_url(r->url) || (r->flags & ~RECORD_FLAGS) != 0)
		return FAULT_ARG;
	if (has_word(r->type) && !is_word(r->word))
		return FAULT_ARG;
	return 0;
}

/* What follows the URL. */
static void
put_rest(struct out *o, const struct record *r)
{
	switch (r->type) {
	case RECORD_ADMITTED:
		put_number(o, r->depth);
		put_number(o, r->lane);
		put_flags(o, r->flags);
		break;
	case RECORD_DONE:
		put_number(o, r->status);
		put_span(o, r->word);
		put_text(o, r->text);
		put_number(o, r->offset);
		put_number(o, r->length);
		break;
	case RECORD_FAILED:
		put_span(o, r->word);
		put_number(o, r->status);
		put_number(o, r->attempts);
		break;
	case RECORD_HOST:
		put_span(o, r->word);
		put_text(o, r->text);
		break;
	case RECORD_FOLDED:
		put_text(o, r->text);
		break;
	case RECORD_AGAIN:
		put_span(o, r->word);
		put_number(o, r->depth);
		put_number(o, r->lane);
		put_flags(o, r->flags);
		break;
	default: /* dropped, scope */
		put_span(o, r->word);
		break;
	}
}

long
record_put(const struct record *r, char *to, size_t size)
{
	struct out o = { to, to + size, 0 };
	int rc = check(r);

	if (rc < 0)
		return rc;
	put(&o, &r->type, 1);
	put_number(&o, r->ordinal);
	put_span(&o, r->url);
	put_rest(&o, r);
	put(&o, "\n", 1);
	return o.full ? FAULT_FULL : (long)(o.at - to);
}

int
record_digits(const char **at, const char *end, uint64_t *v)
{
	const char *s = *at;
	uint64_t n = 0;
	unsigned int d;

	while (s < end && *s >= '0' && *s <= '9') {
		d = (unsigned int)(*s - '0');
		if (n > (UINT64_MAX - d) / 10)
			return FAULT_DAMAGED;
		n = n * 10 + d;
		s++;
	}
	if (s == *at)
		return FAULT_DAMAGED;
	*at = s;
	*v = n;
	return 0;
}

/* A line being read. */
struct in {
	char *at; /* NULL behind the last field */
	char *end;
	int bad;
};

/* The next field; what is missing is bad. */
static struct record_span
take(struct in *in)
{
	struct record_span s = { "", 0 };
	char *tab;

	if (in->at == NULL) {
		in->bad = 1;
		return s;
	}
	tab = memchr(in->at, '\t', (size_t)(in->end - in->at));
	s.s = in->at;
	s.len = (size_t)((tab == NULL ? in->end : tab) - in->at);
	in->at = tab == NULL ? NULL : tab + 1;
	return s;
}

/* The next field, where "-" stands for nothing. */
static struct record_span
take_span(struct in *in)
{
	struct record_span s = take(in);

	if (s.len == 0)
		in->bad = 1;
	if (s.len == 1 && s.s[0] == '-')
		s.len = 0;
	return s;
}

static uint64_t
take_number(struct in *in)
{
	struct record_span s = take(in);
	const char *at = s.s;
	uint64_t v = 0;

	if (record_digits(&at, s.s + s.len, &v) < 0 || at != s.s + s.len)
		in->bad = 1;
	return v;
}

static uint32_t
take_small(struct in *in)
{
	uint64_t v = take_number(in);

	if (v > UINT32_MAX)
		in->bad = 1;
	return (uint32_t)v;
}

static struct record_span
take_word(struct in *in)
{
	struct record_span s = take(in);

	if (s.len > LIMIT_RECORD_WORD || !is_word(s))
		in->bad = 1;
	return s;
}

static uint32_t
take_flags(struct in *in)
{
	struct record_span s = take_span(in);
	uint32_t flags = 0;
	size_t i;

	for (i = 0; i < s.len; i++) {
		if (s.s[i] < 'a' || s.s[i] > 'z')
			in->bad = 1;
		else
			flags |= RECORD_FLAG(s.s[i]);
	}
	return flags;
}

static int
hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* The next field, its escapes resolved where they stand. */
static struct record_span
take_text(struct in *in)
{
	char *from = in->at, *to = in->at;
	struct record_span s = take_span(in);
	const char *end = s.s + s.len;
	int hi, lo;

	if (in->bad || memchr(s.s, '\\', s.len) == NULL) {
		in->bad |= s.len > LIMIT_RECORD_TEXT;
		return s;
	}
	while (from < end) {
		if (*from != '\\') {
			*to++ = *from++;
			continue;
		}
		hi = end - from < 4 || from[1] != 'x' ? -1 : hex(from[2]);
		lo = hi < 0 ? -1 : hex(from[3]);
		if (lo < 0) {
			in->bad = 1;
			break;
		}
		*to++ = (char)(hi << 4 | lo);
		from += 4;
	}
	s.len = (size_t)(to - s.s);
	in->bad |= s.len > LIMIT_RECORD_TEXT;
	return s;
}

/* Read what follows the URL: 1, or 0 if the letter is unknown. */
static int
take_rest(struct in *in, struct record *r)
{
	switch (r->type) {
	case RECORD_ADMITTED:
		r->depth = take_small(in);
		r->lane = take_small(in);
		r->flags = take_flags(in);
		return 1;
	case RECORD_DONE:
		r->status = take_small(in);
		r->word = take_word(in);
		r->text = take_text(in);
		r->offset = take_number(in);
		r->length = take_number(in);
		return 1;
	case RECORD_FAILED:
		r->word = take_word(in);
		r->status = take_small(in);
		r->attempts = take_small(in);
		return 1;
	case RECORD_HOST:
		r->word = take_word(in);
		r->text = take_text(in);
		return 1;
	case RECORD_FOLDED:
		r->text = take_text(in);
		return 1;
	case RECORD_AGAIN:
		r->word = take_word(in);
		r->depth = take_small(in);
		r->lane = take_small(in);
		r->flags = take_flags(in);
		return 1;
	case RECORD_DROPPED:
	case RECORD_SCOPE:
		r->word = take_word(in);
		return 1;
	default:
		return 0;
	}
}

int
record_parse(struct record *r, char *line, size_t len)
{
	struct in in = { line, line + len, 0 };
	struct record_span type = take(&in);

	memset(r, 0, sizeof *r);
	if (type.len != 1 || (type.s[0] | 0x20) < 'a' ||
	    (type.s[0] | 0x20) > 'z')
		return FAULT_DAMAGED;
	r->type = type.s[0];
	if (strchr("ADFXRSHd", r->type) == NULL)
		return 0;
	r->ordinal = take_number(&in);
	r->url = take_span(&in);
	if (in.bad || r->url.len > LIMIT_URL || !is_url(r->url))
		return FAULT_DAMAGED;
	(void)take_rest(&in, r);
	return in.bad ? FAULT_DAMAGED : 1;
}

int
record_unfold(const struct record *r, size_t *at, uint64_t *ordinal)
{
	const char *s = r->text.s, *d;
	size_t i = *at;
	uint64_t gap = 0;
	unsigned int shift = 0;

	/* `*at' is one more than the index of the next digit */
	if (i == 0) {
		*ordinal = r->ordinal;
		*at = 1;
		return 1;
	}
	if (i - 1 >= r->text.len)
		return 0;
	do {
		if (i - 1 >= r->text.len || shift > 60)
			return FAULT_DAMAGED;
		d = s[i - 1] == '\0' ? NULL : strchr(digits, s[i - 1]);
		if (d == NULL || (shift == 60 && d - digits > 15))
			return FAULT_DAMAGED;
		gap |= (uint64_t)((d - digits) & 31) << shift;
		shift += 5;
		i++;
	} while (d - digits >= 32);
	if (gap >= UINT64_MAX - *ordinal)
		return FAULT_DAMAGED;
	*ordinal += gap + 1;
	*at = i;
	return 1;
}

size_t
record_gap(char to[RECORD_GAP], uint64_t gap)
{
	size_t n = 0;

	while (gap >= 32) {
		to[n++] = digits[32 + (gap & 31)];
		gap >>= 5;
	}
	to[n++] = digits[gap];
	return n;
}
