/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * request.h - the header fields that we send, and the request as text
 *
 * libcurl writes the request line, Host and User-Agent, then our fields in
 * their order.  The archive wants the request as it was sent; asking libcurl
 * for that costs a formatted trace of every transfer, so we write the same
 * bytes ourselves, and a test holds them against what a server received.
 *
 * Threads	Read-only once made, except request_text()'s buffer.
 * Errors	FAULT_NOMEM, FAULT_ARG for a field that is none.
 */

#ifndef CRAWLER_REQUEST_H
#define CRAWLER_REQUEST_H

#include <stddef.h>

#include <curl/curl.h>

#include "crawler/buf.h"
#include "snapshot/fault.h"

struct request;

/*
 * For User-Agent `agent' and the user's -H lines as in curl: "Name: value"
 * adds or replaces, "Name;" sends it empty, "Name:" leaves it out.
 */
must_check int request_new(struct request **r, const char *agent,
    const char *const *extra, size_t n_extra);

/* Is it such a line?  Host is ours to send. */
int request_is_field(const char *line);

/* `r' may be NULL. */
void request_free(struct request *r);

/* The fields for CURLOPT_HTTPHEADER, and the agent, NULL if not sent. */
struct curl_slist *request_fields(const struct request *r);
const char *request_agent(const struct request *r);

/* Write the request for `url' (NUL-terminated) over what is in `out'. */
must_check int request_text(const struct request *r, const char *url,
    struct buf *out);

#endif
