/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * fetchfloor.c - what fetching and parsing cost at the least
 *
 *	fetchfloor [-c CONNECTIONS] < urls
 *
 * One thread: libcurl's multi interface on epoll, and libxml2's SAX parse of
 * each body with a handler that counts the href of each a.  Nothing is
 * resolved, remembered, checked or stored.  A crawler that keeps within a
 * small multiple of this has little left to save.
 */

#include "config.h"

#include <sys/epoll.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <curl/curl.h>
#include <libxml/HTMLparser.h>

#define MOST      1024
#define BODY_MOST (8 * 1024 * 1024)

struct slot {
	CURL *easy;
	char *body;
	size_t len, size;
};

struct floor {
	int epoll;
	CURLM *multi;
	long timeout; /* ms, -1 = none */
	htmlParserCtxtPtr parser;
	unsigned long pages, links, failed;
	unsigned long long bytes;
};

static void
die(const char *what)
{
	perror(what);
	exit(2);
}

static size_t
on_body(char *s, size_t size, size_t count, void *arg)
{
	struct slot *x = arg;
	size_t n = size * count, room = x->size == 0 ? 32768 : x->size;

	if (n > BODY_MOST - x->len)
		return 0;
	while (room < x->len + n)
		room *= 2;
	if (room != x->size) {
		x->body = realloc(x->body, room);
		if (x->body == NULL)
			die("realloc");
		x->size = room;
	}
	memcpy(x->body + x->len, s, n);
	x->len += n;
	return n;
}

static int
on_socket(CURL *easy, curl_socket_t fd, int what, void *arg, void *known)
{
	struct floor *f = arg;
	struct epoll_event ev;

	(void)easy;
	memset(&ev, 0, sizeof ev);
	ev.data.fd = fd;
	if (what == CURL_POLL_REMOVE)
		return epoll_ctl(f->epoll, EPOLL_CTL_DEL, fd, &ev) < 0 ? -1 : 0;
	ev.events = (what & CURL_POLL_IN ? EPOLLIN : 0U) |
	    (what & CURL_POLL_OUT ? EPOLLOUT : 0U);
	if (epoll_ctl(f->epoll, known == NULL ? EPOLL_CTL_ADD : EPOLL_CTL_MOD,
		fd, &ev) < 0)
		die("epoll_ctl");
	(void)curl_multi_assign(f->multi, fd, f);
	return 0;
}

static int
on_timer(CURLM *multi, long ms, void *arg)
{
	struct floor *f = arg;

	(void)multi;
	f->timeout = ms;
	return 0;
}

static void
on_element(void *arg, const xmlChar *name, const xmlChar **attr)
{
	struct floor *f = arg;

	if (attr == NULL || strcmp((const char *)name, "a") != 0)
		return;
	for (; attr[0] != NULL; attr += 2)
		f->links += strcmp((const char *)attr[0], "href") == 0;
}

/* Give the slot the next URL: 1, or 0 if there is none. */
static int
next(struct floor *f, struct slot *x)
{
	char line[8192];

	if (fgets(line, sizeof line, stdin) == NULL)
		return 0;
	line[strcspn(line, "\r\n")] = '\0';
	x->len = 0;
	(void)curl_easy_setopt(x->easy, CURLOPT_URL, line);
	(void)curl_easy_setopt(x->easy, CURLOPT_WRITEFUNCTION, on_body);
	(void)curl_easy_setopt(x->easy, CURLOPT_WRITEDATA, x);
	(void)curl_easy_setopt(x->easy, CURLOPT_PRIVATE, (char *)x);
	(void)curl_easy_setopt(x->easy, CURLOPT_PROXY, "");
	if (curl_multi_add_handle(f->multi, x->easy) != CURLM_OK)
		die("curl_multi_add_handle");
	return 1;
}

