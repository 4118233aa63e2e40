/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * faultserver.h - an HTTP server for tests that does what it should not
 *
 * One thread accepts, one thread serves each connection; the path says what
 * is to happen.  On loopback, at a port that the kernel picks.
 */

#ifndef TESTS_FAULTSERVER_H
#define TESTS_FAULTSERVER_H

#include <sys/socket.h>
#include <sys/time.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A response of the test's own, before the table of this file is asked. */
struct faultpage {
	const char *host; /* NULL = any */
	const char *path; /* NULL ends the table */
	const char *head; /* status line and fields, without the empty line */
	const char *body;
	size_t len; /* of the body; 0 = up to its NUL */
};

struct faultserver {
	int fd;
	uint16_t port;
	pthread_t thread;
	atomic_int stop;
	atomic_int live;     /* connections open */
	atomic_int accepted; /* in all */
	atomic_int requests;
	pthread_mutex_t lock;
	char last[16384]; /* the last request as it came */
	size_t last_len;
	int pages; /* serve 20 KB pages for every unknown path */
	const struct faultpage *table; /* NULL = none */
};

struct faultconn {
	struct faultserver *s;
	int fd;
};

static inline void
fault_say(int fd, const char *s, size_t len)
{
	ssize_t n;

	while (len > 0) {
		n = send(fd, s, len, MSG_NOSIGNAL);
		if (n <= 0)
			return;
		s += n;
		len -= (size_t)n;
	}
}

static inline void
fault_text(int fd, const char *s)
{
	fault_say(fd, s, strlen(s));
}

/* Wait until the client goes or the server ends. */
static inline void
fault_hang(struct faultconn *c)
{
	struct pollfd p = { c->fd, POLLIN, 0 };
	char b[512];

	while (!atomic_load(&c->s->stop))
		if (poll(&p, 1, 20) > 0 && recv(c->fd, b, sizeof b, 0) <= 0)
			return;
}

static inline void
fault_body(int fd, size_t n)
{
	static const char block[4096] = "<p>body</p>";
	char head[128];

	(void)snprintf(head, sizeof head,
	    "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	    "Content-Length: %zu\r\n\r\n",
	    n);
	fault_text(fd, head);
	for (; n > sizeof block; n -= sizeof block)
		fault_say(fd, block, sizeof block);
	fault_say(fd, block, n);
}

