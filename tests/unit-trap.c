/* SPDX-License-Identifier: BSD-2-Clause */

/* tests/data/trap.tsv, and counting. */

#include "config.h"

#include "frontier/sketch.h"
#include "frontier/trap.h"
#include "snapshot/limits.h"
#include "tests/membuf.h"
#include "tests/tap.h"
#include "tests/tsv.h"

#define BITS 16

/* Write out what a row says in short; the length. */
static size_t
expand(const char *s, char *to, size_t room)
{
	size_t n = 0;
	char *end;

	while (*s != '\0' && n + 1 < room) {
		unsigned long times;
		size_t len;

		if (*s != '{') {
			to[n++] = *s++;
			continue;
		}
		times = strtoul(s + 1, &end, 10);
		len = strcspn(++end, "}");
		for (; times > 0 && n + len < room; times--, n += len)
			memcpy(to + n, end, len);
		s = end + len + 1;
	}
	to[n] = '\0';
	return n;
}

static void
rows(struct tap *t)
{
	const char *top = getenv("top_srcdir"), *got;
	struct trap_opts o;
	struct url_span u;
	struct url_parts p;
	char text[8192], dir[1024];
	struct tsv v;

	trap_defaults(&o);
	snprintf(dir, sizeof dir, "%s/tests/data", top == NULL ? "." : top);
	if (!tap_ok(t, tsv_open(&v, dir, "trap.tsv") == 0, "the table"))
		return;
	while (tsv_next(&v)) {
		u.s = text;
		u.len = expand(v.col[0], text, sizeof text);
		got = "no URL";
		if (url_split(u, &p) == 0)
			got = trap_verdict_str(trap_check(&o, u, &p));
		tap_ok(t, strcmp(got, v.col[1]) == 0, "row %u: %s is %s", v.row,
		    v.col[0], got);
	}
	tsv_close(&v);
}

/* With every check off nothing is a trap. */
static void
off(struct tap *t)
{
	struct trap_opts o;
	struct url_span u;
	struct url_parts p;
	char text[20000];

	memset(&o, 0, sizeof o);
	u.s = text;
	u.len = expand("http://a/{1000*more/}?{1000*a=1&}", text, sizeof text);
	tap_ok(t, url_split(u, &p) == 0 && trap_check(&o, u, &p) == TRAP_NONE,
	    "all off");
}

static enum trap_verdict
count(struct trap *c, const char *url, uint32_t hops)
{
	struct url_span u;
	struct url_parts p;

	u.s = url;
	u.len = strlen(url);
	if (url_split(u, &p) < 0)
		return TRAP_VERDICTS;
	return trap_count(c, u, &p, hops);
}

/* Count URLs like `form' ("#" a number, "@" a hex word, both new each time);
   how many until `v', or -1. */
static long
until(struct trap *c, const char *form, enum trap_verdict v, long most)
{
	char url[256];

	for (long i = 0; i < most; i++) {
		size_t n = 0;

		for (const char *p = form; *p != '\0'; p++)
			if (*p == '#')
				n += (size_t)snprintf(url + n, 32, "%ld", i);
			else if (*p == '@')
				n += (size_t)snprintf(url + n, 32, "%08lx",
				    (i + 1) * 2654435761UL & 0xffffffff);
			else
				url[n++] = *p;
		url[n] = '\0';
		if (count(c, url, 0) == v)
			return i;
	}
	return -1;
}

