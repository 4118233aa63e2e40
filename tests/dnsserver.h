/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * dnsserver.h - a name server for tests, on loopback
 *
 * Answers A and AAAA from a table; a name not in it does not exist.  What an
 * entry says instead of addresses: "fail" SERVFAIL, "drop" no answer at all,
 * "late" one after 400 ms, "junk" bytes that are no message.
 */

#ifndef TESTS_DNSSERVER_H
#define TESTS_DNSSERVER_H

#include <sys/socket.h>

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

struct dnsname {
	const char *name;
	const char *what; /* addresses with blanks between, or a word */
	uint32_t ttl;     /* seconds */
};

struct dnsserver {
	int fd;
	uint16_t port;
	pthread_t thread;
	atomic_int stop;
	atomic_int queries;
	const struct dnsname *table; /* ends with a NULL name */
};

static inline size_t
dns_name(const unsigned char *q, size_t len, char *out)
{
	size_t at = 12, n = 0, k;

	while (at < len && q[at] != 0 && at + q[at] < len) {
		if (n > 0)
			out[n++] = '.';
		for (k = 1; k <= q[at]; k++)
			out[n++] = (char)q[at + k];
		at += q[at] + 1U;
	}
	out[n] = '\0';
	return at + 5; /* the last label, type, class */
}

/* Append the addresses of one type; returns the new length. */
static inline size_t
dns_records(unsigned char *r, size_t n, const struct dnsname *e, int type)
{
	unsigned char b[16];
	char text[64];
	const char *p = e->what;
	size_t len, k;
	int v6;

	for (; *p != '\0'; p += k + (p[k] == ' ')) {
		k = strcspn(p, " ");
		(void)snprintf(text, sizeof text, "%.*s", (int)k, p);
		v6 = strchr(text, ':') != NULL;
		if ((type == 28) != v6 ||
		    inet_pton(v6 ? AF_INET6 : AF_INET, text, b) != 1)
			continue;
		len = v6 ? 16 : 4;
		memcpy(r + n, "\xc0\x0c\0\0\0\1", 6);
		r[n + 3] = (unsigned char)type;
		r[n + 6] = (unsigned char)(e->ttl >> 24);
		r[n + 7] = (unsigned char)(e->ttl >> 16);
		r[n + 8] = (unsigned char)(e->ttl >> 8);
		r[n + 9] = (unsigned char)e->ttl;
		r[n + 10] = 0;
		r[n + 11] = (unsigned char)len;
		memcpy(r + n + 12, b, len);
		n += 12 + len;
		r[7]++;
	}
	return n;
}

static inline void
dns_answer_one(struct dnsserver *s, unsigned char *q, size_t len,
    const struct sockaddr_in *to)
{
	const struct dnsname *e = s->table;
	unsigned char r[2048];
	char name[512];
	size_t n = dns_name(q, len, name);

	while (e->name != NULL && strcasecmp(e->name, name) != 0)
		e++;
	if (e->name != NULL && strcmp(e->what, "drop") == 0)
		return;
	if (e->name != NULL && strcmp(e->what, "late") == 0)
		usleep(400 * 1000);
	memcpy(r, q, n);
	r[2] = 0x81; /* response, recursion desired */
	r[3] = 0x80; /* available */
	memset(r + 6, 0, 6);
	if (e->name == NULL)
		r[3] |= 3; /* no such name */
	else if (strcmp(e->what, "fail") == 0)
		r[3] |= 2;
	else if (strcmp(e->what, "junk") == 0)
		memset(r + 4, 0xff, n - 4);
	else
		n = dns_records(r, n, e, q[n - 3]);
	(void)sendto(s->fd, r, n, 0, (const struct sockaddr *)to, sizeof *to);
}

static inline void *
dns_serve(void *arg)
{
	struct dnsserver *s = arg;
	struct sockaddr_in from;
	unsigned char q[1024];
	socklen_t flen;
	ssize_t n;

	while (!atomic_load(&s->stop)) {
		struct pollfd p = { s->fd, POLLIN, 0 };

		if (poll(&p, 1, 20) <= 0)
			continue;
		flen = sizeof from;
		n = recvfrom(s->fd, q, sizeof q, 0, (struct sockaddr *)&from,
		    &flen);
		if (n < 17)
			continue;
		atomic_fetch_add(&s->queries, 1);
		dns_answer_one(s, q, (size_t)n, &from);
	}
	return NULL;
}

static inline void
dnsserver_start(struct dnsserver *s, const struct dnsname *table)
{
	struct sockaddr_in in;
	socklen_t len = sizeof in;

	memset(s, 0, sizeof *s);
	s->table = table;
	memset(&in, 0, sizeof in);
	in.sin_family = AF_INET;
	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	s->fd = socket(AF_INET, SOCK_DGRAM, 0);
	if (s->fd < 0 || bind(s->fd, (struct sockaddr *)&in, sizeof in) < 0 ||
	    getsockname(s->fd, (struct sockaddr *)&in, &len) < 0)
		abort();
	s->port = ntohs(in.sin_port);
	if (pthread_create(&s->thread, NULL, dns_serve, s) != 0)
		abort();
}

static inline void
dnsserver_stop(struct dnsserver *s)
{
	atomic_store(&s->stop, 1);
	(void)pthread_join(s->thread, NULL);
	(void)close(s->fd);
}

#endif
