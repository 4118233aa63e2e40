#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# The test web itself: is it what its truth says, and the same each time?

: "${top_builddir=.}" "${top_srcdir=.}"
bin=$top_builddir/tests
dir=$(mktemp -d) || exit 2
run=0
bad=0
pid=

cleanup() {
	stop
	rm -rf "$dir"
}

ok() { # STATUS NAME
	run=$((run + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $run - $2"
	else
		bad=$((bad + 1))
		echo "not ok $run - $2"
	fi
}

# start OPTION...: a server; its port in $port, its log in $dir/log
start() {
	rm -f "$dir/port" "$dir/log"
	"$bin/testweb" "$@" --log="$dir/log" --port-file="$dir/port" \
	    >"$dir/out" 2>&1 &
	pid=$!
	tries=0
	while [ ! -s "$dir/port" ]; do
		tries=$((tries + 1))
		[ $tries -lt 200 ] || {
			sed 's/^/# /' "$dir/out"
			echo "Bail out! the server does not start"
			exit 2
		}
		sleep 0.05
	done
	port=$(cat "$dir/port")
}

stop() {
	[ -z "$pid" ] || {
		kill "$pid" && wait "$pid"
	}
	pid=
}

# truth OPTION...: its sets in $dir/fetch, robots, forbidden, seeds
truth() {
	for set in fetch robots forbidden seeds; do
		"$bin/testweb" "$@" --truth=$set >"$dir/$set" || return 1
	done
}

check() {
	"$bin/weblog-check" --truth="$dir/fetch" --robots="$dir/robots" \
	    --forbidden="$dir/forbidden" "$@" "$dir/log" >"$dir/table" 2>&1
}

get() { # HOST PATH
	curl -s --max-time 10 --connect-to "::127.0.0.1:$port" "http://$1$2"
}

trap cleanup EXIT

# what is served is what is true
plain='--hosts=9 --pages=500 --features=-spellings,-base --page-bytes=3000'
# shellcheck disable=SC2086 # a list of options
{
	truth $plain
	[ "$(wc -l <"$dir/fetch")" -eq 500 ]
	ok $? "every page is in the truth"
	LC_ALL=C sort -c "$dir/fetch" 2>/dev/null
	ok $? "the truth is sorted"
	start $plain
	"$bin/webref" "$port" "$(cat "$dir/seeds")" | LC_ALL=C sort >"$dir/got"
	stop
	cmp -s "$dir/fetch" "$dir/got"
	ok $? "a crawler that knows nothing of the generator fetches the truth"
	check
	ok $? "and weblog-check finds it right"
}

# the judge sees each kind of fault
cp "$dir/log" "$dir/good"
broken() { # NAME [OPTION]...: $dir/log was changed
	name=$1
	shift
	check "$@"
	[ $? -eq 1 ]
	ok $? "weblog-check: $name"
	cp "$dir/good" "$dir/log"
}
sed '$d' "$dir/good" >"$dir/log"
broken "a missed page"
sed '$p' "$dir/good" >"$dir/log"
broken "a page fetched twice"
sed '$p' "$dir/good" >"$dir/log"
check --allow-again=1
ok $? "weblog-check: which can be allowed"
{
	cat "$dir/good"
	sed '$!d; s,	/[^	]*,	/private/x0.html,' "$dir/good"
} >"$dir/log"
broken "a forbidden page"
{
	cat "$dir/good"
	sed '$!d; s,	/[^	]*,	/never,' "$dir/good"
} >"$dir/log"
broken "an unknown page"
sed '1{h;d;};2{p;x;}' "$dir/good" >"$dir/log"
broken "a page before its robots.txt"
broken "requests too close" --gap=10000

# the same options, the same web; another seed, another one
for seed in 1 1 2; do
	start --hosts=9 --pages=500 --seed=$seed
	for h in h0.test xn--bcher-kva.h3.test www.h5.test; do
		get $h / && get $h /robots.txt
	done | cksum >>"$dir/sums"
	stop
done
[ "$(sed -n 1p "$dir/sums")" = "$(sed -n 2p "$dir/sums")" ]
ok $? "the same seed, the same bytes"
[ "$(sed -n 2p "$dir/sums")" != "$(sed -n 3p "$dir/sums")" ]
ok $? "another seed, other bytes"

# scopes
truth --hosts=9 --pages=500 --scope=host --seeds=2
[ "$(wc -l <"$dir/fetch")" -eq 112 ]
ok $? "scope host: the seeds' hosts only"
truth --hosts=9 --pages=500 --scope=domain --seeds=6
cut -d/ -f3 "$dir/fetch" | sort -u | grep -q '^www\.h5\.test$'
ok $? "scope domain: a host that shares a seed's domain"

# the bundled site
start --site="$top_srcdir/tests/data/site"
while read -r url; do
	curl -s -o /dev/null --path-as-is -w '%{http_code} %{url_effective}\n' \
	    --connect-to "::127.0.0.1:$port" "$url"
done <"$top_srcdir/tests/data/site.urls" >"$dir/codes"
stop
[ "$(grep -c -v -e '^200 ' "$dir/codes")" -eq 4 ]
ok $? "the bundled site has three redirects and one lost page"
cut -f 2-4 "$dir/log" | LC_ALL=C sort -u >"$dir/asked"
[ "$(wc -l <"$dir/asked")" -eq "$(wc -l <"$dir/codes")" ]
ok $? "each of its URLs is one"

# hostile: the sets of the truth do not overlap
hostile='--profile=hostile --hosts=4 --pages=300 --page-bytes=2000'
# shellcheck disable=SC2086 # a list of options
{
	truth $hostile
	"$bin/testweb" $hostile --truth=maybe >"$dir/maybe"
	[ -z "$(sort "$dir/fetch" "$dir/robots" "$dir/forbidden" \
	    "$dir/maybe" | uniq -d)" ]
	ok $? "no URL is both to be fetched and not"
}

# each feature with hosts of its own adds to it, and goes without a trace
one="--hosts=1 --pages=1 --features=-all,robots"
# shellcheck disable=SC2086 # a list of options
base=$("$bin/testweb" $one --truth | wc -l)
all=$("$bin/testweb" --hosts=1 --pages=1 --features=all --truth | wc -l)
sum=0
poor=
for f in phantoms nofollow markup redirects errors rules charsets types \
    refresh frames linkrel headers sitemaps huge slow dead private longurls \
    slashes queries trap; do
	# shellcheck disable=SC2086 # a list of options
	n=$("$bin/testweb" $one,$f --truth | wc -l)
	[ "$n" -gt "$base" ] || poor="$poor $f"
	sum=$((sum + n - base))
done
[ -z "$poor" ]
ok $? "each feature has URLs of its own$poor"
[ $((base + sum)) -eq "$all" ]
ok $? "and they add up: $base + $sum = $all"

# what is true can be had, and after the failures all of it is well
# shellcheck disable=SC2086
start $hostile --features=-dead,-huge
{
	printf 'connect-to = "::127.0.0.1:%s"\n' "$port"
	printf 'path-as-is\ngloboff\nmax-time = 10\nsilent\n'
	printf 'write-out = "%%{http_code} %%{exitcode} %%{url_effective}\\n"\n'
	grep -v -e '/dead-' -e '//huge' -e '//errors' "$dir/fetch" |
	    sed 's/.*/url = "&"\noutput = "\/dev\/null"/'
} >"$dir/config"
curl -K "$dir/config" >"$dir/first"
curl -K "$dir/config" >"$dir/second"
curl -K "$dir/config" >"$dir/codes"
stop
grep -v -e '^[23].. 0 ' -e '^404 0 .*missing.xml' -e '^404 0 .*outside' \
    "$dir/codes" >"$dir/odd"
[ ! -s "$dir/odd" ]
ok $? "every URL of the truth is well in the end"
sed 's/^/# /' "$dir/odd" | head -n 5
[ "$(grep -c -e '^5' -e '^429' "$dir/first")" -gt 0 ] &&
    [ "$(grep -c '^[^ ]* [1-9]' "$dir/first")" -gt 0 ]
ok $? "some fail at first"
none=
for fate in ok chunked http/1.0 less cut-short cut-reset cut-gone pieces \
    'ok,retry-after=1000'; do
	cut -f 9 "$dir/log" | grep -q -x -e "$fate" || none="$none $fate"
done
[ -z "$none" ]
ok $? "every fate was met$none"

# what is coded is the same page
start --profile=hostile --hosts=2 --pages=60 --page-bytes=2000 \
    --features=-flaky,-retryafter,-members
"$bin/testweb" --profile=hostile --hosts=2 --pages=60 --page-bytes=2000 \
    --truth | grep -e '//h0.test/' -e '//h1.test/' |
    sed 's/.*/url = "&"/' >"$dir/urls"
printf 'connect-to = "::127.0.0.1:%s"\nsilent\ngloboff\n' "$port" |
    cat - "$dir/urls" >"$dir/config"
curl -K "$dir/config" | cksum >"$dir/plain"
curl --compressed -K "$dir/config" | cksum >"$dir/decoded"
curl -i --compressed -K "$dir/config" | grep -a -c -i '^content-encoding' \
    >"$dir/coded"
stop
cmp -s "$dir/plain" "$dir/decoded" && [ "$(cat "$dir/coded")" -gt 10 ]
# (curl knows no gzip of several members)
ok $? "coded bodies decode to the same bytes"

# tarpits: an answer may never come, and costs the others nothing
start --profile=hostile --hosts=1 --pages=1
for i in 0 1 2; do
	curl -s --max-time 1 --connect-to "::127.0.0.1:$port" \
	    "http://dead-$i.h0.test/" >/dev/null
	[ $? -eq 28 ]
	ok $? "dead-$i never answers"
done
get h0.test / | grep -q '</html>'
ok $? "and h0 does"
stop

echo "1..$run"
[ $bad -eq 0 ]
