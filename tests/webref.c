/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * webref.c - the simplest crawler that can check testweb's truth
 *
 *	webref PORT URL...
 *
 * One connection, one request at a time, no parser: a link is whatever
 * stands between `<a href="' and the next quote.  That is enough for a web
 * without odd spellings.  It shares no code with testweb, prints what it
 * fetched and leaves the judging to weblog-check.
 */

#include "config.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PAGE_MAX (1024 * 1024)
#define URLS_MAX 100000

struct ref {
	FILE *in;
	int fd;
	void *seen; /* a tree of strings, see tsearch(3) */
	char *queue[URLS_MAX];
	size_t head, tail;
	char page[PAGE_MAX + 1];
};

static int
by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void
fail(const char *what)
{
	fprintf(stderr, "webref: %s\n", what);
	exit(2);
}

/* 1 and kept if `s' is new. */
static int
is_new(struct ref *r, const char *s)
{
	char *copy;

	if (tfind(s, &r->seen, by_name) != NULL)
		return 0;
	copy = strdup(s);
	if (copy == NULL || tsearch(copy, &r->seen, by_name) == NULL)
		fail("memory");
	return 1;
}

static void
add(struct ref *r, const char *url)
{
	if (!is_new(r, url))
		return;
	if (r->tail == URLS_MAX)
		fail("too many URLs");
	r->queue[r->tail] = strdup(url);
	if (r->queue[r->tail++] == NULL)
		fail("memory");
}

/* GET into `page'.  The status. */
static int
fetch(struct ref *r, const char *host, size_t host_len, const char *path)
{
	char line[1024];
	unsigned long n = 0;
	int status;

	dprintf(r->fd,
	    "GET %s HTTP/1.1\r\nHost: %.*s\r\nUser-Agent: webref\r\n\r\n", path,
	    (int)host_len, host);
	if (fgets(line, sizeof line, r->in) == NULL ||
	    sscanf(line, "HTTP/1.1 %d", &status) != 1)
		fail("no status line");
	while (fgets(line, sizeof line, r->in) != NULL && line[0] != '\r')
		if (strncmp(line, "Content-Length: ", 16) == 0)
			n = strtoul(line + 16, NULL, 10);
	if (n > PAGE_MAX || fread(r->page, 1, n, r->in) != n)
		fail("no body");
	r->page[n] = '\0';
	return status;
}

static void
follow(struct ref *r, const char *host, size_t host_len)
{
	char url[1024];
	const char *at = r->page, *end;

	for (;;) {
		at = strstr(at, "<a href=\"");
		if (at == NULL)
			return;
		at += 9;
		end = strchr(at, '"');
		if (end == NULL)
			return;
		if (*at == '/')
			snprintf(url, sizeof url, "http://%.*s%.*s",
			    (int)host_len, host, (int)(end - at), at);
		else
			snprintf(url, sizeof url, "%.*s", (int)(end - at), at);
		add(r, url);
	}
}

static void
visit(struct ref *r, const char *url)
{
	const char *host = url + 7, *path = strchr(host, '/');
	char robots[1024];
	size_t n = (size_t)(path - host);

	snprintf(robots, sizeof robots, "%.*s/robots.txt", (int)n, host);
	if (is_new(r, robots))
		fetch(r, host, n, "/robots.txt");
	/* what all the robots.txt files of the plain web forbid */
	if (strncmp(path, "/private/", 9) == 0)
		return;
	if (fetch(r, host, n, path) != 200)
		fail(url);
	printf("%s\n", url);
	follow(r, host, n);
}

static void
forget(void *p)
{
	free(p);
}

int
main(int argc, char **argv)
{
	struct sockaddr_in at;
	struct ref *r = calloc(1, sizeof *r);
	int i;

	if (r == NULL || argc < 3)
		fail("usage: webref PORT URL...");
	memset(&at, 0, sizeof at);
	at.sin_family = AF_INET;
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	at.sin_port = htons((uint16_t)strtoul(argv[1], NULL, 10));
	r->fd = socket(AF_INET, SOCK_STREAM, 0);
	if (r->fd < 0 || connect(r->fd, (struct sockaddr *)&at, sizeof at) != 0)
		fail("can't connect");
	r->in = fdopen(r->fd, "r");
	if (r->in == NULL)
		fail("memory");
	for (i = 2; i < argc; i++)
		add(r, argv[i]);
	for (; r->head < r->tail; r->head++) {
		visit(r, r->queue[r->head]);
		free(r->queue[r->head]);
	}
	fclose(r->in);
	tdestroy(r->seen, forget);
	free(r);
	return fflush(stdout) != 0;
}
