/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <string.h>
#include <strings.h>

#include "crawler/warc.h"
#include "snapshot/limits.h"

/* Length of the head with its empty line, 0 if that has not come yet. */
static size_t
head_len(const char *s, size_t len)
{
	const char *p = s, *nl;
	size_t left = len;

	while (left > 0) {
		nl = memchr(p, '\n', left);
		if (nl == NULL)
			return 0;
		if (nl == p || (nl == p + 1 && *p == '\r'))
			return (size_t)(nl + 1 - s);
		left -= (size_t)(nl + 1 - p);
		p = nl + 1;
	}
	return 0;
}

/* If the line is the field `name', its trimmed value. */
static int
field(const char *line, size_t len, const char *name, struct warc_text *v)
{
	size_t n = strlen(name);

	if (len <= n || line[n] != ':' || strncasecmp(line, name, n) != 0)
		return 0;
	line += n + 1;
	len -= n + 1;
	while (len > 0 && (*line == ' ' || *line == '\t')) {
		line++;
		len--;
	}
	v->s = line;
	v->len = len;
	return 1;
}

/* Decimal digits only, within 18 of them: 0, or FAULT_DAMAGED. */
static int
number(const struct warc_text *v, uint64_t *n)
{
	size_t i;

	if (v->len == 0 || v->len > 18)
		return FAULT_DAMAGED;
	*n = 0;
	for (i = 0; i < v->len; i++) {
		if (v->s[i] < '0' || v->s[i] > '9')
			return FAULT_DAMAGED;
		*n = *n * 10 + (uint64_t)(v->s[i] - '0');
	}
	return 0;
}

static void
one_line(struct warc_record *r, const char *line, size_t len,
    struct warc_text *length)
{
	if (!field(line, len, "WARC-Type", &r->type) &&
	    !field(line, len, "WARC-Target-URI", &r->url) &&
	    !field(line, len, "WARC-Date", &r->date) &&
	    !field(line, len, "WARC-Payload-Digest", &r->payload) &&
	    !field(line, len, "WARC-Block-Digest", &r->block))
		(void)field(line, len, "Content-Length", length);
}

int
warc_read(struct warc_record *r, const char *s, size_t len)
{
	struct warc_text length = { NULL, 0 };
	const char *p, *nl, *end;
	size_t n;

	memset(r, 0, sizeof *r);
	if (memcmp(s, "WARC/1.", len < 7 ? len : 7) != 0)
		return FAULT_DAMAGED;
	r->head_len =
	    head_len(s, len < LIMIT_WARC_HEAD ? len : LIMIT_WARC_HEAD);
	if (r->head_len == 0)
		return len < LIMIT_WARC_HEAD ? FAULT_TRUNCATED : FAULT_TOOBIG;
	end = s + r->head_len;
	for (p = s; p < end; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)(end - p));
		if (nl == NULL)
			break;
		n = (size_t)(nl - p);
		if (n > 0 && p[n - 1] == '\r')
			n--;
		one_line(r, p, n, &length);
	}
	if (r->type.len == 0)
		return FAULT_DAMAGED;
	return number(&length, &r->block_len);
}
