/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include "crawler/fetch.h"

/* One row per error, in the order of the enum. */
static const struct {
	const char *name, *str;
	int passing;
} row[] = {
	[FETCH_OK] = { "ok", "fetched", 0 },
	[FETCH_NAME] = { "name", "the host's name does not exist", 1 },
	[FETCH_NAME_LATER] = { "name-later",
	    "the host's name could not be resolved", 1 },
	[FETCH_GUARD] = { "address-refused",
	    "the host is at an address that is not public", 0 },
	[FETCH_URL] = { "url", "the URL cannot be asked for", 0 },
	[FETCH_CONNECT] = { "connect", "no connection", 1 },
	[FETCH_TLS] = { "tls", "no trusted TLS connection", 1 },
	[FETCH_PROXY] = { "proxy", "the proxy failed", 1 },
	[FETCH_TIMEOUT_CONNECT] = { "timeout-connect", "no connection in time",
	    1 },
	[FETCH_TIMEOUT_FIRST] = { "timeout-first",
	    "no byte of a response in time", 1 },
	[FETCH_TIMEOUT_STALL] = { "timeout-stall",
	    "the response came too slowly", 1 },
	[FETCH_TIMEOUT] = { "timeout", "the response took too long", 1 },
	[FETCH_RESET] = { "reset", "the connection ended before a response",
	    1 },
	[FETCH_SHORT] = { "short", "the connection ended within the body", 1 },
	[FETCH_PROTOCOL] = { "protocol", "what came is not HTTP", 1 },
	[FETCH_HEAD] = { "head", "the response's head is too long", 0 },
	[FETCH_STOPPED] = { "stopped", "we stopped it", 1 },
	[FETCH_STALE] = { "stale",
	    "the connection that was kept for it had ended", 1 },
	[FETCH_INTERNAL] = { "internal", "memory or descriptors ran out", 1 },
};

#define ROWS (sizeof row / sizeof row[0])

const char *
fetch_error_name(enum fetch_error e)
{
	return (unsigned int)e < ROWS ? row[e].name : "unknown";
}

const char *
fetch_error_str(enum fetch_error e)
{
	return (unsigned int)e < ROWS ? row[e].str : "unknown";
}

int
fetch_error_passing(enum fetch_error e)
{
	return (unsigned int)e < ROWS ? row[e].passing : 0;
}
