#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The scripts of examples/, each doing what it says, on loopback.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"
ex=$(cd "$top_srcdir/examples" && pwd)
site=$(cd "$top_srcdir/tests/data/site" && pwd)
bin=$(cd "$top_builddir/tests" && pwd)
crawl_at=$(cd "$top_builddir" && pwd)/crawl
PATH=$(dirname "$crawl_at"):$PATH
export PATH
cd "$T" || exit 2
LC_ALL=C
export LC_ALL

# ---- urlseen ----

cat >items.jsonl <<'END'
{"id":1,"url":"http://a.example/x?b=1","text":"a\tb"}
{"id":2,"url":"HTTP://A.example:80/x?b=1","text":""}
{"id":3,"url":"http://a.example/y","text":"\"q\""}
END
is "$(sh "$ex/json-lines.sh" seen.json <items.jsonl)" "$(sed 2d items.jsonl)" \
    'json-lines.sh: the objects that are new, as they were'
is "$(sh "$ex/json-lines.sh" seen.json <items.jsonl)" '' 'and none again'

cat >cc.cdxj <<'END'
example,a)/ 20240101000000 {"url": "https://a.example/", "status": "200"}
example,a)/ 20240301000000 {"url": "https://a.example", "status": "200"}
example,b)/c 20240101000000 {"url": "http://b.example/c", "mime": "text/html"}
END
is "$(sh "$ex/common-crawl.sh" seen.cc <cc.cdxj)" "$(sed 2d cc.cdxj)" \
    'common-crawl.sh: lines, each page once'
is "$(sh "$ex/common-crawl.sh" seen.cc2 urls <cc.cdxj)" \
    'https://a.example/
http://b.example/c' 'its URLs as seeds'

echo http://a.example/1 >log.txt
sh "$ex/follow-log.sh" seen.log log.txt sh -c 'echo "got $1" >>got' sh \
    2>/dev/null &
follow=$!
wait_for 1 got
printf '%s\n' http://a.example/1 http://a.example/2 HTTP://a.example/2 \
    http://a.example/3 >>log.txt
wait_for 3 got
is "$(cat got)" 'got http://a.example/1
got http://a.example/2
got http://a.example/3' 'follow-log.sh: each new URL of a growing file'
kill $follow
# what it follows with is not told: it ends by itself when nobody reads it
for p in $(ps -eo pid=,args= | awk -v f="$(basename "$T")" \
    '/tail -n [+]1 -F log.txt/ && !/awk/ { print $1 }'); do
	[ "$(readlink "/proc/$p/cwd" 2>/dev/null)" != "$(pwd -P)" ] ||
	    kill "$p"
done

web_start --site="$site"
CURL_OPTIONS="--noproxy * --connect-to ::127.0.0.1:$port"
export CURL_OPTIONS
if command -v curl >/dev/null; then
	printf '%s\n' http://site.test/index.html http://site.test/cafe.html \
	    HTTP://site.test/cafe.html >urls.txt
	set -f # the star in the options
	sh "$ex/fetch-new.sh" seen.fetch files <urls.txt
	is "$?$(find files -type f | wc -l | tr -d ' ')" 02 \
	    'fetch-new.sh: two files'
	find files -name '*-http___site.test_cafe.html' -exec cat {} + |
	    cmp -s - "$site/cafe.html"
	ok $? 'as they are on the server'
	rm -r files
	sh "$ex/fetch-new.sh" seen.fetch files <urls.txt
	is "$(find files -type f)" '' 'and none again'
	# one name but for its sum, and one that is not there yet
	mkdir -p late/a
	echo one >late/a/b
	web_stop
	web_start --site="$T/late"
	CURL_OPTIONS="--noproxy * --connect-to ::127.0.0.1:$port"
	printf 'http://site.test/%s\n' a/b a_b >urls.txt
	sh "$ex/fetch-new.sh" seen.fetch files <urls.txt 2>err
	is "$?$(find files -type f -exec cat {} +)" 1one 'a file is not there'
	echo two >late/a_b
	web_stop
	web_start --site="$T/late"
	CURL_OPTIONS="--noproxy * --connect-to ::127.0.0.1:$port"
	sh "$ex/fetch-new.sh" seen.fetch files <urls.txt
	is "$?$(find files -type f -exec cat {} + | sort | tr '\n' ' ')" \
	    '0one two ' 'the next run has it, and beside the other'
	is "$(find files -name '*.part')" '' 'nothing is left beside them'
	web_stop
	web_start --site="$site"
	set +f
