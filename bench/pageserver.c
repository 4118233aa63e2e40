/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/pageserver.h"

#define PAGE 20000 /* bytes, about */

struct conn {
	int fd;
	char out[PAGE + 2048];
	size_t len, sent;
};

static void
die(const char *what)
{
	perror(what);
	_exit(2);
}

int
pageserver_listen(uint16_t *port)
{
	struct sockaddr_in in;
	socklen_t len = sizeof in;
	int fd;

	memset(&in, 0, sizeof in);
	in.sin_family = AF_INET;
	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	if (fd < 0 || bind(fd, (struct sockaddr *)&in, len) < 0 ||
	    listen(fd, 512) < 0 ||
	    getsockname(fd, (struct sockaddr *)&in, &len) < 0)
		die("listen");
	*port = ntohs(in.sin_port);
	return fd;
}

/* Page `n': the text of the same kind everywhere, links and words its own. */
static void
make(struct conn *c, unsigned long n)
{
	static const char *const word[] = { "archive", "between", "crawl",
		"distance", "every", "frontier", "garden", "house", "island",
		"journal", "known", "light", "moment", "number", "other",
		"place" };
	char *page = c->out + 256;
	size_t len, head;
	uint64_t r = n * UINT64_C(0x9e3779b97f4a7c15) + 1;
	int i;

	len = (size_t)snprintf(page, 1000,
	    "<!DOCTYPE html><html><head><meta charset=utf-8><title>Page %lu"
	    "</title></head><body>\n",
	    n);
	for (i = 0; len < PAGE - 256; i++) {
		r = r * UINT64_C(6364136223846793005) + 1;
		len += (size_t)snprintf(page + len, 600,
		    "<div class=\"c%d\"><p>Some %s of text as a %s has %s, "
		    "<b>%s</b> ones &amp; %s behind %u.  <a "
		    "href=\"/section/%u/page-%lu.html?id=%d\" title=\"t\">link "
		    "%d</a></p></div>\n",
		    i % 7, word[r >> 60], word[r >> 56 & 15],
		    word[r >> 52 & 15], word[r >> 48 & 15], word[r >> 44 & 15],
		    (unsigned int)(r >> 33), (unsigned int)(r >> 40) % 13, n,
		    i * 7, i);
	}
	head = (size_t)snprintf(c->out, 256,
	    "HTTP/1.1 200 OK\r\nServer: bench\r\nContent-Type: text/html; "
	    "charset=utf-8\r\nContent-Length: %zu\r\n\r\n",
	    len);
	memmove(c->out + head, page, len);
	c->len = head + len;
	c->sent = 0;
}

/* Send what there is: 0 if the connection is over. */
static int
push(int ep, struct conn *c)
{
	struct epoll_event ev = { .data = { .ptr = c } };
	ssize_t n;

	while (c->sent < c->len) {
		n = send(c->fd, c->out + c->sent, c->len - c->sent,
		    MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n < 0)
			break;
		c->sent += (size_t)n;
	}
	ev.events = c->sent < c->len ? EPOLLOUT : EPOLLIN;
	return epoll_ctl(ep, EPOLL_CTL_MOD, c->fd, &ev) == 0;
}

static void
serve(int ep, struct conn *c)
{
	char req[4096];
	const char *p;
	ssize_t n;

	if (c->sent < c->len) {
		(void)push(ep, c);
		return;
	}
	n = recv(c->fd, req, sizeof req - 1, MSG_DONTWAIT);
	if (n <= 0) {
		(void)close(c->fd);
		free(c);
		return;
	}
	req[n] = '\0';
	p = strpbrk(req, "0123456789");
	make(c, p == NULL ? 0 : strtoul(p, NULL, 10));
	(void)push(ep, c);
}

static void
admit(int ep, int fd)
{
	struct epoll_event ev = { .events = EPOLLIN };
	struct conn *c = calloc(1, sizeof *c);
	int one = 1;

	if (c == NULL)
		die("calloc");
	c->fd = accept(fd, NULL, NULL);
	(void)setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
	ev.data.ptr = c;
	if (c->fd < 0 || epoll_ctl(ep, EPOLL_CTL_ADD, c->fd, &ev) < 0)
		die("accept");
}

void
pageserver_run(int fd)
{
	struct epoll_event ev[64] = { { .events = EPOLLIN } };
	int ep = epoll_create1(0), n, i;

	(void)prctl(PR_SET_NAME, "pageserver"); /* for perf's sake */
	if (ep < 0 || epoll_ctl(ep, EPOLL_CTL_ADD, fd, ev) < 0)
		die("epoll");
	for (;;) {
		n = epoll_wait(ep, ev, 64, -1);
		for (i = 0; i < n; i++) {
			if (ev[i].data.ptr == NULL)
				admit(ep, fd);
			else
				serve(ep, ev[i].data.ptr);
		}
	}
}
