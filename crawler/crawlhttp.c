/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "crawler/buf.h"
#include "crawler/crawlhttp.h"

#ifndef HAVE_MICROHTTPD

int
crawlhttp_open(struct crawlhttp **h, const char *where)
{
	(void)where;
	*h = NULL;
	return FAULT_VERSION;
}

const char *
crawlhttp_where(const struct crawlhttp *h)
{
	(void)h;
	return "";
}

void
crawlhttp_show(struct crawlhttp *h, const char *text, size_t len,
    const struct crawlhist *hist)
{
	(void)h;
	(void)text;
	(void)len;
	(void)hist;
}

void
crawlhttp_close(struct crawlhttp *h)
{
	(void)h;
}

#else

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

#include <microhttpd.h>

#include "crawler/crawlview.h"
#include "dedup/number.h"
#include "snapshot/limits.h"

/* The page, line by line: made from crawlpage.html. */
static const char *const page[] = {
#include "crawler/crawlpage.inc"
};

struct crawlhttp {
	struct MHD_Daemon *daemon;
	struct buf page;
	char where[INET6_ADDRSTRLEN + 16];
	int loopback; /* nobody else can reach it, if names are checked */
	pthread_mutex_t lock;
	struct buf text;       /* of the status file */
	struct crawlhist hist; /* with it under the lock */
};

/* ---- where to listen ---- */

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/* "[::1]:80", "127.0.0.1:80" or "80" */
static int
read_where(const char *s, union address *a)
{
	const char *colon = strrchr(s, ':');
	const char *port = colon == NULL ? s : colon + 1;
	size_t len = colon == NULL ? 0 : (size_t)(colon - s);
	char host[INET6_ADDRSTRLEN] = "127.0.0.1";
	uint64_t n;

	memset(a, 0, sizeof *a);
	if (number_whole(port, &n) < 0 || n > 65535)
		return FAULT_ARG;
	if (colon != NULL && len > 2 && s[0] == '[' && s[len - 1] == ']') {
		s++;
		len -= 2;
		a->any.sa_family = AF_INET6;
	} else {
		a->any.sa_family = AF_INET;
	}
	if (colon != NULL) {
		if (len == 0 || len >= sizeof host)
			return FAULT_ARG;
		memcpy(host, s, len);
		host[len] = '\0';
	}
	if (a->any.sa_family == AF_INET6) {
		a->v6.sin6_port = htons((uint16_t)n);
		return inet_pton(AF_INET6, host, &a->v6.sin6_addr) == 1 ?
		    0 :
		    FAULT_ARG;
	}
	a->v4.sin_port = htons((uint16_t)n);
	return inet_pton(AF_INET, host, &a->v4.sin_addr) == 1 ? 0 : FAULT_ARG;
}

static int
is_loopback(const union address *a)
{
	if (a->any.sa_family == AF_INET6)
		return IN6_IS_ADDR_LOOPBACK(&a->v6.sin6_addr);
	return ntohl(a->v4.sin_addr.s_addr) >> 24 == 127;
}

static void
word_where(struct crawlhttp *h, const union address *a, unsigned int port)
{
	char s[INET6_ADDRSTRLEN];
	int v6 = a->any.sa_family == AF_INET6;

	if (inet_ntop(a->any.sa_family,
		v6 ? (const void *)&a->v6.sin6_addr :
		     (const void *)&a->v4.sin_addr,
		s, sizeof s) == NULL)
		s[0] = '\0';
	(void)snprintf(h->where, sizeof h->where, v6 ? "[%s]:%u" : "%s:%u", s,
	    port);
}

/* ---- answers ---- */

/* A Host of ours is an address, or localhost: see crawlhttp.h. */
static int
host_is_ours(const struct crawlhttp *h, const char *host)
{
	char name[INET6_ADDRSTRLEN];
	unsigned char addr[16];
	size_t len;

	if (!h->loopback || host == NULL)
		return 1;
	if (host[0] == '[')
		return 1; /* no name has this */
	len = strcspn(host, ":");
	if (len >= sizeof name)
		return 0;
	memcpy(name, host, len);
	name[len] = '\0';
	return strcasecmp(name, "localhost") == 0 ||
	    inet_pton(AF_INET, name, addr) == 1;
}

