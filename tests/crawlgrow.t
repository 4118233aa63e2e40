#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# A seen set that was made for far too few URLs is replaced by a larger one
# while the crawl goes on; nothing is missed or fetched twice for that.

: "${top_srcdir:=$(cd "$(dirname "$0")/.." && pwd)}"
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/crawl.sh"

web='--hosts=20 --pages=1500 --page-bytes=500'
# shellcheck disable=SC2086 # a list of options
{
	truth $web
	web_start $web --latency=2
}
cd "$T" || exit 2
cp seeds seed.txt
touch log

crawl_it() { # OPTION...
	"$crawl" "$to" --delay=0.02 --ip-delay=0 --scope=any --sync=20 \
	    -n 50 --snapshot=0.3 "$@" seed.txt >>lines 2>>err
}

# layers: of the seen set
layers() {
	"$urlseen" -f seed.crawl/seen --stats </dev/null 2>&1 |
	    sed -n 's/.* \([0-9]*\) layers*,.*/\1/p'
}

crawl_it --pages=700
is $? 0 "half of a crawl"
[ "$(layers)" -le 2 ]
ok $? "the seen set has $(layers) layers"
is "$(find seed.crawl -name 'seen.*')" "" "nothing is left beside it"
records A seed.crawl | cut -f3 | "$urlseen" -f seed.crawl/seen --dry-run >new
is "$(cat new)" "" "it knows all that was admitted"

n=1
while [ $n -le 3 ]; do
	crawl_it &
	sleep 0.15
	kill -9 "$(tr -d ' ' <seed.crawl/lock)" 2>/dev/null
	wait $! 2>/dev/null
	n=$((n + 1))
done
touch seed.crawl/seen.new # as a kill in the middle of it leaves
crawl_it
is $? 0 "killed now and then, it comes to its end"
judge "nothing is missed" --allow-again=300
is "$("$bin/crawl-check" seed.crawl "$T/fetch" | sed 9q)" "" \
    "each page is admitted and done once"
records A seed.crawl | cut -f3 | "$urlseen" -f seed.crawl/seen --dry-run >new
is "$(cat new)" "" "it still knows all"
is "$(find seed.crawl -name 'seen.*')" "" "nothing is left beside it"
web_stop
done_testing
