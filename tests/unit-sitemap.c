/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>
#include <time.h>
#include <zlib.h>

#include "crawler/sitemap.h"
#include "crawler/sitemapvalue.h"
#include "snapshot/limits.h"
#include "tests/tap.h"

#define OPEN  "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'>"
#define CLOSE "</urlset>"

/* Entries as text: "U loc\n" or "M loc\n" each. */
struct list {
	char s[1024];
	size_t len;
	size_t n;
	int stop; /* what to answer, once `n' is 1 */
};

static int
take(void *arg, const struct sitemap_entry *e)
{
	struct list *l = arg;

	l->n++;
	if (l->len + e->len + 4 < sizeof l->s)
		l->len += (size_t)snprintf(l->s + l->len, sizeof l->s - l->len,
		    "%c %.*s\n", e->kind == SITEMAP_MAP ? 'M' : 'U',
		    (int)e->len, e->loc);
	return l->stop;
}

static void
try(struct tap *t, const char *xml, size_t len, int want_rc, const char *want,
    const char *what)
{
	struct list l;
	int rc;

	memset(&l, 0, sizeof l);
	rc = sitemap_parse(xml, len, take, &l);
	if (!tap_ok(t, rc == want_rc && strcmp(l.s, want) == 0, "%s", what))
		tap_diag("%d (%s), %zu: %s", rc, fault_str(rc), l.n, l.s);
}

struct row {
	const char *what;
	const char *body;
	int rc;
	const char *want;
};