/* What the status file said last: 0 or a fault. */
static int
view(struct crawlhttp *h, struct crawlview *v)
{
	struct buf copy;
	int rc;

	buf_init(&copy, LIMIT_STATUS + 1);
	pthread_mutex_lock(&h->lock);
	rc = buf_add(&copy, h->text.s, h->text.len);
	pthread_mutex_unlock(&h->lock);
	if (rc == 0)
		rc = buf_add(&copy, "", 1);
	if (rc == 0) {
		crawlview_read(v, copy.s);
		crawlview_judge(v, getpid());
	}
	buf_free(&copy);
	return rc;
}

static int
history(struct crawlhttp *h, struct buf *out)
{
	struct crawlhist *copy = malloc(sizeof *copy);
	int rc;

	if (copy == NULL)
		return FAULT_NOMEM;
	pthread_mutex_lock(&h->lock);
	*copy = h->hist;
	pthread_mutex_unlock(&h->lock);
	rc = crawlview_history(copy, out);
	free(copy);
	return rc;
}

/* The body for this path into `out', and its type; NULL: there is none. */
static const char *
body(struct crawlhttp *h, const char *path, struct buf *out, int *rc)
{
	struct crawlview v;

	*rc = 0;
	if (strcmp(path, "/") == 0) {
		*rc = buf_add(out, h->page.s, h->page.len);
		return "text/html; charset=utf-8";
	}
	if (strcmp(path, "/history.json") == 0) {
		*rc = history(h, out);
		return "application/json";
	}
	if (strcmp(path, "/status.json") == 0) {
		*rc = view(h, &v);
		if (*rc == 0)
			*rc = crawlview_json(&v, out);
		return "application/json";
	}
	if (strcmp(path, "/metrics") == 0) {
		*rc = view(h, &v);
		if (*rc == 0)
			*rc = crawlview_metrics(&v, out);
		return "text/plain; version=0.0.4; charset=utf-8";
	}
	return NULL;
}

static enum MHD_Result
send_answer(struct MHD_Connection *c, unsigned int status, const char *type,
    const struct buf *b)
{
	static const char policy[] =
	    "default-src 'none'; script-src 'unsafe-inline'; style-src "
	    "'unsafe-inline'; connect-src 'self'; img-src data:; "
	    "frame-ancestors 'none'";
	struct MHD_Response *r;
	enum MHD_Result ok;

	r = MHD_create_response_from_buffer(b->len, b->s,
	    MHD_RESPMEM_MUST_COPY);
	if (r == NULL)
		return MHD_NO;
	ok = MHD_add_response_header(r, "Content-Type", type);
	if (ok == MHD_YES)
		ok = MHD_add_response_header(r, "Cache-Control", "no-store");
	if (ok == MHD_YES)
		ok = MHD_add_response_header(r, "Content-Security-Policy",
		    policy);
	if (ok == MHD_YES)
		ok = MHD_add_response_header(r, "X-Content-Type-Options",
		    "nosniff");
	if (ok == MHD_YES && status == MHD_HTTP_METHOD_NOT_ALLOWED)
		ok = MHD_add_response_header(r, "Allow", "GET, HEAD");
	if (ok == MHD_YES)
		ok = MHD_queue_response(c, status, r);
	MHD_destroy_response(r);
	return ok;
}

