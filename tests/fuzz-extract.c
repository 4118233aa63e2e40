/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fuzz-extract.c - extraction of whole pages
 *
 * An input is a byte that says what is wanted and which Content-Type there
 * is, a line of the response's header, and a body.  Whatever they are, the
 * links are absolute, in normal form, of http or https, each there once, of
 * the kinds that were asked for, and the same from an extractor that has
 * seen many pages as from a new one.
 */

#include "config.h"

#include <string.h>

#include "crawler/extract.h"
#include "dedup/urlkey.h"
#include "snapshot/limits.h"
#include "tests/fuzz.h"

#define BASE "http://example.com/dir/page?q"

static const char *const types[] = { "text/html", "text/html; charset=utf-8",
	"text/html; charset=windows-1252", "text/html; charset=shift_jis",
	"text/html; charset=utf-16le", "text/html; charset=iso-2022-jp",
	"text/html; charset=gb18030", "text/html; charset=koi8-r" };

/* A clock that never lets the time run out. */
static int64_t
still(void *arg)
{
	(void)arg;
	return 0;
}

static void
check_link(struct url *u, const struct extract_link *l, unsigned int want)
{
	struct url_span again;

	fuzz_check(l->url.len > 7 && memcmp(l->url.s, "http", 4) == 0);
	fuzz_check(memcmp(l->url.s + 4, "://", 3) == 0 ||
	    memcmp(l->url.s + 4, "s://", 4) == 0);
	fuzz_check(url_normalise(u, l->url.s, l->url.len, &again) == 0);
	fuzz_check(again.len == l->url.len &&
	    memcmp(again.s, l->url.s, again.len) == 0);
	fuzz_check(l->raw.len <= LIMIT_LINE);
	fuzz_check(l->element[0] != '\0' && l->attribute[0] != '\0');
	fuzz_check((want & EXTRACT_EMBEDS) || !(l->flags & LINK_EMBED));
	fuzz_check((want & EXTRACT_NOFOLLOW) || !(l->flags & LINK_NOFOLLOW));
}

/* A sum over all that a result says. */
static uint64_t
digest(const struct extract_result *r)
{
	struct urlkey_hasher h;
	uint64_t sum = r->robots * 31U + r->cut;
	size_t i;

	urlkey_init(&h, 1);
	sum = sum * 31 + r->nofollow * 7 + r->scheme * 5 + r->invalid;
	for (i = 0; i < r->links; i++) {
		sum = sum * 31 +
		    urlkey_of(&h, r->link[i].url.s, r->link[i].url.len).lo;
		sum = sum * 31 +
		    urlkey_of(&h, r->link[i].raw.s, r->link[i].raw.len).lo;
		sum = sum * 31 + r->link[i].flags;
	}
	return sum;
}

static void
check_distinct(const struct extract_result *r)
{
	size_t i, k;

	for (i = 0; i < r->links && i < 100; i++)
		for (k = 0; k < i; k++)
			fuzz_check(r->link[i].url.len != r->link[k].url.len ||
			    memcmp(r->link[i].url.s, r->link[k].url.s,
				r->link[i].url.len) != 0);
}

static void
run(struct extract *x, const char *s, size_t len, unsigned int how,
    struct extract_result *r)
{
	const char *type = types[how >> 2 & 7], *line = s, *end, *colon;

	end = memchr(s, '\n', len);
	if (end == NULL)
		end = s;
	colon = memchr(line, ':', (size_t)(end - line));
	fuzz_check(extract_begin(x, BASE, strlen(BASE), how & 3) == 0);
	fuzz_check(
	    extract_header(x, "content-type", 12, type, strlen(type)) == 0);
	if (colon != NULL)
		fuzz_check(extract_header(x, line, (size_t)(colon - line),
			       colon + 1, (size_t)(end - colon - 1)) == 0);
	fuzz_check(extract_html(x, end, len - (size_t)(end - s)) == 0);
	fuzz_check(extract_end(x, r) == 0);
}

static struct extract *
make(void)
{
	struct extract_options o = { .agent = "bot", .clock = still };
	struct extract *x = extract_new(&o);

	fuzz_check(x != NULL);
	return x;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* one that has seen all the inputs before, as a worker's has */
	static struct extract *old;
	static struct url *u;
	struct extract_result r;
	struct extract *x;
	uint64_t sum;
	size_t i;

	if (size == 0)
		return 0;
	if (old == NULL) {
		old = make();
		u = url_new(0);
		fuzz_check(u != NULL);
	}
	run(old, (const char *)data + 1, size - 1, data[0], &r);
	for (i = 0; i < r.links; i++)
		check_link(u, &r.link[i], data[0]);
	check_distinct(&r);
	fuzz_check(r.cut != MARKUP_CUT_TIME);
	sum = digest(&r);
	/* and one that has not, for one input in eight */
	x = data[0] < 32 ? make() : old;
	run(x, (const char *)data + 1, size - 1, data[0], &r);
	fuzz_check(digest(&r) == sum);
	if (x != old)
		extract_free(x);
	return 0;
}
