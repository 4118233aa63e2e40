/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <sys/socket.h>

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "crawler/addrguard.h"
#include "crawler/fetchint.h"

#define BODY_KEEP (256 * 1024) /* bytes: larger ones are given back */

/* bytes, the least there is: libcurl may fill it a hundred times before it
   looks at the rate */
#define LIMITED_BUFFER 1024L

/* ---- what libcurl calls ---- */

static void
came(struct xfer *x, size_t n)
{
	x->bytes += (int64_t)n;
	if (x->first < 0) {
		/* Not the turn's time: how late it is, politeness asks. */
		x->first_us = xfer_wall_us();
		x->first = loop_now(x->f->loop);
		x->mark = x->first;
	}
}

static size_t
on_header(char *s, size_t size, size_t count, void *arg)
{
	struct xfer *x = arg;
	size_t n = size * count;

	came(x, n);
	if (x->stage == XFER_BODY) /* a trailer */
		return n;
	if (x->stage == XFER_READY || x->stage == XFER_SENT) {
		buf_clear(&x->head); /* an interim head, such as 103's */
		x->stage = XFER_HEAD;
	}
	if (n > LIMIT_HEAD - x->head.len) {
		x->head_long = 1;
		return 0;
	}
	if (buf_add(&x->head, s, n) < 0) {
		x->failed = 1;
		return 0;
	}
	if (s[0] == '\n' || (n > 1 && s[0] == '\r' && s[1] == '\n'))
		x->stage = XFER_READY;
	return n;
}

/* Room for `n' more bytes of body: 1, 0 if it has to pause, or a fault. */
static int
grow(struct xfer *x, size_t n)
{
	size_t want = x->body.size * 2;

	if (x->body.size - x->body.len >= n)
		return 1;
	if (want < XFER_FIRST)
		want = XFER_FIRST;
	if (want < x->body.len + n)
		want = x->body.len + n;
	if (want > x->max_body)
		want = x->max_body;
	if (!fetch_book(x->f, x, want))
		return 0;
	x->body.max = want;
	return buf_room(&x->body, n) < 0 ? FAULT_NOMEM : 1;
}

static size_t
on_body(char *s, size_t size, size_t count, void *arg)
{
	struct xfer *x = arg;
	size_t n = size * count, take = n;
	int rc;

	x->stage = XFER_BODY;
	if (take > x->max_body - x->body.len)
		take = x->max_body - x->body.len;
	rc = take == 0 ? 1 : grow(x, take);
	if (rc == 0) {
		/* we get the same bytes again when it goes on */
		if (x->paused < 0) {
			x->paused = loop_now(x->f->loop);
			x->f->stat.paused++;
		}
		return CURL_WRITEFUNC_PAUSE;
	}
	came(x, n);
	if (rc < 0 || (take > 0 && buf_add(&x->body, s, take) < 0)) {
		x->failed = 1;
		return 0;
	}
	x->too_long = take < n;
	return take < n ? 0 : n;
}

/* Put `ip' and `port' into libcurl's address. */
static void
readdress(struct curl_sockaddr *a, const struct ip *ip, uint16_t port)
{
	struct sockaddr_in in;
	struct sockaddr_in6 in6;

	if (ip->family == 4) {
		memset(&in, 0, sizeof in);
		in.sin_family = AF_INET;
		in.sin_port = htons(port);
		memcpy(&in.sin_addr, ip->b, 4);
		memcpy(&a->addr, &in, sizeof in);
		a->addrlen = sizeof in;
	} else {
		memset(&in6, 0, sizeof in6);
		in6.sin6_family = AF_INET6;
		in6.sin6_port = htons(port);
		memcpy(&in6.sin6_addr, ip->b, 16);
		/* libcurl has room for any address behind `addr' */
		memcpy((char *)a + offsetof(struct curl_sockaddr, addr), &in6,
		    sizeof in6);
		a->addrlen = sizeof in6;
	}
	a->family = ip->family == 4 ? AF_INET : AF_INET6;
}

/*
 * The last place before connect(): what is checked here is what is connected
 * to.  A literal host is not resolved by libcurl, so where the user sends it
 * elsewhere the address is exchanged here, and so is every other port.
 */
static curl_socket_t
on_socket(void *arg, curlsocktype purpose, struct curl_sockaddr *a)
{
	struct xfer *x = arg;
	struct fetch *f = x->f;
	struct ip ip;

	(void)purpose;
	if (f->proxy == NULL) {
		if (!ip_from(&ip, &a->addr))
			return CURL_SOCKET_BAD;
		if (x->literal && x->ips > 0)
			ip = x->ip[0];
		if (x->literal || x->to_port != x->port)
			readdress(a, &ip, x->to_port);
		if (!x->named && f->o.guard != NULL &&
		    !addrguard_ok(f->o.guard, x->url + x->host, x->host_len,
			&ip)) {
			x->refused = 1;
			x->refused_ip = ip;
			return CURL_SOCKET_BAD;
		}
	}
	f->stat.connections++;
	return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol);
}

