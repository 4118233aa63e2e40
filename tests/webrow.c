/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include "tests/webrow.h"
#include "tests/webzone.h"

size_t
webrow_count(const struct webrow *r)
{
	size_t n = 0;

	while (r[n].text != NULL)
		n++;
	return n;
}

/* `text' with its marks replaced; line feeds become CRLF in a header. */
static void
expand(struct webbuf *out, const char *text, const struct web *w,
    const char *host, const char *path, int header)
{
	for (; *text != '\0'; text++) {
		if (*text == '\1')
			webbuf_fmt(out, "http://%s%s", host, path);
		else if (*text == '\2')
			webbuf_str(out, path);
		else if (*text == '\3')
			webbuf_str(out, w->agent);
		else if (*text == '\n' && header)
			webbuf_str(out, "\r\n");
		else
			webbuf_byte(out, *text);
	}
}

void
webrow_put(struct webpage *p, const struct webrow *r, const char *host,
    const char *path)
{
	webpage_edge(p, host, path, r->why);
	if (p->out != NULL)
		expand(p->out, r->text, p->web, host, path, 0);
}

static void
root(struct webanswer *a, const struct webrow *rows, const char *host)
{
	struct webpage p;
	char path[32];
	size_t i, n = webrow_count(rows);

	webanswer_open(a, &p, host, "/");
	for (i = 0; i < n; i++) {
		snprintf(path, sizeof path, "/%zu", i);
		webpage_anchor(&p, host, path, WEBPAGE_FOLLOW);
	}
	webanswer_shut(a, &p);
}

static void
page(struct webanswer *a, const struct webrow *r, const char *host,
    const char *path)
{
	struct webpage p;
	char written[64], meant[128];

	snprintf(written, sizeof written, "%s/x", path);
	snprintf(meant, sizeof meant, "%s/x%s", path,
	    r->more == NULL ? "" : r->more);
	webanswer_open(a, &p, host, path);
	if (r->bare)
		webbuf_clear(&a->body);
	if (r->head != NULL) {
		expand(&a->head, r->head, a->web, host, written, 1);
		webbuf_str(&a->head, "\r\n");
	}
	if (r->type != NULL)
		a->type = r->type;
	webpage_edge(&p, host, meant, r->why);
	if (p.out != NULL)
		expand(p.out, r->text, a->web, host, written, 0);
	if (r->bare)
		webpage_free(&p);
	else
		webanswer_shut(a, &p);
}

void
webrow_get(struct webanswer *a, const struct webrow *rows, const char *host,
    const char *path)
{
	long n = webzone_number(path, "/");

	if (strcmp(path, "/") == 0)
		root(a, rows, host);
	else if (n >= 0 && (size_t)n < webrow_count(rows))
		page(a, &rows[n], host, path);
	else
		webanswer_leaf(a, host, path);
}
