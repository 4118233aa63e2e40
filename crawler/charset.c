/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "crawler/ascii.h"
#include "crawler/charset.h"
#include "crawler/utf8.h"
#include "snapshot/limits.h"

/*
 * The encodings with their labels (Encoding Standard, section 4.2).  The two
 * that most pages are in stand first, because the list is searched in order.
 */
/* clang-format off */
static const struct charset charsets[] = {
	{ "UTF-8", NULL, CHARSET_UTF_8, 0,
	    "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 "
	    "utf8 x-unicode20utf8" },
	{ "windows-1252", NULL, CHARSET_WINDOWS_1252, 0,
	    "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 "
	    "iso-8859-1 iso-ir-100 iso8859-1 iso88591 iso_8859-1 "
	    "iso_8859-1:1987 l1 latin1 us-ascii windows-1252 "
	    "x-cp1252" },
	{ "Big5", "BIG5-HKSCS", CHARSET_ICONV, 0,
	    "big5 big5-hkscs cn-big5 csbig5 x-x-big5" },
	{ "EUC-JP", "EUC-JP-MS", CHARSET_ICONV, 0,
	    "cseucpkdfmtjapanese euc-jp x-euc-jp" },
	{ "EUC-KR", "CP949", CHARSET_ICONV, 0,
	    "cseuckr csksc56011987 euc-kr iso-ir-149 korean "
	    "ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 "
	    "windows-949" },
	{ "gb18030", "GB18030", CHARSET_ICONV, 0,
	    "gb18030" },
	{ "GBK", "GB18030", CHARSET_ICONV, 0,
	    "chinese csgb2312 csiso58gb231280 gb2312 gb_2312 "
	    "gb_2312-80 gbk iso-ir-58 x-gbk" },
	{ "IBM866", "IBM866", CHARSET_ICONV, 0,
	    "866 cp866 csibm866 ibm866" },
	{ "ISO-2022-JP", "ISO-2022-JP", CHARSET_ICONV, 0,
	    "csiso2022jp iso-2022-jp" },
	{ "ISO-8859-10", "ISO-8859-10", CHARSET_ICONV, 0,
	    "csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 "
	    "l6 latin6" },
	{ "ISO-8859-13", "ISO-8859-13", CHARSET_ICONV, 0,
	    "iso-8859-13 iso8859-13 iso885913" },
	{ "ISO-8859-14", "ISO-8859-14", CHARSET_ICONV, 0,
	    "iso-8859-14 iso8859-14 iso885914" },
	{ "ISO-8859-15", "ISO-8859-15", CHARSET_ICONV, 0,
	    "csisolatin9 iso-8859-15 iso8859-15 iso885915 "
	    "iso_8859-15 l9" },
	{ "ISO-8859-16", "ISO-8859-16", CHARSET_ICONV, 0,
	    "iso-8859-16" },
	{ "ISO-8859-2", "ISO-8859-2", CHARSET_ICONV, 0,
	    "csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 "
	    "iso_8859-2 iso_8859-2:1987 l2 latin2" },
	{ "ISO-8859-3", "ISO-8859-3", CHARSET_ICONV, 0,
	    "csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 "
	    "iso_8859-3 iso_8859-3:1988 l3 latin3" },
	{ "ISO-8859-4", "ISO-8859-4", CHARSET_ICONV, 0,
	    "csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 "
	    "iso_8859-4 iso_8859-4:1988 l4 latin4" },
	{ "ISO-8859-5", "ISO-8859-5", CHARSET_ICONV, 0,
	    "csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 "
	    "iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988" },
	{ "ISO-8859-6", "ISO-8859-6", CHARSET_ICONV, 0,
	    "arabic asmo-708 csiso88596e csiso88596i "
	    "csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e "
	    "iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 "
	    "iso_8859-6:1987" },
	{ "ISO-8859-7", "ISO-8859-7", CHARSET_ICONV, 0,
	    "csisolatingreek ecma-118 elot_928 greek greek8 "
	    "iso-8859-7 iso-ir-126 iso8859-7 iso88597 iso_8859-7 "
	    "iso_8859-7:1987 sun_eu_greek" },
	{ "ISO-8859-8", "ISO-8859-8", CHARSET_ICONV, 0,
	    "csiso88598e csisolatinhebrew hebrew iso-8859-8 "
	    "iso-8859-8-e iso-ir-138 iso8859-8 iso88598 iso_8859-8 "
	    "iso_8859-8:1988 visual" },
	{ "ISO-8859-8-I", "ISO-8859-8", CHARSET_ICONV, 0,
	    "csiso88598i iso-8859-8-i logical" },
	{ "KOI8-R", "KOI8-R", CHARSET_ICONV, 0,
	    "cskoi8r koi koi8 koi8-r koi8_r" },
	{ "KOI8-U", "KOI8-U", CHARSET_ICONV, 0,
	    "koi8-ru koi8-u" },
	{ "macintosh", "MACINTOSH", CHARSET_ICONV, 0,
	    "csmacintosh mac macintosh x-mac-roman" },
	{ "replacement", NULL, CHARSET_REPLACEMENT, 0,
	    "csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext "
	    "iso-2022-kr replacement" },
	{ "Shift_JIS", "WINDOWS-31J", CHARSET_ICONV, 0,
	    "csshiftjis ms932 ms_kanji shift-jis shift_jis sjis "
	    "windows-31j x-sjis" },
	{ "UTF-16BE", "UTF-16BE", CHARSET_ICONV, 1,
	    "unicodefffe utf-16be" },
	{ "UTF-16LE", "UTF-16LE", CHARSET_ICONV, 1,
	    "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff "
	    "utf-16 utf-16le" },
	{ "windows-1250", "CP1250", CHARSET_ICONV, 0,
	    "cp1250 windows-1250 x-cp1250" },
	{ "windows-1251", "CP1251", CHARSET_ICONV, 0,
	    "cp1251 windows-1251 x-cp1251" },
	{ "windows-1253", "CP1253", CHARSET_ICONV, 0,
	    "cp1253 windows-1253 x-cp1253" },
	{ "windows-1254", "CP1254", CHARSET_ICONV, 0,
	    "cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 "
	    "iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5 "
	    "windows-1254 x-cp1254" },
	{ "windows-1255", "CP1255", CHARSET_ICONV, 0,
	    "cp1255 windows-1255 x-cp1255" },
	{ "windows-1256", "CP1256", CHARSET_ICONV, 0,
	    "cp1256 windows-1256 x-cp1256" },
	{ "windows-1257", "CP1257", CHARSET_ICONV, 0,
	    "cp1257 windows-1257 x-cp1257" },
	{ "windows-1258", "CP1258", CHARSET_ICONV, 0,
	    "cp1258 windows-1258 x-cp1258" },
	{ "windows-874", "CP874", CHARSET_ICONV, 0,
	    "dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 "
	    "windows-874" },
	{ "x-mac-cyrillic", "MAC-CYRILLIC", CHARSET_ICONV, 0,
	    "x-mac-cyrillic x-mac-ukrainian" },
	{ "x-user-defined", NULL, CHARSET_USER_DEFINED, 0,
	    "x-user-defined" },
};
/* clang-format on */

