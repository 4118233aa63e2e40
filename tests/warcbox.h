/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * warcbox.h - a folder of archive files for tests, and pages to put there
 */

#ifndef TESTS_WARCBOX_H
#define TESTS_WARCBOX_H

#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "crawler/archive.h"

static const char warcbox_head[] = "HTTP/1.1 200 OK\r\n"
				   "Content-Type: text/HTML; charset=utf-8\r\n"
				   "Transfer-Encoding: chunked\r\n"
				   " , odd\r\n"
				   "Content-Length: 17\r\n"
				   "X-Last: 1\r\n\r\n";
static const char warcbox_request[] = "GET /a HTTP/1.1\r\nHost: e.com\r\n\r\n";

struct warcbox {
	char dir[64];
	int fd;
};

static inline void
warcbox_open(struct warcbox *b)
{
	(void)snprintf(b->dir, sizeof b->dir, "warc-XXXXXX");
	if (mkdtemp(b->dir) == NULL)
		exit(99);
	b->fd = open(b->dir, O_RDONLY | O_DIRECTORY);
}

/* The `n'th file (by name) that ends in `suffix', into `name'. */
static inline int
warcbox_file(const struct warcbox *b, const char *suffix, int n, char *name,
    size_t size)
{
	struct dirent **e;
	int count, i, found = 0;

	count = scandir(b->dir, &e, NULL, alphasort);
	name[0] = '\0';
	for (i = 0; i < count; i++) {
		size_t len = strlen(e[i]->d_name), s = strlen(suffix);

		if (len > s && strcmp(e[i]->d_name + len - s, suffix) == 0) {
			if (found++ == n)
				(void)snprintf(name, size, "%s/%s", b->dir,
				    e[i]->d_name);
		}
		free(e[i]);
	}
	free(e);
	return found;
}

static inline void
warcbox_close(struct warcbox *b)
{
	char name[512];

	while (
	    warcbox_file(b, "", 2, name, sizeof name) > 2) /* . and .. first */
		(void)unlink(name);
	(void)close(b->fd);
	(void)rmdir(b->dir);
}

static inline struct archive *
warcbox_archive(const struct warcbox *b, enum archive_kind kind)
{
	struct archive_opts o;
	struct archive *a = NULL;

	memset(&o, 0, sizeof o);
	o.dirfd = b->fd;
	o.kind = kind;
	o.worker = 7;
	o.info = "software: test\r\n";
	if (archive_open(&a, &o) < 0)
		exit(99);
	return a;
}

static inline void
warcbox_capture(struct warc_capture *c, const char *url, const void *body,
    size_t len)
{
	memset(c, 0, sizeof *c);
	c->url = url;
	c->url_len = strlen(url);
	c->start_us = INT64_C(1767225600123456); /* 2026-01-01T00:00:00 */
	(void)ip_parse(&c->ip, "192.0.2.1", 9);
	c->request = warcbox_request;
	c->request_len = sizeof warcbox_request - 1;
	c->head = warcbox_head;
	c->head_len = sizeof warcbox_head - 1;
	c->body = body;
	c->body_len = len;
}

/* The first MiB of a file. */
static inline char *
warcbox_read(const char *path, size_t *len)
{
	FILE *f = fopen(path, "rb");
	char *s = calloc(1, 1 << 20);

	*len = f == NULL ? 0 : fread(s, 1, (1 << 20) - 1, f);
	if (f != NULL)
		fclose(f);
	return s;
}

#endif
