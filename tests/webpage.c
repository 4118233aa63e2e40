/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tests/webpage.h"

static const char prose[] =
    "The miller counted his sacks twice, once in the evening by the lamp and "
    "once in the morning when the carts came down from the upper farms. "
    "Nobody in the valley had asked him to do so, yet everyone relied on it: "
    "a number that was found by two ways and agreed was worth more to them "
    "than a larger one that only a single man had seen. When the river froze "
    "he counted the days until it would turn the wheel again, and when it ran "
    "high he counted the planks of the weir. Children brought him questions "
    "that could be answered with a number, and he never sent one home without "
    "an answer and the way to check it. In the year of the long rain the mill "
    "stood under water to the second step, and still the tally on the door "
    "was right to the last sack. ";

#define PROSE (sizeof prose - 1)

void
webpage_begin(struct webpage *p, const char *host, const char *path,
    uint64_t id)
{
	web_rng_seed(&p->rng, web_hash(p->web, id, 1));
	web_rng_seed(&p->look, web_hash(p->web, id, 2));
	memset(&p->spell, 0, sizeof p->spell);
	p->spell.web = p->web;
	p->spell.rng = &p->look;
	p->spell.host = host;
	p->spell.path = path;
	p->start = p->out == NULL ? 0 : p->out->len;
}

void
webpage_free(struct webpage *p)
{
	webspell_free(&p->spell);
}

void
webpage_text(struct webpage *p, const char *html)
{
	if (p->out != NULL)
		webbuf_str(p->out, html);
}

void
webpage_prose(struct webpage *p, size_t bytes)
{
	size_t at, n;

	if (p->out == NULL)
		return;
	at = web_rng_below(&p->look, PROSE);
	while (bytes > 0) {
		n = bytes < PROSE - at ? bytes : PROSE - at;
		webbuf_put(p->out, prose + at, n);
		bytes -= n;
		at = 0;
	}
}

void
webpage_edge(struct webpage *p, const char *host, const char *path,
    enum webpage_why why)
{
	struct webpage_edge e = { host, path, 0, 0, why };

	if (p->edge != NULL)
		p->edge(p->arg, &e);
}

/* The writing half of a link. */
static void
put_anchor(struct webpage *p, const char *host, const char *path)
{
	if (p->out == NULL)
		return;
	webspell_anchor(&p->spell, p->out, host, path);
	webpage_prose(p, 4 + web_rng_below(&p->look, 30));
	webbuf_str(p->out, "</a>\n");
}

void
webpage_link(struct webpage *p, uint32_t h, uint32_t n)
{
	struct webpage_edge e = { NULL, NULL, h, n, WEBPAGE_FOLLOW };
	char host[WEB_HOST_MAX], path[WEB_PATH_MAX];

	if (p->edge != NULL)
		p->edge(p->arg, &e);
	if (p->out == NULL)
		return;
	web_host(p->web, h, host);
	web_path(p->web, h, n, path);
	put_anchor(p, host, path);
}

void
webpage_anchor(struct webpage *p, const char *host, const char *path,
    enum webpage_why why)
{
	webpage_edge(p, host, path, why);
	put_anchor(p, host, path);
}

void
webpage_mark(struct webpage *p, const char *before, const char *host,
    const char *path, const char *after, enum webpage_why why)
{
	webpage_edge(p, host, path, why);
	if (p->out == NULL)
		return;
	webbuf_fmt(p->out, "%shttp://%s", before, host);
	for (; *path != '\0'; path++) {
		webbuf_byte(p->out, *path);
		if (*path == '&')
			webbuf_str(p->out, "amp;");
	}
	webbuf_str(p->out, after);
}