#define CHARSETS (sizeof charsets / sizeof charsets[0])

static const struct charset *const utf_8 = &charsets[0];
static const struct charset *const windows_1252 = &charsets[1];

/* 1 if the label is one of those in `list'. */
static int
listed(const char *list, const char *label, size_t len)
{
	const char *end = list + strlen(list), *word;
	size_t n;

	for (;;) {
		word = ascii_word(&list, end, &n);
		if (word == NULL)
			return 0;
		if (n == len && ascii_same(word, label, len))
			return 1;
	}
}

const struct charset *
charset_find(const char *label, size_t len)
{
	size_t i;

	ascii_trim(&label, &len);
	if (len == 0)
		return NULL;
	for (i = 0; i < CHARSETS; i++)
		if (listed(charsets[i].labels, label, len))
			return &charsets[i];
	return NULL;
}

/*
 * The value of a MIME parameter from `p' on, which stands after the "=".
 * Returns where it ends; escapes in a quoted one are left as they are, as no
 * label has any.
 */
static const char *
parameter(const char *p, const char *end, const char **value, size_t *len)
{
	if (p < end && *p == '"') {
		*value = ++p;
		while (p < end && *p != '"')
			p += p + 1 < end && *p == '\\' ? 2 : 1;
		*len = (size_t)(p - *value);
		while (p < end && *p != ';')
			p++;
		return p;
	}
	*value = p;
	while (p < end && *p != ';')
		p++;
	*len = (size_t)(p - *value);
	return p;
}