/* Only set for URLs with a user's name: their requests have one field more. */
static int
on_trace(CURL *easy, curl_infotype type, char *s, size_t n, void *arg)
{
	struct xfer *x = arg;

	(void)easy;
	if (type != CURLINFO_HEADER_OUT)
		return 0;
	buf_clear(&x->sent);
	if (buf_add(&x->sent, s, n) < 0)
		x->failed = 1;
	return 0;
}

/*
 * A request is about to leave.  libcurl sends it once more, at once, if a
 * connection that was kept proves to have ended: but when a host is asked is
 * not for it to decide.  Whoever has that happen to the same URL again has
 * failed, so that nobody can be kept asking for ever.
 */
static int
on_request(void *arg, char *ip, char *local, int port, int local_port)
{
	struct xfer *x = arg;
	uint64_t *slot, hash;
	long n = 1;

	(void)ip;
	(void)local;
	(void)port;
	(void)local_port;
	if (x->asked++ == 0) {
		(void)curl_easy_getinfo(x->easy, CURLINFO_NUM_CONNECTS, &n);
		x->kept = n == 0;
		return CURL_PREREQFUNC_OK;
	}
	hash = XXH3_64bits_withSeed(x->url, strlen(x->url), x->key);
	slot = &x->f->stale[hash % FETCH_STALES];
	x->ended = x->kept && *slot != hash ? FETCH_STALE : FETCH_RESET;
	*slot = x->ended == FETCH_STALE ? hash : 0;
	return CURL_PREREQFUNC_ABORT;
}

/* ---- life ---- */

