#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# A host with several addresses: one that does not answer, IPv6 or IPv4, is
# passed over for one that does.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"

web_start --hosts=1 --pages=1
cd "$T" || exit 2

# asked ADDRESSES OPTION...: the status and error of a page of that host
asked() {
	addresses=$1
	shift
	rm -rf state
	timeout 60 "$crawl" --resolve="any.test:$port:$addresses" \
	    --allow-private --delay=0 --retries=0 --robots=ignore "$@" \
	    -d state "http://any.test:$port/no-such-page" 2>err | cut -f1,7 |
	    tr '\t' ' '
}

for addresses in 127.0.0.1 '[::1],127.0.0.1' '127.0.0.1,[::1]' \
    '127.0.0.2,127.0.0.1' '127.0.0.2,[::1],127.0.0.3,127.0.0.1'; do
	is "$(asked $addresses)" '404 http-404' "$addresses"
done
is "$(asked '[::1],127.0.0.1' -4)" '404 http-404' '-4 leaves IPv6 out'
is "$(asked '[::1],127.0.0.1' -6)" '0 connect' '-6 leaves IPv4 out'
is "$(asked '[::1],127.0.0.2')" '0 connect' 'none that answers'
done_testing