static inline void
fault_drip(struct faultconn *c, const char *head, int ms, size_t n)
{
	static const char drop[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";

	fault_text(c->fd, head);
	while (!atomic_load(&c->s->stop)) {
		if (send(c->fd, drop, n, MSG_NOSIGNAL) <= 0)
			return;
		usleep((useconds_t)ms * 1000);
	}
}

static inline int
fault_is(const char *path, const char *name)
{
	size_t n = strlen(name);

	return strncmp(path, name, n) == 0 &&
	    (path[n] == ' ' || path[n] == '?');
}

static inline void
fault_long_head(int fd)
{
	int i;

	fault_text(fd, "HTTP/1.1 200 OK\r\n");
	for (i = 0; i < 8000; i++)
		fault_text(fd,
		    "X-Filler: 0123456789012345678901234567890123456789\r\n");
	fault_text(fd, "\r\nbody");
}

/* A head of one line, longer than libcurl takes. */
static inline void
fault_long_line(int fd)
{
	int i;

	fault_text(fd, "HTTP/1.1 200 OK\r\nX-Filler: ");
	for (i = 0; i < 8000; i++)
		fault_text(fd, "0123456789012345678901234567890123456789");
	fault_text(fd, "\r\n\r\nbody");
}

static inline int
fault_page(int fd, const struct faultpage *p, const char *req, const char *path)
{
	const char *host = strstr(req, "\r\nHost: ");
	char text[64];
	size_t len;

	host = host == NULL ? "" : host + 8;
	for (; p->path != NULL; p++) {
		if (!fault_is(path, p->path) ||
		    (p->host != NULL &&
			(strncmp(host, p->host, strlen(p->host)) != 0 ||
			    strcspn(host, ":\r") != strlen(p->host))))
			continue;
		len = p->len == 0 ? strlen(p->body) : p->len;
		(void)snprintf(text, sizeof text,
		    "\r\nContent-Length: %zu\r\n\r\n", len);
		fault_text(fd, p->head);
		fault_text(fd, text);
		fault_say(fd, p->body, len);
		return 1;
	}
	return 0;
}

/* Answers that are always the same.  1 if there is one, and `*lives' is set. */
static inline int
fault_fixed(int fd, const char *path, int *lives)
{
	static const struct {
		const char *path, *text;
		int lives; /* the connection */
	} rows[] = {
		{ "/ok",
		    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n"
		    "Content-Type: text/plain\r\n\r\nhello",
		    1 },
		{ "/chunked",
		    "HTTP/1.1 200 OK\r\nContent-Length: 999\r\n"
		    "Transfer-Encoding: chunked\r\n\r\n"
		    "5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n"
		    "X-Trailer: 1\r\n\r\n",
		    1 },
		{ "/early",
		    "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
		    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"
		    "X-Real: 1\r\n\r\nok",
		    1 },
		{ "/empty", "HTTP/1.1 204 No Content\r\n\r\n", 1 },
		{ "/busy",
		    "HTTP/1.1 503 Busy\r\nRetry-After: 7\r\n"
		    "Content-Length: 0\r\n\r\n",
		    1 },
		{ "/moved",
		    "HTTP/1.1 301 Moved\r\nLocation: /ok\r\n"
		    "Content-Length: 0\r\n\r\n",
		    1 },
		{ "/toend", "HTTP/1.0 200 OK\r\n\r\nuntil the end", 0 },
		{ "/close", "", 0 },
		{ "/halfhead", "HTTP/1.1 200 OK\r\nContent-T", 0 },
		{ "/short",
		    "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart", 0 },
		{ "/badchunk",
		    "HTTP/1.1 200 OK\r\n"
		    "Transfer-Encoding: chunked\r\n\r\n"
		    "5\r\nhello\r\nzz\r\n",
		    0 },
		{ "/garbage", "\x16\x03\x01 what is this?\r\n\r\n", 0 },
	};
	size_t i;

	for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		if (!fault_is(path, rows[i].path))
			continue;
		fault_text(fd, rows[i].text);
		*lives = rows[i].lives;
		return 1;
	}
	return 0;
}

/* Serve one request; 1 if the connection lives on. */
static inline int
fault_serve(struct faultconn *c, const char *req, size_t len)
{
	static const struct linger rst = { 1, 0 };
	const char *path = strchr(req, ' ');
	char text[256];
	int fd = c->fd, lives;

	path = path == NULL ? "/" : path + 1;
	if (c->s->table != NULL && fault_page(fd, c->s->table, req, path))
		return 1;
	if (fault_fixed(fd, path, &lives))
		return lives;
	if (fault_is(path, "/echo")) {
		(void)snprintf(text, sizeof text,
		    "HTTP/1.1 200 OK\r\nContent-Length: %zu\r\n\r\n", len);
		fault_text(fd, text);
		fault_say(fd, req, len);
	} else if (fault_is(path, "/big"))
		fault_body(fd, strtoul(path + 5, NULL, 10));
	else if (fault_is(path, "/reset")) {
		(void)setsockopt(fd, SOL_SOCKET, SO_LINGER, &rst, sizeof rst);
		return 0;
	} else if (fault_is(path, "/longhead")) {
		fault_long_head(fd);
		return 0;
	} else if (fault_is(path, "/longline")) {
		fault_long_line(fd);
		return 0;
	} else if (fault_is(path, "/hang")) {
		fault_hang(c);
		return 0;
	} else if (fault_is(path, "/stall")) {
		fault_text(fd,
		    "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart");
		fault_hang(c);
		return 0;
	} else if (fault_is(path, "/drip") || fault_is(path, "/steady")) {
		fault_drip(c,
		    "HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", 20,
		    fault_is(path, "/drip") ? 1 : 40);
		return 0;
	} else if (fault_is(path, "/driphead")) {
		fault_drip(c, "HTTP/1.1 200 OK\r\nX: ", 20, 1);
		return 0;
	} else if (fault_is(path, "/gate")) {
		/* half a big body, the rest once /open was asked for */
		fault_text(fd,
		    "HTTP/1.1 200 OK\r\nContent-Length: 400000\r\n\r\n");
		memset(text, 'g', sizeof text);
		for (size_t i = 0; i < 400000; i += 250) {
			if (i == 200000)
				usleep(300 * 1000);
			fault_say(fd, text, 250);
		}
	} else if (c->s->pages)
		fault_body(fd, 20000);
	else
		fault_text(fd,
		    "HTTP/1.1 404 Not Found\r\n"
		    "Content-Length: 3\r\n\r\nno\n");
	return 1;
}

