/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * unit-webrules.c - the test web's robots.txt files, read by our own parser
 *
 * The test web writes down by hand what each of its files means.  Either
 * side may be the one that is wrong where they differ.
 */

#include "config.h"

#include <string.h>

#include "crawler/robots.h"
#include "tests/tap.h"
#include "tests/webbuf.h"
#include "tests/webrobots.h"

#define AGENT "crawl"

static void
put_text(struct webbuf *b, const char *s)
{
	for (; *s != '\0'; s++) {
		if (*s == '\3')
			webbuf_str(b, AGENT);
		else
			webbuf_byte(b, *s);
	}
}

/* Every probe of a style, as the parser sees it. */
static int
agrees(const struct robots *r, const char *probes)
{
	uint32_t line;
	size_t n;
	int allowed;

	for (; *probes != '\0'; probes += n) {
		probes += *probes == ' ';
		n = strcspn(probes, " ");
		allowed = robots_allowed(r, probes + 1, n - 1, &line);
		if (*probes != '?' && allowed != (*probes == '+')) {
			tap_diag("%.*s: %s by line %u", (int)n, probes,
			    allowed ? "allowed" : "disallowed", line);
			return 0;
		}
	}
	return 1;
}

static void
check(struct tap *t, unsigned int i, const struct webrobots_style *s)
{
	struct webbuf b = { NULL, 0, 0, 0 };
	struct robots r;
	unsigned char *flat;
	size_t len;
	int rc;

	put_text(&b, s->body);
	webbuf_byte(&b, '\0');
	rc = robots_parse(AGENT, strlen(AGENT), b.s, b.len - 1, &flat, &len);
	if (!tap_ok(t, rc == 0 && robots_view(&r, flat, len) == 0,
		"style %u can be parsed", i))
		goto out;
	tap_ok(t, agrees(&r, s->probes), "style %u means %s", i, s->probes);
	tap_ok(t, s->delay == (unsigned int)(r.delay_ms < 0 ? 0 : r.delay_ms),
	    "style %u asks for a delay of %u ms", i, s->delay);
	free(flat);
out:
	webbuf_free(&b);
}

int
main(void)
{
	struct tap t = { 0, 0 };
	const struct webrobots_style *s;
	unsigned int i;

	for (i = 0;; i++) {
		s = webrobots_style(i);
		if (s == NULL)
			return tap_done(&t);
		if (s->how == WEBROBOTS_PLAIN || s->how == WEBROBOTS_OLD)
			check(&t, i, s);
	}
}
