/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tests/webanswer.h"
#include "tests/webcoding.h"
#include "tests/webpages.h"
#include "tests/website.h"
#include "tests/webzone.h"

const char *
webanswer_fate_name(enum webanswer_fate f)
{
	static const char *const name[WEBANSWER_FATES] = {
		"ok",
		"chunked",
		"http/1.0",
		"less",
		"cut-short",
		"cut-reset",
		"cut-gone",
		"cut-drip",
		"pieces",
		"cut-stall",
		"cut-silent",
	};

	return name[f];
}

void
webanswer_plain(struct webanswer *a, int status)
{
	a->status = status;
	a->type = "text/html";
	if (a->walk == NULL && status != 204 && status != 304)
		webbuf_fmt(&a->body,
		    "<!DOCTYPE html><title>%d</title><p>Status %d.</p>\n",
		    status, status);
}

void
webanswer_open(struct webanswer *a, struct webpage *p, const char *host,
    const char *path)
{
	uint64_t id = 0;
	size_t i;

	for (i = 0; host[i] != '\0'; i++)
		id = id * 31 + (unsigned char)host[i];
	for (i = 0; path[i] != '\0'; i++)
		id = id * 31 + (unsigned char)path[i];
	a->status = 200;
	a->type = "text/html; charset=utf-8";
	p->web = a->web;
	p->out = a->walk == NULL ? &a->body : NULL;
	p->edge = a->walk;
	p->arg = a->arg;
	webpage_begin(p, host, path, id);
	webpage_text(p,
	    "<!DOCTYPE html>\n<html><head><meta charset=utf-8>"
	    "<title>A page</title>\n");
}

void
webanswer_shut(struct webanswer *a, struct webpage *p)
{
	(void)a;
	webpage_text(p, "</body></html>\n");
	webpage_free(p);
}

void
webanswer_leaf(struct webanswer *a, const char *host, const char *path)
{
	struct webpage p;

	webanswer_open(a, &p, host, path);
	webpage_anchor(&p, host, path, WEBPAGE_FOLLOW);
	webanswer_shut(a, &p);
}

void
webanswer_redirect(struct webanswer *a, int status, const char *host,
    const char *path, const char *location)
{
	struct webpage_edge e = { host, path, 0, 0, WEBPAGE_REDIRECT };

	if (a->walk != NULL)
		a->walk(a->arg, &e);
	a->status = status;
	a->type = "text/html";
	if (location != NULL)
		webbuf_fmt(&a->head, "Location: %s\r\n", location);
	else
		webbuf_fmt(&a->head, "Location: http://%s%s\r\n", host, path);
	if (a->walk == NULL)
		webbuf_str(&a->body, "<a href=/never/redirect-body>moved</a>");
}

unsigned int
webanswer_before(struct webanswer *a, const char *host, const char *path)
{
	return a->before == NULL ? ~0u : a->before(a->arg, host, path);
}

void
webanswer_retry_after(struct webanswer *a, unsigned int seconds, int as_date)
{
	char date[64];
	time_t now = time(NULL);
	struct tm tm;

	a->retry_after = seconds * 1000;
	if (!as_date) {
		webbuf_fmt(&a->head, "Retry-After: %u\r\n", seconds);
		return;
	}
	/* whole seconds: what is left of this one is not asked for */
	a->retry_after -= 1000;
	now += (time_t)seconds;
	gmtime_r(&now, &tm);
	strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", &tm);
	webbuf_fmt(&a->head, "Retry-After: %s\r\n", date);
}

void
webanswer_get(struct webanswer *a, const char *host, const char *path)
{
	const struct webzone *z;
	unsigned int i;
	uint32_t h;

	webbuf_clear(&a->head);
	webbuf_clear(&a->body);
	a->fate = WEBANSWER_OK;
	a->delay = 0;
	a->retry_after = 0;
	z = webzone_find(a->web, host, &i);
	if (z != NULL)
		webzone_get(z, a, host, i, path);
	else if (web_host_find(a->web, host, &h))
		webpages_get(a, host, h, path);
	else if (a->web->site == NULL || !website_get(a, path))
		webanswer_plain(a, 404);
	if (a->walk == NULL)
		webcoding_apply(a);
}

void
webanswer_free(struct webanswer *a)
{
	webbuf_free(&a->head);
	webbuf_free(&a->body);
}