static int
set_common(struct xfer *x)
{
	const struct fetch *f = x->f;
	const struct fetch_opts *o = &f->o;
	CURL *e = x->easy;
	CURLcode c = CURLE_OK;

#define SET(opt, value)                                                        \
	c = c != CURLE_OK ? c : curl_easy_setopt(e, CURLOPT_##opt, value)
	SET(PRIVATE, (char *)x);
	SET(NOSIGNAL, 1L);
	SET(ERRORBUFFER, x->why);
	SET(PROTOCOLS_STR, "http,https");
	SET(HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
	SET(HTTP09_ALLOWED, 0L);
	SET(PATH_AS_IS, 1L);
	SET(FOLLOWLOCATION, 0L);
	SET(HTTP_CONTENT_DECODING, 0L);
	SET(SUPPRESS_CONNECT_HEADERS, 1L);
	SET(HTTPHEADER, request_fields(f->request));
	SET(USERAGENT, request_agent(f->request));
	SET(TCP_KEEPALIVE, 1L);
	SET(BUFFERSIZE, 32768L);
	SET(CONNECTTIMEOUT_MS, (long)o->timeout_ms);
	SET(PROXY, f->proxy == NULL ? "" : f->proxy);
	SET(SSL_VERIFYPEER, o->insecure ? 0L : 1L);
	SET(SSL_VERIFYHOST, o->insecure ? 0L : 2L);
	if (f->cacert != NULL)
		SET(CAINFO, f->cacert);
	if (o->family != 0)
		SET(IPRESOLVE,
		    o->family == 4 ? (long)CURL_IPRESOLVE_V4 :
				     (long)CURL_IPRESOLVE_V6);
	if (o->limit_rate != 0) {
		SET(MAX_RECV_SPEED_LARGE, (curl_off_t)o->limit_rate);
		SET(BUFFERSIZE, LIMITED_BUFFER);
	}
	SET(HEADERFUNCTION, on_header);
	SET(HEADERDATA, x);
	SET(WRITEFUNCTION, on_body);
	SET(WRITEDATA, x);
	SET(PREREQFUNCTION, on_request);
	SET(PREREQDATA, x);
	SET(OPENSOCKETFUNCTION, on_socket);
	SET(OPENSOCKETDATA, x);
	SET(DEBUGFUNCTION, on_trace);
	SET(DEBUGDATA, x);
	return c == CURLE_OK ? 0 : FAULT_ARG;
}

int
xfer_new(struct xfer **out, struct fetch *f)
{
	struct xfer *x;
	int rc = FAULT_NOMEM;

	x = calloc(1, sizeof *x);
	if (x == NULL)
		return FAULT_NOMEM;
	x->f = f;
	buf_init(&x->head, LIMIT_HEAD);
	buf_init(&x->body, 0);
	buf_init(&x->sent, LIMIT_HEAD);
	x->easy = curl_easy_init();
	if (x->easy != NULL)
		rc = set_common(x);
	if (rc < 0) {
		xfer_free(x);
		return rc;
	}
	*out = x;
	return 0;
}

void
xfer_free(struct xfer *x)
{
	if (x->easy != NULL)
		curl_easy_cleanup(x->easy);
	curl_slist_free_all(x->resolve);
	buf_free(&x->head);
	buf_free(&x->body);
	buf_free(&x->sent);
	free(x->url);
	free(x);
}

int
xfer_load(struct xfer *x, const struct fetch_job *j)
{
	size_t need = j->url_len + j->host_len + 2;
	struct ip ip;
	char *s;

	if (x->url_size < need) {
		s = realloc(x->url, need);
		if (s == NULL)
			return FAULT_NOMEM;
		x->url = s;
		x->url_size = need;
	}
	memcpy(x->url, j->url, j->url_len);
	x->url[j->url_len] = '\0';
	x->host = j->url_len + 1;
	memcpy(x->url + x->host, j->host, j->host_len);
	x->url[x->host + j->host_len] = '\0';
	x->host_len = j->host_len;
	x->port = j->port;
	x->to_port = j->to_port == 0 ? j->port : j->to_port;
	x->literal = ip_parse(&ip, j->host, j->host_len);
	x->named = j->named;
	x->max_body = j->max_body;
	x->ips = j->ips < LIMIT_DNS_IPS ? j->ips : LIMIT_DNS_IPS;
	if (x->ips > 0)
		memcpy(x->ip, j->ip, x->ips * sizeof *x->ip);
	x->key = XXH3_64bits_withSeed(j->host, j->host_len, j->port);
	x->arg = j->arg;
	x->stage = XFER_SENT;
	x->first = x->paused = -1;
	x->bytes = x->mark_bytes = 0;
	x->too_long = x->head_long = x->failed = 0;
	x->asked = x->kept = 0;
	x->refused = 0;
	x->ended = FETCH_OK;
	x->why[0] = '\0';
	return 0;
}

/* "HOST:PORT:A,A,..." for CURLOPT_RESOLVE. */
static int
add_addresses(struct xfer *x)
{
	char text[IP_TEXT];
	struct curl_slist *l;
	struct buf b;
	unsigned int i;
	int rc;

	buf_init(&b, LIMIT_LINE + LIMIT_DNS_IPS * (IP_TEXT + 3));
	rc = buf_fmt(&b, "%s:%u", x->url + x->host, (unsigned int)x->port);
	for (i = 0; i < x->ips && rc == 0; i++) {
		ip_text(&x->ip[i], text);
		rc = buf_fmt(&b, x->ip[i].family == 6 ? "%c[%s]" : "%c%s",
		    i == 0 ? ':' : ',', text);
	}
	if (rc == 0)
		rc = buf_add(&b, "", 1);
	if (rc == 0) {
		l = curl_slist_append(x->resolve, b.s);
		if (l == NULL)
			rc = FAULT_NOMEM;
		else
			x->resolve = l;
	}
	buf_free(&b);
	return rc;
}

int
xfer_ready(struct xfer *x, struct curl_slist *resolve)
{
	const char *slash = strstr(x->url, "://");
	long trace;
	int rc = 0;

	x->resolve = resolve;
	if (x->f->proxy == NULL && !x->literal && x->ips > 0)
		rc = add_addresses(x);
	slash = slash == NULL ? x->url : slash + 3;
	trace = memchr(slash, '@', strcspn(slash, "/?#")) != NULL;
	if (rc < 0 ||
	    curl_easy_setopt(x->easy, CURLOPT_URL, x->url) != CURLE_OK ||
	    curl_easy_setopt(x->easy, CURLOPT_RESOLVE, x->resolve) !=
		CURLE_OK ||
	    curl_easy_setopt(x->easy, CURLOPT_VERBOSE, trace) != CURLE_OK)
		return FAULT_NOMEM;
	return 0;
}

void
xfer_reset(struct xfer *x)
{
	(void)curl_easy_setopt(x->easy, CURLOPT_RESOLVE, NULL);
	curl_slist_free_all(x->resolve);
	x->resolve = NULL;
	buf_clear(&x->head);
	buf_clear(&x->sent);
	buf_clear(&x->body);
	if (x->body.size > BODY_KEEP)
		buf_free(&x->body);
}

/* ---- times ---- */

int64_t
xfer_wall_us(void)
{
	struct timespec ts;

	(void)clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec * 1000000 + ts.tv_nsec / 1000;
}

int64_t
xfer_ready_us(const struct xfer *x)
{
	curl_off_t us = 0;

	if (curl_easy_getinfo(x->easy, CURLINFO_PRETRANSFER_TIME_T, &us) !=
	    CURLE_OK)
		return 0;
	return us;
}
