/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/website.h"

static const char *
type_of(const char *file)
{
	static const char *const type[][2] = {
		{ ".html", "text/html" },
		{ ".txt", "text/plain; charset=utf-8" },
		{ ".css", "text/css" },
		{ ".js", "text/javascript" },
		{ ".xml", "application/xml" },
		{ ".png", "image/png" },
		{ ".pdf", "application/pdf" },
	};
	const char *dot = strrchr(file, '.');
	size_t i;

	for (i = 0; dot != NULL && i < sizeof type / sizeof type[0]; i++)
		if (strcmp(dot, type[i][0]) == 0)
			return type[i][1];
	return "application/octet-stream";
}

static int
hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* A file's name below the folder, unescaped; 0 if it would lead outside. */
static int
file_of(const struct web *w, const char *path, char *out, size_t size)
{
	size_t n = (size_t)snprintf(out, size, "%s", w->site);

	for (; *path != '\0' && *path != '?' && n + 16 < size; path++) {
		out[n] = *path;
		if (*path == '%' && hex(path[1]) >= 0 && hex(path[2]) >= 0) {
			out[n] = (char)(hex(path[1]) << 4 | hex(path[2]));
			path += 2;
		}
		if (out[n] == '\0')
			return 0;
		n++;
	}
	if (n + 16 >= size)
		return 0;
	out[n] = '\0';
	if (n > 0 && out[n - 1] == '/')
		snprintf(out + n, size - n, "index.html");
	out += strlen(w->site);
	return strstr(out, "..") == NULL && strstr(out, "/_") == NULL;
}

static int
read_file(const char *name, struct webbuf *out)
{
	FILE *f = fopen(name, "rb");
	char chunk[8192];
	size_t n;

	if (f == NULL)
		return 0;
	for (;;) {
		n = fread(chunk, 1, sizeof chunk, f);
		if (n == 0)
			break;
		webbuf_put(out, chunk, n);
	}
	n = ferror(f) == 0;
	fclose(f);
	return (int)n;
}

/* Is there a line for `path' in _redirects? */
static int
redirected(struct webanswer *a, const char *path)
{
	char name[4096], line[1024], from[512], to[512];
	FILE *f;
	int status, found = 0;

	snprintf(name, sizeof name, "%s/_redirects", a->web->site);
	f = fopen(name, "r");
	if (f == NULL)
		return 0;
	while (!found && fgets(line, sizeof line, f) != NULL)
		if (sscanf(line, "%511s %d %511s", from, &status, to) == 3 &&
		    strcmp(from, path) == 0) {
			a->status = status;
			webbuf_fmt(&a->head, "Location: %s\r\n", to);
			found = 1;
		}
	fclose(f);
	return found;
}

int
website_get(struct webanswer *a, const char *path)
{
	char name[4096];

	a->type = "text/html";
	if (redirected(a, path))
		return 1;
	if (!file_of(a->web, path, name, sizeof name))
		return 0;
	if (!read_file(name, &a->body))
		return 0;
	a->status = 200;
	a->type = type_of(name);
	return 1;
}
