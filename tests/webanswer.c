/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>

#include "tests/webanswer.h"
#include "tests/webrobots.h"
#include "tests/website.h"

static void
not_found(struct webanswer *a)
{
	a->status = 404;
	a->type = "text/html";
	if (a->walk == NULL)
		webbuf_str(&a->body,
		    "<!DOCTYPE html><title>404</title>"
		    "<p>There is no such page.</p>\n");
}

static void
robots(struct webanswer *a, uint32_t h)
{
	a->status = webrobots_get(a->web, h, &a->body);
	a->type = "text/plain";
	if (a->status != 200)
		not_found(a);
}

static void
page(struct webanswer *a, const char *host, const char *path, uint32_t h,
    uint32_t n)
{
	struct webpage p;

	p.web = a->web;
	p.out = a->walk == NULL ? &a->body : NULL;
	p.edge = a->walk;
	p.arg = a->arg;
	webpage_begin(&p, host, path, (uint64_t)h << 32 | n);
	webpage_whole(&p, h, n);
	webpage_free(&p);
	a->status = 200;
	/* a Latin-1 page is left to its meta element half of the time */
	a->type = "text/html";
	if (!webpage_latin1(a->web, h, n))
		a->type = "text/html; charset=utf-8";
}

/* The folders that a crawler should not ask for, served all the same. */
static int
decoy(struct webanswer *a, const char *path)
{
	a->status = 200;
	a->type = "image/png";
	if (strncmp(path, "/i/", 3) == 0) {
		webbuf_put(&a->body, "\x89PNG\r\n\x1a\n", 8);
		return 1;
	}
	a->type = "text/html";
	if (strncmp(path, "/private/", 9) != 0)
		return 0;
	webbuf_str(&a->body, "<a href=/private/deeper.html>forbidden</a>\n");
	return 1;
}

void
webanswer_get(struct webanswer *a, const char *host, const char *path)
{
	uint32_t h, n;

	webbuf_clear(&a->head);
	webbuf_clear(&a->body);
	if (!web_host_find(a->web, host, &h)) {
		if (a->web->site == NULL || !website_get(a, path))
			not_found(a);
	} else if (strcmp(path, "/robots.txt") == 0)
		robots(a, h);
	else if (web_path_find(a->web, h, path, &n))
		page(a, host, path, h, n);
	else if (!decoy(a, path))
		not_found(a);
}

void
webanswer_free(struct webanswer *a)
{
	webbuf_free(&a->head);
	webbuf_free(&a->body);
}
