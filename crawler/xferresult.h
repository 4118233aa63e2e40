/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * xferresult.h - what became of a transfer
 *
 * Private to the engine: libcurl's code and what its callbacks noted, in the
 * words of fetch.h.
 */

#ifndef CRAWLER_XFERRESULT_H
#define CRAWLER_XFERRESULT_H

#include <curl/curl.h>

#include "crawler/fetch.h"
#include "crawler/xfer.h"

/*
 * Fill `r' for a transfer that ended with libcurl's `code'.  It points into
 * `x' and the engine's text, until the next such call or xfer_reset().
 */
void xferresult_fill(struct xfer *x, CURLcode code, struct fetch_result *r);

#endif
