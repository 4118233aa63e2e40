#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# crawl --http: the live page and its numbers while a crawl runs.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"
command -v curl >/dev/null || skip_all 'there is no curl'
cd "$T" || exit 2
echo http://127.0.0.1:1/ >none.txt
if ! grep -q '^#define HAVE_MICROHTTPD 1' "$top_builddir/config.h"; then
	fails 2 'without libmicrohttpd' "$crawl" --http=0 none.txt
	like "$err" 'built without libmicrohttpd' 'it says so'
	done_testing
fi

for where in :80 1.2.3:80 localhost:80 127.0.0.1:70000 127.0.0.1: '[::1:80' \
    nonsense; do
	fails 2 "--http=$where is refused" "$crawl" --http=$where none.txt
	like "$err" "^crawl: --http '.*' is wrong: it takes ADDRESS:PORT" 'so'
done

# get PATH OPTION...: the body in $body, "STATUS TYPE" in $head
get() {
	path=$1
	shift
	head=$(curl -s --noproxy '*' -o body "$@" \
	    -w '%{http_code} %{content_type}' "http://$at$path")
	body=$(cat body 2>/dev/null)
}

web='--hosts=10 --pages=3000 --page-bytes=1000'
# shellcheck disable=SC2086 # a list of options
{
	truth $web
	web_start $web
}
cp seeds seed.txt
"$crawl" $to --delay=0.05 --ip-delay=0 --scope=any --http=127.0.0.1:0 \
    seed.txt >lines 2>err &
pid=$!
trap 'kill $pid 2>/dev/null; web_stop; rm -rf "$T"' EXIT
wait_for 1 err
at=$(sed -n 's,.*live page at http://\(.*\)/$,\1,p' err)
like "$at" '^127\.0\.0\.1:[1-9][0-9]*$' 'it says where the page is'
wait_for 100 lines
sleep 2.2 # two samples and more

get /status.json
is "$head" '200 application/json' 'status.json'
is "$(printf '%s' "$body" | jq -r '.state, .pid')" "running
$pid" 'its state'
is "$(printf '%s' "$body" | jq '.done >= 50 and .hosts == 10 and
    .pages_1m > 1000 and .statuses["2xx"] > 10 and .refused.seen > 0 and
    (.top | length) > 0 and .top[0].left >= .top[-1].left')" true \
    'its numbers'
"$crawl" --status --json -d seed.crawl | jq -S 'keys' >keys
printf '%s' "$body" | jq -S keys | cmp -s - keys
ok $? 'the same members as --status --json'
"$crawl" --status -d seed.crawl >text
for line in 'as of .* \([0-9] s ago\), after a run of [0-9]+ s' \
    'in 1, 5, 15 min  [1-9][0-9.]*, [1-9]' 'answers +[0-9]+ 2xx' \
    'links not taken .*seen' ' queued flight .*slowest hosts' \
    '[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +0\.1 +[0-9]+  http://'; do
	like "$(cat text)" "$line" "--status: $line"
done
get /history.json
is "$(printf '%s' "$body" | jq '[.[] | length] | unique | length')" 1 \
    'history.json: as many of each'
is "$(printf '%s' "$body" | jq '(.time | length) >= 2 and
    (.pages | . == sort) and (.time | . == sort)')" true 'in order'
get /metrics
is "$head" '200 text/plain; version=0.0.4; charset=utf-8' 'metrics'
name='crawl_[a-z0-9_]+' label='\{[a-z]+="[a-z0-9-]+"\}'
is "$(printf '%s\n' "$body" |
    grep -Evc "^(# TYPE $name (counter|gauge)|$name($label)? [0-9]+)\$")" \
    0 'each line is as Prometheus wants it'
like "$body" '^crawl_up 1$' 'it is up'
like "$body" '^crawl_pages_total\{status="2xx"\} [1-9]' 'pages by status'
get /
is "$head" '200 text/html; charset=utf-8' 'the page'
is "$(printf '%s' "$body" | sed 's,http://www.w3.org/2000/svg,,' |
    grep -Ec '(https?:)?//[a-z]|@import|url\(')" 0 'it needs nothing else'
curl -sI --noproxy '*' "http://$at/" >heads
like "$(cat heads)" "^Content-Security-Policy: default-src 'none'" \
    'and may load nothing else'
get /nothing
is "$head" '404 text/plain; charset=utf-8' 'another path'
get /../../etc/passwd --path-as-is
is "${head%% *}" 404 'no files'
get /status.json -X POST -d x
is "${head%% *}" 405 'no POST'
get /status.json -H 'Host: evil.example'
is "${head%% *}" 403 'no name of somebody else'
get /status.json -H 'Host: localhost:1'
is "${head%% *}" 200 'localhost'
fails 2 'the port is taken' "$crawl" --http="$at" -d other none.txt
like "$err" "^crawl: --http=$at: Address already in use: give another port" \
    'it says so'
[ ! -e other ] && [ ! -e none.crawl ]
ok $? 'no mistake leaves a state directory'

kill -TERM $pid
wait $pid
is $? 3 'the crawl ends as without it'
get /
is "${head%% *}" 000 'and so does the page'
done_testing
