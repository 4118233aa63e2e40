/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * hopweb.c - a web whose robots.txt are elsewhere
 *
 * Usage: hopweb PORT-FILE LOG
 *
 * By the name of the host, N being a digit, /robots.txt redirects to:
 *
 *	sN.test	/1 of the same host, that to /2, ... /N has the rules
 *	aN.test	/1 at b.test, that to /2 at c.test, that to /3 at b.test ...
 *	mN.test	that of the other one, m0 to m1 and m1 to m0
 *	gN.test	a host that nobody knows
 *	pN.test	an address that is not public
 *	fN.test	/x of e.test, which has the status 503
 *	others	itself has the rules
 *
 * The rules forbid /no, and every other page has links to /no and three more.
 * The log is a line a request: ms, host, path.
 */

#include "config.h"

#include <sys/socket.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "snapshot/clock.h"

#define CONNS 256

struct conn {
	char head[8192];
	size_t len;
};

struct web {
	struct pollfd fd[CONNS + 1]; /* the first listens */
	struct conn conn[CONNS + 1];
	nfds_t n;
	FILE *log;
	int64_t start;
};

static const char rules[] = "User-agent: *\nDisallow: /no\n";
static const char page[] = "<a href=/yes1>1</a><a href=/no>n</a>"
			   "<a href=/yes2>2</a><a href=/yes3>3</a>";

static void
die(const char *what)
{
	perror(what);
	exit(2);
}

/* Where the chain of `host' goes on after its link `i', the first of which is
   robots.txt; "" if that has the rules. */
static void
next_of(const char *host, unsigned int i, char *to, size_t room)
{
	unsigned int last = (unsigned int)(host[1] - '0');

	to[0] = '\0';
	if (host[0] == 's' && i < last)
		snprintf(to, room, "/%u", i + 1);
	else if (host[0] == 'a' && i < last)
		snprintf(to, room, "http://b.test/%u/%u", last, i + 1);
	else if (host[0] == 'm')
		snprintf(to, room, "http://m%c.test/robots.txt", host[1] ^ 1);
	else if (host[0] == 'g')
		snprintf(to, room, "http://nowhere.test/robots.txt");
	else if (host[0] == 'p')
		snprintf(to, room, "http://10.0.0.1/robots.txt");
	else if (host[0] == 'f')
		snprintf(to, room, "http://e.test/x");
}

/* What `path' of `host' redirects to, "" if it doesn't. */
static void
redirect_of(const char *host, const char *path, char *to, size_t room)
{
	unsigned int last, i;

	to[0] = '\0';
	if (strcmp(path, "/robots.txt") == 0)
		next_of(host, 0, to, room);
	else if (sscanf(path, "/%u/%u", &last, &i) == 2 && i < last)
		snprintf(to, room, "http://%c.test/%u/%u", 'b' + i % 2, last,
		    i + 1);
	else if (host[0] == 's' && sscanf(path, "/%u", &i) == 1)
		next_of(host, i, to, room);
}

static void
answer(int fd, const char *host, const char *path)
{
	int page_asked = path[1] == '\0' || path[1] == 'y' || path[1] == 'n';
	const char *body = page_asked ? page : rules;
	char to[128], text[1024];
	int n;

	redirect_of(host, path, to, sizeof to);
	if (to[0] != '\0')
		n = snprintf(text, sizeof text,
		    "HTTP/1.1 302 Found\r\nLocation: %s\r\n"
		    "Content-Length: 0\r\n\r\n",
		    to);
	else
		n = snprintf(text, sizeof text,
		    "HTTP/1.1 %s\r\nContent-Type: text/%s\r\n"
		    "Content-Length: %zu\r\n\r\n%s",
		    path[1] == 'x' ? "503 Busy" : "200 OK",
		    page_asked ? "html" : "plain", strlen(body), body);
	if (send(fd, text, (size_t)n, MSG_NOSIGNAL) != n)
		perror("send");
}

/* 0 if the connection is over. */
static int
serve(struct web *w, nfds_t i)
{
	struct conn *c = &w->conn[i];
	char host[64] = "?", path[256] = "/?", *at;
	ssize_t n;

	n = recv(w->fd[i].fd, c->head + c->len, sizeof c->head - 1 - c->len, 0);
	if (n <= 0)
		return 0;
	c->len += (size_t)n;
	c->head[c->len] = '\0';
	if (strstr(c->head, "\r\n\r\n") == NULL)
		return c->len < sizeof c->head - 1;
	at = strstr(c->head, "\r\nHost: ");
	if (at == NULL || sscanf(at + 8, "%63[^:\r]", host) != 1 ||
	    sscanf(c->head, "GET %255s", path) != 1)
		return 0;
	c->len = 0;
	fprintf(w->log, "%lld %s %s\n", (long long)(clock_ms() - w->start),
	    host, path);
	fflush(w->log);
	answer(w->fd[i].fd, host, path);
	return 1;
}

static void
take(struct web *w)
{
	int fd = accept(w->fd[0].fd, NULL, NULL);

	if (fd < 0 || w->n > CONNS)
		die("accept");
	w->fd[w->n].fd = fd;
	w->fd[w->n].events = POLLIN;
	w->fd[w->n].revents = 0;
	w->conn[w->n++].len = 0;
}

static void
start(struct web *w, const char *port_file)
{
	struct sockaddr_in a = { .sin_family = AF_INET };
	socklen_t len = sizeof a;
	FILE *f;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	w->fd[0].fd = socket(AF_INET, SOCK_STREAM, 0);
	w->fd[0].events = POLLIN;
	w->n = 1;
	if (w->fd[0].fd < 0 ||
	    bind(w->fd[0].fd, (struct sockaddr *)&a, sizeof a) < 0 ||
	    listen(w->fd[0].fd, CONNS) < 0 ||
	    getsockname(w->fd[0].fd, (struct sockaddr *)&a, &len) < 0)
		die("listen");
	f = fopen(port_file, "w");
	if (f == NULL)
		die(port_file);
	fprintf(f, "%u\n", ntohs(a.sin_port));
	if (fclose(f) != 0)
		die(port_file);
	w->start = clock_ms();
}

static void
quit(int sig)
{
	(void)sig;
	_exit(0);
}

int
main(int argc, char **argv)
{
	static struct web w;
	nfds_t i;

	if (argc != 3)
		return 2;
	w.log = fopen(argv[2], "w");
	if (w.log == NULL)
		die(argv[2]);
	(void)signal(SIGTERM, quit);
	start(&w, argv[1]);
	for (;;) {
		if (poll(w.fd, w.n, -1) < 0)
			die("poll");
		for (i = w.n; i-- > 1;) {
			if (w.fd[i].revents == 0 || serve(&w, i))
				continue;
			close(w.fd[i].fd);
			w.fd[i] = w.fd[--w.n];
			w.conn[i] = w.conn[w.n];
		}
		if (w.fd[0].revents != 0)
			take(&w);
	}
}
