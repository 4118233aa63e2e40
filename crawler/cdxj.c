/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "crawler/cdxj.h"
#include "snapshot/limits.h"

/* A query parameter. */
struct arg {
	const char *s;
	size_t len, name; /* `name': bytes before the "=" */
};

static char
lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

static int
put_lower(struct buf *out, const char *s, size_t len)
{
	int rc = buf_room(out, len);
	size_t i;

	if (rc < 0)
		return rc;
	for (i = 0; i < len; i++)
		out->s[out->len++] = lower(s[i]);
	return 0;
}

/* "www." and "www12." do not count. */
static size_t
www(const char *host, size_t len)
{
	size_t i = 3;

	if (len < 4 || memcmp(host, "www", 3) != 0)
		return 0;
	while (i < len && host[i] >= '0' && host[i] <= '9')
		i++;
	return i < len - 1 && host[i] == '.' ? i + 1 : 0;
}

/* Labels from the last to the first, joined by commas. */
static int
put_host(struct buf *out, const char *host, size_t len)
{
	size_t end, at, skip;
	int rc = 0;

	if (len > 0 && host[0] == '[')
		return put_lower(out, host, len);
	skip = www(host, len);
	host += skip;
	len -= skip;
	for (end = len; rc == 0; end = at - 1) {
		for (at = end; at > 0 && host[at - 1] != '.';)
			at--;
		rc = put_lower(out, host + at, end - at);
		if (at == 0)
			break;
		if (rc == 0)
			rc = buf_str(out, ",");
	}
	return rc;
}

static int
arg_order(const void *va, const void *vb)
{
	const struct arg *a = va, *b = vb;
	size_t n = a->name < b->name ? a->name : b->name;
	int c = memcmp(a->s, b->s, n);

	if (c != 0 || a->name != b->name)
		return c != 0 ? c : (a->name < b->name ? -1 : 1);
	n = a->len < b->len ? a->len : b->len;
	c = memcmp(a->s, b->s, n);
	return c != 0 ? c : (a->len > b->len) - (a->len < b->len);
}

/* Sort the parameters of the query that is the end of `out'. */
static int
sort_query(struct buf *out, size_t from)
{
	char *copy, *p, *q, *end;
	size_t n = 0, i, len = out->len - from;
	struct arg *arg;

	copy = malloc(len + 1);
	arg = calloc(LIMIT_CDXJ_ARGS, sizeof *arg);
	if (copy == NULL || arg == NULL)
		goto out;
	memcpy(copy, out->s + from, len);
	end = copy + len;
	for (p = copy; n < LIMIT_CDXJ_ARGS; p = q + 1) {
		q = memchr(p, '&', (size_t)(end - p));
		if (q == NULL)
			q = end;
		arg[n].s = p;
		arg[n].len = (size_t)(q - p);
		p = memchr(p, '=', arg[n].len);
		arg[n].name = p == NULL ? arg[n].len : (size_t)(p - arg[n].s);
		n++;
		if (q == end)
			break;
	}
	if (n == LIMIT_CDXJ_ARGS) /* such a query is no page's name */
		goto out;
	qsort(arg, n, sizeof *arg, arg_order);
	for (p = out->s + from, i = 0; i < n; i++) {
		memcpy(p, arg[i].s, arg[i].len);
		p += arg[i].len;
		if (i + 1 < n)
			*p++ = '&';
	}
out:
	free(arg);
	free(copy);
	return 0;
}

int
cdxj_key(struct buf *out, const char *url, size_t len)
{
	const char *end = url + len, *host, *path, *query, *p;
	int rc;

	host = memmem(url, len, "://", 3);
	host = host == NULL ? url : host + 3;
	for (path = host; path < end && *path != '/' && *path != '?';)
		path++;
	for (p = host; p < path; p++)
		if (*p == '@')
			host = p + 1;
	for (p = path; p > host && p[-1] >= '0' && p[-1] <= '9';)
		p--;
	p = p > host && p[-1] == ':' ? p - 1 : path; /* the port, if any */
	query = memchr(path, '?', (size_t)(end - path));
	if (query == NULL)
		query = end;
	rc = put_host(out, host, (size_t)(p - host));
	if (rc == 0)
		rc = buf_add(out, p, (size_t)(path - p));
	if (rc == 0)
		rc = buf_str(out, ")/");
	if (query - path > 1 && query[-1] == '/')
		len = (size_t)(query - path) - 1;
	else
		len = (size_t)(query - path);
	if (rc == 0 && len > 1)
		rc = put_lower(out, path + 1, len - 1);
	if (rc < 0 || end - query < 2)
		return rc;
	rc = buf_str(out, "?");
	len = out->len;
	if (rc == 0)
		rc = put_lower(out, query + 1, (size_t)(end - query) - 1);
	return rc == 0 ? sort_query(out, len) : rc;
}

/* A JSON string's inside (RFC 8259 section 7). */
static int
put_json(struct buf *out, const char *s, size_t len)
{
	int rc = 0;
	size_t i;

	for (i = 0; i < len && rc == 0; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == '"' || c == '\\')
			rc = buf_fmt(out, "\\%c", c);
		else if (c < 0x20 || c >= 0x7f)
			rc = buf_fmt(out, "\\u%04x", c);
		else
			rc = buf_add(out, s + i, 1);
	}
	return rc;
}

int
cdxj_line(struct buf *out, const struct cdxj_entry *e)
{
	time_t t = (time_t)(e->start_us / 1000000);
	char when[32];
	struct tm tm;
	int rc = cdxj_key(out, e->url, e->url_len);

	if (gmtime_r(&t, &tm) == NULL)
		memset(&tm, 0, sizeof tm);
	(void)strftime(when, sizeof when, " %Y%m%d%H%M%S ", &tm);
	if (rc == 0)
		rc = buf_fmt(out, "%s{\"url\": \"", when);
	if (rc == 0)
		rc = put_json(out, e->url, e->url_len);
	if (rc == 0 && e->mime_len > 0)
		rc = buf_str(out, "\", \"mime\": \"");
	if (rc == 0)
		rc = put_json(out, e->mime, e->mime_len);
	if (rc == 0 && e->status != 0)
		rc = buf_fmt(out, "\", \"status\": \"%d", e->status);
	if (rc == 0 && e->digest != NULL)
		rc = buf_fmt(out, "\", \"digest\": \"sha1:%s", e->digest);
	if (rc == 0)
		rc = buf_fmt(out,
		    "\", \"length\": \"%" PRIu64 "\", \"offset\": \"%" PRIu64
		    "\", \"filename\": \"%s\"}\n",
		    e->length, e->offset, e->file);
	return rc;
}