static const struct row rows[] = {
	{ "two URLs",
	    OPEN "<url><loc>http://x/1</loc></url>"
		 "<url><loc> http://x/2\n</loc></url>" CLOSE,
	    0, "U http://x/1\nU http://x/2\n" },
	{ "an index",
	    "<sitemapindex><sitemap><loc>http://x/s</loc></sitemap>"
	    "</sitemapindex>",
	    0, "M http://x/s\n" },
	{ "an image's location is no page's",
	    "<urlset xmlns='u' xmlns:i='i'><url><i:loc>http://x/i</i:loc>"
	    "<loc>http://x/1</loc><i:loc>http://x/i</i:loc></url></urlset>",
	    0, "U http://x/1\n" },
	{ "entities and character references",
	    OPEN "<url><loc>http://x/?a=1&amp;b=&#50;&#x33;</loc></url>" CLOSE,
	    0, "U http://x/?a=1&b=23\n" },
	{ "CDATA", OPEN "<url><loc><![CDATA[http://x/?a&b]]></loc></url>" CLOSE,
	    0, "U http://x/?a&b\n" },
	{ "a comment within",
	    OPEN "<url><loc>http://x/<!-- ... -->1</loc></url>" CLOSE, 0,
	    "U http://x/1\n" },
	{ "an empty location", OPEN "<url><loc> </loc></url>" CLOSE, 0, "" },
	{ "no location", OPEN "<url></url><url/>" CLOSE, 0, "" },
	{ "bare text for it",
	    OPEN "<url>http://x/1<priority>1</priority></url>"
		 "<url>words</url>" CLOSE,
	    0, "U http://x/1\n" },
	{ "bare text beside it",
	    OPEN "<url>http://x/1<loc>http://x/2</loc>http://x/3</url>" CLOSE,
	    0, "U http://x/2\n" },
	{ "RSS",
	    "<rss version='2.0'><channel><link>http://x/</link><item>"
	    "<guid>http://x/g</guid><link>http://x/1</link></item>"
	    "<item><guid>http://x/2</guid></item>"
	    "<item><guid isPermaLink='false'>http://x/3</guid></item>"
	    "</channel></rss>",
	    0, "U http://x/1\nU http://x/2\n" },
	{ "RSS with an Atom link first",
	    "<rss xmlns:a='http://www.w3.org/2005/Atom'><channel><item>"
	    "<a:link href='http://x/a'/><link>http://x/1</link></item>"
	    "</channel></rss>",
	    0, "U http://x/1\n" },
	{ "Atom",
	    "<feed xmlns='http://www.w3.org/2005/Atom'>"
	    "<link href='http://x/'/>"
	    "<entry><link rel='edit' href='http://x/e'/>"
	    "<link rel='alternate' href='http://x/1'/></entry></feed>",
	    0, "U http://x/1\n" },
	{ "text", "http://x/1\r\n\nftp://x/\nwords\nHTTPS://x/2", 0,
	    "U http://x/1\nU HTTPS://x/2\n" },
	{ "text with a byte order mark", "\xef\xbb\xbfhttp://x/1\n", 0,
	    "U http://x/1\n" },
	{ "text without a URL", "words\n", FAULT_MAGIC, "" },
	{ "nothing", "", FAULT_MAGIC, "" },
	{ "white space", " \n", FAULT_MAGIC, "" },
	{ "a web page", "<html><body><url><loc>http://x/</loc></url></body>",
	    FAULT_MAGIC, "" },
	{ "a tag that breaks off", "<ur", FAULT_MAGIC, "" },
	{ "space before the declaration",
	    "\n <?xml version='1.0'?>" OPEN
	    "<url><loc>http://x/1</loc></url>" CLOSE,
	    0, "U http://x/1\n" },
	{ "an entity of its own",
	    "<!DOCTYPE urlset [<!ENTITY e 'http://x/e'>]>" OPEN
	    "<url><loc>http://x/1</loc></url>" CLOSE,
	    FAULT_DAMAGED, "" },
	{ "an external entity",
	    "<!DOCTYPE urlset [<!ENTITY e SYSTEM 'file:///etc/passwd'>]>" OPEN
	    "<url><loc>&e;</loc></url>" CLOSE,
	    FAULT_DAMAGED, "" },
	{ "a parameter entity",
	    "<!DOCTYPE urlset "
	    "[<!ENTITY % e SYSTEM 'file:///etc/passwd'>%e;]>" OPEN
	    "<url><loc>http://x/1</loc></url>" CLOSE,
	    FAULT_DAMAGED, "" },
	{ "an external DTD is not read",
	    "<!DOCTYPE urlset SYSTEM 'file:///nowhere/x.dtd'>" OPEN
	    "<url><loc>http://x/1</loc></url>" CLOSE,
	    0, "U http://x/1\n" },
	{ "cut within the end of a location",
	    OPEN "<url><loc>http://x/1</loc></url><url><loc>http://x/2</lo",
	    FAULT_TRUNCATED, "U http://x/1\nU http://x/2\n" },
	{ "cut within a location", OPEN "<url><loc>http://x/1", FAULT_TRUNCATED,
	    "" },
	{ "cut behind a location", OPEN "<url><loc>http://x/1</loc><lastmod>20",
	    FAULT_TRUNCATED, "U http://x/1\n" },
	{ "cut within CDATA", OPEN "<url><loc><![CDATA[http://x/1",
	    FAULT_TRUNCATED, "" },
	{ "damage keeps what stands before it",
	    OPEN "<url><loc>http://x/1</loc></url></oops>", FAULT_DAMAGED,
	    "U http://x/1\n" },
	{ "Latin 1",
	    "<?xml version='1.0' encoding='ISO-8859-1'?>" OPEN
	    "<url><loc>http://x/\xe4</loc></url>" CLOSE,
	    0, "U http://x/\xc3\xa4\n" },
	{ "a byte that its encoding lacks",
	    "<?xml version='1.0' encoding='EUC-JP'?>" OPEN
	    "<url><loc>http://x/1</loc></url>"
	    "<url><loc>http://x/\xff</loc></url>" CLOSE,
	    FAULT_DAMAGED, "U http://x/1\n" },
};

static void
table(struct tap *t)
{
	size_t i;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++)
		try(t, rows[i].body, strlen(rows[i].body), rows[i].rc,
		    rows[i].want, rows[i].what);
}

/* A document in UTF-16 with a byte order mark. */
static void
wide(struct tap *t)
{
	static const char xml[] = OPEN "<url><loc>http://x/1</loc></url>" CLOSE;
	char w[2 * sizeof xml + 2] = { '\xff', '\xfe' };
	size_t i;

	for (i = 0; i < sizeof xml - 1; i++)
		w[2 + 2 * i] = xml[i];
	try(t, w, 2 * sizeof xml, 0, "U http://x/1\n", "UTF-16");
}

