/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * warc.h - WARC 1.1 records (ISO 28500:2017), made and read
 *
 * A capture becomes a response record and a request record that point at each
 * other; one whose payload we have stored before becomes a revisit; one that
 * failed becomes a metadata record that says why.  The HTTP head is written
 * as received with two changes: Transfer-Encoding is left out with any
 * Content-Length beside it, since the payload is stored after transfer
 * decoding, and a head of HTTP/2 gets an HTTP/1.1 status line (the WARC
 * extension for HTTP/2), with WARC-Protocol telling the truth.
 *
 * Threads	No state.
 * Errors	FAULT_NOMEM, FAULT_TOOBIG, and FAULT_DAMAGED, FAULT_TRUNCATED
 *		from the reader.
 */

#ifndef CRAWLER_WARC_H
#define CRAWLER_WARC_H

#include <stddef.h>
#include <stdint.h>

#include "crawler/buf.h"
#include "crawler/digest.h"
#include "crawler/ip.h"
#include "snapshot/fault.h"

#define WARC_ID   48 /* bytes: "<urn:uuid:...>" and the NUL */
#define WARC_DATE 32 /* bytes: "2026-01-31T12:00:00.123456Z" and the NUL */

enum warc_cut { /* WARC-Truncated */
	WARC_WHOLE,
	WARC_LENGTH,     /* the size limit */
	WARC_TIME,       /* the deadline */
	WARC_DISCONNECT, /* the peer went away */
};

/* One fetch.  All pointers are the caller's; none need end in NUL. */
struct warc_capture {
	const char *url; /* normalised */
	size_t url_len;
	int64_t start_us; /* the request's moment, since 1970 */
	struct ip ip;     /* family 0: unknown (or a proxy's) */
	int http2;
	const char *request; /* head as sent, with the empty line */
	size_t request_len;
	const char *head; /* response head as received, with the empty line */
	size_t head_len;  /* 0: there was no response */
	const void *body; /* after transfer decoding */
	size_t body_len;
	enum warc_cut cut;
	const char *error; /* NUL-terminated, NULL = none; for metadata */
};

/* What a revisit record says about the capture it repeats. */
struct warc_refers {
	const char *url;
	size_t url_len;
	int64_t start_us;
};

/* Bytes of the caller's; len 0 where a record lacks the field. */
struct warc_text {
	const char *s;
	size_t len;
};

/* A record that is read: fields point into the caller's bytes. */
struct warc_record {
	size_t head_len;    /* bytes up to and including the empty line */
	uint64_t block_len; /* Content-Length */
	struct warc_text type, url, date, payload, block; /* digests: last 2 */
};

/* `us' since 1970 as an ISO 8601 UTC date with microseconds. */
void warc_date(int64_t us, char out[WARC_DATE]);

/* The moment that such a date names; -1 if it is none. */
int64_t warc_time(const char *date, size_t len);

/* A fresh "<urn:uuid:...>", version 4 (RFC 9562). */
must_check int warc_id(char out[WARC_ID]);

/* The warcinfo record of the file `name'; `fields' is "key: value\r\n"... */
must_check int warc_info(struct buf *out, const char *name, int64_t now_us,
    const char *fields, size_t fields_len);

/*
 * The response (or, with `refers', the revisit) record of `c', without its
 * payload and the two line ends behind it: those are `c->body' (nothing for a
 * revisit) and WARC_END, so that no large body is copied.  `payload' is its
 * digest, `id' its record's name.
 */
must_check int warc_response(struct buf *out, struct digest *d,
    const struct warc_capture *c, const struct warc_refers *refers,
    const char *payload, const char *id);

/* The request record, whole, concurrent to the record `to'. */
must_check int warc_request(struct buf *out, struct digest *d,
    const struct warc_capture *c, const char *to);

/* The metadata record of a fetch that failed, whole. */
must_check int warc_failure(struct buf *out, const struct warc_capture *c);

#define WARC_END "\r\n\r\n" /* behind every record's block */

/*
 * Read the head of the record that starts `len' bytes at `s'.  0,
 * FAULT_TRUNCATED if it is not all there, FAULT_DAMAGED, or FAULT_TOOBIG if
 * no empty line comes within LIMIT_WARC_HEAD.
 */
must_check int warc_read(struct warc_record *r, const char *s, size_t len);

#endif
