/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "crawler/crawlout.h"
#include "crawler/utf8.h"
#include "snapshot/limits.h"

#define WRITE_AT (64 * 1024) /* bytes: more is written before the turn ends */

void
crawlout_init(struct crawlout *o, int fd, int json)
{
	memset(o, 0, sizeof *o);
	o->fd = fd;
	o->json = json;
	buf_init(&o->text, LIMIT_OUTPUT);
}

void
crawlout_free(struct crawlout *o)
{
	buf_free(&o->text);
}

static int
fail(struct crawlout *o, int rc)
{
	if (o->fault == 0) {
		o->fault = rc;
		o->err = errno;
	}
	errno = o->err;
	return o->fault;
}

int
crawlout_flush(struct crawlout *o)
{
	size_t at = 0;
	ssize_t n;

	if (o->fault < 0)
		return fail(o, o->fault);
	while (at < o->text.len) {
		n = write(o->fd, o->text.s + at, o->text.len - at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(o, FAULT_SYS);
		at += (size_t)n;
	}
	buf_clear(&o->text);
	return 0;
}

/* What a JSON string has for the byte `c', or NULL: itself. */
static const char *
escape(unsigned char c, char out[8])
{
	static const char hex[] = "0123456789abcdef";

	if (c == '"')
		return "\\\"";
	if (c == '\\')
		return "\\\\";
	if (c >= 0x20 && c != 0x7f)
		return NULL;
	memcpy(out, "\\u00", 4);
	out[4] = hex[c >> 4];
	out[5] = hex[c & 15];
	out[6] = '\0';
	return out;
}

int
crawlout_json(struct buf *b, const char *s, size_t len)
{
	char room[8], enc[UTF8_MAX];
	const char *e;
	uint32_t cp;
	size_t n;
	int rc = buf_str(b, "\"");

	for (; len > 0 && rc == 0; s += n, len -= n) {
		n = utf8_decode(s, len, &cp);
		if (cp == UTF8_BAD) {
			rc =
			    buf_add(b, enc, utf8_encode(UTF8_REPLACEMENT, enc));
			continue;
		}
		e = n == 1 ? escape((unsigned char)*s, room) : NULL;
		rc = e == NULL ? buf_add(b, s, n) : buf_str(b, e);
	}
	return rc == 0 ? buf_str(b, "\"") : rc;
}

int
crawlout_field(struct buf *b, const char *s, size_t len)
{
	size_t i, from = 0;
	int rc = 0;

	for (i = 0; i < len && rc == 0; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c >= 0x20 && c != 0x7f)
			continue;
		rc = buf_add(b, s + from, i - from);
		if (rc == 0)
			rc = buf_fmt(b, "\\x%02X", c);
		from = i + 1;
	}
	return rc == 0 ? buf_add(b, s + from, len - from) : rc;
}

/* `key' with a string, or null where there is none. */
static int
member(struct buf *b, const char *key, const char *s, size_t len)
{
	int rc = buf_fmt(b, ",\"%s\":", key);

	if (rc < 0)
		return rc;
	return len == 0 ? buf_str(b, "null") : crawlout_json(b, s, len);
}

static int
put_json(struct buf *b, const struct core_page *p)
{
	const struct worker_page *w = p->page;
	int rc;

	rc = buf_fmt(b,
	    "{\"status\":%d,\"bytes\":%" PRIu64 ",\"ms\":%" PRIu32
	    ",\"depth\":%" PRIu32,
	    w->status, w->bytes, w->ms, p->depth);
	if (rc == 0)
		rc = member(b, "type", w->type, strlen(w->type));
	if (rc == 0)
		rc = member(b, "url", w->url, w->url_len);
	if (rc == 0)
		rc = member(b, "to", p->redirect.s, p->redirect.len);
	if (rc == 0)
		rc = member(b, "error", p->error, strlen(p->error));
	if (rc == 0)
		rc = member(b, "digest", w->at.digest, strlen(w->at.digest));
	if (rc == 0)
		rc = member(b, "archive", w->at.file, strlen(w->at.file));
	if (rc < 0)
		return rc;
	if (w->at.file[0] == '\0')
		return buf_str(b, ",\"offset\":null}\n");
	return buf_fmt(b, ",\"offset\":%" PRIu64 "}\n", w->at.offset);
}

static int
put_line(struct buf *b, const struct core_page *p)
{
	const struct worker_page *w = p->page;
	const char *last = p->error[0] != '\0' ? p->error : "-";
	size_t last_len = strlen(last);
	int rc;

	if (p->error[0] == '\0' && p->redirect.len > 0) {
		last = p->redirect.s;
		last_len = p->redirect.len;
	}
	rc = buf_fmt(b, "%d\t%" PRIu64 "\t%" PRIu32 "\t%" PRIu32 "\t",
	    w->status, w->bytes, w->ms, p->depth);
	if (rc == 0)
		rc = w->type[0] == '\0' ?
		    buf_str(b, "-") :
		    crawlout_field(b, w->type, strlen(w->type));
	if (rc == 0)
		rc = buf_str(b, "\t");
	if (rc == 0)
		rc = buf_add(b, w->url, w->url_len);
	if (rc == 0)
		rc = buf_str(b, "\t");
	if (rc == 0)
		rc = buf_add(b, last, last_len);
	return rc == 0 ? buf_str(b, "\n") : rc;
}

int
crawlout_page(struct crawlout *o, const struct core_page *p)
{
	int rc;

	if (o->fault < 0)
		return fail(o, o->fault);
	/* Room for a line beside this: a URL, a target, and some. */
	if (o->text.len > WRITE_AT) {
		rc = crawlout_flush(o);
		if (rc < 0)
			return rc;
	}
	rc = o->json ? put_json(&o->text, p) : put_line(&o->text, p);
	return rc < 0 ? fail(o, rc) : 0;
}
