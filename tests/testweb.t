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

echo "1..$run"
[ $bad -eq 0 ]