static void
parse(struct floor *f, struct slot *x)
{
	htmlParserCtxtPtr p = f->parser;

	/* no tree: the handlers that would build one are out */
	memset(p->sax, 0, sizeof *p->sax);
	p->sax->startElement = on_element;
	p->userData = f;
	(void)htmlCtxtReadMemory(p, x->body, (int)x->len, NULL, NULL,
	    HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING |
		HTML_PARSE_NODEFDTD | HTML_PARSE_IGNORE_ENC);
}

/* Take what is finished; the number of transfers that began anew. */
static int
collect(struct floor *f)
{
	CURLMsg *m;
	char *arg;
	int left, live = 0;

	for (;;) {
		m = curl_multi_info_read(f->multi, &left);
		if (m == NULL)
			return live;
		if (m->msg != CURLMSG_DONE)
			continue;
		(void)curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &arg);
		f->failed += m->data.result != CURLE_OK;
		struct slot *x = (struct slot *)(void *)arg;

		(void)curl_multi_remove_handle(f->multi, x->easy);
		f->pages++;
		f->bytes += x->len;
		parse(f, x);
		live += next(f, x) - 1;
	}
}

static void
run(struct floor *f, int live)
{
	struct epoll_event ev[64];
	int n, i, running, mask;

	while (live > 0) {
		n = epoll_wait(f->epoll, ev, 64, (int)f->timeout);
		if (n == 0) {
			f->timeout = -1;
			(void)curl_multi_socket_action(f->multi,
			    CURL_SOCKET_TIMEOUT, 0, &running);
		}
		for (i = 0; i < n; i++) {
			mask = (ev[i].events & EPOLLIN ? CURL_CSELECT_IN : 0) |
			    (ev[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
			    (ev[i].events & (EPOLLERR | EPOLLHUP) ?
				    CURL_CSELECT_ERR :
				    0);
			(void)curl_multi_socket_action(f->multi, ev[i].data.fd,
			    mask, &running);
		}
		live += collect(f);
	}
}

int
main(int argc, char **argv)
{
	static struct slot slot[MOST];
	struct floor f;
	struct timespec ts;
	int c, live = 0, n = 16;

	for (c = getopt(argc, argv, "c:"); c != -1;
	     c = getopt(argc, argv, "c:"))
		n = c == 'c' ? (int)strtol(optarg, NULL, 10) : 0;
	if (n < 1 || n > MOST) {
		fprintf(stderr, "usage: fetchfloor [-c CONNECTIONS] < urls\n");
		return 2;
	}
	memset(&f, 0, sizeof f);
	f.timeout = -1;
	f.epoll = epoll_create1(0);
	f.multi = curl_multi_init();
	f.parser = htmlNewParserCtxt();
	if (f.epoll < 0 || f.multi == NULL || f.parser == NULL)
		die("fetchfloor");
	(void)curl_multi_setopt(f.multi, CURLMOPT_SOCKETFUNCTION, on_socket);
	(void)curl_multi_setopt(f.multi, CURLMOPT_SOCKETDATA, &f);
	(void)curl_multi_setopt(f.multi, CURLMOPT_TIMERFUNCTION, on_timer);
	(void)curl_multi_setopt(f.multi, CURLMOPT_TIMERDATA, &f);
	for (c = 0; c < n; c++) {
		slot[c].easy = curl_easy_init();
		if (slot[c].easy == NULL)
			die("curl_easy_init");
		live += next(&f, &slot[c]);
	}
	run(&f, live);
	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	printf("%lu pages, %lu failed, %lu links, %.1f KB each, %.4f ms of "
	       "CPU a page\n",
	    f.pages, f.failed, f.links,
	    f.pages == 0 ? 0 : (double)f.bytes / 1e3 / (double)f.pages,
	    f.pages == 0 ?
		0 :
		((double)ts.tv_sec * 1e3 + (double)ts.tv_nsec / 1e6) /
		    (double)f.pages);
	/* a floor that parses nothing is none */
	return f.failed > 0 || f.links == 0;
}
