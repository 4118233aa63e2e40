/* SPDX-License-Identifier: BSD-2-Clause */

#include "config.h"

#include <stdint.h>
#include <string.h>

#include "crawler/httphead.h"
#include "tests/tap.h"

int
main(void)
{
	static const char h[] = "HTTP/1.1 200 OK\nA: 1\r\nB:\t2 \r\n folded\r\n"
				"a:3\r\nContent-Type:  Text/HTML ; x=y\r\n"
				"Retry-After: Wed, 21 Oct 2015 07:28:00 GMT\r\n"
				"\r\n";
	const char *v;
	char type[64];
	size_t from = 0, n = 0, len = sizeof h - 1;
	struct tap t = { 0, 0 };

	tap_ok(&t,
	    httphead_field(h, len, "a", &from, &v, &n) && n == 1 && *v == '1' &&
		httphead_field(h, len, "a", &from, &v, &n) && *v == '3' &&
		!httphead_field(h, len, "a", &from, &v, &n),
	    "a field that comes twice");
	from = 0;
	tap_ok(&t,
	    httphead_field(h, len, "b", &from, &v, &n) &&
		n == strlen("2 \r\n folded") && *v == '2',
	    "a folded field");
	tap_ok(&t,
	    httphead_type(h, len, type, sizeof type) == 9 &&
		strcmp(type, "text/html") == 0,
	    "the media type");
	tap_ok(&t,
	    httphead_retry_after(h, len, INT64_C(1445412470000000)) == 10000 &&
		httphead_retry_after(h, len, INT64_C(1545412470000000)) == 0,
	    "Retry-After with a date");
	tap_ok(&t,
	    httphead_retry_after("HTTP/1.1 503\r\nRetry-After: 99999999"
				 "9999999999999999\r\n\r\n",
		53, 0) == 24 * 3600 * 1000 &&
		httphead_retry_after("HTTP/1.1 503\r\nRetry-After: soon\r\n",
		    33, 0) == -1,
	    "Retry-After within bounds");
	tap_ok(&t,
	    httphead_status("HTTP/2 404 \r\n", 13) == 404 &&
		httphead_status("HTTP/1.1  99 x", 14) == 0 &&
		httphead_status("ICY 200 OK", 10) == 0,
	    "status lines");
	return tap_done(&t);
}