static size_t
pack(unsigned char *out, size_t room, const char *s, size_t len)
{
	z_stream z;

	memset(&z, 0, sizeof z);
	if (deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) !=
	    Z_OK)
		abort();
	z.next_in = (unsigned char *)(uintptr_t)s;
	z.avail_in = (uInt)len;
	z.next_out = out;
	z.avail_out = (uInt)room;
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		abort();
	deflateEnd(&z);
	return room - z.avail_out;
}

static void
packed(struct tap *t)
{
	static const char a[] = OPEN "<url><loc>http://x/1</loc></url>";
	static const char b[] = "<url><loc>http://x/2</loc></url>" CLOSE;
	unsigned char out[512];
	size_t n, m;

	n = pack(out, sizeof out, a, strlen(a));
	m = n + pack(out + n, sizeof out - n, b, strlen(b));
	try(t, (char *)out, m, 0, "U http://x/1\nU http://x/2\n",
	    "gzip, two members");
	try(t, (char *)out, n, FAULT_TRUNCATED, "U http://x/1\n",
	    "the first alone");
	try(t, (char *)out, n + 20, FAULT_TRUNCATED, "U http://x/1\n",
	    "the second cut");
	out[m] = 'x';
	try(t, (char *)out, m + 1, 0, "U http://x/1\nU http://x/2\n",
	    "a byte behind it");
	out[n / 2] ^= 0x55;
	try(t, (char *)out, n, FAULT_DAMAGED, "", "damage in the middle");
}

/* `head', `unit' until there are `size' bytes or more, `foot'. */
static char *
repeat(const char *head, const char *unit, const char *foot, size_t size,
    size_t *len)
{
	size_t h = strlen(head), u = strlen(unit), f = strlen(foot);
	size_t n = (size + u - 1) / u, i;
	char *s = malloc(h + n * u + f + 1);

	if (s == NULL)
		abort();
	memcpy(s, head, h);
	for (i = 0; i < n; i++)
		memcpy(s + h + i * u, unit, u);
	memcpy(s + h + n * u, foot, f + 1);
	*len = h + n * u + f;
	return s;
}

static void
bomb(struct tap *t)
{
	size_t len, n;
	char *xml =
	    repeat(OPEN "<!--", "          ", "-->" CLOSE, 20000000, &len);
	unsigned char *out = malloc(len);
	struct list l;

	if (out == NULL)
		abort();
	n = pack(out, len, xml, len);
	memset(&l, 0, sizeof l);
	tap_ok(t, sitemap_parse(out, n, take, &l) == FAULT_TOOBIG,
	    "%zu bytes that unpack to %zu are refused", n, len);
	free(xml);
	free(out);
}

static double
seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Each in bounded time, with this fault and so many entries. */
static void
bounded(struct tap *t, char *xml, size_t len, int rc, size_t n,
    const char *what)
{
	double took = seconds();
	struct list l;
	int got;

	memset(&l, 0, sizeof l);
	got = sitemap_parse(xml, len, take, &l);
	took = seconds() - took;
	if (!tap_ok(t, got == rc && l.n == n && took < 20, "%s", what))
		tap_diag("%d, %zu entries", got, l.n);
	tap_diag("%zu bytes in %.3f s", len, took);
	free(xml);
}

/* A tag with as many attributes as there is room for. */
static void
many_attributes(char *tag, size_t size)
{
	size_t n = 2;
	unsigned int i;

	memcpy(tag, "<u", 2);
	for (i = 0; n + 20 < size; i++)
		n += (size_t)snprintf(tag + n, size - n, " a%x=''", i);
	memcpy(tag + n, "/>", 3);
}

