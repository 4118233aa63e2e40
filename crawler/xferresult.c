/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdio.h>
#include <string.h>

#include "crawler/addrguard.h"
#include "crawler/fetchint.h"
#include "crawler/httphead.h"
#include "crawler/xferresult.h"

#define TOO_LARGE 100 /* CURLE_TOO_LARGE, which is of libcurl 8.6 */

static enum fetch_error
tls_or_not(CURLcode c)
{
	switch ((int)c) { /* an int: the enum has far too many members */
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_ENGINE_NOTFOUND:
	case CURLE_SSL_ENGINE_SETFAILED:
	case CURLE_SSL_CERTPROBLEM:
	case CURLE_SSL_CIPHER:
	case CURLE_USE_SSL_FAILED:
	case CURLE_SSL_ENGINE_INITFAILED:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_SSL_SHUTDOWN_FAILED:
	case CURLE_SSL_CRL_BADFILE:
	case CURLE_SSL_ISSUER_ERROR:
	case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
	case CURLE_SSL_INVALIDCERTSTATUS:
		return FETCH_TLS;
	default:
		return FETCH_INTERNAL;
	}
}

/* What libcurl's code means for this transfer. */
static enum fetch_error
meaning(const struct xfer *x, CURLcode c)
{
	int body = x->stage == XFER_BODY || x->stage == XFER_READY;

	switch ((int)c) {
	case CURLE_OK: /* also for a head that was broken off */
		return body ? FETCH_OK : FETCH_RESET;
	case CURLE_WRITE_ERROR:
		if (x->head_long)
			return FETCH_HEAD;
		return x->too_long ? FETCH_OK : FETCH_INTERNAL;
	case CURLE_OUT_OF_MEMORY: /* so says libcurl 7 of a line of 100 kB */
	case TOO_LARGE:
		return body || x->failed || xfer_ready_us(x) <= 0 ?
		    FETCH_INTERNAL :
		    FETCH_HEAD;
	case CURLE_COULDNT_CONNECT:
		return x->refused ? FETCH_GUARD : FETCH_CONNECT;
	case CURLE_OPERATION_TIMEDOUT:
		return FETCH_TIMEOUT_CONNECT;
	case CURLE_COULDNT_RESOLVE_HOST:
		return FETCH_NAME;
	case CURLE_COULDNT_RESOLVE_PROXY:
	case CURLE_PROXY:
		return FETCH_PROXY;
	case CURLE_URL_MALFORMAT:
		return FETCH_URL;
	case CURLE_PARTIAL_FILE:
	case CURLE_RECV_ERROR:
	case CURLE_SEND_ERROR:
	case CURLE_GOT_NOTHING:
		return body ? FETCH_SHORT : FETCH_RESET;
	case CURLE_HTTP2:
	case CURLE_HTTP2_STREAM:
		return body ? FETCH_SHORT : FETCH_PROTOCOL;
	case CURLE_UNSUPPORTED_PROTOCOL: /* HTTP/0.9, or a strange version */
	case CURLE_WEIRD_SERVER_REPLY:
	case CURLE_BAD_CONTENT_ENCODING:
	case CURLE_BAD_FUNCTION_ARGUMENT:
		return FETCH_PROTOCOL;
	default:
		return tls_or_not(c);
	}
}

static void
explain(const struct xfer *x, CURLcode c, struct fetch_result *r)
{
	char ip[IP_TEXT];
	const char *s = x->why;

	if (r->error == FETCH_GUARD)
		(void)snprintf(r->why, sizeof r->why, "%s is a %s address",
		    ip_text(&x->refused_ip, ip),
		    addrguard_name(addrguard_class(&x->refused_ip)));
	else if (x->ended != FETCH_OK || r->error == FETCH_HEAD)
		(void)snprintf(r->why, sizeof r->why, "%s",
		    fetch_error_str(r->error));
	else if (r->error != FETCH_OK)
		(void)snprintf(r->why, sizeof r->why, "%.127s",
		    s[0] != '\0'      ? s :
			c == CURLE_OK ? fetch_error_str(r->error) :
					curl_easy_strerror(c));
	/* it goes into lines and records: no line ends in it */
	r->why[strcspn(r->why, "\r\n")] = '\0';
}

static enum warc_cut
cut_of(const struct xfer *x, const struct fetch_result *r)
{
	if (x->too_long)
		return WARC_LENGTH;
	switch ((int)r->error) {
	case FETCH_OK:
		return WARC_WHOLE;
	case FETCH_TIMEOUT:
	case FETCH_TIMEOUT_STALL:
	case FETCH_STOPPED:
		return WARC_TIME;
	default:
		return WARC_DISCONNECT;
	}
}

static void
peer(struct xfer *x, struct fetch_result *r)
{
	char *text = NULL;
	long n = 0;

	if (curl_easy_getinfo(x->easy, CURLINFO_PRIMARY_IP, &text) ==
		CURLE_OK &&
	    text != NULL)
		(void)ip_parse(&r->ip, text, strlen(text));
	if (curl_easy_getinfo(x->easy, CURLINFO_PRIMARY_PORT, &n) == CURLE_OK)
		r->port = (uint16_t)n;
	n = 1;
	(void)curl_easy_getinfo(x->easy, CURLINFO_NUM_CONNECTS, &n);
	r->reused = n == 0 && x->first >= 0;
	n = 0;
	(void)curl_easy_getinfo(x->easy, CURLINFO_HTTP_VERSION, &n);
	r->http2 = n == CURL_HTTP_VERSION_2_0;
}

/* ms from the start to the first byte, rounded up. */
static uint32_t
first_ms(const struct xfer *x)
{
	int64_t us = x->first_us - x->start_us;

	return us <= 0 ? 0 : (uint32_t)((us + 999) / 1000);
}

void
xferresult_fill(struct xfer *x, CURLcode code, struct fetch_result *r)
{
	int64_t now = loop_now(x->f->loop);

	memset(r, 0, sizeof *r);
	r->arg = x->arg;
	r->error = x->ended != FETCH_OK ? x->ended : meaning(x, code);
	explain(x, code, r);
	peer(x, r);
	r->start_us = x->start_us;
	r->ms = (uint32_t)(now - x->begun);
	r->first_ms = x->first < 0 ? 0 : first_ms(x);
	r->sent_ms = (uint32_t)((xfer_ready_us(x) + 999) / 1000);
	r->wire_bytes = x->bytes;
	if (x->stage == XFER_READY || x->stage == XFER_BODY) {
		r->head = x->head.s;
		r->head_len = x->head.len;
		r->status = httphead_status(x->head.s, x->head.len);
		r->body = x->body.s;
		r->body_len = x->body.len;
		r->cut = cut_of(x, r);
	}
	if (x->sent.len > 0) {
		r->request = x->sent.s;
		r->request_len = x->sent.len;
	} else if (request_text(x->f->request, x->url, &x->f->text) == 0) {
		r->request = x->f->text.s;
		r->request_len = x->f->text.len;
	}
}