else
	skip 'fetch-new.sh' 'there is no curl'
fi

# ---- crawl ----

fast="$to --delay=0.01 --ip-delay=0"
# shellcheck disable=SC2086 # a list of options
PAUSE=0 sh "$ex/crawl-site.sh" http://site.test/ site $fast >out 2>&1
is "$?$(cat out)" 0 'crawl-site.sh ends well and is quiet'
is "$(crawl --status --json -d site | jq -r .state)" complete 'all is done'
ok "$([ "$(grep -c '^200' site.tsv)" -gt 10 ]; echo $?)" \
    "$(grep -c '^200' site.tsv) pages are in its list"
sh "$ex/warc-page.sh" site http://site.test/cafe.html >page
ok $? 'warc-page.sh'
like "$(tr -d '\r' <page)" '^WARC-Target-URI: http://site.test/cafe.html$' \
    'the record is that page'"'"'s'
awk 'blank == 2 { print } /^\r?$/ && blank < 2 { blank++ }' page |
    head -n "$(wc -l <"$site/cafe.html")" | cmp -s - "$site/cafe.html"
ok $? 'and holds it to the byte'
sh "$ex/warc-page.sh" site http://site.test/none >out 2>err
is "$?$(cat out err)" '1http://site.test/none: not in site/archive' \
    'a page that is not there'

printf '%s\n' http://site.test/cafe.html http://site.test/no-such >list.txt
# shellcheck disable=SC2086
sh "$ex/crawl-list.sh" list.txt list $fast >out 2>err
is "$?$(cat err)" 0 'crawl-list.sh'
is "$(cut -f 1,6 list.tsv | sort)" "200	http://site.test/cafe.html
404	http://site.test/no-such" 'it fetches the list and nothing else'

# A country: files that every host has, with links there and elsewhere.
web_stop
mkdir land
cat >land/index.html <<'END'
<a href="http://b.land/in.html">another host</a>
<a href="http://www.c.land/in.html">and one below</a>
<a href="http://a.land:81/">another port</a>
<a href="http://land.example/out.html">no</a>
<a href="http://a.land.example/out.html">no</a>
<a href="http://island/out.html">no</a>
<a href="http://c.example/out.html?http://a.land/">no</a>
<a href="http://a.land@c.example/out.html">no</a>
END
for page in in out; do
	echo '<a href="/">up</a>' >land/$page.html
done
web_start --site=land
echo http://a.land/ >land.txt
# shellcheck disable=SC2086
sh "$ex/crawl-country.sh" land land.txt country $to --delay=0.01 \
    --ip-delay=0 --retries=0 >out 2>&1
is "$?$(cat out)" 0 'crawl-country.sh ends well and is quiet'
is "$(cut -f 6 country.tsv | sorted)" 'http://a.land/
http://a.land:81/
http://b.land/
http://b.land/in.html
http://www.c.land/
http://www.c.land/in.html' 'it fetches what is in the country, and no more'

# ---- the unit, in systemd's own eyes ----

if command -v systemd-analyze >/dev/null; then
	sed "s,/usr/bin/crawl ,$crawl_at ," "$ex/crawl@.service" \
	    >crawl@x.service
	is "$(systemd-analyze --man=no verify ./crawl@x.service 2>&1 |
	    grep 'crawl@x')" '' 'systemd-analyze verify has nothing to say'
	sed 's/^Restart=.*/Restart=perhaps/' crawl@x.service >crawl@y.service
	like "$(systemd-analyze --man=no verify ./crawl@y.service 2>&1)" \
	    'crawl@y.*perhaps' 'but has of one that is wrong'
else
	skip 'systemd-analyze verify' 'there is no systemd-analyze'
fi
done_testing