const struct charset *
charset_of_type(const char *value, size_t len)
{
	const char *p = value, *end = value + len, *name, *text;
	size_t n, text_len;

	while (p < end && *p != ';')
		p++;
	while (p < end) {
		for (name = ++p; p < end && *p != ';' && *p != '='; p++)
			continue;
		if (p == end || *p == ';')
			continue;
		n = (size_t)(p - name);
		ascii_trim(&name, &n);
		p = parameter(p + 1, end, &text, &text_len);
		if (ascii_is(name, n, "charset"))
			return charset_find(text, text_len);
	}
	return NULL;
}

/*
 * What "charset=" in the content of a meta element names ("algorithm for
 * extracting a character encoding from a meta element").
 */
static const struct charset *
of_content(const char *p, size_t len)
{
	const char *end = p + len, *start;
	char quote;

	for (;;) {
		while (end - p >= 7 && !ascii_same(p, "charset", 7))
			p++;
		if (end - p < 7)
			return NULL;
		p += 7;
		while (p < end && ascii_blank(*p))
			p++;
		if (p < end && *p == '=')
			break;
	}
	p++;
	while (p < end && ascii_blank(*p))
		p++;
	if (p == end)
		return NULL;
	if (*p == '"' || *p == '\'') {
		quote = *p;
		start = p + 1;
		p = memchr(start, quote, (size_t)(end - start));
		return p == NULL ? NULL :
				   charset_find(start, (size_t)(p - start));
	}
	for (start = p; p < end && !ascii_blank(*p) && *p != ';'; p++)
		continue;
	return charset_find(start, (size_t)(p - start));
}

/* An attribute as it stands in the bytes, and where reading goes on. */
struct attr {
	const char *name, *value;
	size_t name_len, value_len;
};

/* From after the "=": read the value into `a', return where it ends. */
static const char *
attr_value(const char *p, const char *end, struct attr *a)
{
	char quote;

	while (p < end && ascii_blank(*p))
		p++;
	if (p < end && (*p == '"' || *p == '\'')) {
		quote = *p++;
		for (a->value = p; p < end && *p != quote; p++)
			continue;
		a->value_len = (size_t)(p - a->value);
		return p < end ? p + 1 : p;
	}
	for (a->value = p; p < end && !ascii_blank(*p) && *p != '>'; p++)
		continue;
	a->value_len = (size_t)(p - a->value);
	return p;
}

/*
 * "Get an attribute": reads the next one at `*p' into `a'.  0 when the tag
 * (or the input) ends instead.
 */
static int
attr_next(const char **at, const char *end, struct attr *a)
{
	const char *p = *at;

	while (p < end && (ascii_blank(*p) || *p == '/'))
		p++;
	*at = p;
	if (p == end || *p == '>')
		return 0;
	/* an "=" in front belongs to the name */
	for (a->name = p; p < end; p++)
		if ((*p == '=' && p != a->name) || ascii_blank(*p) ||
		    *p == '/' || *p == '>')
			break;
	a->name_len = (size_t)(p - a->name);
	a->value = p;
	a->value_len = 0;
	while (p < end && ascii_blank(*p))
		p++;
	if (p < end && *p == '=')
		p = attr_value(p + 1, end, a);
	*at = p;
	return 1;
}

/*
 * A meta tag whose attributes start at `*p': the encoding it declares.  What
 * counts is the first attribute of each name.
 */
static const struct charset *
of_meta(const char **p, const char *end)
{
	const struct charset *cs = NULL, *in_content = NULL;
	int pragma = 0, have_pragma = 0, have_content = 0, have_charset = 0;
	struct attr a;

	while (attr_next(p, end, &a)) {
		if (ascii_is(a.name, a.name_len, "http-equiv")) {
			if (!have_pragma)
				pragma = ascii_is(a.value, a.value_len,
				    "content-type");
			have_pragma = 1;
		} else if (ascii_is(a.name, a.name_len, "content")) {
			if (!have_content)
				in_content = of_content(a.value, a.value_len);
			have_content = 1;
		} else if (ascii_is(a.name, a.name_len, "charset")) {
			if (!have_charset)
				cs = charset_find(a.value, a.value_len);
			have_charset = 1;
		}
	}
	if (*p == end)
		return NULL; /* cut short: not a tag yet */
	if (!have_charset && pragma)
		cs = in_content;
	if (cs == NULL)
		return NULL;
	/* who can read the meta element does not read UTF-16 */
	if (cs->utf16)
		return utf_8;
	return cs->kind == CHARSET_USER_DEFINED ? windows_1252 : cs;
}

