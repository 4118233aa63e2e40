/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "crawler/request.h"
#include "snapshot/limits.h"

#define ACCEPT                                                                 \
	"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,"       \
	"*/*;q=0.8"
#define ENCODINGS "Accept-Encoding: gzip, deflate, br, zstd"

struct request {
	char *agent;              /* NULL: none is sent */
	struct curl_slist *field; /* for libcurl */
	char *text;               /* what follows Host in the request */
};

/* Length of the field's name, 0 if the line has none. */
static size_t
name_len(const char *line)
{
	size_t n = strcspn(line, ":;");

	if (line[n] == '\0' || strcspn(line, " \t\r\n") < n)
		return 0;
	return n;
}

static int
same_name(const char *a, const char *b)
{
	size_t n = name_len(a);

	return n == name_len(b) && strncasecmp(a, b, n) == 0;
}

/* Did the user say something about this field? */
static int
given(const char *line, const char *const *extra, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (same_name(line, extra[i]))
			return 1;
	return 0;
}

static int
add(struct request *r, const char *line)
{
	struct curl_slist *l = curl_slist_append(r->field, line);

	if (l == NULL)
		return FAULT_NOMEM;
	r->field = l;
	return 0;
}

/* The fields as libcurl will write them. */
static int
write_text(struct request *r)
{
	const struct curl_slist *l;
	struct buf b;
	int rc = 0;

	buf_init(&b, LIMIT_HEAD);
	if (r->agent != NULL)
		rc = buf_fmt(&b, "User-Agent: %s\r\n", r->agent);
	for (l = r->field; l != NULL && rc == 0; l = l->next) {
		size_t n = name_len(l->data);
		const char *v = l->data + n + 1;

		if (l->data[n] == ';')
			rc = buf_fmt(&b, "%.*s:\r\n", (int)n, l->data);
		else if (v[strspn(v, " \t")] != '\0')
			rc = buf_fmt(&b, "%s\r\n", l->data);
	}
	if (rc == 0)
		rc = buf_add(&b, "\r\n", 3); /* with the NUL */
	r->text = b.s;
	return rc;
}

int
request_is_field(const char *line)
{
	return name_len(line) > 0 && !same_name(line, "Host:") &&
	    strpbrk(line, "\r\n") == NULL;
}

int
request_new(struct request **out, const char *agent, const char *const *extra,
    size_t n_extra)
{
	static const char *const ours[] = { ACCEPT, ENCODINGS };
	struct request *r;
	size_t i;
	int rc = 0;

	for (i = 0; i < n_extra; i++)
		if (!request_is_field(extra[i]))
			return FAULT_ARG;
	r = calloc(1, sizeof *r);
	if (r == NULL)
		return FAULT_NOMEM;
	if (!given("User-Agent:", extra, n_extra)) {
		r->agent = strdup(agent);
		rc = r->agent == NULL ? FAULT_NOMEM : 0;
	}
	for (i = 0; i < 2 && rc == 0; i++)
		if (!given(ours[i], extra, n_extra))
			rc = add(r, ours[i]);
	for (i = 0; i < n_extra && rc == 0; i++)
		rc = add(r, extra[i]);
	if (rc == 0)
		rc = write_text(r);
	if (rc < 0) {
		request_free(r);
		return rc;
	}
	*out = r;
	return 0;
}

void
request_free(struct request *r)
{
	if (r == NULL)
		return;
	curl_slist_free_all(r->field);
	free(r->agent);
	free(r->text);
	free(r);
}

struct curl_slist *
request_fields(const struct request *r)
{
	return r->field;
}

const char *
request_agent(const struct request *r)
{
	return r->agent;
}

int
request_text(const struct request *r, const char *url, struct buf *out)
{
	const char *host = strstr(url, "://"), *path, *at;
	int rc;

	host = host == NULL ? url : host + 3;
	path = host + strcspn(host, "/?#");
	at = memrchr(host, '@', (size_t)(path - host));
	if (at != NULL)
		host = at + 1;
	buf_clear(out);
	rc = buf_str(out, *path == '/' ? "GET " : "GET /");
	if (rc == 0)
		rc = buf_add(out, path, strcspn(path, "#"));
	if (rc == 0)
		rc = buf_str(out, " HTTP/1.1\r\nHost: ");
	if (rc == 0)
		rc = buf_add(out, host, (size_t)(path - host));
	if (rc == 0)
		rc = buf_str(out, "\r\n");
	return rc == 0 ? buf_str(out, r->text) : rc;
}
