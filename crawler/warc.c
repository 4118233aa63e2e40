/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/random.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "crawler/httphead.h"
#include "crawler/warc.h"
#include "snapshot/limits.h"

/* WARC 1.1 section 6.7.2 */
#define PROFILE                                                                \
	"http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"

void
warc_date(int64_t us, char out[WARC_DATE])
{
	time_t t = (time_t)(us / 1000000);
	struct tm tm;
	size_t n;

	if (us < 0 || gmtime_r(&t, &tm) == NULL)
		memset(&tm, 0, sizeof tm);
	n = strftime(out, WARC_DATE, "%Y-%m-%dT%H:%M:%S", &tm);
	(void)snprintf(out + n, WARC_DATE - n, ".%06uZ",
	    (unsigned int)(us < 0 ? 0 : us % 1000000));
}

int64_t
warc_time(const char *date, size_t len)
{
	char text[WARC_DATE];
	unsigned int y, mo, d, h, mi, s;
	int64_t us = 0, scale = 100000, t;
	struct tm tm;
	size_t i;
	int n = 0;

	if (len == 0 || len >= sizeof text)
		return -1;
	memcpy(text, date, len);
	text[len] = '\0';
	if (sscanf(text, "%4u-%2u-%2uT%2u:%2u:%2u%n", &y, &mo, &d, &h, &mi, &s,
		&n) != 6 ||
	    y < 1970 || y > 9999 || mo < 1 || mo > 12 || d > 31 || h > 23 ||
	    mi > 59 || s > 60)
		return -1;
	if (text[n] == '.')
		for (i = (size_t)n + 1; text[i] >= '0' && text[i] <= '9'; i++) {
			us += (text[i] - '0') * scale;
			scale /= 10;
		}
	memset(&tm, 0, sizeof tm);
	tm.tm_year = (int)y - 1900;
	tm.tm_mon = (int)mo - 1;
	tm.tm_mday = (int)d;
	tm.tm_hour = (int)h;
	tm.tm_min = (int)mi;
	tm.tm_sec = (int)s;
	t = (int64_t)timegm(&tm);
	return t < 0 ? -1 : t * 1000000 + us;
}

int
warc_id(char out[WARC_ID])
{
	unsigned char b[16];

	if (getrandom(b, sizeof b, 0) != (ssize_t)sizeof b)
		return FAULT_SYS;
	b[6] = (unsigned char)((b[6] & 0x0f) | 0x40); /* version 4 */
	b[8] = (unsigned char)((b[8] & 0x3f) | 0x80); /* variant */
	(void)snprintf(out, WARC_ID,
	    "<urn:uuid:%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-"
	    "%02x%02x%02x%02x%02x%02x>",
	    b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10],
	    b[11], b[12], b[13], b[14], b[15]);
	return 0;
}

/* The fields that every record starts with. */
static int
begin(struct buf *out, const char *type, const char *id, int64_t us)
{
	char date[WARC_DATE];

	warc_date(us, date);
	return buf_fmt(out,
	    "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: %s\r\n"
	    "WARC-Date: %s\r\n",
	    type, id, date);
}

static int
url_field(struct buf *out, const char *name, const char *url, size_t len)
{
	int rc = buf_str(out, name);

	if (rc == 0)
		rc = buf_add(out, url, len);
	return rc == 0 ? buf_str(out, "\r\n") : rc;
}

/* The fields that every record ends with, and the empty line. */
static int
end(struct buf *out, const char *type, size_t block_len)
{
	return buf_fmt(out, "Content-Type: %s\r\nContent-Length: %zu\r\n\r\n",
	    type, block_len);
}

int
warc_info(struct buf *out, const char *name, int64_t now_us, const char *fields,
    size_t fields_len)
{
	char id[WARC_ID];
	int rc = warc_id(id);

	if (rc == 0)
		rc = begin(out, "warcinfo", id, now_us);
	if (rc == 0)
		rc = buf_fmt(out, "WARC-Filename: %s\r\n", name);
	if (rc == 0)
		rc = end(out, "application/warc-fields", fields_len);
	if (rc == 0)
		rc = buf_add(out, fields, fields_len);
	return rc == 0 ? buf_str(out, WARC_END) : rc;
}

/* Where and how the capture was made. */
static int
origin(struct buf *out, const struct warc_capture *c)
{
	char ip[IP_TEXT];
	int rc = url_field(out, "WARC-Target-URI: ", c->url, c->url_len);

	if (rc == 0 && c->ip.family != 0)
		rc = buf_fmt(out, "WARC-IP-Address: %s\r\n",
		    ip_text(&c->ip, ip));
	if (rc == 0 && c->http2)
		rc = buf_str(out, "WARC-Protocol: h2\r\n");
	return rc;
}

static const char *
cut_field(enum warc_cut cut)
{
	switch (cut) {
	case WARC_LENGTH:
		return "WARC-Truncated: length\r\n";
	case WARC_TIME:
		return "WARC-Truncated: time\r\n";
	case WARC_DISCONNECT:
		return "WARC-Truncated: disconnect\r\n";
	case WARC_WHOLE:
		break;
	}
	return "";
}