static void
counting(struct tap *t)
{
	struct trap_opts o;
	struct trap *c;

	trap_defaults(&o);
	o.shape = 100;
	o.facets = 50;
	o.hops = 20;
	c = trap_new(&o, BITS, 5);
	if (!tap_ok(t, c != NULL, "a trap"))
		return;
	tap_ok(t, until(c, "http://a/c/#/05", TRAP_SHAPE, 1000) == 100,
	    "a calendar's years");
	tap_ok(t, until(c, "http://a/#/@", TRAP_SHAPE, 1000) < 150,
	    "session ids");
	tap_ok(t, count(c, "http://b/c/1/05", 0) == TRAP_NONE,
	    "another host's are its own");
	tap_ok(t, count(c, "http://a/c/x/05", 0) == TRAP_NONE,
	    "so is another shape");
	tap_ok(t, until(c, "http://a/f?#=@", TRAP_FACETS, 1000) == 50,
	    "queries of one path");
	tap_ok(t, count(c, "http://a/g?5=1", 0) == TRAP_NONE,
	    "another path has its own");
	tap_ok(t,
	    count(c, "http://a/c/77777/05", 20) == TRAP_SHAPE &&
		count(c, "http://a/c/77777/05", 21) == TRAP_HOPS &&
		count(c, "http://a/new/word", 21) == TRAP_NONE,
	    "far from the seeds, what is many is refused");
	tap_ok(t,
	    trap_refused(TRAP_HOPS) && trap_refused(TRAP_LENGTH) &&
		!trap_refused(TRAP_SHAPE) && !trap_refused(TRAP_FACETS) &&
		!trap_refused(TRAP_NONE),
	    "what is refused");
	trap_free(c);
}

/* However many different keys come, hardly any seems to come often. */
static void
sketch(struct tap *t)
{
	struct urlkey_hasher h;
	struct sketch s;
	struct urlkey k;
	uint32_t many = 0, low = 0;
	const char often[] = "often";

	urlkey_init(&h, 3);
	tap_ok(t,
	    sketch_init(&s, 9) == FAULT_ARG && sketch_init(&s, 29) == FAULT_ARG,
	    "sizes out of range");
	if (!tap_ok(t, sketch_init(&s, SKETCH_LEAST) == 0, "a sketch"))
		return;
	for (uint32_t i = 0; i < 300; i++) {
		k = urlkey_of(&h, &i, sizeof i);
		for (uint32_t n = 0; n <= i % 7; n++)
			sketch_add(&s, k);
	}
	for (uint32_t i = 0; i < 300; i++)
		low += sketch_get(&s, urlkey_of(&h, &i, sizeof i)) < i % 7 + 1;
	tap_ok(t, low == 0, "never too low");
	for (uint32_t i = 0; i < 1000000; i++) {
		k = urlkey_of(&h, &i, sizeof i);
		many += sketch_get(&s, k) >= LIMIT_TRAP_FACETS;
		sketch_add(&s, k);
		if (i % 100 == 0)
			sketch_add(&s, urlkey_of(&h, often, sizeof often));
	}
	tap_ok(t, many < 1000, "of a million keys %u seem to come often", many);
	tap_ok(t, sketch_get(&s, urlkey_of(&h, often, sizeof often)) > 600,
	    "and one that keeps coming: %u",
	    sketch_get(&s, urlkey_of(&h, often, sizeof often)));
	sketch_free(&s);
}

static void
image(struct tap *t)
{
	struct membuf m = { .most = (4 << BITS) + 64 };
	struct trap_opts o;
	struct trap *c, *d, *other;

	trap_defaults(&o);
	c = trap_new(&o, BITS, 5);
	d = trap_new(&o, BITS, 6);
	other = trap_new(&o, BITS + 1, 6);
	if (c == NULL || d == NULL || other == NULL)
		return;
	(void)until(c, "http://a/#/", TRAP_SHAPE, 700);
	tap_ok(t,
	    trap_save(c, membuf_put, &m) == 0 &&
		trap_load(d, membuf_get, &m) == 0,
	    "saved and loaded");
	tap_ok(t, until(d, "http://a/#/", TRAP_SHAPE, 2000) == 300,
	    "it goes on where it was");
	m.at = 0;
	tap_ok(t, trap_load(other, membuf_get, &m) == FAULT_MISMATCH,
	    "another size is a fault");
	m.at = 0;
	m.len--;
	tap_ok(t,
	    trap_load(d, membuf_get, &m) == FAULT_TRUNCATED &&
		until(d, "http://a/#/", TRAP_SHAPE, 2000) == 1000,
	    "of a cut image nothing is left");
	m.at = 1;
	tap_ok(t, trap_load(d, membuf_get, &m) == FAULT_MAGIC, "another file");
	trap_free(c);
	trap_free(d);
	trap_free(other);
	free(m.b);
}

int
main(void)
{
	struct tap t = { 0, 0 };

	rows(&t);
	off(&t);
	counting(&t);
	sketch(&t);
	image(&t);
	return tap_done(&t);
}