static void
hostile(struct tap *t)
{
	char *xml, tag[LIMIT_SITEMAP_TAG];
	size_t len;

	xml = repeat(OPEN, "<url><loc>http://x/1</loc></url>", CLOSE,
	    32 * (LIMIT_SITEMAP_URLS + 1), &len);
	bounded(t, xml, len, FAULT_FULL, LIMIT_SITEMAP_URLS, "too many URLs");
	xml = repeat(OPEN, "<url>", "", 5 * 1000, &len);
	bounded(t, xml, len, FAULT_TOOBIG, 0, "too deep");
	xml = repeat(OPEN "<url><loc>http://x/", "aaaaaaaa",
	    "</loc></url><url><loc>http://x/1</loc></url>" CLOSE, LIMIT_LINE,
	    &len);
	bounded(t, xml, len, 0, 1,
	    "a location beyond the limit is passed over");
	xml = repeat(OPEN "<url ", "a=''\n", "/>" CLOSE, 10000000, &len);
	bounded(t, xml, len, FAULT_TOOBIG, 0, "a tag without end");
	many_attributes(tag, sizeof tag);
	xml = repeat(OPEN, tag, CLOSE, 50000000, &len);
	bounded(t, xml, len, FAULT_TOOBIG, 0, "too many attributes");
	xml = repeat("", "http://x/\n", "", LIMIT_SITEMAP + 1, &len);
	bounded(t, xml, len, FAULT_TOOBIG, 0, "too long a file");
	xml = repeat(OPEN "<!--", "aaaaaaaaaaaaaaaaaaaa", "", 5000000, &len);
	bounded(t, xml, len, FAULT_TOOBIG, 0, "a comment without end");
}

static void
stopped(struct tap *t)
{
	static const char xml[] = OPEN "<url><loc>http://x/1</loc></url>"
				       "<url><loc>http://x/2</loc></url>" CLOSE;
	static const char text[] = "http://x/1\nhttp://x/2\n";
	struct list l;

	memset(&l, 0, sizeof l);
	l.stop = FAULT_LOCKED;
	tap_ok(t,
	    sitemap_parse(xml, strlen(xml), take, &l) == FAULT_LOCKED &&
		l.n == 1,
	    "the callback can end it");
	l.n = 0;
	tap_ok(t,
	    sitemap_parse(text, strlen(text), take, &l) == FAULT_LOCKED &&
		l.n == 1,
	    "in text as well");
}

static void
dates(struct tap *t)
{
	static const struct {
		const char *s;
		int64_t want;
	} rows_[] = {
		{ "1970-01-01", 0 },
		{ "2000-02-29T12:00:01Z", 951825601 },
		{ "2004-12-23T18:00:15+00:00", 1103824815 },
		{ "2015-05-03T18:51:50+01:00", 1430675510 },
		{ "2015-05-03T18:51:50.123-0130", 1430684510 },
		{ "2100-03-01", 4107542400 },
		{ "2024", 1704067200 },
		{ " 2024-12 ", 1733011200 },
		{ "2024-12-31T25:00", 1735603200 },
		{ "Sat, 07 Sep 2002 00:00:01 GMT", 1031356801 },
		{ "1969-12-31", -1 },
		{ "2024-13-01", -1 },
		{ "yesterday", -1 },
		{ "", -1 },
	};
	int64_t got;
	size_t i;

	for (i = 0; i < sizeof rows_ / sizeof rows_[0]; i++) {
		got = sitemapvalue_date(rows_[i].s);
		tap_ok(t, got == rows_[i].want, "date '%s': %lld", rows_[i].s,
		    (long long)got);
	}
}

static void
priorities(struct tap *t)
{
	tap_ok(t, sitemapvalue_priority(" 0.8\n") == 800, "0.8");
	tap_ok(t, sitemapvalue_priority("1") == 1000, "1");
	tap_ok(t, sitemapvalue_priority(".25") == 250, ".25");
	tap_ok(t, sitemapvalue_priority("1.1") == -1, "1.1 is none");
	tap_ok(t, sitemapvalue_priority("99999999999") == -1, "nor this");
	tap_ok(t, sitemapvalue_priority("-0.5") == -1, "nor -0.5");
	tap_ok(t, sitemapvalue_priority("high") == -1, "nor 'high'");
}

int
main(void)
{
	struct tap t = { 0, 0 };

	table(&t);
	wide(&t);
	packed(&t);
	bomb(&t);
	hostile(&t);
	stopped(&t);
	dates(&t);
	priorities(&t);
	return tap_done(&t);
}