static inline void *
fault_conn(void *arg)
{
	struct faultconn *c = arg;
	size_t len = 0, n;
	char req[16384], *end;
	ssize_t got;
	int go = 1;

	while (go) {
		req[len] = '\0';
		end = strstr(req, "\r\n\r\n");
		if (end == NULL) {
			struct pollfd p = { c->fd, POLLIN, 0 };

			if (atomic_load(&c->s->stop) || len + 1 >= sizeof req)
				break;
			if (poll(&p, 1, 20) <= 0)
				continue;
			got = recv(c->fd, req + len, sizeof req - len - 1, 0);
			if (got <= 0)
				break;
			len += (size_t)got;
			continue;
		}
		n = (size_t)(end + 4 - req);
		(void)pthread_mutex_lock(&c->s->lock);
		memcpy(c->s->last, req, n);
		c->s->last_len = n;
		(void)pthread_mutex_unlock(&c->s->lock);
		atomic_fetch_add(&c->s->requests, 1);
		go = fault_serve(c, req, n);
		memmove(req, req + n, len - n);
		len -= n;
	}
	(void)close(c->fd);
	atomic_fetch_sub(&c->s->live, 1);
	free(c);
	return NULL;
}

static inline void *
fault_accept(void *arg)
{
	struct faultserver *s = arg;
	struct faultconn *c;
	pthread_attr_t attr;
	pthread_t t;
	int fd;

	(void)pthread_attr_init(&attr);
	(void)pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	(void)pthread_attr_setstacksize(&attr, 256 * 1024);
	while (!atomic_load(&s->stop)) {
		struct pollfd p = { s->fd, POLLIN, 0 };

		if (poll(&p, 1, 20) <= 0)
			continue;
		fd = accept(s->fd, NULL, NULL);
		if (fd < 0)
			continue;
		c = malloc(sizeof *c);
		if (c == NULL)
			abort();
		c->s = s;
		c->fd = fd;
		atomic_fetch_add(&s->accepted, 1);
		atomic_fetch_add(&s->live, 1);
		if (pthread_create(&t, &attr, fault_conn, c) != 0)
			abort();
	}
	(void)pthread_attr_destroy(&attr);
	return NULL;
}

static inline void
faultserver_start(struct faultserver *s)
{
	struct sockaddr_in in;
	socklen_t len = sizeof in;

	memset(s, 0, sizeof *s);
	memset(&in, 0, sizeof in);
	in.sin_family = AF_INET;
	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	s->fd = socket(AF_INET, SOCK_STREAM, 0);
	if (s->fd < 0 || bind(s->fd, (struct sockaddr *)&in, sizeof in) < 0 ||
	    listen(s->fd, 512) < 0 ||
	    getsockname(s->fd, (struct sockaddr *)&in, &len) < 0 ||
	    pthread_mutex_init(&s->lock, NULL) != 0)
		abort();
	s->port = ntohs(in.sin_port);
	if (pthread_create(&s->thread, NULL, fault_accept, s) != 0)
		abort();
}

static inline void
faultserver_stop(struct faultserver *s)
{
	atomic_store(&s->stop, 1);
	(void)pthread_join(s->thread, NULL);
	while (atomic_load(&s->live) > 0)
		usleep(1000);
	(void)close(s->fd);
	(void)pthread_mutex_destroy(&s->lock);
}

#endif