static enum MHD_Result
answer(void *arg, struct MHD_Connection *c, const char *path,
    const char *method, const char *version, const char *upload,
    size_t *upload_size, void **state)
{
	struct crawlhttp *h = arg;
	const char *type = "text/plain; charset=utf-8", *found, *text = NULL;
	unsigned int status = MHD_HTTP_OK;
	enum MHD_Result ok;
	struct buf b;
	int rc = 0;

	(void)version;
	(void)upload;
	(void)state;
	buf_init(&b, LIMIT_STATUS_PAGE);
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0) {
		*upload_size = 0;
		status = MHD_HTTP_METHOD_NOT_ALLOWED;
		text = "only GET and HEAD\n";
	} else if (!host_is_ours(h,
		       MHD_lookup_connection_value(c, MHD_HEADER_KIND,
			   "Host"))) {
		status = MHD_HTTP_FORBIDDEN;
		text = "ask for it by its address\n";
	} else {
		found = body(h, path, &b, &rc);
		if (found == NULL || rc < 0) {
			buf_clear(&b);
			status = rc < 0 ? MHD_HTTP_INTERNAL_SERVER_ERROR :
					  MHD_HTTP_NOT_FOUND;
			text = "there is /, /status.json, /history.json and "
			       "/metrics\n";
		} else {
			type = found;
		}
	}
	if (text != NULL)
		rc = buf_str(&b, text);
	ok = rc < 0 ? MHD_NO : send_answer(c, status, type, &b);
	buf_free(&b);
	return ok;
}

/* ---- life ---- */

static int
make_page(struct crawlhttp *h)
{
	size_t i;
	int rc = 0;

	buf_init(&h->page, LIMIT_STATUS_PAGE);
	for (i = 0; i < sizeof page / sizeof page[0] && rc == 0; i++)
		rc = buf_str(&h->page, page[i]);
	return rc;
}

static int
start(struct crawlhttp *h, const union address *a)
{
	const union MHD_DaemonInfo *info;

	errno = 0;
	h->daemon =
	    MHD_start_daemon(MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD |
		    (a->any.sa_family == AF_INET6 ? MHD_USE_IPv6 : 0U),
		0, NULL, NULL, answer, h, MHD_OPTION_SOCK_ADDR, &a->any,
		MHD_OPTION_CONNECTION_LIMIT, 64U, MHD_OPTION_CONNECTION_TIMEOUT,
		10U, MHD_OPTION_END);
	if (h->daemon == NULL) {
		if (errno == 0)
			errno = EADDRNOTAVAIL;
		return FAULT_SYS;
	}
	info = MHD_get_daemon_info(h->daemon, MHD_DAEMON_INFO_BIND_PORT);
	word_where(h, a, info == NULL ? 0 : info->port);
	return 0;
}

int
crawlhttp_open(struct crawlhttp **hp, const char *where)
{
	struct crawlhttp *h;
	union address a;
	int rc, err;

	*hp = NULL;
	if (read_where(where, &a) < 0)
		return FAULT_ARG;
	h = calloc(1, sizeof *h);
	if (h == NULL)
		return FAULT_NOMEM;
	buf_init(&h->text, LIMIT_STATUS);
	h->loopback = is_loopback(&a);
	rc = pthread_mutex_init(&h->lock, NULL) != 0 ? FAULT_NOMEM : 0;
	if (rc < 0) {
		free(h);
		return rc;
	}
	rc = make_page(h);
	if (rc == 0)
		rc = start(h, &a);
	if (rc == 0) {
		*hp = h;
		return 0;
	}
	err = errno;
	crawlhttp_close(h);
	errno = err;
	return rc;
}

const char *
crawlhttp_where(const struct crawlhttp *h)
{
	return h->where;
}

void
crawlhttp_show(struct crawlhttp *h, const char *text, size_t len,
    const struct crawlhist *hist)
{
	if (h == NULL)
		return;
	pthread_mutex_lock(&h->lock);
	buf_clear(&h->text);
	/* Short of memory, the page is empty for a second. */
	if (buf_add(&h->text, text, len) < 0)
		buf_clear(&h->text);
	h->hist = *hist;
	pthread_mutex_unlock(&h->lock);
}

void
crawlhttp_close(struct crawlhttp *h)
{
	if (h == NULL)
		return;
	if (h->daemon != NULL)
		MHD_stop_daemon(h->daemon);
	pthread_mutex_destroy(&h->lock);
	buf_free(&h->text);
	buf_free(&h->page);
	free(h);
}

#endif
