#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Where robots.txt is elsewhere: it is followed for five redirects, each of
# them a request like any other, the delay after the one before it at that
# host, and what it says holds for the host that was asked first.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"

delay=250 # ms
cd "$T" || exit 2

# hops_start: the server; its log is then a new one
hops_start() {
	rm -f port log
	"$bin/hopweb" port log &
	web_pid=$!
	wait_for 1 port || exit 2
	port=$(cat port)
}

# hops OPTION... HOST...: crawl these
hops() {
	timeout 60 "$crawl" --connect-to="::127.0.0.1:$port" --ip-delay=0 \
	    --delay=0.$delay --connections=32 --scope=host -d d "$@" \
	    >lines 2>err
}

# apart NAME: no two requests to a host are closer than the delay
apart() {
	is "$(awk -v least=$((delay - 5)) '
	    ($2 in last) && $1 - last[$2] < least {
		print $2, $3, $1 - last[$2], "ms after", path[$2]
	    }
	    { last[$2] = $1; path[$2] = $3 }' log)" '' "$1"
}

# asked HOST [LINE]: what was asked for there, in order, from that line on
asked() {
	awk -v host="$1" -v from="${2:-1}" '
	    NR >= from && $2 == host { printf "%s ", $3 }' log
}

seeds=
for n in 1 2 3 4 5 6; do
	seeds="$seeds http://s$n.test/ http://a$n.test/"
done
hops_start
# shellcheck disable=SC2086 # a list of seeds
hops $seeds http://b.test/ http://c.test/ http://m0.test/ http://m1.test/
is $? 0 'a crawl of chains of 1 to 6 redirects'
apart 'no two requests to a host are closer than the delay'
pages='/ /yes1 /yes2 /yes3 '
chain=
for n in 1 2 3 4 5; do
	chain="$chain/$n "
	is "$(asked s$n.test)" "/robots.txt $chain$pages" "s$n: the same host"
	is "$(asked a$n.test)" "/robots.txt $pages" "a$n: other hosts"
done
is "$(asked s6.test)" "/robots.txt $chain/ /yes1 /no /yes2 /yes3 " \
    's6: one too many, all is allowed'
is "$(asked a6.test)" "/robots.txt / /yes1 /no /yes2 /yes3 " 'a6: too'
is "$(awk '$2 ~ /^m/ && $3 == "/no"' log | wc -l)" 2 'two that go in a circle'
is "$(awk '$2 ~ /^[bc]/ && $3 ~ "/./." { print $3 }' log | sort | xargs)" \
    "$(for n in 1 2 3 4 5 6; do
	seq -f "/$n/%g" $((n < 6 ? n : 5))
    done | xargs)" \
    'each redirect is asked for once'
is "$(awk '$2 == "b.test" { print $3 }' log |
    awk '/yes3/ { page = NR } /\/.\/./ { hop = NR }
	END { print page < hop }')" 1 \
    'and does not keep its host from its pages'
for host in b c; do
	is "$(asked $host.test | tr ' ' '\n' | grep -c 'yes\|^/$')" 4 \
	    "$host: its own pages"
done
is "$("$crawl" --verify -d d 2>&1 | grep -c damaged)" 0 '--verify'
is "$(sed 's/^[^{]*//' d/archive/*.cdxj | jq -r .url |
    grep -c 's5.test/[1-5]$')" 5 'the archive has each redirect'
web_stop

# ---- stopped and killed in the middle of a chain ----

for how in TERM KILL; do
	rm -rf d
	hops_start
	"$crawl" --connect-to="::127.0.0.1:$port" --ip-delay=0 \
	    --delay=0.$delay -d d http://a5.test/ http://s5.test/ \
	    >lines 2>err &
	pid=$!
	wait_for 6 log
	kill -$how $pid
	wait $pid 2>/dev/null
	before=$(wc -l <log)
	hops http://a5.test/ http://s5.test/
	is $? 0 "$how in the middle of a chain, and again"
	is "$(asked s5.test $((before + 1)))" "/robots.txt $chain$pages" \
	    "$how: it is asked for again from the start"
	[ $how = KILL ] || apart "$how: the delay holds between the two"
	web_stop
done

# ---- what is not there ----

rm -rf d
hops_start
timeout 60 "$crawl" --ip-delay=0 --delay=0 \
    --retries=0 --connect-to="g1.test:80:127.0.0.1:$port" \
    --connect-to="f1.test:80:127.0.0.1:$port" \
    --connect-to="e.test:80:127.0.0.1:$port" \
    --resolve=nowhere.test:80:127.0.0.2 --allow-private -d d \
    http://g1.test/ http://f1.test/ >lines 2>err
is $? 1 'robots.txt at a host that does not answer, or is in trouble'
is "$(awk '$3 == "/"' log)" '' 'nothing is fetched'
rm -rf d
timeout 60 "$crawl" --ip-delay=0 --delay=0 --retries=0 \
    --connect-to="p1.test:80:127.0.0.1:$port" -d d http://p1.test/ >lines 2>err
is "$?$(awk '$3 == "/"' log)" 1 'or where we must not go'
done_testing
