/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>
#include <strings.h>
#include <time.h>

#include <curl/curl.h>

#include "crawler/httphead.h"
#include "snapshot/limits.h"

static int
digit(char c)
{
	return c >= '0' && c <= '9';
}

static int
blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

int
httphead_status(const char *head, size_t len)
{
	const char *end = head + len, *p = head;

	if (len < 5 || memcmp(head, "HTTP/", 5) != 0)
		return 0;
	while (p < end && *p != ' ' && *p != '\r' && *p != '\n')
		p++;
	while (p < end && *p == ' ')
		p++;
	if (end - p < 3 || p[0] < '1' || !digit(p[0]) || !digit(p[1]) ||
	    !digit(p[2]))
		return 0;
	return (p[0] - '0') * 100 + (p[1] - '0') * 10 + (p[2] - '0');
}

/* One past the line that `p' is in, with its line end. */
static const char *
next_line(const char *p, const char *end)
{
	const char *nl = memchr(p, '\n', (size_t)(end - p));

	return nl == NULL ? end : nl + 1;
}

/* The length of "name:" if `p' starts with it, else 0. */
static size_t
is_field(const char *p, const char *end, const char *name)
{
	size_t n = strlen(name);

	if ((size_t)(end - p) <= n || strncasecmp(p, name, n) != 0)
		return 0;
	return p[n] == ':' ? n + 1 : 0;
}

int
httphead_field(const char *head, size_t len, const char *name, size_t *from,
    const char **value, size_t *value_len)
{
	const char *end, *p, *stop;
	size_t n;

	if (len == 0)
		return 0;
	end = head + len;
	/* the first line is the status line */
	p = *from == 0 ? next_line(head, end) : head + *from;
	for (; p < end; p = stop) {
		stop = next_line(p, end);
		n = is_field(p, end, name);
		if (n == 0)
			continue;
		while (stop < end && (*stop == ' ' || *stop == '\t'))
			stop = next_line(stop, end);
		*from = (size_t)(stop - head);
		p += n;
		while (p < stop && blank(*p))
			p++;
		while (stop > p && blank(stop[-1]))
			stop--;
		*value = p;
		*value_len = (size_t)(stop - p);
		return 1;
	}
	return 0;
}

size_t
httphead_type(const char *head, size_t len, char *out, size_t size)
{
	static const char token[] = "abcdefghijklmnopqrstuvwxyz0123456789"
				    "!#$&-^_.+/";
	const char *v;
	size_t from = 0, n = 0, i;

	out[0] = '\0';
	if (!httphead_field(head, len, "content-type", &from, &v, &n))
		return 0;
	for (i = 0; i < n && i + 1 < size; i++) {
		char c = v[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c - 'A' + 'a');
		if (c == '\0' || strchr(token, c) == NULL)
			break;
		out[i] = c;
	}
	out[i] = '\0';
	return i;
}

int64_t
httphead_retry_after(const char *head, size_t len, int64_t now_us)
{
	char text[64];
	const char *v;
	size_t from = 0, n, i;
	int64_t ms = 0;
	time_t at;

	if (!httphead_field(head, len, "retry-after", &from, &v, &n) || n == 0)
		return -1;
	for (i = 0; i < n && digit(v[i]) && ms <= LIMIT_RETRY_AFTER_MS; i++)
		ms = ms * 10 + (v[i] - '0') * INT64_C(1000);
	if (i == 0) {
		if (n >= sizeof text)
			return -1;
		memcpy(text, v, n);
		text[n] = '\0';
		at = curl_getdate(text, NULL);
		if (at == -1)
			return -1;
		ms = (int64_t)at * 1000 - now_us / 1000;
	} else if (i < n && digit(v[i]) == 0 && v[i] != '.') {
		return -1;
	}
	if (ms < 0)
		ms = 0;
	return ms < LIMIT_RETRY_AFTER_MS ? ms : LIMIT_RETRY_AFTER_MS;
}
