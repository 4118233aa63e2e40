/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include "tests/webreply.h"

#define LESS 15 /* bytes of the page's end that WEBANSWER_LESS leaves out */

/* RFC 9112 section 7.1: uneven chunks, an extension, a trailer. */
static void
put_chunks(struct webbuf *out, const struct webbuf *body)
{
	static const size_t size[] = { 1, 7, 100, 4096, 3, 16384 };
	size_t at = 0, n, i = body->len % 6;

	while (at < body->len) {
		n = body->len - at < size[i] ? body->len - at : size[i];
		webbuf_fmt(out, i % 2 == 0 ? "%zx\r\n" : "%zX;ext=\"1;2\"\r\n",
		    n);
		webbuf_put(out, body->s + at, n);
		webbuf_str(out, "\r\n");
		at += n;
		i = (i + 1) % 6;
	}
	webbuf_str(out, "0\r\nX-Trailer: <a href=/never/trailer>\r\n\r\n");
}

static void
put_head(struct webreply *r, const struct webanswer *a, int keep)
{
	struct webbuf *h = &r->head;
	size_t less = a->fate == WEBANSWER_LESS ? LESS : 0;

	webbuf_fmt(h, "HTTP/1.%d %d X\r\n", a->fate != WEBANSWER_OLD,
	    a->status);
	if (a->type[0] != '\0')
		webbuf_fmt(h, "Content-Type: %s\r\n", a->type);
	webbuf_put(h, a->head.s, a->head.len);
	if (a->fate == WEBANSWER_CHUNKED)
		webbuf_str(h, "Transfer-Encoding: chunked\r\n");
	else if (a->fate != WEBANSWER_OLD)
		webbuf_fmt(h, "Content-Length: %zu\r\n", a->body.len - less);
	webbuf_fmt(h, "Connection: %s\r\n\r\n", keep ? "keep-alive" : "close");
}

/* A fate that spoils the answer: what is sent of it, and then? */
static void
spoil(struct webreply *r, const struct webanswer *a, size_t head)
{
	switch (a->fate) {
	case WEBANSWER_SHORT:
		r->head.len = head + a->body.len / 2;
		r->end = WEBREPLY_CLOSE;
		break;
	case WEBANSWER_RESET:
		r->head.len = head + a->body.len / 2;
		r->end = WEBREPLY_RESET;
		break;
	case WEBANSWER_GONE:
		r->head.len = 0;
		r->end = WEBREPLY_CLOSE;
		break;
	case WEBANSWER_STALL:
		r->head.len = head / 2;
		r->end = WEBREPLY_HANG;
		break;
	case WEBANSWER_SILENT:
		r->head.len = 0;
		r->end = WEBREPLY_HANG;
		break;
	case WEBANSWER_DRIP:
		r->step = 1;
		r->tick = 1000;
		break;
	case WEBANSWER_PIECES:
		r->step = r->head.len / 10 + 1;
		r->tick = 50;
		break;
	case WEBANSWER_OK:
	case WEBANSWER_CHUNKED:
	case WEBANSWER_OLD:
	case WEBANSWER_LESS:
	case WEBANSWER_FATES:
		break;
	}
}

void
webreply_make(struct webreply *r, const struct webanswer *a, int keep, int body)
{
	size_t head;

	if (a->fate == WEBANSWER_OLD || a->fate == WEBANSWER_LESS)
		keep = 0;
	webbuf_clear(&r->head);
	r->step = 0;
	r->split = body && a->fate == WEBANSWER_OK;
	r->end = keep ? WEBREPLY_KEEP : WEBREPLY_CLOSE;
	put_head(r, a, keep);
	head = r->head.len;
	if (!body || r->split)
		return;
	if (a->fate == WEBANSWER_CHUNKED)
		put_chunks(&r->head, &a->body);
	else
		webbuf_put(&r->head, a->body.s, a->body.len);
	spoil(r, a, head);
}