static int
is(const char *line, size_t len, const char *name)
{
	size_t n = strlen(name);

	return len > n && line[n] == ':' && strncasecmp(line, name, n) == 0;
}

/*
 * The head as it is archived, appended to `out' unless that is NULL.  Its
 * length, or a fault.  Content-Length goes only with a Transfer-Encoding,
 * beside which it means nothing (RFC 9112 section 6.3).
 */
static int64_t
put_head(struct buf *out, const char *head, size_t len)
{
	const char *p = head, *stop = head + len, *v, *next;
	size_t from = 0, n, sum = 0;
	int chunked, skip = 0, rc = 0;

	chunked = httphead_field(head, len, "transfer-encoding", &from, &v, &n);
	for (; p < stop && rc == 0; p = next) {
		next = memchr(p, '\n', (size_t)(stop - p));
		next = next == NULL ? stop : next + 1;
		n = (size_t)(next - p);
		if (p == head && n > 7 && memcmp(p, "HTTP/2 ", 7) == 0) {
			sum += n + 2;
			if (out != NULL)
				rc = buf_str(out, "HTTP/1.1 ");
			if (rc == 0 && out != NULL)
				rc = buf_add(out, p + 7, n - 7);
			continue;
		}
		if (*p != ' ' && *p != '\t') /* else the field goes on */
			skip = chunked &&
			    (is(p, n, "transfer-encoding") ||
				is(p, n, "content-length"));
		if (skip)
			continue;
		sum += n;
		if (out != NULL)
			rc = buf_add(out, p, n);
	}
	return rc == 0 ? (int64_t)sum : rc;
}

/* The fields that only a revisit has. */
static int
refer(struct buf *out, const struct warc_refers *r)
{
	char date[WARC_DATE];
	int rc;

	warc_date(r->start_us, date);
	rc = buf_fmt(out,
	    "WARC-Profile: " PROFILE "\r\nWARC-Refers-To-Date: %s\r\n", date);
	if (rc == 0)
		rc = url_field(out, "WARC-Refers-To-Target-URI: ", r->url,
		    r->url_len);
	return rc;
}

/*
 * The block's digest stands before the block, which is made last: its place
 * is filled with blanks of the right number and written at the end.
 */
int
warc_response(struct buf *out, struct digest *d, const struct warc_capture *c,
    const struct warc_refers *refers, const char *payload, const char *id)
{
	size_t body_len = refers != NULL ? 0 : c->body_len, at;
	char sum[DIGEST_TEXT];
	int64_t n = put_head(NULL, c->head, c->head_len);
	int rc;

	rc = begin(out, refers != NULL ? "revisit" : "response", id,
	    c->start_us);
	if (rc == 0)
		rc = origin(out, c);
	if (rc == 0 && refers != NULL)
		rc = refer(out, refers);
	if (rc == 0)
		rc = buf_fmt(out, "%sWARC-Payload-Digest: sha1:%s\r\n",
		    cut_field(c->cut), payload);
	if (rc == 0)
		rc = buf_str(out, "WARC-Block-Digest: sha1:");
	at = out->len;
	if (rc == 0)
		rc = buf_fmt(out, "%32s\r\n", "");
	if (rc == 0)
		rc = end(out, "application/http;msgtype=response",
		    (size_t)n + body_len);
	if (rc == 0)
		n = put_head(out, c->head, c->head_len);
	if (rc < 0 || n < 0)
		return rc < 0 ? rc : (int)n;
	rc = digest_of(d, out->s + out->len - (size_t)n, (size_t)n, c->body,
	    body_len, sum);
	if (rc == 0)
		memcpy(out->s + at, sum, DIGEST_TEXT - 1);
	return rc;
}

int
warc_request(struct buf *out, struct digest *d, const struct warc_capture *c,
    const char *to)
{
	char id[WARC_ID], sum[DIGEST_TEXT];
	int rc = warc_id(id);

	if (rc == 0)
		rc = digest_of(d, c->request, c->request_len, NULL, 0, sum);
	if (rc == 0)
		rc = begin(out, "request", id, c->start_us);
	if (rc == 0)
		rc = origin(out, c);
	if (rc == 0)
		rc = buf_fmt(out,
		    "WARC-Concurrent-To: %s\r\n"
		    "WARC-Block-Digest: sha1:%s\r\n",
		    to, sum);
	if (rc == 0)
		rc = end(out, "application/http;msgtype=request",
		    c->request_len);
	if (rc == 0)
		rc = buf_add(out, c->request, c->request_len);
	return rc == 0 ? buf_str(out, WARC_END) : rc;
}

int
warc_failure(struct buf *out, const struct warc_capture *c)
{
	static const char key[] = "fetchError: ";
	const char *why = c->error != NULL ? c->error : "unknown";
	char id[WARC_ID];
	int rc = warc_id(id);

	if (rc == 0)
		rc = begin(out, "metadata", id, c->start_us);
	if (rc == 0)
		rc = origin(out, c);
	if (rc == 0)
		rc = end(out, "application/warc-fields",
		    sizeof key - 1 + strlen(why) + 2);
	if (rc == 0)
		rc = buf_str(out, key);
	if (rc == 0)
		rc = buf_str(out, why);
	return rc == 0 ? buf_str(out, "\r\n" WARC_END) : rc;
}