/*
 * Step over the markup that starts at `p' (a "<"): a comment, a tag with its
 * attributes, or anything else up to ">".  `cs' is set by a meta tag.
 */
static const char *
step(const char *p, const char *end, const struct charset **cs)
{
	struct attr a;
	size_t left = (size_t)(end - p);

	if (left >= 4 && memcmp(p, "<!--", 4) == 0) {
		/* the two dashes may be those of the start: "<!-->" */
		for (p += 2; end - p >= 3; p++)
			if (memcmp(p, "-->", 3) == 0)
				return p + 3;
		return end;
	}
	if (left >= 6 && ascii_is(p + 1, 4, "meta") &&
	    (ascii_blank(p[5]) || p[5] == '/')) {
		p += 5;
		*cs = of_meta(&p, end);
		return p;
	}
	if (left >= 2 &&
	    (ascii_alpha(p[1]) ||
		(left >= 3 && p[1] == '/' && ascii_alpha(p[2])))) {
		while (p < end && !ascii_blank(*p) && *p != '>')
			p++;
		while (attr_next(&p, end, &a))
			continue;
		return p;
	}
	if (left >= 2 && (p[1] == '!' || p[1] == '/' || p[1] == '?')) {
		p = memchr(p, '>', left);
		return p == NULL ? end : p;
	}
	return p + 1;
}

/*
 * What an XML declaration at the very start names ("XML encoding", HTML
 * Standard section 13.2.3.2), also where it is itself in UTF-16.
 */
static const struct charset *
of_xml(const char *p, size_t len)
{
	const char *end, *start;
	const struct charset *cs;
	char quote;

	if (len >= 6 && memcmp(p, "<\0?\0x\0", 6) == 0)
		return charset_find("utf-16le", 8);
	if (len >= 6 && memcmp(p, "\0<\0?\0x", 6) == 0)
		return charset_find("utf-16be", 8);
	if (len < 5 || memcmp(p, "<?xml", 5) != 0)
		return NULL;
	end = memchr(p, '>', len);
	if (end == NULL)
		return NULL;
	while (end - p >= 8 && memcmp(p, "encoding", 8) != 0)
		p++;
	if (end - p < 8)
		return NULL;
	for (p += 8; p < end && (unsigned char)*p <= 0x20; p++)
		continue;
	if (p == end || *p != '=')
		return NULL;
	for (p++; p < end && (unsigned char)*p <= 0x20; p++)
		continue;
	if (p == end || (*p != '"' && *p != '\''))
		return NULL;
	quote = *p;
	start = p + 1;
	p = memchr(start, quote, (size_t)(end - start));
	if (p == NULL)
		return NULL;
	cs = charset_find(start, (size_t)(p - start));
	return cs != NULL && cs->utf16 ? utf_8 : cs;
}

const struct charset *
charset_prescan(const char *body, size_t len)
{
	const struct charset *cs = NULL;
	const char *p = body, *end;

	if (len > LIMIT_META)
		len = LIMIT_META;
	end = body + len;
	while (p < end && cs == NULL) {
		p = memchr(p, '<', (size_t)(end - p));
		if (p == NULL)
			break;
		p = step(p, end, &cs);
	}
	return cs != NULL ? cs : of_xml(body, len);
}

const struct charset *
charset_settle(const char *body, size_t len, const char *type, size_t type_len,
    size_t *bom)
{
	const struct charset *cs = NULL;

	*bom = 2;
	if (len >= 2 && memcmp(body, "\xff\xfe", 2) == 0)
		return charset_find("utf-16le", 8);
	if (len >= 2 && memcmp(body, "\xfe\xff", 2) == 0)
		return charset_find("utf-16be", 8);
	*bom = 3;
	if (len >= 3 && memcmp(body, "\xef\xbb\xbf", 3) == 0)
		return utf_8;
	*bom = 0;
	if (type != NULL)
		cs = charset_of_type(type, type_len);
	if (cs == NULL)
		cs = charset_prescan(body, len);
	if (cs == NULL)
		cs = utf8_valid(body, len) ? utf_8 : windows_1252;
	return cs;
}
