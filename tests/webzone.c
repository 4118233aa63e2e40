/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/webzone.h"

/* The tables of zones, the last one NULL. */
static const struct webzone *
table(unsigned int i)
{
	const struct webzone *const all[] = { webredirect_zones,
		webmarkup_zones, webmeta_zones, webslow_zones, webodd_zones,
		webmap_zones, webrobots_zones, NULL };

	return all[i];
}

void
webzone_host(const struct web *w, const struct webzone *z, unsigned int i,
    char *out)
{
	char root[WEB_HOST_MAX];

	web_host(w, 0, root);
	if (z->hosts == 0)
		snprintf(out, WEB_HOST_MAX, "%s.%.64s", z->name, root);
	else
		snprintf(out, WEB_HOST_MAX, "%s-%u.%.64s", z->name, i, root);
}

const struct webzone *
webzone_find(const struct web *w, const char *host, unsigned int *i)
{
	const char *dot = strchr(host, '.'), *dash;
	const struct webzone *z;
	char again[WEB_HOST_MAX];
	unsigned int t;

	if (dot == NULL || w->hosts == 0)
		return NULL;
	dash = memchr(host, '-', (size_t)(dot - host));
	*i = dash == NULL ? 0 : (unsigned int)strtoul(dash + 1, NULL, 10);
	for (t = 0; table(t) != NULL; t++)
		for (z = table(t); z->name != NULL; z++) {
			if (strncmp(host, z->name, strlen(z->name)) != 0 ||
			    !web_has(w, z->feature) ||
			    (*i > 0 && *i >= z->hosts))
				continue;
			webzone_host(w, z, *i, again);
			if (strcmp(host, again) == 0)
				return z;
		}
	return NULL;
}

void
webzone_get(const struct webzone *z, struct webanswer *a, const char *host,
    unsigned int i, const char *path)
{
	if (strcmp(path, "/robots.txt") != 0)
		z->get(a, host, i, path);
	else if (z->robots != NULL)
		z->robots(a, host, i);
	else
		webanswer_plain(a, 404);
}

void
webzone_links(struct webpage *p)
{
	const struct webzone *z;
	char host[WEB_HOST_MAX];
	unsigned int t, i;

	for (t = 0; table(t) != NULL; t++)
		for (z = table(t); z->name != NULL; z++) {
			if (!web_has(p->web, z->feature))
				continue;
			for (i = 0; i < z->entries; i++) {
				webzone_host(p->web, z, i, host);
				webpage_anchor(p, host, "/", WEBPAGE_FOLLOW);
			}
		}
}

long
webzone_number(const char *path, const char *prefix)
{
	size_t n = strlen(prefix);
	char *end;
	long v;

	if (strncmp(path, prefix, n) != 0 || path[n] < '0' || path[n] > '9')
		return -1;
	v = strtol(path + n, &end, 10);
	/* one spelling only, so that each page has one URL */
	if (*end != '\0' || v > 999999999 ||
	    (path[n] == '0' && end > path + n + 1))
		return -1;
	return v;
}
